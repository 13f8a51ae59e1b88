//! `hosts`: names, or tables where scheme, port or networks are others than `https`, 443 and the public ones. What is no
//! rule of hosts is told here, and not when a call is refused because of it.

use std::net::IpAddr;

use toml::Spanned;
use toml::de::DeValue;
use toolgate_expr::nearest;

use super::super::source::Source;
use super::section::{Section, Word, kind};
use crate::resource::{HostRule, HostRuleError};

pub(super) fn read(section: &mut Section<'_, '_>) -> Vec<HostRule> {
    let Some(value) = section.take("hosts") else { return Vec::new() };
    let source = section.source;
    let DeValue::Array(items) = value.get_ref() else {
        let text = format!("`hosts` is a list, such as [\"api.example.com\"], not {}", kind(value.get_ref()));
        source.wrong(&value.span(), "policy.kind", text);
        return Vec::new();
    };
    let mut rules: Vec<HostRule> = Vec::new();
    for item in items {
        let Some(rule) = host(source, item) else { continue };
        if rules.contains(&rule) {
            source.wrong(&item.span(), "policy.twice", "this host stands twice in `hosts`");
        } else {
            rules.push(rule);
        }
    }
    rules
}

fn host<'t>(source: &Source<'t>, item: &Spanned<DeValue<'t>>) -> Option<HostRule> {
    match item.get_ref() {
        DeValue::String(name) => right(source, item, HostRule::new(name)),
        DeValue::Table(_) => table(source, item),
        other => {
            let text = format!(
                "a host is such as \"api.example.com\", or {{ host = \"db.example.com\", networks = [\"10.0.0.0/8\"] }}, not {}",
                kind(other)
            );
            source.wrong(&item.span(), "policy.kind", text);
            None
        }
    }
}

fn right<'t>(
    source: &Source<'t>,
    at: &Spanned<DeValue<'t>>,
    rule: Result<HostRule, HostRuleError>,
) -> Option<HostRule> {
    rule.map_err(|error| source.wrong(&at.span(), "policy.host", error.to_string())).ok()
}

fn table<'t>(source: &Source<'t>, item: &Spanned<DeValue<'t>>) -> Option<HostRule> {
    let mut section = Section::of(source, item, item.span())?;
    let (host, address) = (section.text("host"), section.text("address"));
    let scheme = section.text("scheme");
    let port = section.number("port", 1, u64::from(u16::MAX)).and_then(|port| u16::try_from(port).ok());
    let networks = section.words("networks");
    section.not_empty("networks");
    section.finish();
    let rule = match (&host, &address) {
        (Some(host), None) => {
            HostRule::new(&host.text).map_err(|error| source.wrong(&host.at, "policy.host", error.to_string())).ok()?
        }
        (None, Some(address)) => of_address(source, address, &networks)?,
        _ => {
            let text = "say either `host`, a name, or `address`, an address";
            source.wrong(&item.span(), "policy.missing_key", text);
            return None;
        }
    };
    let rule = port.into_iter().fold(rule, HostRule::port);
    let rule = match scheme.as_ref().map(|scheme| scheme.text.as_str()) {
        Some("http") => rule.plain_http(),
        None | Some("https") => rule,
        Some(other) => {
            let near = nearest(other, ["http", "https"]);
            let at = scheme.map_or_else(|| item.span(), |scheme| scheme.at);
            source.misspelled(&at, "policy.unknown_word", "a scheme is `http` or `https`".to_owned(), near);
            return None;
        }
    };
    if networks.is_empty() || address.is_some() {
        return Some(rule);
    }
    right(source, item, rule.networks(networks.iter().map(|network| &network.text)))
}

fn of_address(source: &Source<'_>, address: &Word, networks: &[Word]) -> Option<HostRule> {
    if let Some(network) = networks.first() {
        source.wrong(&network.at, "policy.host", "an address is its only network; leave `networks` out");
    }
    let Ok(read) = address.text.parse::<IpAddr>() else {
        source.wrong(&address.at, "policy.host", "an address is such as \"10.0.0.5\" or \"fd00::5\"");
        return None;
    };
    Some(HostRule::address(read))
}
