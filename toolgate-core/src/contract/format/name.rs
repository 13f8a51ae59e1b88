//! Names of things: hosts, mailboxes, identifiers and places in a document. Not whether they exist.

use std::net::{Ipv4Addr, Ipv6Addr};

pub(super) fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(index, byte)| match index {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// RFC 1123, section 2.1. What stands behind `xn--` is not decoded.
pub(super) fn is_hostname(text: &str) -> bool {
    text.is_ascii() && has_labels(text)
}

/// Labels of letters and digits, with hyphens inside.
fn has_labels(text: &str) -> bool {
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-' || !letter.is_ascii())
    };
    text.len() <= 253 && text.split('.').all(is_label)
}

/// RFC 5321, section 4.1.2, and RFC 6531 for letters beyond ASCII.
pub(super) fn is_email(text: &str) -> bool {
    text.rsplit_once('@').is_some_and(|(local, domain)| is_local_part(local) && is_mail_domain(domain))
}

fn is_local_part(local: &str) -> bool {
    if let Some(quoted) = local.strip_prefix('"') {
        let Some(quoted) = quoted.strip_suffix('"').filter(|_| local.len() > 1) else { return false };
        let mut letters = quoted.chars();
        while let Some(letter) = letters.next() {
            let fits = match letter {
                '\\' => letters.next().is_some_and(|letter| (' '..='~').contains(&letter)),
                '"' => false,
                letter => !letter.is_control(),
            };
            if !fits {
                return false;
            }
        }
        return true;
    }
    let is_text = |letter: char| {
        letter.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~".contains(letter) || is_letter_beyond(letter)
    };
    local.split('.').all(|atom| !atom.is_empty() && atom.chars().all(is_text))
}

fn is_letter_beyond(letter: char) -> bool {
    !letter.is_ascii() && !letter.is_control() && !letter.is_whitespace()
}

fn is_mail_domain(domain: &str) -> bool {
    match domain.strip_prefix('[').and_then(|literal| literal.strip_suffix(']')) {
        Some(literal) => match literal.strip_prefix("IPv6:") {
            Some(address) => address.parse::<Ipv6Addr>().is_ok(),
            None => literal.parse::<Ipv4Addr>().is_ok(),
        },
        None => has_labels(domain) && !domain.chars().any(|letter| !letter.is_ascii() && !is_letter_beyond(letter)),
    }
}

/// RFC 6901.
pub(super) fn is_json_pointer(text: &str) -> bool {
    let mut segments = text.split('/');
    segments.next() == Some("")
        && segments.all(|segment| segment.split('~').skip(1).all(|rest| rest.starts_with(['0', '1'])))
}

/// A number of steps up, then a pointer, or `#` for the name.
pub(super) fn is_relative_json_pointer(text: &str) -> bool {
    let end = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    let Some((steps, rest)) = text.split_at_checked(end) else { return false };
    let is_number = !steps.is_empty() && (steps == "0" || !steps.starts_with('0'));
    is_number && (rest == "#" || is_json_pointer(rest))
}
