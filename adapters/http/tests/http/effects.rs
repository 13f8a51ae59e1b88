//! What is said of the world after a failure: nothing where nothing was sent, and what only asks changes nothing.

use std::time::Duration;

use toolgate_core::resource::{HttpUrl, NetError};
use toolgate_core::tool::{Effect, ToolError};
use toolgate_http::{HttpContext, HttpSetup};

use crate::support::{Names, Reply, Server, context, context_with, limits, reply};

#[tokio::test]
async fn a_refused_connection_changed_nothing() {
    let server = Server::nobody().await;
    let context = context([server.rule("api.example.com")], &Names::here(&["api.example.com"]));
    let url = server.url("api.example.com", "/");
    let error = context.http().post(&url).body("text/plain", "x").send().await.unwrap_err();
    assert_eq!((error.code(), error.effect(), error.is_retryable()), ("net.connect_failed", Effect::None, true));
}

#[tokio::test]
async fn what_was_sent_and_not_answered_may_have_happened() {
    for stall in [Reply::Stall(Vec::new()), Reply::Bytes(Vec::new())] {
        let server = Server::start(move |_| stall.clone()).await;
        let time = limits(|limits| limits.time = Duration::from_secs(1));
        let setup = HttpSetup::default().resolver(Names::here(&["api.example.com"])).limits(time);
        let context = context_with([server.rule("api.example.com")], setup);
        let url: HttpUrl = server.url("api.example.com", "/");
        let http = context.http();
        for (request, effect) in [
            (http.post(&url), Effect::Unknown),
            (http.put(&url), Effect::Unknown),
            (http.patch(&url), Effect::Unknown),
            (http.delete(&url), Effect::Unknown),
            (http.get(&url), Effect::None),
            (http.head(&url), Effect::None),
        ] {
            let error = request.send().await.unwrap_err();
            assert_eq!((error.effect(), error.is_retryable()), (effect, effect == Effect::None), "{error}");
        }
    }
}

#[tokio::test]
async fn a_status_is_the_tools_to_judge() {
    let server = Server::start(|_| reply(503, &[], "later")).await;
    let context = context([server.rule("api.example.com")], &Names::here(&["api.example.com"]));
    let answer = context.http().post(&server.url("api.example.com", "/")).send().await.unwrap();
    assert_eq!((answer.status().as_u16(), answer.text().unwrap()), (503, "later"));
}

#[tokio::test]
async fn the_model_reads_no_address_and_the_operator_does() {
    let server = Server::nobody().await;
    let names = Names::default().leads("secret.internal", &[&["10.1.2.3"]]);
    let context = context([server.rule("secret.internal")], &names);
    let error: NetError = context.http().get(&server.url("secret.internal", "/?token=x")).send().await.unwrap_err();
    let error = ToolError::from(error);
    let told = error.for_model().unwrap();
    assert!(!told.contains("10.1.2.3") && !told.contains("secret") && !told.contains("token"), "{told}");
    let operator = error.for_operator();
    assert!(operator.contains("10.1.2.3") && !operator.contains("token"), "{operator}");
    assert_eq!(error.effect(), Some(Effect::None));
}
