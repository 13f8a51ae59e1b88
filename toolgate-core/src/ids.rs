//! Names for calls, sessions and tickets: a kind, then 26 characters that sort by time and can't be
//! guessed (48 bits of milliseconds, 80 bits of randomness, Crockford's base 32).

use crate::random;
use crate::store::Millis;

const ALPHABET: [u8; 32] = *b"0123456789abcdefghjkmnpqrstvwxyz";

/// A new name of a kind, such as `call_01h..`.
///
/// # Errors
/// When the operating system gives no randomness.
pub fn mint(kind: &str, now: Millis) -> Result<String, getrandom::Error> {
    let random = random::bytes::<10>()?;
    let time = u128::from(now.unsigned_abs() & 0xffff_ffff_ffff);
    let mut bits = random.iter().fold(time, |bits, byte| (bits << 8) | u128::from(*byte));
    let mut digits = [b'0'; 26];
    for digit in digits.iter_mut().rev() {
        let place = usize::from(bits.to_le_bytes()[0] & 31);
        *digit = ALPHABET.get(place).copied().unwrap_or(b'0');
        bits >>= 5;
    }
    let mut name = String::with_capacity(kind.len() + 27);
    name.push_str(kind);
    name.push('_');
    name.push_str(std::str::from_utf8(&digits).unwrap_or_default());
    Ok(name)
}
