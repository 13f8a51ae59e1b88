//! Masks what can be read of a block. Bytes that are text are masked as such; in other bytes nothing
//! can be masked without breaking them, so that a block whose bytes hold a secret is not given at all; nor is
//! one whose media type does.

use super::{Audio, Content, File, Image, Media};

/// Why a block can't be masked: its media type holds a secret, or its bytes do and are no text.
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
                // What a media type says less of is none any more.
                link.media_type = link.media_type.filter(|found| !found.holds_secret(&mask));
                Self::Link(link)
            }
        })
    }
}

impl Media {
    fn masked(self, mask: &impl Fn(&str) -> Option<String>) -> Result<Self, HoldsSecret> {
        if self.media_type.holds_secret(mask) {
            return Err(HoldsSecret);
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::ResourceLink;

    fn mask(text: &str) -> Option<String> {
        text.contains("SeCrEt").then(|| text.replace("SeCrEt", "***"))
    }

    #[test]
    fn a_secret_in_a_media_type_is_found_as_it_was_written() {
        let file = File::new("a.bin", "application/x-SeCrEt", vec![0xff]).unwrap();
        assert_eq!(file.media_type(), "application/x-secret");
        assert_eq!(Content::from(file).masked(mask), Err(HoldsSecret));
        let link = ResourceLink::new("https://example.com/a", "a").unwrap().of_type("text/x-SeCrEt").unwrap();
        let Ok(Content::Link(link)) = Content::from(link).masked(mask) else { panic!("a link stays one") };
        assert_eq!(link.media_type(), None);
        let plain = Content::from(File::new("a.bin", "Application/X-Other", vec![0xff]).unwrap());
        assert_eq!(plain.clone().masked(mask), Ok(plain));
    }
}
