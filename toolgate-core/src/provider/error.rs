//! Why a text is no message of a provider's. For the host; the model has said nothing that could be
//! answered.

use super::Provider;

/// What was expected in a message, where, and what stood there instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageError {
    provider: Provider,
    place: &'static str,
    expected: &'static str,
    found: String,
}

impl MessageError {
    pub(super) fn new(
        provider: Provider,
        place: &'static str,
        expected: &'static str,
        found: impl Into<String>,
    ) -> Self {
        Self { provider, place, expected, found: found.into() }
    }

    /// Whose message it was read as.
    pub const fn provider(&self) -> Provider {
        self.provider
    }
}

impl std::fmt::Display for MessageError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { provider, place, expected, found } = self;
        let at = if place.is_empty() { String::new() } else { format!(" at `{place}`") };
        write!(f, "no message of {provider}: expected {expected}{at}, got {found}")
    }
}

impl std::error::Error for MessageError {}
