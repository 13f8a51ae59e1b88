//! What goes out: what the tool said and nothing of its surroundings.

use toolgate_core::tool::Effect;
use toolgate_http::HttpContext;

use crate::support::{Names, Server, context, reply};

#[tokio::test]
async fn a_request_carries_what_the_tool_said() {
    let server = Server::start(|_| reply(201, &[("X-Made", "yes")], "{}")).await;
    let context = context([server.rule("api.example.com")], &Names::here(&["api.example.com"]));
    let url = server.url("api.example.com", "/v1/%0d%0aHost:%20evil.com?a=b#part");
    let answer = context.http().put(&url).header("X-Of", "me").json(&["a"]).send().await.unwrap();
    assert_eq!((answer.status().as_u16(), &answer.headers()["x-made"]), (201, &"yes".parse().unwrap()));
    let asked = server.asked().remove(0);
    assert!(asked.starts_with("PUT /v1/%0d%0aHost:%20evil.com?a=b HTTP/1.1\r\n"), "{asked}");
    let lower = asked.to_ascii_lowercase();
    assert!(lower.contains(&format!("\r\nhost: api.example.com:{}\r\n", server.port)), "{asked}");
    assert!(lower.contains("x-of: me") && lower.contains("content-type: application/json"), "{asked}");
    assert!(asked.ends_with("\r\n\r\n[\"a\"]"), "{asked}");
}

#[tokio::test]
async fn headers_that_the_client_sets_can_not_be_set() {
    let server = Server::start(|_| reply(200, &[], "")).await;
    let context = context([server.rule("api.example.com")], &Names::here(&["api.example.com"]));
    let url = server.url("api.example.com", "/");
    for (name, value) in [
        ("Host", "evil.com"),
        ("Content-Length", "1"),
        ("Transfer-Encoding", "chunked"),
        ("Connection", "keep-alive"),
        ("Proxy-Authorization", "x"),
        ("X-Of", "a\r\nHost: evil.com"),
        ("X Of", "a"),
    ] {
        let error = context.http().post(&url).header(name, value).send().await.unwrap_err();
        assert_eq!((error.code(), error.effect()), ("net.bad_request", Effect::None), "{name}");
    }
    let error =
        context.http().post(&url).json(&std::collections::HashMap::from([((1, 2), 3)])).send().await.unwrap_err();
    assert_eq!(error.code(), "net.bad_request");
    assert_eq!(server.asked().len(), 0);
}

#[tokio::test]
async fn nothing_is_kept_between_requests() {
    let server = Server::start(|_| reply(200, &[("Set-Cookie", "a=b")], "")).await;
    let names = Names::here(&["api.example.com"]);
    let context = context([server.rule("api.example.com")], &names);
    let http = context.http();
    for _ in 0..2 {
        http.get(&server.url("api.example.com", "/")).send().await.unwrap();
    }
    assert!(server.asked().iter().all(|asked| !asked.to_ascii_lowercase().contains("cookie")));
    assert_eq!(names.asked().len(), 2);
}
