//! What is no TOML, told once: keys that stand twice, each with the place of the first, and the first slip of another
//! kind. What follows a slip is mostly what it made of the rest, so that it isn't told.

use toml::de::{DeTable, DeValue, Error};

use super::super::source::{Source, Span};

const TWICE: &str = "duplicate key";
/// Most keys that are told to stand twice: each costs a look at the whole text.
const MOST_TWICE: usize = 10;

pub(super) fn tell(source: &Source<'_>, faults: &[Error]) {
    let mut faults: Vec<(Span, &str)> =
        faults.iter().map(|fault| (fault.span().unwrap_or(0..0), fault.message())).collect();
    faults.sort_by_key(|(at, _)| at.start);
    let is_twice = |message: &str| message == TWICE;
    let twice = faults.iter().take_while(|(_, message)| is_twice(message)).take(MOST_TWICE);
    for (at, _) in twice {
        let key = source.text.get(at.clone()).unwrap_or_default();
        let first = first_of(source.text, at).map(|first| format!("; it stands first in line {}", source.line(&first)));
        source.wrong(at, "policy.syntax", format!("the key {key} stands twice{}", first.unwrap_or_default()));
    }
    if let Some((at, message)) = faults.iter().find(|(_, message)| !is_twice(message)) {
        source.wrong(at, "policy.syntax", one_line(message));
    }
}

/// Where the key that stands twice stands first. The second is given a name that nothing else has: the table that then
/// holds this name holds the first, too.
fn first_of(text: &str, second: &Span) -> Option<Span> {
    let key = text.get(second.clone())?;
    let name = (0..=text.len()).map(|count| format!("second-{count}")).find(|name| !text.contains(name))?;
    let renamed = format!("{}{name}{}", text.get(..second.start)?, text.get(second.end..)?);
    let (table, _) = DeTable::parse_recoverable(&renamed);
    let plain = |key: &str| key.trim_matches(['"', '\'']).to_owned();
    let beside = holder(table.get_ref(), &name)?;
    let first = beside.iter().map(|(known, _)| known).filter(|known| known.span().start < second.start);
    first.filter(|known| plain(known.get_ref()) == plain(key)).map(toml::Spanned::span).next()
}

/// The table that holds a key, however deep.
fn holder<'d, 't>(table: &'d DeTable<'t>, name: &str) -> Option<&'d DeTable<'t>> {
    if table.iter().any(|(key, _)| key.get_ref() == name) {
        return Some(table);
    }
    table.iter().find_map(|(_, value)| held_by(value.get_ref(), name))
}

fn held_by<'d, 't>(value: &'d DeValue<'t>, name: &str) -> Option<&'d DeTable<'t>> {
    match value {
        DeValue::Table(table) => holder(table, name),
        DeValue::Array(items) => items.iter().find_map(|item| held_by(item.get_ref(), name)),
        _ => None,
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
