//! The gate's secret key: what seals stored calls and results, and what digests and chain links are
//! keyed with. Kept outside the database: who holds it can forge.

use std::fmt;

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use hmac::{Hmac, Mac};
use sha2::Sha256;

use crate::ledger::hex;

const NONCE: usize = 24;

/// Something sealed can't be opened: another key, or changed bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SealBroken;

impl fmt::Display for SealBroken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a sealed part of the store can't be opened with this key")
    }
}

impl std::error::Error for SealBroken {}

type Mac256 = Hmac<Sha256>;

/// 32 secret bytes; separate keys for each use are derived from them.
#[derive(Clone)]
pub struct GateKey {
    /// Set up once: half of what a short digest costs.
    mac: Mac256,
    seal: [u8; 32],
    bytes: [u8; 32],
}

impl fmt::Debug for GateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("GateKey(..)")
    }
}

fn keyed(key: &[u8]) -> Mac256 {
    let Ok(mac) = <Mac256 as hmac::KeyInit>::new_from_slice(key) else {
        unreachable!("HMAC takes a key of any length")
    };
    mac
}

fn hmac_sha256<'a>(mut mac: Mac256, parts: impl IntoIterator<Item = &'a [&'a [u8]]>) -> [u8; 32] {
    for pieces in parts {
        let length: usize = pieces.iter().map(|piece| piece.len()).sum();
        mac.update(&(length as u64).to_be_bytes());
        pieces.iter().for_each(|piece| mac.update(piece));
    }
    mac.finalize().into_bytes().into()
}

impl GateKey {
    /// The key made of these bytes.
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        let derived = |word: &'static [u8]| hmac_sha256(keyed(&bytes), [&[word][..]]);
        Self { mac: keyed(&derived(b"toolgate.mac.v1")), seal: derived(b"toolgate.seal.v1"), bytes }
    }

    /// A new random key.
    ///
    /// # Errors
    /// When the operating system gives no randomness.
    pub fn generate() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes)?;
        Ok(Self::from_bytes(bytes))
    }

    /// The secret bytes, to be stored in a place that only the gate's user reads.
    pub fn expose_bytes(&self) -> &[u8; 32] {
        &self.bytes
    }

    /// HMAC-SHA-256 over a domain word and length-framed parts, 64 hex digits.
    pub fn digest(&self, domain: &str, parts: &[&[u8]]) -> String {
        let domain = [domain.as_bytes()];
        let framed = std::iter::once(&domain[..]).chain(parts.iter().map(std::slice::from_ref));
        hex(&hmac_sha256(self.mac.clone(), framed))
    }

    /// As [`Self::digest`], of parts that come in pieces.
    pub(crate) fn digest_pieces(&self, domain: &str, parts: &[&[&[u8]]]) -> String {
        let domain = [domain.as_bytes()];
        let framed = std::iter::once(&domain[..]).chain(parts.iter().copied());
        hex(&hmac_sha256(self.mac.clone(), framed))
    }

    /// Seals `text` for the place `context`; opened only with the same context.
    ///
    /// # Errors
    /// When the operating system gives no randomness.
    pub fn seal(&self, context: &str, text: &[u8]) -> Result<Vec<u8>, SealBroken> {
        let mut nonce = [0; NONCE];
        getrandom::fill(&mut nonce).map_err(|_| SealBroken)?;
        let cipher = XChaCha20Poly1305::new(&self.seal.into());
        let payload = Payload { msg: text, aad: context.as_bytes() };
        let body = cipher.encrypt(&XNonce::from(nonce), payload).map_err(|_| SealBroken)?;
        Ok([nonce.as_slice(), &body].concat())
    }

    /// Opens what [`Self::seal`] sealed.
    ///
    /// # Errors
    /// [`SealBroken`] for another key, another context or changed bytes.
    pub fn open(&self, context: &str, sealed: &[u8]) -> Result<Vec<u8>, SealBroken> {
        let (nonce, body) = sealed.split_first_chunk::<NONCE>().ok_or(SealBroken)?;
        let cipher = XChaCha20Poly1305::new(&self.seal.into());
        let payload = Payload { msg: body, aad: context.as_bytes() };
        cipher.decrypt(&XNonce::from(*nonce), payload).map_err(|_| SealBroken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::framed_digest;

    /// Case R044: a PIN of four digits is found under a plain hash by trying ten thousand.
    #[test]
    fn r044_digests_of_arguments_can_not_be_guessed_without_the_key() {
        let text = br#"{"pin":"4711"}"#;
        let (one, other) = (GateKey::from_bytes([1; 32]), GateKey::from_bytes([2; 32]));
        let digest = one.digest("toolgate.args.v1", &[text]);
        assert_eq!(digest, one.digest("toolgate.args.v1", &[text]), "the same arguments have one digest");
        assert_ne!(digest, other.digest("toolgate.args.v1", &[text]), "without the key it can't be made");
        assert_ne!(digest, framed_digest("toolgate.args.v1", &[text]));
        assert_ne!(digest, one.digest("toolgate.result.v1", &[text]), "a digest is for one use");
    }

    #[test]
    fn what_is_sealed_opens_only_with_its_key_in_its_place_unchanged() {
        let (key, other) = (GateKey::from_bytes([1; 32]), GateKey::from_bytes([2; 32]));
        let mut sealed = key.seal("here", b"secret").unwrap();
        assert_eq!(key.open("here", &sealed).unwrap(), b"secret");
        assert_ne!(sealed, key.seal("here", b"secret").unwrap(), "two seals of one text differ");
        assert_eq!(other.open("here", &sealed), Err(SealBroken));
        assert_eq!(key.open("there", &sealed), Err(SealBroken));
        *sealed.last_mut().unwrap() ^= 1;
        assert_eq!(key.open("here", &sealed), Err(SealBroken));
        assert_eq!(key.open("here", b"short"), Err(SealBroken));
    }
}
