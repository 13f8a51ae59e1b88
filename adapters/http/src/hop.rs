//! One request to one URL: looked up once, all addresses checked, one of them connected, the body read up to the limit.
//! Not what a redirect in its answer leads to.

use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicBool, Ordering};

use reqwest::header::HeaderMap;
use reqwest::redirect::Policy;
use reqwest::{Client, Method, Response, Url};
use toolgate_core::policy::Control;
use toolgate_core::resource::{HttpUrl, NetError, NetFault, UrlHost};
use toolgate_core::session::Capabilities;
use toolgate_core::tool::{Effect, ToolError};

use crate::client::Http;
use crate::failure;
use crate::response::HttpResponse;

/// Most addresses of one name that are tried.
const MAX_ADDRESSES: usize = 16;

/// One request to one URL.
#[derive(Debug, Clone)]
pub(crate) struct Hop {
    pub(crate) method: Method,
    pub(crate) url: HttpUrl,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Option<Vec<u8>>,
}

impl Hop {
    pub(crate) fn changes_nothing(&self) -> bool {
        matches!(self.method, Method::GET | Method::HEAD)
    }

    pub(crate) async fn send(&self, http: &Http, sent: &AtomicBool) -> Result<HttpResponse, NetError> {
        http.hosts.check(&self.url)?;
        self.note_grants(http);
        let addresses = self.addresses(http).await?;
        let client = self.client(http, &addresses)?;
        let url = self.as_url()?;
        let mut request = client.request(self.method.clone(), url).headers(self.headers.clone());
        if let Some(body) = &self.body {
            request = request.body(body.clone());
        }
        let before = sent.load(Ordering::Relaxed);
        if !self.changes_nothing() {
            let given_up = |error: ToolError| NetError::new(NetFault::Timeout, error.for_operator());
            http.context.effect_starts().map_err(given_up)?;
            sent.store(true, Ordering::Relaxed);
        }
        let answer = request.send().await.map_err(|error| {
            let error = failure::of(error);
            if matches!(error.fault(), NetFault::Connect | NetFault::Tls) {
                // Nothing of this request was sent.
                sent.store(before, Ordering::Relaxed);
            }
            error
        })?;
        self.check_peer(&answer, &addresses)?;
        self.read(answer, http.setup.limits.body_bytes).await
    }

    /// The record of the call has hosts that the policy would have refused, were it enforced.
    fn note_grants(&self, http: &Http) {
        let reason = format!("the host `{}` is not granted", self.url.host());
        let allow = |may: &Capabilities| may.reachable().check(&self.url).is_ok();
        http.context.note_grants(Control::Hosts, "net.host_not_allowed", &reason, allow);
    }

    /// The addresses that may be connected: all that the name has, or none.
    async fn addresses(&self, http: &Http) -> Result<Vec<SocketAddr>, NetError> {
        let found: Vec<IpAddr> = match self.url.host() {
            UrlHost::Address(address) => vec![*address],
            UrlHost::Name(name) => http.setup.resolver.lookup(name).await.map_err(|error| {
                NetError::new(NetFault::Lookup, format!("{name} could not be looked up")).with_source(error)
            })?,
        };
        if found.is_empty() {
            return Err(NetError::new(NetFault::Lookup, format!("{} has no addresses", self.url.host())));
        }
        found.iter().try_for_each(|address| http.hosts.check_address(&self.url, *address))?;
        Ok(found.into_iter().take(MAX_ADDRESSES).map(|address| SocketAddr::new(address, self.url.port())).collect())
    }

    /// A client for this request alone: a connection that was kept would be one that was checked for another task.
    fn client(&self, http: &Http, addresses: &[SocketAddr]) -> Result<Client, NetError> {
        let wrong = |detail: String| NetError::new(NetFault::Client, detail);
        let tls = http.setup.tls_for(self.url.scheme()).map_err(wrong)?;
        let builder = Client::builder()
            .tls_backend_preconfigured(tls)
            .redirect(Policy::none())
            .retry(reqwest::retry::never())
            .no_proxy()
            .referer(false)
            .http1_only()
            .pool_max_idle_per_host(0)
            .connect_timeout(http.setup.limits.connect_time)
            .resolve_to_addrs(&self.url.host().to_string(), addresses);
        builder.build().map_err(|error| wrong("the client can't be built".to_owned()).with_source(error))
    }

    /// The URL for the client's own parser, which must read it as it was checked.
    fn as_url(&self) -> Result<Url, NetError> {
        let differs =
            || NetError::new(NetFault::Invalid, format!("{:?} is read differently by the client", self.url.as_str()));
        let mut url = Url::parse(self.url.as_str()).map_err(|error| differs().with_source(error))?;
        if url.as_str() != self.url.as_str() || url.host_str() != Some(self.url.host().to_string().as_str()) {
            return Err(differs());
        }
        url.set_fragment(None);
        Ok(url)
    }

    /// What was connected must be what was checked.
    fn check_peer(&self, answer: &Response, addresses: &[SocketAddr]) -> Result<(), NetError> {
        let is_checked = |peer: SocketAddr| addresses.iter().any(|address| same(address.ip(), peer.ip()));
        match answer.remote_addr() {
            Some(peer) if is_checked(peer) => Ok(()),
            peer => Err(NetError::new(NetFault::IpDenied, format!("{peer:?} was connected, and never checked"))),
        }
    }

    async fn read(&self, mut answer: Response, most: usize) -> Result<HttpResponse, NetError> {
        let too_large = |size: u64| NetError::new(NetFault::BodyTooLarge, format!("{size} bytes or more, of {most}"));
        let most_bytes = u64::try_from(most).unwrap_or(u64::MAX);
        if self.method != Method::HEAD
            && let Some(size) = answer.content_length().filter(|size| *size > most_bytes)
        {
            return Err(too_large(size));
        }
        let mut body = Vec::new();
        while let Some(part) = answer.chunk().await.map_err(failure::of)? {
            if body.len() + part.len() > most {
                return Err(too_large(most_bytes.saturating_add(1)));
            }
            body.extend_from_slice(&part);
        }
        let (status, headers) = (answer.status(), std::mem::take(answer.headers_mut()));
        Ok(HttpResponse { url: self.url.clone(), status, headers, body, effect: Effect::None })
    }
}

fn same(checked: IpAddr, peer: IpAddr) -> bool {
    checked.to_canonical() == peer.to_canonical()
}
