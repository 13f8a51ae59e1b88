//! Texts that look like URLs, made up: what is accepted is read alike by others, and narrowing hosts never widens.

use proptest::prelude::*;
use toolgate_core::resource::{Hosts, HttpUrl};
use toolgate_core::session::{Capabilities, Narrowing};

use crate::corpus::url;

/// Parts of which hostile URLs are made, put together in any order.
const PARTS: [&str; 50] = [
    "https:",
    "http:",
    "HTTPS:",
    "//",
    "/",
    "\\",
    "api.example.com",
    "internal.example.com",
    "evil.com",
    "xn--",
    "bcher-kva",
    ".",
    "..",
    "%2e",
    "%2E%2e",
    "%40",
    "%",
    "@",
    ":",
    "443",
    "0443",
    "80",
    "65536",
    "127.0.0.1",
    "0x7f.1",
    "2130706433",
    "0177.1",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[fe80::1%25a]",
    "?",
    "#",
    "a=b&c",
    "'",
    "\"",
    "|",
    "{",
    "^",
    " ",
    "\t",
    "\u{0}",
    "\u{e9}",
    "\u{ff0f}",
    "\u{3002}",
    "_",
    "-",
    "a",
    "Z",
    "9",
    ";,!$*()+~",
];

fn a_text() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::collection::vec(prop::sample::select(PARTS.to_vec()), 0..9).prop_map(|parts| parts.concat()),
        prop::collection::vec(prop::sample::select(PARTS.to_vec()), 0..6)
            .prop_map(|parts| format!("https://{}", parts.concat())),
        "https?://[a-z0-9._-]{1,20}(:[0-9]{1,5})?(/[ -~]{0,12}){0,2}(\\?[ -~]{0,12})?(#[ -~]{0,8})?",
        "https://([0-9a-fx]{1,5}\\.){0,4}[0-9a-fx]{1,11}/",
        "https://\\[[0-9a-f:.]{2,24}\\]/",
        "https://xn--[a-z0-9-]{1,12}/",
        any::<String>(),
    ]
}

const RULES: [&str; 6] =
    ["api.example.com", "*.example.com", "*.internal.example.com", "evil.com", "api.example.com:8443", "*"];

fn a_list() -> impl Strategy<Value = Vec<&'static str>> {
    prop::collection::vec(prop::sample::select(RULES.to_vec()), 0..4)
}

fn a_url() -> impl Strategy<Value = HttpUrl> {
    let host = prop::sample::select(vec!["api.example.com", "a.internal.example.com", "example.com", "evil.com"]);
    let port = prop::sample::select(vec!["", ":8443"]);
    (host, port).prop_filter_map("no URL", |(host, port)| HttpUrl::parse(&format!("https://{host}{port}/")).ok())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn what_is_accepted_is_read_alike_by_others(text in a_text()) {
        url::run(&text);
    }

    #[test]
    fn narrowing_hosts_never_widens(first in a_list(), then in a_list(), url in a_url(), last in 0_u8..=255) {
        let session = Capabilities::none().hosts(first);
        let task = session.narrow(Narrowing::default().hosts(then.iter().copied()));
        let reaches = |may: &Capabilities| may.reachable().check(&url).is_ok();
        prop_assert!(!reaches(&task) || reaches(&session));
        let alone = Hosts::of(then).is_ok_and(|hosts| hosts.check(&url).is_ok());
        prop_assert_eq!(reaches(&task), reaches(&session) && alone);
        let address = std::net::Ipv4Addr::new(last, 1, 2, 3).into();
        let leads = |may: &Capabilities| may.reachable().check_address(&url, address).is_ok();
        prop_assert!(!leads(&task) || leads(&session));
    }
}
