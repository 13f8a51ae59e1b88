//! The host of a URL: a name in its one spelling, or an address.
//!
//! Not whether it may be reached, nor what a name leads to.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::error::{NetError, NetFault};
use super::punycode;

/// Most bytes of a name without its final dot.
const MAX_NAME: usize = 253;
/// Most bytes of a label.
const MAX_LABEL: usize = 63;

/// What stands for the host in a URL.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum UrlHost {
    /// A name: lower case, without a final dot, in punycode.
    Name(String),
    /// An address.
    Address(IpAddr),
}

impl fmt::Display for UrlHost {
    /// As it stands in a URL: addresses of version 6 in brackets, without a part in decimal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::Address(IpAddr::V4(address)) => address.fmt(f),
            Self::Address(IpAddr::V6(address)) => match address.segments() {
                [0, 0, 0, 0, 0, 0xffff, high, low] => write!(f, "[::ffff:{high:x}:{low:x}]"),
                _ => write!(f, "[{address}]"),
            },
        }
    }
}

/// A host that was read, and whether other parsers would have to repair it.
#[derive(Debug)]
pub(super) struct ReadHost {
    pub(super) host: UrlHost,
    pub(super) repaired: bool,
}

fn invalid(detail: impl Into<String>) -> NetError {
    NetError::new(NetFault::HostInvalid, detail)
}

/// Reads the host part of a URL, of which the port was taken off.
pub(super) fn read(text: &str) -> Result<ReadHost, NetError> {
    if let Some(inside) = text.strip_prefix('[') {
        return bracketed(inside).map(|address| ReadHost { host: UrlHost::Address(address), repaired: false });
    }
    let decoded = if text.contains('%') { decoded(text)? } else { text.to_owned() };
    let repaired = decoded != text;
    let lower = decoded.to_ascii_lowercase();
    let name = lower.strip_suffix('.').unwrap_or(&lower);
    if let Some(bad) = name.chars().find(|c| !matches!(c, 'a'..='z' | '0'..='9' | '-' | '_' | '.')) {
        return Err(invalid(format!("{bad:?} in the host")));
    }
    if ends_in_number(name) {
        return match number_address(name) {
            Some(address) if address.to_string() == decoded && !repaired => {
                Ok(ReadHost { host: UrlHost::Address(IpAddr::V4(address)), repaired })
            }
            Some(address) => {
                Err(NetError::new(NetFault::IpLiteral, format!("{decoded:?} is another spelling of {address}")))
            }
            None => Err(NetError::new(NetFault::Invalid, format!("{decoded:?} is neither a name nor an address"))),
        };
    }
    check_name(name)?;
    Ok(ReadHost { host: UrlHost::Name(name.to_owned()), repaired })
}

/// The rules of names, once it is in lower case and without a final dot.
pub(super) fn check_name(name: &str) -> Result<(), NetError> {
    if name.is_empty() || name.len() > MAX_NAME {
        return Err(invalid(format!("the host has {} bytes", name.len())));
    }
    for label in name.split('.') {
        if label.is_empty() || label.len() > MAX_LABEL {
            return Err(invalid(format!("a label of the host has {} bytes", label.len())));
        }
        if label.strip_prefix("xn--").is_some_and(|coded| !punycode::is_valid(coded)) {
            return Err(invalid(format!("{label:?} is no valid punycode")));
        }
    }
    Ok(())
}

/// `%2e` and the like decoded.
fn decoded(text: &str) -> Result<String, NetError> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let mut digit = || rest.next().and_then(|digit| char::from(digit).to_digit(16));
        match (digit(), digit()) {
            (Some(high), Some(low)) => bytes.extend(u8::try_from(high * 16 + low)),
            _ => return Err(invalid("a `%` in the host without two digits")),
        }
    }
    match String::from_utf8(bytes) {
        Ok(text) if text.is_ascii() => Ok(text),
        _ => Err(NetError::new(NetFault::NotAscii, "the host is percent-encoded, and not in ASCII")),
    }
}

fn bracketed(inside: &str) -> Result<IpAddr, NetError> {
    let wrong = || NetError::new(NetFault::Invalid, "what stands in brackets is no address of version 6");
    let inside = inside.strip_suffix(']').ok_or_else(wrong)?;
    let address: Ipv6Addr = inside.parse().map_err(|_| wrong())?;
    let host = UrlHost::Address(IpAddr::V6(address));
    if host.to_string() != format!("[{inside}]") {
        return Err(NetError::new(NetFault::IpLiteral, format!("[{inside}] is another spelling of {host}")));
    }
    Ok(IpAddr::V6(address))
}

/// Whether parsers take it for an address of version 4: its last label is a number.
pub(super) fn ends_in_number(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or(name);
    !last.is_empty() && (last.bytes().all(|byte| byte.is_ascii_digit()) || number(last).is_some())
}

/// The address that parsers make of it: one to four numbers, decimal, octal or hexadecimal, the last one filling up.
fn number_address(name: &str) -> Option<Ipv4Addr> {
    let parts: Vec<u64> = name.split('.').map(number).collect::<Option<_>>()?;
    let (last, front) = parts.split_last()?;
    let free = 4_u32.checked_sub(u32::try_from(front.len()).ok()?).filter(|free| *free > 0)?;
    if front.iter().any(|part| *part > 255) || *last >= 256_u64.pow(free) {
        return None;
    }
    let high = front.iter().fold(0_u64, |high, part| high * 256 + part);
    u32::try_from(high * 256_u64.pow(free) + last).ok().map(Ipv4Addr::from)
}

/// One part of such an address.
fn number(text: &str) -> Option<u64> {
    let (digits, radix) = match text.strip_prefix("0x") {
        Some(digits) => (digits, 16),
        None if text.len() > 1 && text.starts_with('0') => (text, 8),
        None => (text, 10),
    };
    if radix == 16 && digits.is_empty() {
        return Some(0);
    }
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
        return None;
    }
    // What is too large for 64 bits is too large for an address.
    Some(u64::from_str_radix(digits, radix).unwrap_or(u64::MAX))
}
