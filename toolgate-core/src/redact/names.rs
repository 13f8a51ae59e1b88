//! A name taken apart into words, and the quick look that tells most names from those that say something.
//!
//! Not here: what the words mean.

use super::keys::TELLING;

/// Names of up to so many bytes, all ASCII, with up to so many words are split without an allocation.
const SHORT: usize = 64;
const FEW: usize = 16;

/// With which letters a telling word may end, digits aside.
struct Endings {
    /// For each letter the letters after it, as bits.
    two: [u32; 26],
    /// The same, for two letters the third.
    three: [[u32; 26]; 26],
}

const ENDINGS: Endings = {
    let mut endings = Endings { two: [0; 26], three: [[0; 26]; 26] };
    let mut list = 0;
    while list < TELLING.len() {
        #[expect(clippy::indexing_slicing, reason = "at compile time, below the length")]
        let words = TELLING[list];
        let mut word = 0;
        while word < words.len() {
            #[expect(clippy::indexing_slicing, reason = "at compile time, below the length")]
            note_ending(&mut endings, words[word].as_bytes());
            word += 1;
        }
        list += 1;
    }
    endings
};

/// Words beyond ASCII end no name that is ASCII.
#[expect(clippy::indexing_slicing, reason = "at compile time, letters of a to z")]
const fn note_ending(endings: &mut Endings, word: &[u8]) {
    let mut word = word;
    while let [before @ .., b'0'..=b'9'] = word {
        word = before;
    }
    let [.., last @ b'a'..=b'z'] = word else { return };
    let last = 1 << (*last - b'a');
    // A letter that the word doesn't have is another word's, and may be any, or none.
    let mut place = 0;
    while place < 26 * 26 {
        let (first, second) = (place / 26, place % 26);
        let is_second = match word {
            [.., letter, _] => letter.wrapping_sub(b'a') as usize == second,
            _ => true,
        };
        let is_first = match word {
            [.., letter, _, _] => letter.wrapping_sub(b'a') as usize == first,
            _ => true,
        };
        if is_second {
            endings.two[second] |= last;
        }
        if is_second && is_first {
            endings.three[first][second] |= last;
        }
        place += 1;
    }
}

/// Whether a name ends as no telling word does. Says no where it isn't sure.
pub(super) fn says_nothing(name: &str) -> bool {
    let mut name = name.as_bytes();
    while let [before @ .., b'0'..=b'9'] = name {
        name = before;
    }
    let [rest @ .., before, last] = name else {
        return false;
    };
    let place = |letter: u8| usize::from(letter.to_ascii_lowercase().wrapping_sub(b'a'));
    let (before, last) = (place(*before), place(*last));
    let has = |lasts: Option<&u32>| lasts.is_none_or(|lasts| last > 25 || (lasts >> last) & 1 == 1);
    let third = rest.last().and_then(|letter| ENDINGS.three.get(place(*letter)));
    let telling = has(ENDINGS.two.get(before)) && third.is_none_or(|seconds| has(seconds.get(before)));
    !telling && name.is_ascii()
}

/// Gives the lower-case words of a name to `then`: `APIKey`, `api_key`, `x.api-key` all end in `api`, `key`.
pub(super) fn in_words<T>(name: &str, then: impl FnOnce(&[&str]) -> T) -> T {
    let mut lower = [0; SHORT];
    let mut few = [""; FEW];
    if let Some(lower) = ascii_lower(name, &mut lower)
        && let Some(count) = split_ascii(name.as_bytes(), lower, &mut few)
    {
        return then(few.get(..count).unwrap_or_default());
    }
    let words = words(name);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    then(&words)
}

fn ascii_lower<'l>(name: &str, place: &'l mut [u8; SHORT]) -> Option<&'l str> {
    if !name.is_ascii() {
        return None;
    }
    let lower = place.get_mut(..name.len())?;
    lower.copy_from_slice(name.as_bytes());
    lower.make_ascii_lowercase();
    std::str::from_utf8(lower).ok()
}

/// As [`words`]; how many there are, or `None` where there is no place for all.
fn split_ascii<'l>(name: &[u8], lower: &'l str, words: &mut [&'l str; FEW]) -> Option<usize> {
    let mut places = words.iter_mut();
    let mut count = 0;
    let mut start = 0;
    let mut previous = b' ';
    for (at, byte) in name.iter().copied().chain(std::iter::once(b' ')).enumerate() {
        let ends = if byte.is_ascii_alphanumeric() {
            let next_lower = name.get(at + 1).is_some_and(u8::is_ascii_lowercase);
            byte.is_ascii_uppercase()
                && (previous.is_ascii_lowercase()
                    || previous.is_ascii_digit()
                    || (previous.is_ascii_uppercase() && next_lower))
        } else {
            true
        };
        if ends {
            if start < at {
                *places.next()? = lower.get(start..at)?;
                count += 1;
            }
            start = if byte.is_ascii_alphanumeric() { at } else { at + 1 };
        }
        previous = if byte.is_ascii_alphanumeric() { byte } else { b' ' };
    }
    Some(count)
}

/// The lower-case words of any name.
pub(crate) fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut chars = name.chars().peekable();
    let mut previous = ' ';
    while let Some(char) = chars.next() {
        if !char.is_alphanumeric() {
            push(&mut words, &mut word);
            previous = ' ';
            continue;
        }
        let next_lower = chars.peek().is_some_and(|next| next.is_lowercase());
        let hump = char.is_uppercase()
            && (previous.is_lowercase() || previous.is_numeric() || (previous.is_uppercase() && next_lower));
        if hump {
            push(&mut words, &mut word);
        }
        word.extend(char.to_lowercase());
        previous = char;
    }
    push(&mut words, &mut word);
    words
}

fn push(words: &mut Vec<String>, word: &mut String) {
    if !word.is_empty() {
        words.push(std::mem::take(word));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::keys::judge;
    use super::*;

    fn name() -> impl Strategy<Value = String> {
        let telling: Vec<&str> = TELLING.concat();
        let piece = prop_oneof![
            proptest::sample::select(telling).prop_map(str::to_owned),
            "[a-zA-Z0-9]{0,3}",
            Just("_".to_owned()),
            Just("-".to_owned()),
            "\\PC",
        ];
        proptest::collection::vec((piece, any::<bool>()), 0..6).prop_map(|pieces| {
            let shown = |(piece, upper): (String, bool)| if upper { piece.to_uppercase() } else { piece };
            pieces.into_iter().map(shown).collect()
        })
    }

    proptest! {
        #[test]
        fn words_are_the_same_however_they_are_split(name in name()) {
            let split = in_words(&name, |words| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>());
            prop_assert_eq!(split, words(&name));
        }

        /// With a word of one's own there is no quick look.
        #[test]
        fn name_that_says_nothing_is_judged_open(name in name()) {
            if says_nothing(&name) {
                prop_assert!(!judge(&name, &[vec!["no such word".to_owned()]]).hides(super::super::keys::Kind::Other));
            }
        }
    }

    #[test]
    fn ordinary_names_need_no_second_look() {
        for name in ["title", "severity", "service", "environment_id", "summary", "channel", "team2"] {
            assert!(says_nothing(name), "{name}");
        }
        for name in ["password", "pwd2", "api_key", "token_b64", "x", "", "senha"] {
            assert!(!says_nothing(name), "{name}");
        }
    }
}
