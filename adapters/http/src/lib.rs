//! HTTP for tools: [`HttpContext::http`] gives a running tool a client that reaches only the hosts its task may reach,
//! at addresses that were looked up once and checked.
//!
//! Not a client for host programs, and not a proxy: what a tool sends by other means isn't seen here.
//!
//! ```
//! use toolgate_core::resource::{Hosts, HttpUrl};
//! use toolgate_core::tool::{Context, ToolError};
//! use toolgate_http::HttpContext;
//!
//! async fn fetch(ctx: &Context, url: HttpUrl) -> Result<String, ToolError> {
//!     let answer = ctx.http().get(&url).send().await?;
//!     if !answer.status().is_success() {
//!         return Err(ToolError::no_effect("the page is not there"));
//!     }
//!     Ok(answer.text()?.to_owned())
//! }
//! ```
//!
//! A request goes through these steps, again for each redirect: the URL is held against the task's hosts; its name is
//! looked up; all addresses must lie in the networks of the rules that allow it; one of them is connected, and no other;
//! the host proves by its certificate that it has the name. There are no cookies, no proxy of the environment, no
//! decompression, and no connection is used twice.

mod client;
mod failure;
mod hop;
mod redirect;
mod request;
mod resolver;
mod response;
mod setup;

pub use client::{Http, HttpContext};
pub use request::HttpRequest;
pub use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
pub use reqwest::{Method, StatusCode};
pub use resolver::{Lookup, Resolver, SystemResolver};
pub use response::HttpResponse;
pub use setup::{HttpLimits, HttpSetup};
