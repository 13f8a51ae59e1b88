//! Masks what can be read of a block. Bytes that are text are masked as such; in other bytes nothing
//! can be masked without breaking them, so that a block whose bytes hold a secret is not given at all.

use super::{Audio, Content, File, Image, Media};

/// Why a block can't be masked: its bytes hold a secret and are no text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HoldsSecret;

impl Content {
    /// The block as `mask` leaves it, which says `None` of a text in which nothing is masked.
    pub(crate) fn masked(self, mask: impl Fn(&str) -> Option<String>) -> Result<Self, HoldsSecret> {
        let text = |text: String| mask(&text).unwrap_or(text);
        Ok(match self {
            Self::Text(given) => Self::Text(text(given)),
            Self::Image(Image { media }) => Self::Image(Image { media: media.masked(&mask)? }),
            Self::Audio(Audio { media }) => Self::Audio(Audio { media: media.masked(&mask)? }),
            Self::File(File { name, media }) => Self::File(File { name: text(name), media: media.masked(&mask)? }),
            Self::Link(mut link) => {
                link.uri = text(link.uri);
                link.name = text(link.name);
                link.title = link.title.map(text);
                link.description = link.description.map(text);
                Self::Link(link)
            }
        })
    }
}

impl Media {
    fn masked(self, mask: &impl Fn(&str) -> Option<String>) -> Result<Self, HoldsSecret> {
        match std::str::from_utf8(&self.bytes) {
            Ok(text) => Ok(match mask(text) {
                Some(masked) => Self { bytes: masked.into_bytes().into(), ..self },
                None => self,
            }),
            Err(_) if mask(&String::from_utf8_lossy(&self.bytes)).is_some() => Err(HoldsSecret),
            Err(_) => Ok(self),
        }
    }
}
