//! A link in a result. Nothing is fetched, and whether the reader may is not decided here.

use super::error::ContentError;

/// Most characters of an address.
const MAX_URI: usize = 2_048;
/// Most characters of a name, a title and a description.
const MAX_NAME: usize = 255;
const MAX_TEXT: usize = 1_000;

/// A link to something that the reader can fetch itself, such as a page or a resource of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceLink {
    pub(super) uri: String,
    pub(super) name: String,
    pub(super) title: Option<String>,
    pub(super) description: Option<String>,
    pub(super) media_type: Option<String>,
}

impl ResourceLink {
    /// A link with an absolute address, such as `https://example.com/a` or `file:///a`.
    ///
    /// # Errors
    /// An address without a scheme, with blanks or control characters, or too long; a name that is empty
    /// or longer than 255 characters.
    pub fn new(uri: &str, name: &str) -> Result<Self, ContentError> {
        let is_scheme = |scheme: &str| {
            let mut letters = scheme.chars();
            letters.next().is_some_and(|first| first.is_ascii_alphabetic())
                && letters.all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
        };
        let (scheme, rest) = uri.split_once(':').ok_or(ContentError::Uri)?;
        let unfit = |c: char| c.is_whitespace() || c.is_control();
        if !is_scheme(scheme) || rest.is_empty() || uri.chars().count() > MAX_URI || uri.contains(unfit) {
            return Err(ContentError::Uri);
        }
        if name.is_empty() || name.chars().count() > MAX_NAME || name.contains(char::is_control) {
            return Err(ContentError::Name);
        }
        Ok(Self { uri: uri.to_owned(), name: name.to_owned(), title: None, description: None, media_type: None })
    }

    /// With a title for people; cut to 255 characters.
    #[must_use]
    pub fn title(mut self, title: &str) -> Self {
        self.title = Some(title.chars().take(MAX_NAME).collect());
        self
    }

    /// With what it is, for the model; cut to 1,000 characters.
    #[must_use]
    pub fn description(mut self, text: &str) -> Self {
        self.description = Some(text.chars().take(MAX_TEXT).collect());
        self
    }

    /// With the media type of what is there.
    ///
    /// # Errors
    /// No media type.
    pub fn of_type(mut self, media_type: &str) -> Result<Self, ContentError> {
        self.media_type = Some(super::media::checked(media_type)?);
        Ok(self)
    }

    /// The address.
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The title for people.
    pub fn title_text(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// What it is.
    pub fn description_text(&self) -> Option<&str> {
        self.description.as_deref()
    }

    /// The media type of what is there.
    pub fn media_type(&self) -> Option<&str> {
        self.media_type.as_deref()
    }
}

impl From<ResourceLink> for super::Content {
    fn from(link: ResourceLink) -> Self {
        Self::Link(link)
    }
}
