//! The host proves by its certificate that it has the name that was checked.

use std::sync::{Arc, Mutex};

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;
use toolgate_core::resource::{HostRule, HttpUrl};
use toolgate_core::tool::{Context, Effect};
use toolgate_http::{HttpContext, HttpSetup};

use crate::support::{Names, Reply, context_with, redirect, reply, serve};

/// A server with a certificate for this name, and the authority that signed it, in DER.
async fn start(name: &str, answer: impl Fn(&str) -> Reply + Send + Sync + 'static) -> (u16, Vec<u8>) {
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
    let key = KeyPair::generate().unwrap();
    let certificate = CertificateParams::new(vec![name.to_owned()]).unwrap().signed_by(&key, &authority).unwrap();
    let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate.der().clone()], key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let answer = Arc::new(answer);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (acceptor, answer) = (acceptor.clone(), Arc::clone(&answer));
            tokio::spawn(async move {
                if let Ok(stream) = acceptor.accept(stream).await {
                    serve(stream, &Mutex::default(), &*answer).await;
                }
            });
        }
    });
    (port, authority.der().to_vec())
}

fn reaching(port: u16, trusted: Vec<Vec<u8>>) -> (Context, HttpUrl) {
    let rule = HostRule::new("api.example.com").unwrap().port(port).networks(["127.0.0.0/8"]).unwrap();
    let plain = HostRule::new("api.example.com").unwrap().plain_http().networks(["127.0.0.0/8"]).unwrap();
    let setup = HttpSetup::default().resolver(Names::here(&["api.example.com"])).trusting(trusted);
    let url = HttpUrl::parse(&format!("https://api.example.com:{port}/redir")).unwrap();
    (context_with([rule, plain], setup), url)
}

#[tokio::test]
async fn a_host_with_the_right_certificate_is_read() {
    let (port, authority) = start("api.example.com", |_| reply(200, &[], "sealed")).await;
    let (context, url) = reaching(port, vec![authority]);
    assert_eq!(context.http().get(&url).send().await.unwrap().text().unwrap(), "sealed");
}

#[tokio::test]
async fn a_host_that_can_not_prove_its_name_gets_nothing() {
    let (another, of_another) = start("docs.example.com", |_| reply(200, &[], "sealed")).await;
    let (unknown, _) = start("api.example.com", |_| reply(200, &[], "sealed")).await;
    for port in [another, unknown] {
        let (context, url) = reaching(port, vec![of_another.clone()]);
        let error = context.http().post(&url).body("text/plain", "x").send().await.unwrap_err();
        assert_eq!((error.code(), error.effect()), ("net.tls_failed", Effect::None), "{error:?}");
    }
}

#[tokio::test]
async fn a_redirect_never_leads_from_https_to_http() {
    let (port, authority) = start("api.example.com", |_| redirect(302, "http://api.example.com/")).await;
    let (context, url) = reaching(port, vec![authority]);
    let error = context.http().get(&url).send().await.unwrap_err();
    assert_eq!(error.code(), "net.redirect_denied");
    assert!(error.to_string().contains("from `https` to `http`"), "{error}");
}
