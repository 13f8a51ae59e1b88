//! What a running tool gets: requests to URLs that its task may reach. Not how they are sent.

use std::sync::{Arc, LazyLock};

use reqwest::Method;
use toolgate_core::resource::{Hosts, HttpUrl, NetError};
use toolgate_core::tool::Context;

use crate::request::HttpRequest;
use crate::setup::HttpSetup;

/// HTTP for a running tool.
pub trait HttpContext {
    /// A client that reaches the hosts of this task. Its limits, its resolver and the authorities it trusts are those
    /// of the [`HttpSetup`] that the host gave the gate as state, else the usual ones.
    fn http(&self) -> Http;
}

impl HttpContext for Context {
    fn http(&self) -> Http {
        let setup = self.state::<HttpSetup>().cloned().unwrap_or_else(|_| USUAL.clone());
        Http { hosts: Arc::new(self.capabilities().reachable()), setup, context: self.clone() }
    }
}

/// The usual limits and resolver, and the system's authorities.
static USUAL: LazyLock<HttpSetup> = LazyLock::new(HttpSetup::default);

/// A client for one call of a tool.
#[derive(Debug, Clone)]
pub struct Http {
    pub(crate) hosts: Arc<Hosts>,
    pub(crate) setup: HttpSetup,
    pub(crate) context: Context,
}

impl Http {
    /// A URL that was found elsewhere, such as in a page, held against the hosts of the task.
    ///
    /// # Errors
    /// The text is no canonical URL, or one that this task may not reach.
    pub fn parse(&self, text: &str) -> Result<HttpUrl, NetError> {
        self.hosts.read(text)
    }

    /// Asks for a page; changes nothing.
    pub fn get(&self, url: &HttpUrl) -> HttpRequest {
        self.request(Method::GET, url)
    }

    /// Asks what a page would be like; changes nothing.
    pub fn head(&self, url: &HttpUrl) -> HttpRequest {
        self.request(Method::HEAD, url)
    }

    /// Hands something over.
    pub fn post(&self, url: &HttpUrl) -> HttpRequest {
        self.request(Method::POST, url)
    }

    /// Puts something in its place.
    pub fn put(&self, url: &HttpUrl) -> HttpRequest {
        self.request(Method::PUT, url)
    }

    /// Changes a part of something.
    pub fn patch(&self, url: &HttpUrl) -> HttpRequest {
        self.request(Method::PATCH, url)
    }

    /// Takes something away.
    pub fn delete(&self, url: &HttpUrl) -> HttpRequest {
        self.request(Method::DELETE, url)
    }

    fn request(&self, method: Method, url: &HttpUrl) -> HttpRequest {
        HttpRequest::new(self.clone(), method, url.clone())
    }
}
