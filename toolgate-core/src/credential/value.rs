//! The value of a credential, which nothing but a tool's own code can read: it has no text form, and is
//! wiped when the last one who has it lets go. Not where it comes from.

use std::fmt;
use std::sync::Arc;

use zeroize::Zeroizing;

use crate::redact::{MASK, Registered};
use crate::store::Millis;

/// A secret text, as a broker gives it. Neither printed nor serialised; wiped from memory at its end.
///
/// What a value was made from, such as the buffer that it was read into, is the maker's to wipe. The
/// redaction keeps its own forms of the value as long as it looks for it.
pub struct Secret(Zeroizing<String>);

impl Secret {
    /// This text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(Zeroizing::new(text.into()))
    }

    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(MASK)
    }
}

struct Inner {
    name: String,
    secret: Secret,
    expires_ms: Option<Millis>,
    /// `None` in unit tests of a tool, where nothing is stored.
    known: Option<Registered>,
}

/// A credential that a tool was given, for itself and for the task of its call.
///
/// The value is read with [`expose`](Self::expose), in the expression that uses it, and is not kept: ask
/// for it again in the next call.
#[derive(Clone)]
pub struct Credential(Arc<Inner>);

impl Credential {
    pub(crate) fn issued(name: String, secret: Secret, expires_ms: Millis, known: Registered) -> Self {
        Self(Arc::new(Inner { name, secret, expires_ms: Some(expires_ms), known: Some(known) }))
    }

    /// One that no gate issued, for unit tests of a tool's function.
    #[doc(hidden)]
    pub fn unissued(name: impl Into<String>, secret: impl Into<String>) -> Self {
        Self(Arc::new(Inner { name: name.into(), secret: Secret::new(secret), expires_ms: None, known: None }))
    }

    /// Its value, for the request that needs it.
    pub fn expose(&self) -> &str {
        self.0.secret.expose()
    }

    /// The name it was asked for by.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// When it ends, in milliseconds since 1970 UTC; `None` in unit tests.
    pub fn expires_ms(&self) -> Option<Millis> {
        self.0.expires_ms
    }

    /// What keeps the value known to redaction.
    pub(crate) fn known(&self) -> Option<&Registered> {
        self.0.known.as_ref()
    }
}

impl fmt::Debug for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credential").field("name", &self.0.name).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_credential_has_no_text_form() {
        let credential = Credential::unissued("crm", "tok-123456");
        assert_eq!(credential.expose(), "tok-123456");
        let shown = format!("{credential:?} {:?}", Secret::new("tok-123456"));
        assert!(shown.contains("crm") && !shown.contains("tok-123456"), "{shown}");
    }
}
