//! One request as a tool puts it together, and its way through redirects to an answer. Not a single hop, which is
//! `hop.rs`.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use reqwest::Method;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use tokio::time::{Instant, timeout_at};
use toolgate_core::resource::{HttpUrl, NetError, NetFault};
use toolgate_core::serde::Serialize;
use toolgate_core::serde_json;
use toolgate_core::tool::Effect;

use crate::client::Http;
use crate::hop::Hop;
use crate::redirect;
use crate::response::HttpResponse;

/// A request under construction.
#[derive(Debug)]
#[must_use = "a request is made by `send`"]
pub struct HttpRequest {
    http: Http,
    hop: Hop,
    /// The first thing that was wrong with it.
    wrong: Option<NetError>,
}

impl HttpRequest {
    pub(crate) fn new(http: Http, method: Method, url: HttpUrl) -> Self {
        Self { http, hop: Hop { method, url, headers: HeaderMap::new(), body: None }, wrong: None }
    }

    /// With this header. `Host`, and what is about the connection, is set by the client.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        match (HeaderName::try_from(name), HeaderValue::try_from(value)) {
            (Ok(name), Ok(mut value)) if !redirect::is_of_the_connection(&name) => {
                value.set_sensitive(!redirect::is_plain(&name));
                self.hop.headers.insert(name, value);
            }
            _ => self.is_wrong("a header that is none, or that the client sets itself"),
        }
        self
    }

    /// With this body.
    pub fn body(mut self, content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        self.hop.body = Some(body.into());
        self.header(CONTENT_TYPE.as_str(), content_type)
    }

    /// With this value as JSON.
    pub fn json(mut self, value: &impl Serialize) -> Self {
        let Ok(body) = serde_json::to_vec(value) else {
            self.is_wrong("a body that JSON can't say");
            return self;
        };
        self.body("application/json", body)
    }

    fn is_wrong(&mut self, detail: &str) {
        self.wrong.get_or_insert_with(|| NetError::new(NetFault::BadRequest, detail));
    }

    /// Sends it, follows redirects, and reads the whole answer.
    ///
    /// # Errors
    /// See the rules `net.*`. Each knows what became of the world: none for requests that only ask, and before anything
    /// was sent; else it is unknown.
    pub async fn send(self) -> Result<HttpResponse, NetError> {
        let Self { http, hop, wrong } = self;
        if let Some(wrong) = wrong {
            return Err(wrong);
        }
        let sent = AtomicBool::new(false);
        let time = http.setup.limits.time.min(http.context.time_left().unwrap_or(Duration::MAX));
        let answered = timeout_at(Instant::now() + time, follow(&http, hop, &sent)).await;
        let result =
            answered.unwrap_or_else(|_| Err(NetError::new(NetFault::Timeout, format!("longer than {time:?}"))));
        let effect = if sent.load(Ordering::Relaxed) { Effect::Unknown } else { Effect::None };
        result.map(|answer| HttpResponse { effect, ..answer }).map_err(|error| error.with_effect(effect))
    }
}

/// Hop after hop, each checked as if it were the first. `sent` is set before anything is sent that may change something.
async fn follow(http: &Http, mut hop: Hop, sent: &AtomicBool) -> Result<HttpResponse, NetError> {
    let limits = http.setup.limits;
    let mut followed = 0;
    loop {
        let answer = hop.send(http, sent).await?;
        let Some(next) = redirect::next(&http.hosts, &hop, &answer)? else { return Ok(answer) };
        followed += 1;
        if followed > limits.redirects {
            return Err(NetError::new(NetFault::RedirectLimit, format!("more than {} redirects", limits.redirects)));
        }
        hop = next;
    }
}
