//! A value as it is looked for in texts: without the case of letters and the amount of white space, numbers in one
//! form. Not where it is found, which is [`super::source`].

/// Most bytes of a value that are looked for word by word.
const MAX_WORDS: usize = 4 << 10;
/// A value of so few letters must be a whole word.
const SHORT: usize = 3;
/// Fewest letters and digits of a value that is found inside of a word.
const INSIDE: usize = 4;
/// Fewest characters of a value that is found with white space in it, as account numbers are written.
const GROUPED: usize = 8;

/// Signs of currencies, before a number or after it.
const CURRENCIES: [char; 4] = ['$', '€', '£', '¥'];

/// One value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Needle {
    /// Lower-case, white space as one space.
    pub(super) folded: String,
    /// Its letters and digits.
    pub(super) letters: String,
    /// As a number, in one form.
    pub(super) number: Option<String>,
    /// Its words, where it is made of words and nothing else.
    pub(super) words: Vec<String>,
    /// Whether it is one word and nothing else.
    is_word: bool,
}

impl Needle {
    /// Of a text; `None` where it says nothing.
    pub(super) fn of(text: &str) -> Option<Self> {
        let folded = fold(text);
        if folded.is_empty() {
            return None;
        }
        let plain = folded.len() <= MAX_WORDS && !folded.chars().any(is_break);
        let words = if plain { words(&folded).map(str::to_owned).collect() } else { Vec::new() };
        let is_word = words.first() == Some(&folded);
        Some(Self { letters: letters(&folded), number: number_of(&folded), words, is_word, folded })
    }

    /// Whether it must be a whole word.
    pub(super) fn is_short(&self) -> bool {
        self.number.is_some() || self.is_word && is_short(&self.folded)
    }

    /// Whether its letters may be looked for inside of words.
    pub(super) fn is_found_inside(&self) -> bool {
        self.letters.chars().count() >= INSIDE
    }

    /// Whether it may be written in groups: one word of letters and digits, and mostly digits.
    pub(super) fn is_grouped(&self) -> bool {
        let digits = self.folded.bytes().filter(u8::is_ascii_digit).count();
        self.folded.len() >= GROUPED && digits * 2 >= self.folded.len() && self.folded == self.letters
    }
}

/// Whether a word has so few letters that it is looked for as a whole.
pub(super) fn is_short(word: &str) -> bool {
    word.chars().take(SHORT + 1).count() <= SHORT
}

/// Lower-case, each run of white space as one space, none at the ends.
pub(super) fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        if word.is_ascii() {
            folded.extend(word.chars().map(|letter| letter.to_ascii_lowercase()));
        } else {
            word.chars().for_each(|letter| push_lower(&mut folded, letter));
        }
    }
    folded
}

/// In lower case, unless it would be another letter: the sign of the kelvin is no k.
fn push_lower(folded: &mut String, letter: char) {
    let mut lower = letter.to_lowercase();
    if !letter.is_ascii() && lower.len() == 1 && lower.all(|lower| lower.is_ascii()) {
        folded.push(letter);
    } else {
        folded.extend(letter.to_lowercase());
    }
}

/// Letters and digits only.
pub(super) fn letters(folded: &str) -> String {
    folded.chars().filter(|letter| letter.is_alphanumeric()).collect()
}

/// What parts words, whatever stands beside it.
pub(super) fn is_break(letter: char) -> bool {
    letter.is_whitespace() && letter != ' '
        || matches!(
            letter,
            ';' | '(' | ')' | '<' | '>' | '[' | ']' | '{' | '}' | '"' | '\'' | '|' | '=' | '`' | '*' | ','
        )
        || matches!(letter, '“' | '”' | '‘' | '’' | '«' | '»' | '„')
}

/// The words of a folded text: what stands between spaces and breaks, without the signs that end a sentence. A comma
/// inside of a number parts nothing.
pub(super) fn words(folded: &str) -> impl Iterator<Item = &str> {
    pieces(folded).map(|(_, word)| word).filter(|word| !word.is_empty())
}

/// The words with the byte where each begins.
pub(super) fn pieces(folded: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    let mut ends = false;
    let mut chars = folded.char_indices().peekable();
    let mut before = None;
    std::iter::from_fn(move || {
        if ends {
            return None;
        }
        for (at, letter) in chars.by_ref() {
            let last = before.replace(letter);
            if letter == ' ' || is_break(letter) && !is_in_number(folded, at, letter, last) {
                let found = (start, trimmed(folded.get(start..at).unwrap_or_default()));
                start = at + letter.len_utf8();
                return Some(found);
            }
        }
        ends = true;
        Some((start, trimmed(folded.get(start..).unwrap_or_default())))
    })
}

fn is_in_number(folded: &str, at: usize, letter: char, before: Option<char>) -> bool {
    let next = folded.get(at + letter.len_utf8()..).and_then(|rest| rest.chars().next());
    letter == ',' && [before, next].iter().all(|side| side.is_some_and(|side| side.is_ascii_digit()))
}

fn trimmed(word: &str) -> &str {
    word.trim_end_matches(['.', '!', '?', ':', '…'])
}

/// The sign of the currency that a number is written with.
pub(super) fn currency_of(word: &str) -> Option<char> {
    word.chars().find(|letter| CURRENCIES.contains(letter))
}

/// A number in one form: `1,200.00`, `$1200` and `1200.0` are `1200`. What begins with a zero of its own is a name.
pub(super) fn number_of(word: &str) -> Option<String> {
    let word = word.trim_matches(CURRENCIES);
    let (sign, digits) = word.strip_prefix('-').map_or(("", word), |rest| ("-", rest));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let mut groups = whole.split(',');
    let first = groups.next().filter(|first| !first.is_empty() && all_digits(first))?;
    let grouped = groups.clone().next().is_some();
    if grouped && (first.len() > 3 || !groups.all(|group| group.len() == 3 && all_digits(group))) {
        return None;
    }
    if !all_digits(fraction) || digits.ends_with('.') || first.len() > 1 && first.starts_with('0') {
        return None;
    }
    let fraction = fraction.trim_end_matches('0');
    let dot = if fraction.is_empty() { "" } else { "." };
    let whole = whole.replace(',', "");
    let sign = if whole == "0" && fraction.is_empty() { "" } else { sign };
    Some(format!("{sign}{whole}{dot}{fraction}"))
}
