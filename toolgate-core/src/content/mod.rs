//! Blocks of a result that are no data: images, audio, files, links and text, for models that can see
//! and hear. Not the forms in which providers take them, and not the bounding, which is the gate's.
//!
//! A tool returns them by themselves, in lists and options, in fields of a `#[tool_type(result)]`, or
//! beside other data with [`WithContent`]. Where a block stands in the data, the data has its
//! description: kind, media type, size.

mod error;
mod link;
mod mask;
mod media;
mod output;
mod record;
mod stored;

use std::fmt;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

pub use error::ContentError;
pub use link::ResourceLink;
pub use output::WithContent;
pub use record::ContentRecord;

pub(crate) use output::{collect, hides_block};

use crate::resource::ReadPath;
use crate::resource::names::is_hidden;

/// Most characters of a file's name.
const MAX_NAME: usize = 255;

/// One block of a result.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Content {
    /// Text. Counts against the tool's `result_limit`, as data does.
    Text(String),
    /// A picture.
    Image(Image),
    /// Sound.
    Audio(Audio),
    /// A file of any kind.
    File(File),
    /// A link to something that the reader can fetch itself.
    Link(ResourceLink),
}

impl Content {
    /// What it is, in one word: `text`, `image`, `audio`, `file` or `link`.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) => "text",
            Self::Image(_) => "image",
            Self::Audio(_) => "audio",
            Self::File(_) => "file",
            Self::Link(_) => "link",
        }
    }

    /// The media type, where it has one.
    pub fn media_type(&self) -> Option<&str> {
        match self {
            Self::Text(_) => None,
            Self::Image(image) => Some(image.media_type()),
            Self::Audio(audio) => Some(audio.media_type()),
            Self::File(file) => Some(file.media_type()),
            Self::Link(link) => link.media_type(),
        }
    }

    /// The name, of a file or a link.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::File(file) => Some(file.name()),
            Self::Link(link) => Some(link.name()),
            Self::Text(_) | Self::Image(_) | Self::Audio(_) => None,
        }
    }

    /// The bytes, where it has any: of an image, audio or a file.
    pub fn bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Image(image) => Some(image.bytes()),
            Self::Audio(audio) => Some(audio.bytes()),
            Self::File(file) => Some(file.bytes()),
            Self::Text(_) | Self::Link(_) => None,
        }
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for Content {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

/// Bytes of a stated media type; a copy of it shares the bytes.
#[derive(Clone, PartialEq)]
struct Media {
    media_type: media::MediaType,
    bytes: Arc<[u8]>,
}

impl Media {
    fn new(family: Option<&str>, media_type: &str, bytes: Vec<u8>) -> Result<Self, ContentError> {
        let media_type = media::checked(media_type)?;
        if let Some(family) = family
            && !media_type.name.strip_prefix(family).is_some_and(|rest| rest.starts_with('/'))
        {
            return Err(ContentError::OtherFamily { asked: media_type.name, family: family.to_owned() });
        }
        if bytes.is_empty() && family.is_some() {
            return Err(ContentError::Empty);
        }
        media::agrees(&media_type.name, &bytes)?;
        Ok(Self { media_type, bytes: bytes.into() })
    }
}

impl fmt::Debug for Media {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {} bytes", self.media_type.name, self.bytes.len())
    }
}

/// What the three types with bytes have in common.
macro_rules! media {
    ($name:ident) => {
        impl $name {
            /// The media type, lower-case, such as `image/png`.
            pub fn media_type(&self) -> &str {
                &self.media.media_type.name
            }

            /// The bytes.
            pub fn bytes(&self) -> &[u8] {
                &self.media.bytes
            }

            /// The bytes as base64, the form in which JSON has them.
            pub fn base64(&self) -> String {
                STANDARD.encode(&self.media.bytes)
            }
        }

        impl From<$name> for Content {
            fn from(block: $name) -> Self {
                Self::$name(block)
            }
        }
    };
}

/// A picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Image {
    media: Media,
}

/// Sound.
#[derive(Debug, Clone, PartialEq)]
pub struct Audio {
    media: Media,
}

/// A file: a name, a media type, bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct File {
    name: String,
    media: Media,
}

media! { Image }
media! { Audio }
media! { File }

impl Image {
    /// A picture of this media type, which is checked against the bytes of PNG, JPEG, GIF and WebP: a
    /// provider refuses a whole conversation over one picture that isn't what it says.
    ///
    /// # Errors
    /// No media type of the family `image`, other bytes than it says, or none.
    pub fn new(media_type: &str, bytes: impl Into<Vec<u8>>) -> Result<Self, ContentError> {
        Media::new(Some("image"), media_type, bytes.into()).map(|media| Self { media })
    }

    /// A picture whose media type its bytes say: PNG, JPEG, GIF or WebP.
    ///
    /// # Errors
    /// Bytes of another kind.
    pub fn of_bytes(bytes: impl Into<Vec<u8>>) -> Result<Self, ContentError> {
        let bytes = bytes.into();
        let media_type = media::image_type(&bytes).ok_or(ContentError::UnknownImage)?;
        Self::new(media_type, bytes)
    }

    /// The picture in a file of the workspace: PNG, JPEG, GIF or WebP, as its bytes say.
    ///
    /// # Errors
    /// The file can't be read, or is of another kind.
    pub fn of_path(path: &ReadPath) -> Result<Self, ContentError> {
        Self::of_bytes(path.read_bytes()?)
    }
}

impl Audio {
    /// Sound of this media type, such as `audio/wav`.
    ///
    /// # Errors
    /// No media type of the family `audio`, or no bytes.
    pub fn new(media_type: &str, bytes: impl Into<Vec<u8>>) -> Result<Self, ContentError> {
        Media::new(Some("audio"), media_type, bytes.into()).map(|media| Self { media })
    }
}

impl File {
    /// A file of this name and media type.
    ///
    /// # Errors
    /// No media type, other bytes than it says, or a name that is blank, `.`, `..`, longer than 255
    /// characters, or holds a slash or a character that can't be seen or turns others round.
    pub fn new(name: &str, media_type: &str, bytes: impl Into<Vec<u8>>) -> Result<Self, ContentError> {
        let unfit = |c: char| c == '/' || c == '\\' || is_hidden(c);
        let is_none = name.trim().is_empty() || matches!(name, "." | "..");
        if is_none || name.chars().count() > MAX_NAME || name.contains(unfit) {
            return Err(ContentError::Name);
        }
        Ok(Self { name: name.to_owned(), media: Media::new(None, media_type, bytes.into())? })
    }

    /// A file of the workspace, under its own name, with the media type that its ending stands for.
    ///
    /// # Errors
    /// The file can't be read, or its name can't be told.
    pub fn of_path(path: &ReadPath) -> Result<Self, ContentError> {
        let name = path.relative().rsplit('/').next().unwrap_or_default();
        let bytes = path.read_bytes()?;
        Self::new(name, media::type_of(name, &bytes), bytes)
    }

    /// Its name, without folders.
    pub fn name(&self) -> &str {
        &self.name
    }
}
