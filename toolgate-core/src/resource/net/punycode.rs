//! Punycode (RFC 3492), as far as is needed to tell that a label is valid: it decodes, and is what its characters
//! encode to. Not the tables of IDNA: a client's own parser may refuse more.

const BASE: u32 = 36;
const MIN: u32 = 1;
const MAX: u32 = 26;
const SKEW: u32 = 38;
const DAMP: u32 = 700;
const FIRST_BIAS: u32 = 72;
const FIRST: u32 = 128;

/// Whether what follows `xn--` is the one spelling of a label with characters that a name may have.
pub(super) fn is_valid(coded: &str) -> bool {
    decode(coded).is_some_and(|label| {
        label.iter().any(|c| !c.is_ascii())
            && label.iter().all(|c| !c.is_uppercase() && !c.is_whitespace() && !crate::resource::names::is_hidden(*c))
            && encode(&label).as_deref() == Some(coded)
    })
}

fn adapted(delta: u32, points: u32, first: bool) -> u32 {
    let mut delta = if first { delta / DAMP } else { delta / 2 };
    delta += delta / points;
    let mut k = 0;
    while delta > (BASE - MIN) * MAX / 2 {
        delta /= BASE - MIN;
        k += BASE;
    }
    k + (BASE - MIN + 1) * delta / (delta + SKEW)
}

/// The smallest digit that goes on, at this place.
fn threshold(k: u32, bias: u32) -> u32 {
    k.saturating_sub(bias).clamp(MIN, MAX)
}

fn decode(coded: &str) -> Option<Vec<char>> {
    let (plain, extended) = coded.rsplit_once('-').unwrap_or(("", coded));
    let mut output: Vec<char> = plain.chars().collect();
    let (mut n, mut i, mut bias) = (FIRST, 0_u32, FIRST_BIAS);
    let mut digits = extended.bytes();
    while digits.len() > 0 {
        let before = i;
        let (mut weight, mut k) = (1_u32, BASE);
        loop {
            let digit = match digits.next()? {
                byte @ b'a'..=b'z' => u32::from(byte - b'a'),
                byte @ b'0'..=b'9' => u32::from(byte - b'0') + 26,
                _ => return None,
            };
            i = i.checked_add(digit.checked_mul(weight)?)?;
            let threshold = threshold(k, bias);
            if digit < threshold {
                break;
            }
            weight = weight.checked_mul(BASE - threshold)?;
            k += BASE;
        }
        let points = u32::try_from(output.len()).ok()? + 1;
        bias = adapted(i - before, points, before == 0);
        n = n.checked_add(i / points)?;
        i %= points;
        output.insert(usize::try_from(i).ok()?, char::from_u32(n)?);
        i += 1;
    }
    Some(output)
}

fn encode(label: &[char]) -> Option<String> {
    let mut output: String = label.iter().filter(|c| c.is_ascii()).collect();
    let plain = u32::try_from(output.len()).ok()?;
    if plain > 0 {
        output.push('-');
    }
    let (mut n, mut delta, mut bias, mut done) = (FIRST, 0_u32, FIRST_BIAS, plain);
    while usize::try_from(done).ok()? < label.len() {
        let next = label.iter().map(|c| u32::from(*c)).filter(|c| *c >= n).min()?;
        delta = delta.checked_add((next - n).checked_mul(done + 1)?)?;
        n = next;
        for c in label.iter().map(|c| u32::from(*c)) {
            if c < n {
                delta += 1;
            }
            if c == n {
                write_number(&mut output, delta, bias)?;
                bias = adapted(delta, done + 1, done == plain);
                (delta, done) = (0, done + 1);
            }
        }
        (delta, n) = (delta + 1, n + 1);
    }
    Some(output)
}

fn write_number(output: &mut String, delta: u32, bias: u32) -> Option<()> {
    let (mut rest, mut k) = (delta, BASE);
    loop {
        let threshold = threshold(k, bias);
        let digit = if rest < threshold { rest } else { threshold + (rest - threshold) % (BASE - threshold) };
        let letter =
            if digit < 26 { b'a' + u8::try_from(digit).ok()? } else { b'0' + u8::try_from(digit - 26).ok()? };
        output.push(char::from(letter));
        if rest < threshold {
            return Some(());
        }
        rest = (rest - threshold) / (BASE - threshold);
        k += BASE;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_has_one_spelling() {
        for valid in ["bcher-kva", "mnchen-3ya", "pi-6kc", "fiqs8s", "p1ai", "e28h"] {
            assert!(is_valid(valid), "{valid}");
        }
        for wrong in ["", "-", "abc-", "bcher-kv", "a-a", "99999999", "bcher-KVA", "\u{e9}"] {
            assert!(!is_valid(wrong), "{wrong}");
        }
    }

    #[test]
    fn what_is_decoded_is_encoded_again() {
        let label: Vec<char> = "büro-für-öl".chars().collect();
        assert_eq!(decode(&encode(&label).unwrap()), Some(label));
    }
}
