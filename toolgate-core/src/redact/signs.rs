//! What a text holds that the rules can't do without, seen in one pass: a rule that can find nothing isn't run.
//!
//! Not here: the rules. A sign too many costs time, one too few is a leak; `tests` hold both against the rules.

/// A set of signs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Signs(u32);

/// What may begin a token that needs no name.
pub(super) const TOKEN: Signs = Signs(1);
/// Two hyphens, of which lines around private keys have more.
pub(super) const HYPHENS: Signs = Signs(1 << 1);
pub(super) const QUOTE: Signs = Signs(1 << 2);
pub(super) const COMMA: Signs = Signs(1 << 3);
/// `:` or `=`.
pub(super) const OPERATOR: Signs = Signs(1 << 4);
/// `://`.
pub(super) const URL: Signs = Signs(1 << 5);
/// A hyphen in front of a word.
pub(super) const FLAG: Signs = Signs(1 << 6);
/// `<`.
pub(super) const ELEMENT: Signs = Signs(1 << 7);
/// `bearer` or `basic`.
pub(super) const SCHEME: Signs = Signs(1 << 8);
/// `password` or `identified`.
pub(super) const SPACED: Signs = Signs(1 << 9);
/// `value`.
pub(super) const VALUE: Signs = Signs(1 << 10);
pub(super) const SPACE: Signs = Signs(1 << 11);
/// `%`, `&` or a backslash, which decoders look for.
pub(super) const ENCODED: Signs = Signs(1 << 12);
/// A byte that isn't visible ASCII.
pub(super) const UNUSUAL: Signs = Signs(1 << 13);

/// Not a sign by itself: its neighbours are looked at.
const LOOK: u32 = 1 << 30;
/// A letter or digit.
const WORD: u32 = 1 << 31;

/// Signs that no rule starts from without one of the others.
const HELPERS: u32 = COMMA.0 | SPACE.0 | VALUE.0;

/// Shorter runs of letters and digits are no token that needs neither a sign nor a name: the shortest is an
/// AWS key id of 16.
const TOKEN_BYTES: usize = 16;

const CLASSES: [u32; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        #[expect(clippy::cast_possible_truncation, reason = "below 256")]
        let char = byte as u8;
        #[expect(clippy::indexing_slicing, reason = "at compile time, below 256")]
        {
            classes[byte] = class(char);
        }
        byte += 1;
    }
    classes
};

const fn class(byte: u8) -> u32 {
    match byte {
        // Patterns without regard to case know letters beyond ASCII that are like those of ASCII.
        0x80.. => UNUSUAL.0 | SCHEME.0 | SPACED.0 | VALUE.0,
        b'b' | b'B' | b'p' | b'P' | b'i' | b'I' | b'v' | b'V' | b'z' | b'J' => WORD | LOOK,
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => WORD,
        b' ' | b'\n' | b'\r' | b'\t' => SPACE.0,
        b'"' | b'\'' => QUOTE.0,
        b',' => COMMA.0,
        b'=' => OPERATOR.0,
        b':' => OPERATOR.0 | LOOK,
        b'<' => ELEMENT.0,
        b'%' | b'&' | b'\\' => ENCODED.0,
        b'_' | b'-' | b'.' => LOOK,
        0..b' ' | 0x7f => UNUSUAL.0,
        _ => 0,
    }
}

impl Signs {
    /// The signs of a text.
    pub(super) fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let (mut signs, mut run, mut longest) = (0, 0_usize, 0);
        for (at, byte) in bytes.iter().enumerate() {
            let class = CLASSES.get(usize::from(*byte)).copied().unwrap_or(u32::MAX);
            signs |= class;
            run = if class & WORD == 0 { 0 } else { run + 1 };
            longest = run.max(longest);
            if class & LOOK != 0 {
                signs |= look(bytes, at, *byte);
            }
        }
        if longest >= TOKEN_BYTES {
            signs |= TOKEN.0;
        }
        Self(signs & !(LOOK | WORD))
    }

    /// Whether all of `other` is there.
    pub(super) fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether no rule and no decoder has anything to start from.
    pub(super) fn is_harmless(self) -> bool {
        self.0 & !HELPERS == 0
    }

    /// Every sign, so that every rule is run.
    #[cfg(test)]
    pub(super) const ALL: Self = Self(!(LOOK | WORD));
}

/// What a byte is a sign of together with its neighbours.
fn look(bytes: &[u8], at: usize, byte: u8) -> u32 {
    let (before, rest) = bytes.split_at_checked(at).unwrap_or_default();
    match byte {
        b'_' if ends_with_one_of(before, &UNDERSCORED) => TOKEN.0,
        b'.' if ends_with_one_of(before, &DOTTED) => TOKEN.0,
        b'-' => {
            let last = before.last().copied().unwrap_or(b' ');
            let slack = matches!(before, [.., b'x', b'o', b'x', _]);
            let token = if slack || ends_with_one_of(before, &HYPHENATED) { TOKEN.0 } else { 0 };
            let opens = last.is_ascii_whitespace() || matches!(last, b'"' | b'\'' | b'`' | b'[' | b',' | b'(');
            token | if last == b'-' { HYPHENS.0 } else { 0 } | if opens { FLAG.0 } else { 0 }
        }
        b':' if rest.starts_with(b":AA") => TOKEN.0,
        b':' if rest.starts_with(b"://") => URL.0,
        b'z' if before.ends_with(b"AI") => TOKEN.0,
        b'J' if before.ends_with(b"ey") => TOKEN.0,
        b'b' | b'B' if starts_with_word(rest, b"bearer") || starts_with_word(rest, b"basic") => SCHEME.0,
        b'p' | b'P' if starts_with_word(rest, b"password") => SPACED.0,
        b'i' | b'I' if starts_with_word(rest, b"identified") => SPACED.0,
        b'v' | b'V' if starts_with_word(rest, b"value") => VALUE.0,
        _ => 0,
    }
}

fn starts_with_word(bytes: &[u8], word: &[u8]) -> bool {
    bytes.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
}

fn ends_with_one_of(bytes: &[u8], endings: &[&str]) -> bool {
    endings.iter().any(|ending| bytes.ends_with(ending.as_bytes()))
}

/// What stands before a sign in the tokens of `tokens`, or the last of it.
const UNDERSCORED: [&str; 26] = [
    "gho", "ghp", "ghu", "ghs", "ghr", "pat", "_live", "_test", "_prod", "whsec", "npm", "_v1", "hf", "shpca", "shppa",
    "shpss", "_api", "oauth", "oat", "glsa", "figd", "gsk", "secret", "rubygems", "pul", "sbp",
];
const HYPHENATED: [&str; 22] = [
    "sk", "glpat", "glptt", "gldt", "glrt", "glcbt", "glft", "glimt", "glagent", "glsoat", "xapp", "GOCSPX", "pypi",
    "sq0csp", "sq0atp", "PMAK", "xkeysib", "NRAK", "-KEY", "xai", "pplx", "nvapi",
];
const DOTTED: [&str; 5] = ["ya29", "SG", "hvb", "hvs", "hvr"];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::string::string_regex;

    use super::super::text::redact_with;
    use super::super::tokens::KINDS;
    use super::super::{Inner, names};
    use super::*;

    /// Pieces of texts in which rules find something, and of others.
    const PIECES: [&str; 40] = [
        "Bearer",
        "basic",
        "ba\u{17f}ic",
        "PASSWORD",
        "pa\u{17f}sword",
        "identified by",
        "login",
        "-----BEGIN PRIVATE KEY-----",
        "---- END RSA PRIVATE KEY ----",
        "name=",
        "\"header\": ",
        "value=",
        "VALUE: ",
        "'authorization', '",
        "\"x-token\", \"",
        "\"",
        "'",
        "`",
        "https://user:pass@host/",
        "://",
        "?sig=",
        "--token ",
        "-u a:b",
        "<password>",
        "</password>",
        "<",
        "password: ",
        "token=",
        "=",
        ": ",
        "%3d",
        "&amp;",
        "&#61;",
        "\\n",
        "\\u003d",
        "\u{200b}",
        "\u{430}",
        "ghp_Ab12Cd34",
        "sk-Ab12Cd34Ef56Gh78Ij90Kl12",
        " ",
    ];

    fn text() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            proptest::sample::select(PIECES.to_vec()).prop_map(str::to_owned),
            "[ -~]{0,6}",
            "[a-zA-Z0-9]{0,18}",
            "\\PC",
        ];
        proptest::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
    }

    fn token() -> impl Strategy<Value = String> {
        let kinds = KINDS.map(|kind| string_regex(kind).unwrap().boxed());
        proptest::strategy::Union::new(kinds)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn rules_without_their_signs_find_nothing(text in text(), token in token(), own in any::<bool>()) {
            let keys = if own { vec![names::words("badge")] } else { Vec::new() };
            let inner = Inner { keys, ..Inner::default() };
            for text in [text.clone(), token.clone(), format!("{text}{token}{text}")] {
                let some = redact_with(&inner, &text, Signs::of(&text)).ok();
                let all = redact_with(&inner, &text, Signs::ALL).ok();
                prop_assert_eq!(some, all, "{:?}", text);
            }
        }

        #[test]
        fn every_kind_of_token_has_its_sign(token in token()) {
            prop_assert!(Signs::of(&token).has(TOKEN), "{:?}", token);
        }
    }

    #[test]
    fn ordinary_text_shows_no_sign() {
        for text in ["orders", "max_lines", "three of four replicas fail, and so on; p99", "2026-11-30", "a (b) c/d?"] {
            assert!(Signs::of(text).is_harmless(), "{text}");
        }
    }
}
