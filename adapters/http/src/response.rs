//! What a host answered, read to its end. Not a judgement: a status of 400 and above is the tool's to read.

use reqwest::StatusCode;
use reqwest::header::{CONTENT_ENCODING, HeaderMap};
use toolgate_core::resource::{HttpUrl, NetError, NetFault};
use toolgate_core::serde::de::DeserializeOwned;
use toolgate_core::serde_json;
use toolgate_core::tool::Effect;

/// An answer, its body read to the end.
#[derive(Debug, Clone)]
pub struct HttpResponse {
    pub(crate) url: HttpUrl,
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
    /// What is to be said of the world when the body is no use.
    pub(crate) effect: Effect,
}

impl HttpResponse {
    /// Where it came from, after redirects.
    pub fn url(&self) -> &HttpUrl {
        &self.url
    }

    /// Its status.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// Its headers.
    pub fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    /// The body as it came, also where it is compressed.
    pub fn raw(&self) -> &[u8] {
        &self.body
    }

    /// The body.
    ///
    /// # Errors
    /// `net.body_encoded` where it is compressed: it wasn't asked for, and nothing is unpacked.
    pub fn bytes(&self) -> Result<&[u8], NetError> {
        let encoded = self.headers.get_all(CONTENT_ENCODING).iter().any(|value| {
            value.to_str().is_ok_and(|value| value.split(',').any(|word| !word.trim().eq_ignore_ascii_case("identity")))
                || value.to_str().is_err()
        });
        if encoded {
            return Err(self.fault(NetFault::BodyEncoded, "the body has a content encoding"));
        }
        Ok(&self.body)
    }

    /// The body as text.
    ///
    /// # Errors
    /// `net.body_encoded`, `net.not_text` where it isn't UTF-8.
    pub fn text(&self) -> Result<&str, NetError> {
        let bytes = self.bytes()?;
        std::str::from_utf8(bytes)
            .map_err(|error| self.fault(NetFault::NotText, format!("not UTF-8 at byte {}", error.valid_up_to())))
    }

    /// The body as a value from JSON.
    ///
    /// # Errors
    /// `net.body_encoded`, `net.not_json` where it isn't JSON of that form.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, NetError> {
        serde_json::from_slice(self.bytes()?)
            .map_err(|error| self.fault(NetFault::NotJson, format!("{:?} at line {}", error.classify(), error.line())))
    }

    fn fault(&self, fault: NetFault, detail: impl Into<String>) -> NetError {
        NetError::new(fault, detail).with_effect(self.effect)
    }
}
