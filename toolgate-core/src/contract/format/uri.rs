//! RFC 3986 and RFC 3987, by their grammar: what is a URI or a reference to one. Nothing is resolved.

use std::net::Ipv6Addr;

/// With a scheme.
pub(super) fn is_absolute(text: &str) -> bool {
    text.split_once(':').is_some_and(|(scheme, rest)| is_scheme(scheme) && is_rest(rest))
}

/// With a scheme or relative to something.
pub(super) fn is_reference(text: &str) -> bool {
    is_absolute(text) || {
        let path = text.split(['?', '#']).next().unwrap_or_default();
        let first = path.split('/').next().unwrap_or_default();
        // Before the first `/` a colon would make a scheme of it.
        !first.contains(':') && is_rest(text)
    }
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
}

/// `[//authority] path [?query] [#fragment]`
fn is_rest(text: &str) -> bool {
    let (text, fragment) = text.split_once('#').unwrap_or((text, ""));
    let (text, query) = text.split_once('?').unwrap_or((text, ""));
    let path = match text.strip_prefix("//") {
        Some(text) => {
            let end = text.find('/').unwrap_or(text.len());
            let Some((authority, path)) = text.split_at_checked(end) else { return false };
            if !is_authority(authority) {
                return false;
            }
            path
        }
        None => text,
    };
    is_run(path, "/:@") && is_run(query, "/:@?") && is_run(fragment, "/:@?")
}

fn is_authority(text: &str) -> bool {
    let (user, host) = text.rsplit_once('@').unwrap_or(("", text));
    let (host, port) = match host.strip_prefix('[') {
        Some(rest) => {
            let Some((literal, port)) = rest.split_once(']') else { return false };
            let future = literal.strip_prefix(['v', 'V']).and_then(|rest| rest.split_once('.')).is_some_and(
                |(version, address)| {
                    !version.is_empty()
                        && version.bytes().all(|byte| byte.is_ascii_hexdigit())
                        && !address.is_empty()
                        && is_run(address, ":")
                },
            );
            if !future && literal.parse::<Ipv6Addr>().is_err() {
                return false;
            }
            ("", port)
        }
        None => match host.split_once(':') {
            Some((host, _)) => (host, text_from(text, host)),
            None => (host, ""),
        },
    };
    let is_port =
        port.is_empty() || port.strip_prefix(':').is_some_and(|port| port.bytes().all(|byte| byte.is_ascii_digit()));
    is_port && is_run(user, ":") && is_run(host, "")
}

/// What follows the host in an authority.
fn text_from<'t>(text: &'t str, host: &str) -> &'t str {
    let after = text.rsplit_once('@').map_or(text, |(_, after)| after);
    after.get(host.len()..).unwrap_or_default()
}

/// Unreserved letters, sub-delimiters, escapes and these.
fn is_run(text: &str, also: &str) -> bool {
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        let fits = match letter {
            '%' => (0..2).all(|_| letters.next().is_some_and(|digit| digit.is_ascii_hexdigit())),
            letter if letter.is_ascii() => {
                letter.is_ascii_alphanumeric() || "-._~!$&'()*+,;=".contains(letter) || also.contains(letter)
            }
            letter => !letter.is_control() && !letter.is_whitespace() && !matches!(letter, '\u{fff0}'..='\u{ffff}'),
        };
        if !fits {
            return false;
        }
    }
    true
}
