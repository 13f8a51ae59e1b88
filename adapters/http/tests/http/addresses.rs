//! What names lead to: looked up once, all of it checked, and nothing else connected.

use toolgate_core::resource::{HostRule, HttpUrl};
use toolgate_core::tool::Effect;
use toolgate_http::HttpContext;

use crate::support::{HERE, Names, Server, context, reply};

fn api() -> HttpUrl {
    HttpUrl::parse("https://api.example.com/").unwrap()
}

fn public() -> HostRule {
    HostRule::new("api.example.com").unwrap()
}

#[tokio::test]
async fn u101_u106_u107_u108_a_name_that_leads_inside_is_refused() {
    for address in [
        "169.254.169.254",
        "::ffff:10.0.0.1",
        "64:ff9b::a00:1",
        "100.64.1.1",
        "224.0.0.1",
        "0.0.0.0",
        "192.0.0.8",
        "198.18.0.1",
        "240.0.0.1",
        "fc00::1",
        "fec0::1",
        "127.0.0.1",
        "::1",
    ] {
        let names = Names::default().leads("api.example.com", &[&[address]]);
        let error = context([public()], &names).http().get(&api()).send().await.unwrap_err();
        assert_eq!((error.code(), error.effect()), ("net.ip_denied", Effect::None), "{address}: {error}");
        assert!(!error.for_model().contains(address), "{error}");
    }
}

#[tokio::test]
async fn one_address_inside_refuses_all_of_them() {
    let names = Names::default().leads("api.example.com", &[&["93.184.216.34", "10.0.0.1"]]);
    let error = context([public()], &names).http().get(&api()).send().await.unwrap_err();
    assert_eq!(error.code(), "net.ip_denied");
}

#[tokio::test]
async fn u103_a_name_is_looked_up_once_and_what_was_checked_is_what_is_connected() {
    let first = Server::start(|_| reply(200, &[], "first")).await;
    let other = std::net::IpAddr::from([127, 0, 0, 2]);
    let second = Server::at(other, first.port, |_| reply(200, &[], "second")).await;
    let names = Names::default().leads("api.example.com", &[&["127.0.0.1"], &["127.0.0.2"]]);
    let context = context([first.rule("api.example.com").networks(["127.0.0.1"]).unwrap()], &names);
    let url = first.url("api.example.com", "/");
    let answer = context.http().get(&url).send().await.unwrap();
    assert_eq!((answer.text().unwrap(), names.asked().len()), ("first", 1));
    // Looked up again for the next request, and the new answer is judged anew.
    let error = context.http().get(&url).send().await.unwrap_err();
    assert_eq!((error.code(), names.asked().len()), ("net.ip_denied", 2));
    assert_eq!((first.asked().len(), second.asked().len()), (1, 0));
}

#[tokio::test]
async fn u104_a_network_is_reached_only_by_the_rule_that_names_it() {
    let server = Server::start(|_| reply(200, &[], "inside")).await;
    let names = Names::here(&["db.internal.example.com", "api.example.com"]);
    let public = HostRule::new("api.example.com").unwrap().plain_http().port(server.port);
    let context = context([server.rule("*.internal.example.com"), public], &names);
    let inside = context.http().get(&server.url("db.internal.example.com", "/")).send().await.unwrap();
    assert_eq!(inside.text().unwrap(), "inside");
    let error = context.http().get(&server.url("api.example.com", "/")).send().await.unwrap_err();
    assert_eq!(error.code(), "net.ip_denied");
}

#[tokio::test]
async fn an_address_is_reached_by_a_rule_of_its_own() {
    let server = Server::start(|_| reply(200, &[], "here")).await;
    let names = Names::default();
    let rule = HostRule::address(HERE).plain_http().port(server.port);
    let answer = context([rule], &names).http().get(&server.url("127.0.0.1", "/")).send().await.unwrap();
    assert_eq!((answer.text().unwrap(), names.asked().len()), ("here", 0));
    let error =
        context([server.rule("api.example.com")], &names).http().get(&server.url("127.0.0.1", "/")).send().await;
    assert_eq!(error.unwrap_err().code(), "net.ip_literal");
}

#[tokio::test]
async fn a_url_found_elsewhere_is_held_against_the_hosts_of_the_task() {
    let http = context([public()], &Names::default()).http();
    assert_eq!(http.parse("https://api.example.com/x").unwrap().path(), "/x");
    for (text, code) in [
        ("https://evil.com/", "net.host_not_allowed"),
        ("http://169.254.169.254/", "net.scheme_not_allowed"),
        ("https://api.example.com/\u{202e}", "net.not_ascii"),
    ] {
        assert_eq!(http.parse(text).unwrap_err().code(), code, "{text}");
    }
}

#[tokio::test]
async fn a_name_without_addresses_is_said_to_have_none() {
    for names in [Names::default(), Names::default().leads("api.example.com", &[&[]])] {
        let error = context([public()], &names).http().get(&api()).send().await.unwrap_err();
        assert_eq!((error.code(), error.is_retryable()), ("net.lookup_failed", true), "{error}");
    }
}
