//! A link in a result. Nothing is fetched, and whether the reader may is not decided here.

use super::error::ContentError;
use super::media::MediaType;
use crate::resource::names::is_hidden;

/// Most characters of an address.
const MAX_URI: usize = 2_048;
/// Most characters of a name, a title and a description.
const MAX_NAME: usize = 255;
const MAX_TEXT: usize = 1_000;
/// Schemes that are no address of something to fetch: what they hold is run or shown by who opens them.
const NO_ADDRESS: [&str; 3] = ["javascript", "data", "vbscript"];

/// So many characters of a text, without those that can't be seen or turn others round.
fn shown(text: &str, most: usize) -> String {
    text.chars().filter(|c| matches!(c, '\n' | '\t') || !is_hidden(*c)).take(most).collect()
}

/// A link to something that the reader can fetch itself, such as a page or a resource of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceLink {
    pub(super) uri: String,
    pub(super) name: String,
    pub(super) title: Option<String>,
    pub(super) description: Option<String>,
    pub(super) media_type: Option<MediaType>,
}

impl ResourceLink {
    /// A link with an absolute address, such as `https://example.com/a` or `file:///a`.
    ///
    /// # Errors
    /// An address without a scheme, or with one that is run by who opens it (`javascript`, `data`,
    /// `vbscript`); with blanks or characters that can't be seen or turn others round, or too long; a name
    /// that is blank, longer than 255 characters, or with such characters.
    pub fn new(uri: &str, name: &str) -> Result<Self, ContentError> {
        let is_scheme = |scheme: &str| {
            let mut letters = scheme.chars();
            letters.next().is_some_and(|first| first.is_ascii_alphabetic())
                && letters.all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
        };
        let (scheme, rest) = uri.split_once(':').ok_or(ContentError::Uri)?;
        let unfit = |c: char| c.is_whitespace() || is_hidden(c);
        let is_run = NO_ADDRESS.iter().any(|no| no.eq_ignore_ascii_case(scheme));
        if is_run || !is_scheme(scheme) || rest.is_empty() || uri.chars().count() > MAX_URI || uri.contains(unfit) {
            return Err(ContentError::Uri);
        }
        if name.trim().is_empty() || name.chars().count() > MAX_NAME || name.contains(is_hidden) {
            return Err(ContentError::Name);
        }
        Ok(Self { uri: uri.to_owned(), name: name.to_owned(), title: None, description: None, media_type: None })
    }

    /// With a title for people; cut to 255 characters, without those that can't be seen or turn others round.
    #[must_use]
    pub fn title(mut self, title: &str) -> Self {
        self.title = Some(shown(title, MAX_NAME));
        self
    }

    /// With what it is, for the model; cut to 1,000 characters, as a title is.
    #[must_use]
    pub fn description(mut self, text: &str) -> Self {
        self.description = Some(shown(text, MAX_TEXT));
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

    /// All that it says.
    fn said(&self) -> impl Iterator<Item = &str> {
        let media_type = self.media_type.as_ref().map(|found| &found.name);
        let more = [self.title.as_ref(), self.description.as_ref(), media_type].into_iter().flatten();
        [&self.uri, &self.name].into_iter().chain(more).map(String::as_str)
    }

    /// The characters of all that it says.
    pub(crate) fn chars(&self) -> usize {
        self.said().map(|text| text.chars().count()).sum()
    }

    /// The bytes of all that it says.
    pub(crate) fn bytes(&self) -> usize {
        self.said().map(str::len).sum()
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
        self.media_type.as_ref().map(|found| found.name.as_str())
    }
}

impl From<ResourceLink> for super::Content {
    fn from(link: ResourceLink) -> Self {
        Self::Link(link)
    }
}
