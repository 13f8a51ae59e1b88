//! What names and descriptions say, as far as words tell: things, amounts, places to send to, verbs. Not a language
//! model: what isn't on a list says nothing. Lists of the only values are `lists.rs`'s.

pub(super) use crate::redact::words_of_name as of_name;

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
            let _ = (is_identifier(&text), is_number(&text, &text), is_digits(&text), telling(&text), is_destination(&text, &text));
        }
    }
}
