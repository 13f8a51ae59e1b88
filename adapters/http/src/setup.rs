//! What a host program says about HTTP, once for all tools: limits, resolver, authorities. Not which hosts may be
//! reached, which the capabilities of a task say.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use rustls::crypto::ring;
use rustls::pki_types::CertificateDer;
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::Verifier;
use toolgate_core::resource::UrlScheme;

use crate::resolver::{Resolver, SystemResolver};

/// How long a request may take, and how much may come back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HttpLimits {
    /// For everything: lookup, connection, redirects, the whole body. 30 s by default, and never longer than the
    /// tool has.
    pub time: Duration,
    /// For one connection, TLS included. 10 s by default.
    pub connect_time: Duration,
    /// Most bytes of a body; more is an error, and nothing is cut off. 4 MiB by default.
    pub body_bytes: usize,
    /// Most redirects that are followed. 5 by default.
    pub redirects: u32,
}

impl Default for HttpLimits {
    fn default() -> Self {
        Self { time: Duration::from_secs(30), connect_time: Duration::from_secs(10), body_bytes: 4 << 20, redirects: 5 }
    }
}

/// What a host program gives its gate as state, `.state(HttpSetup::default())`, to set what differs from the usual.
#[derive(Clone)]
pub struct HttpSetup {
    pub(crate) limits: HttpLimits,
    pub(crate) resolver: Arc<dyn Resolver>,
    /// Why there is none, for the operator.
    tls: Result<ClientConfig, String>,
}

impl fmt::Debug for HttpSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpSetup")
            .field("limits", &self.limits)
            .field("resolver", &self.resolver)
            .finish_non_exhaustive()
    }
}

impl Default for HttpSetup {
    fn default() -> Self {
        Self { limits: HttpLimits::default(), resolver: Arc::new(SystemResolver), tls: tls(Vec::new()) }
    }
}

impl HttpSetup {
    /// With these limits.
    #[must_use]
    pub fn limits(mut self, limits: HttpLimits) -> Self {
        self.limits = limits;
        self
    }

    /// With this resolver.
    #[must_use]
    pub fn resolver(mut self, resolver: impl Resolver + 'static) -> Self {
        self.resolver = Arc::new(resolver);
        self
    }

    /// What a client for this scheme is made with.
    pub(crate) fn tls_for(&self, scheme: UrlScheme) -> Result<ClientConfig, String> {
        match scheme {
            UrlScheme::Https => self.tls.clone(),
            UrlScheme::Http => no_tls(),
        }
    }

    /// With authorities beside those of the system, each a certificate in DER: for a network of one's own.
    #[must_use]
    pub fn trusting(mut self, authorities: impl IntoIterator<Item = Vec<u8>>) -> Self {
        self.tls = tls(authorities.into_iter().map(CertificateDer::from).collect());
        self
    }
}

/// Trusts nobody: for requests in plain text, which need none and a client still asks for.
fn no_tls() -> Result<ClientConfig, String> {
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions().map_err(|error| error.to_string())?;
    Ok(builder.with_root_certificates(RootCertStore::empty()).with_no_client_auth())
}

/// The system's authorities and these. Without a provider of the whole process: another part may have another.
fn tls(more: Vec<CertificateDer<'static>>) -> Result<ClientConfig, String> {
    let provider = Arc::new(ring::default_provider());
    let verifier = Verifier::new_with_extra_roots(more, Arc::clone(&provider)).map_err(|error| error.to_string())?;
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier))
        .with_no_client_auth();
    Ok(config)
}
