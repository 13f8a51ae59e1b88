//! Lists of the only values in a description: "one of a, b, c", and which lists are only of examples. Not names,
//! which are `words.rs`'s.

/// Longest word of a list of values.
const LONGEST: usize = 40;

/// The words that a text lists as the only ones: "one of a, b, c", "`a` or `b`", "either a or b", `a|b`, `(a/b)`. None
/// where it lists none, or only examples.
pub(super) fn listed(text: &str) -> Vec<&str> {
    let found = quoted_list(text).or_else(|| spoken_list(text)).or_else(|| barred_list(text));
    found.unwrap_or_default()
}

/// A quoted word and its bytes in the text, quotes included.
struct Quoted<'t> {
    start: usize,
    end: usize,
    word: &'t str,
}

fn quoted(text: &str) -> Vec<Quoted<'_>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) = text.get(from..).and_then(|rest| rest.find(['`', '"', '\''])) {
        let start = from + start;
        let quote = text.get(start..).and_then(|rest| rest.chars().next()).unwrap_or('`');
        let before = text.get(..start).and_then(|before| before.chars().next_back());
        // An apostrophe opens nothing.
        let opens = quote != '\'' || !before.is_some_and(char::is_alphanumeric);
        let inner = start + 1;
        let length = text.get(inner..).and_then(|rest| rest.find(quote)).filter(|_| opens);
        match length.and_then(|length| Some((inner + length + 1, text.get(inner..inner + length)?))) {
            Some((end, word)) => {
                found.push(Quoted { start, end, word });
                from = end;
            }
            None => from = inner,
        }
    }
    found
}

/// The words in backquotes.
pub(super) fn code_words(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// How two quoted words stand together.
#[derive(PartialEq)]
enum Joint {
    /// `a` or `b`.
    Or,
    /// `a`, `b`; `a` and `b`: a list of anything.
    Beside,
    /// `a` for the one, `b` for the other.
    Glossed,
}

fn joint(between: &str) -> Option<Joint> {
    const GLOSSES: [&str; 10] = ["for ", "to ", "means ", "mean ", "indicates ", "if ", "will ", "is ", "= ", ": "];
    const MOST: usize = 80;
    let between = between.trim();
    match between {
        "or" | ", or" | "/" | "|" => Some(Joint::Or),
        "," | "and" | ", and" => Some(Joint::Beside),
        _ => {
            let start = between.trim_start_matches(['(', ',', ' ']);
            let glossed = GLOSSES.iter().any(|gloss| start.starts_with(gloss));
            (glossed && between.len() <= MOST && !between.contains(['.', '\n'])).then_some(Joint::Glossed)
        }
    }
}

fn quoted_list(text: &str) -> Option<Vec<&str>> {
    const CLOSED: [&str; 9] =
        ["one of", "either", "options are", "options include", "values are", "must be", "can be", "could be", "may be"];
    let quoted = quoted(text);
    let mut rest = quoted.as_slice();
    while let Some(first) = rest.first() {
        let mut last = first;
        let mut joints = Vec::new();
        for next in rest.iter().skip(1) {
            let Some(joint) = joint(text.get(last.end..next.start).unwrap_or_default()) else { break };
            joints.push(joint);
            last = next;
        }
        let (run, others) = rest.split_at(joints.len() + 1);
        let words: Vec<&str> = run.iter().map(|quoted| quoted.word).collect();
        let lead = text.get(..first.start).unwrap_or_default().to_ascii_lowercase();
        let lead = lead.trim_end();
        let alone = lead.is_empty() || lead.ends_with([':', '(']);
        let closed = alone
            || CLOSED.iter().any(|closed| lead.ends_with(closed))
            || joints.iter().any(|joint| *joint != Joint::Beside);
        let open = is_open(lead, text.get(last.end..).unwrap_or_default());
        if words.len() > 1 && words.iter().all(|word| is_value(word)) && closed && !open {
            return Some(words);
        }
        rest = others;
    }
    None
}

/// Whether a quoted text can be a word of a closed set, and not a form (`City, State`, `YYYY-MM-DD`) or nothing.
fn is_value(word: &str) -> bool {
    let length = word.chars().count();
    (1..=LONGEST).contains(&length) && !word.contains([',', ':', '\n', '.']) && !word.contains("YY") && word != "null"
}

/// Whether a list is one of examples, of forms or of what is not meant, or goes on.
fn is_open(lead: &str, after: &str) -> bool {
    const OPEN: [&str; 14] = [
        "such as",
        "e.g.",
        "for example",
        "for instance",
        "example",
        "examples",
        "like",
        "between",
        "from",
        "not",
        "instead of",
        "format",
        "formats",
        "form",
    ];
    const ON: [&str; 6] = [", ..", ", …", "...", "…", "etc", ", etc"];
    let lead = lead.trim_end_matches(|letter: char| letter.is_whitespace() || matches!(letter, ':' | ',' | '('));
    let lead = ["of", "is", "are"].iter().fold(lead, |lead, word| lead.strip_suffix(word).unwrap_or(lead).trim_end());
    let after = after.trim_start().to_ascii_lowercase();
    OPEN.iter().any(|open| lead.ends_with(open)) || ON.iter().any(|on| after.starts_with(on))
}

fn spoken_list(text: &str) -> Option<Vec<&str>> {
    let lower = text.to_ascii_lowercase();
    ["one of", "either"].iter().find_map(|lead| {
        let start = lower.find(lead)? + lead.len();
        let list = text.get(start..)?.trim_start_matches([':', ' ']);
        let list = list.split(['.', ';', ')', '\n']).next()?;
        let words: Vec<&str> =
            list.split(',').flat_map(|part| part.split(" or ")).flat_map(|part| part.split(" and ")).collect();
        let words: Vec<&str> = words
            .iter()
            .map(|word| word.trim().trim_start_matches("or ").trim_start_matches("and "))
            .filter(|word| !word.is_empty())
            .collect();
        let single = |word: &&str| {
            word.chars().count() <= LONGEST
                && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
        };
        (words.len() > 1 && words.iter().all(single)).then_some(words)
    })
}

fn barred_list(text: &str) -> Option<Vec<&str>> {
    text.split_whitespace().find_map(|token| {
        let token = token.trim_end_matches(['.', ',', ';', ':']);
        let bracketed = token.strip_prefix('(').and_then(|token| token.strip_suffix(')'));
        let bare = bracketed.unwrap_or(token).trim_matches(['(', ')', '`']);
        let words: Vec<&str> = match (bare.contains('|'), bracketed) {
            (true, _) => bare.split('|').collect(),
            (false, Some(inner)) => inner.split('/').collect(),
            (false, None) => return None,
        };
        let single = |word: &&str| {
            !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
        };
        (words.len() > 1 && words.iter().all(single) && words != ["and", "or"]).then_some(words)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_list_of_the_only_words_is_found_however_it_is_written() {
        for (text, words) in [
            ("One of a, b, c.", &["a", "b", "c"][..]),
            ("The order: one of newest, oldest or none; newest first.", &["newest", "oldest", "none"]),
            ("Either read or write.", &["read", "write"]),
            ("`asc` or `desc`.", &["asc", "desc"]),
            ("`ok`, `error`, `panic`.", &["ok", "error", "panic"]),
            ("How it is (\"new\", \"old\").", &["new", "old"]),
            ("Must be 'a', 'b', or 'c'", &["a", "b", "c"]),
            ("How loud: low|medium|high.", &["low", "medium", "high"]),
            ("The direction (asc/desc)", &["asc", "desc"]),
            ("One of `a` and `b`.", &["a", "b"]),
            ("'metric' for Celsius, 'imperial' for Fahrenheit.", &["metric", "imperial"]),
            ("Use 'EQ' for equality or 'CO' for a part.", &["EQ", "CO"]),
            ("Possible values are 'asc' and 'desc'.", &["asc", "desc"]),
        ] {
            assert_eq!(listed(text), words, "{text}");
        }
    }

    #[test]
    fn examples_and_other_lists_are_no_closed_list() {
        for text in [
            "",
            "The service, such as `orders` or `billing`.",
            "A colour (e.g. `red` or `blue`).",
            "Any word, for example: `a`, `b`.",
            "`a`, `b`, ...",
            "One of the services.",
            "One of the services, or all of them.",
            "Filters by what `state` and `owner` say.",
            "The user's and the agent's name.",
            "What happens and/or what should.",
            "Not `a` or `b`.",
            "A path (and/or a name)",
            "`only`",
            "The city, as 'City, State' or 'City, Country'.",
            "In the format of 'a-b' or 'a/b'.",
            "'YYYY-MM-DD' or 'null'.",
        ] {
            assert_eq!(listed(text), [""; 0], "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_a_panic(text in "\\PC{0,60}|[a-c`'\"(),/| ]{0,40}|(one of|either|`a`|, | or | and |\\.|e\\.g\\.|'é|ü`){0,12}") {
            for word in listed(&text) {
                prop_assert!(text.contains(word));
            }
        }
    }
}
