//! Why a block can't be made. The texts are from a closed set and safe for the model.

use std::fmt;

use crate::resource::PathError;

/// Why a block can't be made.
#[derive(Debug)]
#[non_exhaustive]
pub enum ContentError {
    /// Not `type/subtype`.
    MediaType,
    /// A media type of another family than the block's.
    OtherFamily {
        /// The media type that was given.
        asked: String,
        /// The family that it must be of.
        family: String,
    },
    /// The bytes are not what the media type says.
    OtherBytes {
        /// The media type that was given.
        asked: String,
        /// What the bytes are.
        found: &'static str,
    },
    /// Bytes of no picture that is known.
    UnknownImage,
    /// No bytes at all.
    Empty,
    /// A name that can't be told.
    Name,
    /// An address without a scheme, or one that can't be told.
    Uri,
    /// The file can't be read.
    Path(PathError),
}

impl ContentError {
    /// The text for the model: nothing of the bytes, and no path of the host.
    pub fn for_model(&self) -> &str {
        match self {
            Self::MediaType => "the media type of a part of the result is none",
            Self::OtherFamily { .. } => "a part of the result has a media type of another family",
            Self::OtherBytes { .. } => "a part of the result is not of the media type that it states",
            Self::UnknownImage => "the file is no PNG, JPEG, GIF or WebP picture",
            Self::Empty => "a part of the result is empty",
            Self::Name => "a part of the result has a name that can't be told",
            Self::Uri => "a link of the result has no address that can be told",
            Self::Path(error) => error.for_model(),
        }
    }

    /// Whether it is sure that nothing was changed: a file was only to be read.
    pub(crate) fn is_without_effect(&self) -> bool {
        matches!(self, Self::Path(error) if error.is_without_effect())
    }
}

impl fmt::Display for ContentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherFamily { asked, family } => write!(f, "media type `{asked}`, expected one of `{family}/..`"),
            Self::OtherBytes { asked, found } => write!(f, "media type `{asked}`, but the bytes are `{found}`"),
            Self::Path(error) => error.fmt(f),
            other => f.write_str(other.for_model()),
        }
    }
}

impl std::error::Error for ContentError {}

impl From<PathError> for ContentError {
    fn from(error: PathError) -> Self {
        Self::Path(error)
    }
}
