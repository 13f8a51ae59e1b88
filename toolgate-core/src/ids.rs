//! Names for calls, sessions and tickets: a kind, then 26 characters that sort by time and can't be
//! guessed (48 bits of milliseconds, 80 bits of randomness, Crockford's base 32).

use crate::store::Millis;

const ALPHABET: [char; 32] = [
    '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'j', 'k', 'm', 'n', 'p',
    'q', 'r', 's', 't', 'v', 'w', 'x', 'y', 'z',
];

/// A new name of a kind, such as `call_01h..`.
///
/// # Errors
/// When the operating system gives no randomness.
pub fn mint(kind: &str, now: Millis) -> Result<String, getrandom::Error> {
    let mut random = [0_u8; 16];
    getrandom::fill(&mut random)?;
    let time = u128::from(now.unsigned_abs() & 0xffff_ffff_ffff);
    let bits = (time << 80) | (u128::from_be_bytes(random) >> 48);
    let mut name = String::with_capacity(kind.len() + 27);
    name.push_str(kind);
    name.push('_');
    for place in (0..26).rev() {
        let digit = usize::try_from(bits >> (place * 5) & 31).unwrap_or_default();
        name.push(ALPHABET.get(digit).copied().unwrap_or('0'));
    }
    Ok(name)
}
