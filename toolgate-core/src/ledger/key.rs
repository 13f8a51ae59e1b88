//! How idempotency keys and digests are made. Every input is framed by its length, so that no two
//! different lists of parts give the same bytes.

use sha2::{Digest as _, Sha256};

/// SHA-256 over a domain word and length-framed parts, as lower-case hex.
pub fn framed_digest(domain: &str, parts: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    for part in std::iter::once(domain.as_bytes()).chain(parts.iter().copied()) {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    hex(&hash.finalize())
}

/// Lower-case hex.
pub fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    bytes.iter().for_each(|byte| text.push_str(hex_of(*byte)));
    text
}

/// The two digits of a byte.
fn hex_of(byte: u8) -> &'static str {
    const DIGITS: [u8; 16] = *b"0123456789abcdef";
    const PAIRS: [u8; 512] = {
        let mut pairs = [0; 512];
        let mut place = 0;
        #[expect(clippy::indexing_slicing, reason = "at compile time, below the length")]
        while place < 256 {
            pairs[place * 2] = DIGITS[place >> 4];
            pairs[place * 2 + 1] = DIGITS[place & 15];
            place += 1;
        }
        pairs
    };
    const TEXT: &str = match std::str::from_utf8(&PAIRS) {
        Ok(text) => text,
        Err(_) => "",
    };
    let place = usize::from(byte) * 2;
    TEXT.get(place..place + 2).unwrap_or_default()
}

/// What makes two calls the same business operation.
#[derive(Debug, Clone, Copy)]
pub struct KeyParts<'a> {
    /// The tenant of the gate.
    pub tenant: &'a str,
    /// The agent.
    pub principal: &'a str,
    /// The tool.
    pub tool: &'a str,
    /// The operation the host names, or the user's turn.
    pub scope: &'a str,
    /// Canonical arguments, the named ones among them, or the host's own key.
    pub subject: &'a str,
}

/// The idempotency key, 64 hex digits.
pub fn idempotency_key(parts: &KeyParts<'_>) -> String {
    let KeyParts { tenant, principal, tool, scope, subject } = *parts;
    let parts = [tenant, principal, tool, scope, subject].map(str::as_bytes);
    framed_digest("toolgate.key.v1", &parts)
}

/// The key under which one message of a provider is one call: a provider's id is unique in its
/// session only.
pub fn provider_key(tenant: &str, principal: &str, session: &str, provider_call_id: &str) -> String {
    let parts = [tenant, principal, session, provider_call_id].map(str::as_bytes);
    framed_digest("toolgate.provider.v1", &parts)
}
