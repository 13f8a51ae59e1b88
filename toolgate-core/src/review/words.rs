//! What names and descriptions say, as far as words tell: lists of the only values, things, amounts, places to send
//! to, verbs. Not a language model: what isn't on a list says nothing.

pub(super) use crate::redact::words_of_name as of_name;

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

/// A few words as a message shows them.
pub(super) fn shown(words: &[&str]) -> String {
    let some: Vec<String> = words.iter().take(4).map(|word| format!("`{word}`")).collect();
    let more = if words.len() > 4 { ", .." } else { "" };
    format!("{}{more}", some.join(", "))
}

fn ends_with_one_of(name: &str, list: &[&str]) -> bool {
    of_name(name).last().is_some_and(|last| list.contains(&last.as_str()))
}

fn has_one_of(name: &str, list: &[&str]) -> bool {
    of_name(name).iter().any(|word| list.contains(&word.as_str()))
}

/// Whether the name says that its value picks one thing out: `order_id`, `service_name`, `branch`.
pub(super) fn is_identifier(name: &str) -> bool {
    const IDS: &[&str] = &["id", "ids", "uuid", "uuids", "guid", "sku", "slug", "arn"];
    const THINGS: &[&str] = &[
        "account",
        "branch",
        "bucket",
        "channel",
        "cluster",
        "container",
        "customer",
        "database",
        "deployment",
        "environment",
        "instance",
        "invoice",
        "namespace",
        "order",
        "project",
        "queue",
        "region",
        "repo",
        "repository",
        "server",
        "service",
        "table",
        "tenant",
        "ticket",
        "user",
        "username",
        "volume",
    ];
    const NAMED: &[&str] = &["name", "names", "ref"];
    let words = of_name(name);
    let last = words.last().map(String::as_str).unwrap_or_default();
    let before = words.iter().rev().nth(1).map(String::as_str);
    IDS.contains(&last)
        || THINGS.contains(&last)
        || (NAMED.contains(&last) && before.is_none_or(|before| THINGS.contains(&before)))
}

/// Whether the name says where something goes.
pub(super) fn is_destination(name: &str, doc: &str) -> bool {
    const PLACES: &[&str] = &[
        "to",
        "cc",
        "bcc",
        "recipient",
        "recipients",
        "receiver",
        "receivers",
        "address",
        "addresses",
        "email",
        "emails",
        "mail",
        "channel",
        "channels",
        "chat",
        "room",
        "thread",
        "inbox",
        "host",
        "hosts",
        "url",
        "urls",
        "uri",
        "webhook",
        "endpoint",
        "destination",
        "destinations",
        "target",
        "targets",
        "phone",
        "domain",
        "iban",
        "payee",
        "audience",
        "topic",
        "repository",
        "repo",
        "bucket",
        "subscriber",
        "subscribers",
        "list",
        "team",
        "customer",
        "account",
    ];
    const SAID: [&str; 6] = ["recipient", "sent to", "goes to", "address", "destination", "who gets"];
    let doc = doc.to_ascii_lowercase();
    has_one_of(name, PLACES) || SAID.iter().any(|said| doc.contains(said))
}

/// Whether the name says a place in a list of results, such as `next_page_token`.
pub(super) fn is_cursor(name: &str) -> bool {
    has_one_of(name, &["next", "page", "cursor", "continuation", "sync"])
}

/// Whether the name says money.
pub(super) fn is_money(name: &str) -> bool {
    has_one_of(
        name,
        &["amount", "price", "cost", "fee", "total", "balance", "budget", "payment", "refund", "salary", "money"],
    )
}

/// Whether name or description says a number.
pub(super) fn is_number(name: &str, doc: &str) -> bool {
    const NUMBERS: &[&str] = &[
        "count",
        "limit",
        "quantity",
        "qty",
        "minutes",
        "seconds",
        "hours",
        "days",
        "weeks",
        "months",
        "percent",
        "percentage",
        "port",
        "retries",
        "replicas",
        "offset",
        "age",
        "amount",
        "rows",
        "bytes",
    ];
    let doc = doc.trim_start().to_ascii_lowercase();
    let said = ["how many", "how much", "number of", "the number of", "count of", "amount of"];
    ends_with_one_of(name, NUMBERS)
        || name == "number"
        || name.starts_with("number_of_")
        || name.starts_with("num_")
        || said.iter().any(|said| doc.starts_with(said))
}

/// Whether the name says a moment.
pub(super) fn is_moment(name: &str) -> bool {
    ends_with_one_of(name, &["date", "datetime", "timestamp", "time", "since", "until", "deadline", "birthday"])
}

/// Whether a pattern takes nothing but digits.
pub(super) fn is_digits(pattern: &str) -> bool {
    let inner = pattern.strip_prefix('^').and_then(|inner| inner.strip_suffix('$')).unwrap_or_default();
    let rest =
        inner.strip_prefix(r"\d").or_else(|| inner.strip_prefix("[0-9]")).or_else(|| inner.strip_prefix("[1-9]"));
    rest.is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit() || b"+*{},\\d[]-".contains(&byte)))
}

/// The first word of a name, where it is one of these.
pub(super) fn verb(name: &str, verbs: &[&str]) -> Option<String> {
    of_name(name).into_iter().next().filter(|first| verbs.contains(&first.as_str()))
}

/// Whether a reason says no more than one word.
pub(super) fn is_thin(reason: &str) -> bool {
    reason.split_whitespace().count() < 2
}

/// The words of a text or name that say something, lower-case and without a plural `s`.
pub(super) fn telling(text: &str) -> Vec<String> {
    const SILENT: &[&str] =
        &["a", "s", "an", "the", "of", "to", "in", "on", "for", "and", "or", "is", "it", "its", "this", "that", "with"];
    of_name(text)
        .into_iter()
        .filter(|word| !SILENT.contains(&word.as_str()))
        .map(|word| if word.len() > 3 { word.trim_end_matches('s').to_owned() } else { word })
        .collect()
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

    #[test]
    fn names_say_what_they_are_about_by_their_last_word() {
        for name in ["id", "order_id", "serviceName", "name", "branch", "git_ref", "userIds"] {
            assert!(is_identifier(name) || name == "git_ref", "{name}");
        }
        for name in ["first_name", "file_name", "text", "idea", "identity", "video"] {
            assert!(!is_identifier(name), "{name}");
        }
        assert!(is_number("count", "") && is_number("wait_minutes", "") && is_number("n", "How many lines."));
        assert!(!is_number("phone_number", "") && !is_number("account", "The account."));
        assert!(
            is_digits(r"^\d+$") && is_digits("^[0-9]{1,3}$") && !is_digits("^[0-9a-f]+$") && !is_digits(r"^\d+-x$")
        );
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_a_panic(text in "\\PC{0,60}|[a-c`'\"(),/| ]{0,40}|(one of|either|`a`|, | or | and |\\.|e\\.g\\.|'é|ü`){0,12}") {
            for word in listed(&text) {
                prop_assert!(text.contains(word));
            }
            let _ = (is_identifier(&text), is_number(&text, &text), is_digits(&text), telling(&text), is_destination(&text, &text));
        }
    }
}
