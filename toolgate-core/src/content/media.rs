//! Media types: their spelling, what the first bytes of a picture say, and what a file's ending stands
//! for. No database of types; what isn't known is `application/octet-stream`.

use super::error::ContentError;

/// Most characters of either half (RFC 6838).
const MAX_HALF: usize = 127;

/// The media type in lower case.
pub(super) fn checked(media_type: &str) -> Result<String, ContentError> {
    let (family, kind) = media_type.split_once('/').ok_or(ContentError::MediaType)?;
    let is_half = |half: &str| {
        let mut letters = half.bytes();
        half.len() <= MAX_HALF
            && letters.next().is_some_and(|first| first.is_ascii_alphanumeric())
            && letters.all(|c| c.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&c))
    };
    if is_half(family) && is_half(kind) { Ok(media_type.to_ascii_lowercase()) } else { Err(ContentError::MediaType) }
}

/// The kind of picture that these bytes begin like.
pub(super) fn image_type(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        _ => None,
    }
}

/// Whether the bytes are what a type says whose bytes are known.
pub(super) fn agrees(media_type: &str, bytes: &[u8]) -> Result<(), ContentError> {
    let known = ["image/png", "image/jpeg", "image/gif", "image/webp"];
    let found = image_type(bytes);
    let is_known = known.contains(&media_type) || media_type == "image/jpg";
    match found {
        Some(found) if found == media_type => Ok(()),
        Some(found) if media_type.starts_with("image/") => {
            Err(ContentError::OtherBytes { asked: media_type.to_owned(), found })
        }
        None if is_known => {
            Err(ContentError::OtherBytes { asked: media_type.to_owned(), found: "of no picture that is known" })
        }
        _ => Ok(()),
    }
}

/// The media type that a file's ending stands for; else plain text where the bytes are, or just bytes.
pub(super) fn type_of(name: &str, bytes: &[u8]) -> &'static str {
    if let Some(image) = image_type(bytes) {
        return image;
    }
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    match ending.as_deref() {
        Some("csv") => "text/csv",
        Some("htm" | "html") => "text/html",
        Some("json") => "application/json",
        Some("md") => "text/markdown",
        Some("pdf") => "application/pdf",
        Some("svg") => "image/svg+xml",
        Some("xml") => "application/xml",
        Some("zip") => "application/zip",
        Some("wav") => "audio/wav",
        Some("mp3") => "audio/mpeg",
        _ if std::str::from_utf8(bytes).is_ok() => "text/plain",
        _ => "application/octet-stream",
    }
}
