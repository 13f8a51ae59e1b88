//! Bodies and time: both are bounded, and what is over a bound is an error, never a part.

use std::time::Duration;

use toolgate_core::tool::Effect;
use toolgate_http::{HttpContext, HttpSetup, Method};

use crate::support::{Names, Reply, Server, context_with, head, limits, reply};

async fn asked(answer: Reply, change: impl FnOnce(&mut toolgate_http::HttpLimits)) -> Result<Vec<u8>, &'static str> {
    let server = Server::start(move |_| answer.clone()).await;
    let setup = HttpSetup::default().resolver(Names::here(&["api.example.com"])).limits(limits(change));
    let context = context_with([server.rule("api.example.com")], setup);
    let answer = context.http().get(&server.url("api.example.com", "/")).send().await;
    answer.map(|answer| answer.raw().to_vec()).map_err(|error| {
        assert_eq!(error.effect(), Effect::None);
        error.code()
    })
}

#[tokio::test]
async fn u119_a_body_without_an_end_is_given_up_at_the_limit() {
    let part = vec![b'x'; 16 << 10];
    let endless = Reply::Endless(head(200, &[], None), part.clone());
    assert_eq!(asked(endless, |limits| limits.body_bytes = 1 << 20).await, Err("net.body_too_large"));
    let chunk: Vec<u8> = b"4000\r\n".iter().chain(&part).chain(b"\r\n").copied().collect();
    let chunked = Reply::Endless(head(200, &[("Transfer-Encoding", "chunked")], None), chunk);
    assert_eq!(asked(chunked, |limits| limits.body_bytes = 1 << 20).await, Err("net.body_too_large"));
}

#[tokio::test]
async fn a_body_that_says_that_it_is_too_large_is_not_read() {
    let claims = Reply::Stall(head(200, &[], Some(10_000_000_000)));
    assert_eq!(asked(claims, |_| {}).await, Err("net.body_too_large"));
}

#[tokio::test]
async fn a_body_of_just_the_limit_is_whole_and_one_byte_more_is_an_error() {
    let body = "x".repeat(1000);
    assert_eq!(asked(reply(200, &[], &body), |limits| limits.body_bytes = 1000).await, Ok(body.clone().into_bytes()));
    assert_eq!(asked(reply(200, &[], &body), |limits| limits.body_bytes = 999).await, Err("net.body_too_large"));
}

#[tokio::test]
async fn a_host_that_keeps_silent_or_stops_in_the_middle_costs_no_more_than_the_time() {
    for stall in [Vec::new(), head(200, &[], Some(10)), [head(200, &[], Some(10)), b"half".to_vec()].concat()] {
        let silent = asked(Reply::Stall(stall), |limits| limits.time = Duration::from_millis(300)).await;
        assert_eq!(silent, Err("net.timeout"));
    }
}

#[tokio::test]
async fn what_is_no_http_or_breaks_off_is_told_as_such() {
    for bytes in [b"nonsense\r\n\r\n".to_vec(), Vec::new(), [head(200, &[], Some(10)), b"half".to_vec()].concat()] {
        assert_eq!(asked(Reply::Bytes(bytes), |_| {}).await, Err("net.broken_off"));
    }
    let many =
        Reply::Endless(b"HTTP/1.1 200 X\r\n".to_vec(), b"A: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n".to_vec());
    assert_eq!(asked(many, |_| {}).await, Err("net.broken_off"), "headers have their bounds too");
}

#[tokio::test]
async fn u119_a_compressed_body_is_never_unpacked() {
    let server = Server::start(|_| reply(200, &[("Content-Encoding", "gzip")], "a bomb")).await;
    let setup = HttpSetup::default().resolver(Names::here(&["api.example.com"]));
    let context = context_with([server.rule("api.example.com")], setup);
    let answer = context.http().get(&server.url("api.example.com", "/")).send().await.unwrap();
    assert_eq!(answer.text().unwrap_err().code(), "net.body_encoded");
    assert_eq!(answer.raw(), b"a bomb");
    assert!(!server.asked()[0].to_ascii_lowercase().contains("accept-encoding"), "it isn't asked for");
}

#[tokio::test]
async fn a_body_in_another_form_than_expected_is_told_as_such() {
    let server = Server::start(|request| {
        if request.contains("/json") {
            reply(200, &[], "[1, 2]")
        } else {
            Reply::Bytes([head(200, &[], Some(1)), vec![0xff]].concat())
        }
    })
    .await;
    let setup = HttpSetup::default().resolver(Names::here(&["api.example.com"]));
    let context = context_with([server.rule("api.example.com")], setup);
    let answer = context.http().get(&server.url("api.example.com", "/json")).send().await.unwrap();
    assert_eq!(answer.json::<Vec<u8>>().unwrap(), [1, 2]);
    assert_eq!(answer.json::<String>().unwrap_err().code(), "net.not_json");
    let answer = context.http().get(&server.url("api.example.com", "/")).send().await.unwrap();
    assert_eq!(answer.text().unwrap_err().code(), "net.not_text");
    assert_eq!(context.http().head(&server.url("api.example.com", "/json")).send().await.unwrap().raw(), b"");
    assert!(server.asked()[2].starts_with(Method::HEAD.as_str()));
}
