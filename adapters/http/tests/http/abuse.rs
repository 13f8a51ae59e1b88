//! Servers that answer as no server should: each attempt ends with an error, within the bounds, and leads nowhere else.

use std::time::Duration;

use toolgate_core::tool::Effect;
use toolgate_http::{HttpContext, HttpSetup};

use crate::support::{Names, Reply, Server, context, context_with, head, limits, redirect, reply};

async fn asked(answer: Reply) -> Result<Vec<u8>, &'static str> {
    let server = Server::start(move |_| answer.clone()).await;
    let limits = limits(|limits| {
        limits.time = Duration::from_secs(2);
        limits.body_bytes = 1 << 20;
    });
    let setup = HttpSetup::default().resolver(Names::here(&["api.example.com"])).limits(limits);
    let context = context_with([server.rule("api.example.com")], setup);
    let answer = context.http().get(&server.url("api.example.com", "/")).send().await;
    assert_eq!(server.asked().len(), 1, "nothing is asked twice");
    answer.map(|answer| answer.raw().to_vec()).map_err(|error| {
        assert_eq!(error.effect(), Effect::None);
        error.code()
    })
}

fn chunked(rest: &[u8]) -> Vec<u8> {
    [head(200, &[("Transfer-Encoding", "chunked")], None), rest.to_vec()].concat()
}

#[tokio::test]
async fn what_has_no_end_ends_with_an_error() {
    let endless = |head: &[u8], part: &[u8]| Reply::Endless(head.to_vec(), part.to_vec());
    let long = vec![b'a'; 8 << 10];
    for (what, answer) in [
        ("one header line", endless(b"HTTP/1.1 200 OK\r\nX: ", &long)),
        ("a status line", endless(b"HTTP/1.1 200 ", &long)),
        ("header lines without names", endless(b"HTTP/1.1 200 OK\r\n", b" folded\r\n")),
        ("early hints", endless(b"", b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")),
        ("go on", endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n")),
        ("an extension of a chunk", endless(&chunked(b"1;"), &long)),
        ("extensions of chunks", endless(&chunked(b""), &[b"1;", long.as_slice(), b"\r\nx\r\n"].concat())),
        ("trailers", endless(&chunked(b"1\r\nx\r\n0\r\n"), b"X-Trailer: aaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n")),
        ("tiny chunks", endless(&chunked(b""), &b"1\r\nx\r\n".repeat(1000))),
        ("the size of a chunk", endless(&chunked(b""), b"0000000000000000000000000000")),
    ] {
        let ended = asked(answer).await;
        let codes = ["net.broken_off", "net.timeout", "net.body_too_large"];
        assert!(ended.is_err_and(|code| codes.contains(&code)), "{what}: {ended:?}");
    }
}

#[tokio::test]
async fn lengths_that_contradict_or_are_none_are_no_answer() {
    let of = |lines: &str, rest: &str| Reply::Bytes(format!("HTTP/1.1 200 OK\r\n{lines}\r\n{rest}").into_bytes());
    for (what, answer) in [
        ("two lengths", of("Content-Length: 3\r\nContent-Length: 4\r\n", "abcd")),
        ("two lengths in one", of("Content-Length: 3, 4\r\n", "abcd")),
        ("a negative length", of("Content-Length: -1\r\n", "abcd")),
        ("a length with a sign", of("Content-Length: +4\r\n", "abcd")),
        ("a length beyond all", of("Content-Length: 99999999999999999999\r\n", "abcd")),
        ("a chunk beyond all", of("Transfer-Encoding: chunked\r\n", "FFFFFFFFFFFFFFFFF\r\nabcd")),
        ("a negative chunk", of("Transfer-Encoding: chunked\r\n", "-1\r\nabcd")),
        ("a chunk with a prefix", of("Transfer-Encoding: chunked\r\n", "0x4\r\nabcd\r\n0\r\n\r\n")),
        ("a chunk that is longer than it says", of("Transfer-Encoding: chunked\r\n", "2\r\nabcd\r\n0\r\n\r\n")),
    ] {
        let ended = asked(answer).await;
        assert!(ended.is_err(), "{what}: {:?}", ended.map(|body| String::from_utf8_lossy(&body).into_owned()));
    }
}

#[tokio::test]
async fn a_redirect_in_disguise_is_not_followed() {
    let targets = [
        "http://user:secret@api.example.com:PORT/",
        "http://api.example.com:PORT@127.0.0.1:PORT/",
        "http://127.0.0.1:PORT/",
        "http://[::ffff:127.0.0.1]:PORT/",
        "http://[::1%25eth0]:PORT/",
        "http://2130706433:PORT/",
        "http://0x7f.1:PORT/",
        "http://api.example.com:1/",
        "http://api.example.com:PORT\\@evil.example/",
        "http:\\\\evil.example/",
        "http:/\t/evil.example/",
        "//evil.example/",
        "\\\\evil.example/",
        "file:///etc/passwd",
        "ftp://api.example.com/",
        "gopher://api.example.com:PORT/_x",
        "javascript:alert(1)",
        "data:text/plain,x",
        "http://api\u{3002}example\u{3002}com:PORT/",
        "http://api.example.com.evil.example:PORT/",
    ];
    for target in targets {
        let to = target.to_owned();
        let server = Server::start(move |request| {
            let lower = request.to_ascii_lowercase();
            let port = lower.lines().find_map(|line| line.strip_prefix("host: api.example.com:").map(str::to_owned));
            if request.contains(" /redir ") {
                redirect(302, &to.replace("PORT", &port.unwrap_or_default()))
            } else {
                reply(200, &[], "there")
            }
        })
        .await;
        let context = context([server.rule("api.example.com")], &Names::here(&["api.example.com", "evil.example"]));
        let answer = context.http().get(&server.url("api.example.com", "/redir")).send().await;
        let error = answer.expect_err(target);
        assert_eq!((error.code(), error.effect()), ("net.redirect_denied", Effect::None), "{target}: {error}");
        assert_eq!(server.asked().len(), 1, "{target}");
    }
}
