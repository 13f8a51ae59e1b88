//! Redirects: each leads through the whole check again.

use toolgate_core::resource::HttpUrl;
use toolgate_core::tool::Effect;
use toolgate_http::{HttpContext, HttpSetup};

use crate::support::{Names, Server, context, context_with, limits, redirect, reply};

/// A server whose `/redir` leads there, and which answers everything else.
async fn leading(status: u16, to: impl Into<String>) -> Server {
    let to = to.into();
    Server::start(
        move |request| {
            if request.contains(" /redir ") { redirect(status, &to) } else { reply(200, &[], "there") }
        },
    )
    .await
}

#[tokio::test]
async fn u109_u114_u115_a_redirect_to_where_the_task_may_not_go_is_not_followed() {
    for to in [
        "https://evil.com/",
        "//evil.com/",
        "http://0x7f000001/",
        "http://127.0.0.1/",
        "http://169.254.169.254/latest/meta-data/",
        "file:///etc/passwd",
        "http://user@api.example.com/",
        "http:\\\\evil.com",
        "/a b",
        "http://api.example.com:1/",
    ] {
        let server = leading(302, to).await;
        let context = context([server.rule("api.example.com")], &Names::here(&["api.example.com"]));
        let error = context.http().get(&server.url("api.example.com", "/redir")).send().await.unwrap_err();
        assert_eq!((error.code(), error.effect()), ("net.redirect_denied", Effect::None), "{to}: {error}");
        assert_eq!(server.asked().len(), 1, "{to}");
    }
}

#[tokio::test]
async fn a_redirect_to_an_allowed_name_that_leads_inside_is_refused_by_its_address() {
    let server = leading(302, "https://docs.example.com/").await;
    let names = Names::here(&["api.example.com"]).leads("docs.example.com", &[&["10.0.0.1"]]);
    let docs = toolgate_core::resource::HostRule::new("docs.example.com").unwrap();
    let context = context([server.rule("api.example.com"), docs], &names);
    let error = context.http().get(&server.url("api.example.com", "/redir")).send().await.unwrap_err();
    assert_eq!(error.code(), "net.ip_denied");
}

#[tokio::test]
async fn u111_a_redirect_on_the_same_host_is_followed_relative_ones_too() {
    for to in ["/other?x=1|2#part", "other", "?q", "//api.example.com:PORT/x"] {
        let to = to.to_owned();
        let server = Server::start(move |request| {
            let port = request
                .lines()
                .find_map(|line| line.to_ascii_lowercase().strip_prefix("host: api.example.com:").map(str::to_owned));
            let to = to.replace("PORT", &port.unwrap_or_default());
            if request.contains(" /redir ") { redirect(302, &to) } else { reply(200, &[], "there") }
        })
        .await;
        let context = context([server.rule("api.example.com")], &Names::here(&["api.example.com"]));
        let asked = context.http().get(&server.url("api.example.com", "/redir")).header("Authorization", "Bearer x");
        let answer = asked.send().await.unwrap();
        assert_eq!(answer.text().unwrap(), "there");
        assert_ne!(answer.url().path_and_query(), "/redir");
        assert!(server.asked()[1].to_ascii_lowercase().contains("authorization: bearer x"), "{:?}", server.asked());
    }
}

#[tokio::test]
async fn u112_what_may_be_secret_does_not_go_on_to_another_host() {
    let second = Server::start(|_| reply(200, &[], "there")).await;
    let first = leading(302, second.url("db.internal.example.com", "/").as_str()).await;
    let names = Names::here(&["api.example.com", "db.internal.example.com"]);
    let context = context([first.rule("api.example.com"), second.rule("*.internal.example.com")], &names);
    let answer = context
        .http()
        .get(&first.url("api.example.com", "/redir"))
        .header("Authorization", "Bearer secret-1")
        .header("Cookie", "secret-2")
        .header("Idempotency-Key", "secret-3")
        .header("X-Api-Key", "secret-4")
        .header("Accept", "text/plain")
        .send()
        .await
        .unwrap();
    assert_eq!(answer.url().host().to_string(), "db.internal.example.com");
    assert_eq!(first.asked()[0].matches("secret-").count(), 4, "{:?}", first.asked());
    let asked = second.asked()[0].to_ascii_lowercase();
    assert!(
        !asked.contains("secret-") && !asked.contains("referer") && asked.contains("accept: text/plain"),
        "{asked}"
    );
}

#[tokio::test]
async fn u113_redirects_without_an_end_are_given_up() {
    let server = leading(302, "/redir").await;
    let names = Names::here(&["api.example.com"]);
    let setup = HttpSetup::default().resolver(names.clone());
    let context = context_with([server.rule("api.example.com")], setup.clone());
    let error = context.http().get(&server.url("api.example.com", "/redir")).send().await.unwrap_err();
    assert_eq!((error.code(), server.asked().len()), ("net.redirect_limit", 6));
    assert_eq!(names.asked().len(), 6, "each hop is looked up and checked");
    let none = context_with([server.rule("api.example.com")], setup.limits(limits(|limits| limits.redirects = 0)));
    assert_eq!(
        none.http().get(&server.url("api.example.com", "/redir")).send().await.unwrap_err().code(),
        "net.redirect_limit"
    );
}

#[tokio::test]
async fn a_post_becomes_a_get_where_the_status_says_so_and_its_body_stays_behind() {
    for status in [301, 302, 303] {
        let server = leading(status, "/other").await;
        let context = context([server.rule("api.example.com")], &Names::here(&["api.example.com"]));
        let url = server.url("api.example.com", "/redir");
        let answer = context.http().post(&url).body("text/plain", "the body").send().await.unwrap();
        assert_eq!(answer.text().unwrap(), "there");
        let asked = server.asked();
        assert!(asked[0].starts_with("POST /redir") && asked[0].ends_with("the body"), "{asked:?}");
        assert!(asked[1].starts_with("GET /other") && !asked[1].contains("the body"), "{asked:?}");
        assert!(!asked[1].to_ascii_lowercase().contains("content-type"), "{asked:?}");
    }
}

#[tokio::test]
async fn a_body_is_sent_again_to_its_own_host_and_never_to_another() {
    for status in [307, 308] {
        let server = leading(status, "/other").await;
        let here = context([server.rule("api.example.com")], &Names::here(&["api.example.com"]));
        let url = server.url("api.example.com", "/redir");
        here.http().post(&url).body("text/plain", "the body").send().await.unwrap();
        assert!(server.asked()[1].starts_with("POST /other") && server.asked()[1].ends_with("the body"));

        let second = Server::start(|_| reply(200, &[], "there")).await;
        let first = leading(status, second.url("docs.example.com", "/").as_str()).await;
        let names = Names::here(&["api.example.com", "docs.example.com"]);
        let both = context([first.rule("api.example.com"), second.rule("docs.example.com")], &names);
        let url = first.url("api.example.com", "/redir");
        let error = both.http().post(&url).body("text/plain", "the body").send().await.unwrap_err();
        assert_eq!((error.code(), error.effect()), ("net.redirect_denied", Effect::Unknown));
        assert_eq!(both.http().delete(&url).send().await.unwrap_err().code(), "net.redirect_denied");
        assert_eq!(second.asked().len(), 0);
        assert_eq!(both.http().get(&url).send().await.unwrap().text().unwrap(), "there");
    }
}

#[tokio::test]
async fn what_is_no_redirect_to_follow_is_the_tools_to_read() {
    let server = leading(302, "/other").await;
    let context = context([server.rule("api.example.com")], &Names::here(&["api.example.com"]));
    let url: HttpUrl = server.url("api.example.com", "/redir");
    assert_eq!(context.http().delete(&url).send().await.unwrap().status().as_u16(), 302);
    let bare = Server::start(|_| reply(304, &[], "")).await;
    let context = crate::support::context([bare.rule("api.example.com")], &Names::here(&["api.example.com"]));
    assert_eq!(context.http().get(&bare.url("api.example.com", "/")).send().await.unwrap().status().as_u16(), 304);
}
