//! The form in which a block is kept sealed, bytes and all. It is read back as it was; the checks of
//! the constructors were made when the tool made it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::media::MediaType;
use super::{Audio, Content, File, Image, Media, ResourceLink};

#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Stored {
    Text {
        text: String,
    },
    Image {
        media_type: String,
        data: String,
    },
    Audio {
        media_type: String,
        data: String,
    },
    File {
        name: String,
        media_type: String,
        data: String,
    },
    Link {
        uri: String,
        name: String,
        #[serde(default)]
        title: Option<String>,
        #[serde(default)]
        description: Option<String>,
        #[serde(default)]
        media_type: Option<String>,
    },
}

fn media<E: serde::de::Error>(media_type: String, data: &str) -> Result<Media, E> {
    let bytes = STANDARD.decode(data).map_err(|_| E::custom("a block that is no base64"))?;
    Ok(Media { media_type: MediaType::of(media_type), bytes: bytes.into() })
}

/// The form in which a block is sealed; no form of a provider.
impl Serialize for Content {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let stored = match self.clone() {
            Self::Text(text) => Stored::Text { text },
            Self::Image(image) => Stored::Image { data: image.base64(), media_type: image.media.media_type.name },
            Self::Audio(audio) => Stored::Audio { data: audio.base64(), media_type: audio.media.media_type.name },
            Self::File(file) => {
                Stored::File { data: file.base64(), name: file.name, media_type: file.media.media_type.name }
            }
            Self::Link(ResourceLink { uri, name, title, description, media_type }) => {
                let media_type = media_type.map(|found| found.name);
                Stored::Link { uri, name, title, description, media_type }
            }
        };
        stored.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match Stored::deserialize(deserializer).map_err(D::Error::custom)? {
            Stored::Text { text } => Self::Text(text),
            Stored::Image { media_type, data } => Self::Image(Image { media: media(media_type, &data)? }),
            Stored::Audio { media_type, data } => Self::Audio(Audio { media: media(media_type, &data)? }),
            Stored::File { name, media_type, data } => Self::File(File { name, media: media(media_type, &data)? }),
            Stored::Link { uri, name, title, description, media_type } => {
                let media_type = media_type.map(MediaType::of);
                Self::Link(ResourceLink { uri, name, title, description, media_type })
            }
        })
    }
}
