//! `urls.jsonl`: URLs held against an allow-list, and patterns of such a list; allowed, or denied with a code.
//!
//! Not here: what names lead to and redirects, which are `adapters/http/tests/cases.rs`.

use serde_json::Value;
use toolgate_core::resource::{HostRule, Hosts, UrlHost};

use crate::support::{self, Case};

/// Whether one row comes out as it says.
pub(crate) fn check(case: &Case) -> Result<(), String> {
    case.only_fields(&["kind"])?;
    let text = String::from_utf8(case.bytes()?).map_err(|_| "the input is no text".to_owned())?;
    let expected = case.expected(&["verdict", "code", "connect_host"])?;
    let part = |name: &str| expected.get(name).and_then(Value::as_str);
    let outcome = match case.text("kind")? {
        None => hosts(case)?
            .read(&text)
            .map(|url| match url.host() {
                UrlHost::Name(name) => Some(name.clone()),
                UrlHost::Address(address) => Some(address.to_string()),
            })
            .map_err(|error| error.code()),
        Some("policy_pattern") => HostRule::new(&text).map(|_| None).map_err(|error| error.code()),
        Some(kind) => return Err(format!("unknown kind `{kind}`")),
    };
    match (part("verdict"), part("code"), part("connect_host"), outcome) {
        (Some("allow"), None, wanted, Ok(host)) if host.as_deref() == wanted => Ok(()),
        (Some("deny"), Some(code), None, Err(given)) if code == given => Ok(()),
        (Some("allow" | "deny"), .., outcome) => Err(format!("came out as {outcome:?}")),
        _ => Err("`expected` in an unknown form".to_owned()),
    }
}

/// The hosts of a row's context.
fn hosts(case: &Case) -> Result<Hosts, String> {
    let context = case.field("context").and_then(Value::as_object).ok_or("a context that is no list of hosts")?;
    let known = |name: &str| ["allow", "schemes", "ports"].contains(&name);
    support::only(context, known, "`context`")?;
    let texts = |name: &str| -> Result<Vec<&str>, String> {
        let list = context.get(name).and_then(Value::as_array).ok_or_else(|| format!("no list `{name}`"))?;
        list.iter().map(|text| text.as_str().ok_or_else(|| format!("`{name}` holds what is no text"))).collect()
    };
    if context.get("ports").and_then(Value::as_str) != Some("default only") {
        return Err("unknown ports".to_owned());
    }
    let mut rules = Vec::new();
    for pattern in texts("allow")? {
        let rule = HostRule::new(pattern).map_err(|error| error.to_string())?;
        for scheme in texts("schemes")? {
            rules.push(match scheme {
                "https" => rule.clone(),
                "http" => rule.clone().plain_http(),
                _ => return Err(format!("unknown scheme `{scheme}`")),
            });
        }
    }
    Hosts::of(rules).map_err(|error| error.to_string())
}

/// The rows about patterns are marked `manual`; they are data all the same.
#[test]
fn u130_to_u144_patterns_of_hosts_load_or_are_refused() {
    let rows = support::rows("urls.jsonl", |case| matches!(case.text("kind"), Ok(Some("policy_pattern"))));
    assert!(rows.len() >= 13, "{} rows", rows.len());
    let wrong: Vec<_> = rows.iter().filter_map(|case| Some((case.id(), check(case).err()?))).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn u122_a_url_is_checked_when_it_is_used_not_only_when_it_was_stored() {
    let hosts = Hosts::of(["api.example.com"]).unwrap();
    let stored = "https://10.0.0.9:3000/mcp".parse().unwrap();
    assert_eq!(hosts.check(&stored).map_err(|error| error.code()), Err("net.ip_literal"));
}
