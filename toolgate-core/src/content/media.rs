//! Media types: their spelling, what the first bytes of a picture say, and what a file's ending stands
//! for. No database of types; what isn't known is `application/octet-stream`.

use super::error::ContentError;

/// Most characters of either half (RFC 6838).
const MAX_HALF: usize = 127;

/// A media type, and how it was written: a secret in it is only known as it was.
#[derive(Clone)]
pub(super) struct MediaType {
    /// In lower case.
    pub(super) name: String,
    written: Option<String>,
}

impl MediaType {
    /// One in lower case.
    pub(super) fn of(name: String) -> Self {
        Self { name, written: None }
    }

    /// Whether something of it is to be masked.
    pub(super) fn holds_secret(&self, mask: impl Fn(&str) -> Option<String>) -> bool {
        [Some(&self.name), self.written.as_ref()].into_iter().flatten().any(|text| mask(text).is_some())
    }
}

/// However they were written.
impl PartialEq for MediaType {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for MediaType {}

impl std::fmt::Debug for MediaType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)
    }
}

/// The media type, where it is one.
pub(super) fn checked(media_type: &str) -> Result<MediaType, ContentError> {
    let (family, kind) = media_type.split_once('/').ok_or(ContentError::MediaType)?;
    let is_half = |half: &str| {
        let mut letters = half.bytes();
        half.len() <= MAX_HALF
            && letters.next().is_some_and(|first| first.is_ascii_alphanumeric())
            && letters.all(|c| c.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&c))
    };
    if !is_half(family) || !is_half(kind) {
        return Err(ContentError::MediaType);
    }
    let name = media_type.to_ascii_lowercase();
    let written = (name != media_type).then(|| media_type.to_owned());
    Ok(MediaType { name, written })
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
