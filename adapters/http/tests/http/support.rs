//! Servers that answer as a test says, and names that lead where it says.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use toolgate_core::resource::{HostRule, HttpUrl};
use toolgate_core::session::Capabilities;
use toolgate_core::tool::Context;
use toolgate_http::{HttpLimits, HttpSetup, Lookup, Resolver};
use toolgate_testing::TestContext;

pub(crate) const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// What a server does with a request.
#[derive(Debug, Clone)]
pub(crate) enum Reply {
    /// These bytes, then the end.
    Bytes(Vec<u8>),
    /// These bytes, and then nothing more, with the connection open.
    Stall(Vec<u8>),
    /// These bytes, and then the same ones again and again.
    Endless(Vec<u8>, Vec<u8>),
}

/// An answer with these header lines.
pub(crate) fn reply(status: u16, headers: &[(&str, &str)], body: &str) -> Reply {
    Reply::Bytes(head(status, headers, Some(body.len())).into_iter().chain(body.bytes()).collect())
}

pub(crate) fn redirect(status: u16, to: &str) -> Reply {
    reply(status, &[("Location", to)], "")
}

pub(crate) fn head(status: u16, headers: &[(&str, &str)], length: Option<usize>) -> Vec<u8> {
    let mut text = format!("HTTP/1.1 {status} X\r\nConnection: close\r\n");
    for (name, value) in headers {
        text.extend([name, ": ", value, "\r\n"]);
    }
    if let Some(length) = length {
        text.extend(["Content-Length: ", &length.to_string(), "\r\n"]);
    }
    (text + "\r\n").into_bytes()
}

/// A server, and what it was asked.
#[derive(Debug, Clone)]
pub(crate) struct Server {
    pub(crate) port: u16,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// On 127.0.0.1, at any port.
    pub(crate) async fn start(answer: impl Fn(&str) -> Reply + Send + Sync + 'static) -> Self {
        Self::at(HERE, 0, answer).await
    }

    pub(crate) async fn at(ip: IpAddr, port: u16, answer: impl Fn(&str) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind((ip, port)).await.unwrap();
        let server = Self { port: listener.local_addr().unwrap().port(), asked: Arc::default() };
        let (asked, answer) = (Arc::clone(&server.asked), Arc::new(answer));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (asked, answer) = (Arc::clone(&asked), Arc::clone(&answer));
                tokio::spawn(async move { serve(stream, &asked, &*answer).await });
            }
        });
        server
    }

    /// A port at which nobody listens.
    pub(crate) async fn nobody() -> Self {
        let listener = TcpListener::bind((HERE, 0)).await.unwrap();
        Self { port: listener.local_addr().unwrap().port(), asked: Arc::default() }
    }

    /// The requests so far, heads and bodies.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn url(&self, name: &str, path: &str) -> HttpUrl {
        HttpUrl::parse(&format!("http://{name}:{}{path}", self.port)).unwrap()
    }

    /// A rule for this name at this server, with addresses of this machine.
    pub(crate) fn rule(&self, name: &str) -> HostRule {
        HostRule::new(name).unwrap().plain_http().port(self.port).networks(["127.0.0.0/8"]).unwrap()
    }
}

/// Answers one request on a connection.
pub(crate) async fn serve(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    asked: &Mutex<Vec<String>>,
    answer: &(impl Fn(&str) -> Reply + ?Sized),
) {
    let Some(request) = read_request(&mut stream).await else { return };
    asked.lock().unwrap_or_else(PoisonError::into_inner).push(request.clone());
    // A client that has heard enough goes away in the middle.
    let _ = match answer(&request) {
        Reply::Bytes(bytes) => stream.write_all(&bytes).await,
        Reply::Stall(bytes) => {
            let written = stream.write_all(&bytes).await;
            let _ = stream.flush().await;
            tokio::time::sleep(Duration::from_hours(1)).await;
            written
        }
        Reply::Endless(head, part) => {
            let mut written = stream.write_all(&head).await;
            while written.is_ok() {
                written = stream.write_all(&part).await;
            }
            written
        }
    };
    let _ = stream.shutdown().await;
}

async fn read_request(stream: &mut (impl AsyncRead + Unpin)) -> Option<String> {
    let (mut bytes, mut part) = (Vec::new(), [0; 4096]);
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.to_ascii_lowercase().lines().find_map(|line| {
                line.strip_prefix("content-length: ").and_then(|length| length.trim().parse::<usize>().ok())
            });
            if body.len() >= length.unwrap_or(0) {
                return Some(text);
            }
        }
        match stream.read(&mut part).await {
            Ok(0) | Err(_) => return None,
            Ok(count) => bytes.extend_from_slice(&part[..count]),
        }
    }
}

/// Names and what they lead to, one answer after another; the last one stays.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names {
    answers: Arc<Mutex<HashMap<String, VecDeque<Vec<IpAddr>>>>>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Names {
    pub(crate) fn leads(self, name: &str, answers: &[&[&str]]) -> Self {
        let parsed = answers.iter().map(|answer| answer.iter().map(|text| text.parse().unwrap()).collect()).collect();
        self.answers.lock().unwrap().insert(name.to_owned(), parsed);
        self
    }

    /// These names lead to this machine.
    pub(crate) fn here(names: &[&str]) -> Self {
        names.iter().fold(Self::default(), |all, name| all.leads(name, &[&["127.0.0.1"]]))
    }

    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

impl Resolver for Names {
    fn lookup<'a>(&'a self, name: &'a str) -> Lookup<'a> {
        self.asked.lock().unwrap().push(name.to_owned());
        let mut answers = self.answers.lock().unwrap();
        let found = match answers.get_mut(name) {
            Some(answers) if answers.len() > 1 => answers.pop_front(),
            Some(answers) => answers.front().cloned(),
            None => None,
        };
        Box::pin(async move { found.ok_or_else(|| io::Error::other("no such name")) })
    }
}

/// A context whose task reaches these hosts.
pub(crate) fn context(rules: impl IntoIterator<Item = HostRule>, names: &Names) -> Context {
    context_with(rules, HttpSetup::default().resolver(names.clone()))
}

pub(crate) fn context_with(rules: impl IntoIterator<Item = HostRule>, setup: HttpSetup) -> Context {
    TestContext::default().capabilities(Capabilities::none().hosts(rules)).state(setup).build()
}

pub(crate) fn limits(change: impl FnOnce(&mut HttpLimits)) -> HttpLimits {
    let mut limits = HttpLimits::default();
    change(&mut limits);
    limits
}
