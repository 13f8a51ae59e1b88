//! Reads a written value as what an option takes. Not what is done with it.

use std::collections::BTreeSet;
use std::time::Duration;

use proc_macro2::Ident;
use syn::ext::IdentExt as _;
use syn::{Lit, LitStr, Path};

use super::entry::{Entry, Keyed, Value};
use crate::errors::{Errors, Place};
use crate::{duration, messages};

/// Longest duration an option takes.
pub(crate) const LONGEST: Duration = Duration::from_hours(24);

/// Options without a value: a sign behind one is not a wrong sign.
const FLAGS: &[&str] = &["idempotent", "once", "sensitive", "reason", "argument", "result"];

/// Reads the entries of one attribute; keeps what was seen, so that nothing is given twice.
pub(crate) struct Reading<'e> {
    pub(crate) errors: &'e mut Errors,
    seen: BTreeSet<String>,
}

/// Tells of a key that is not known here.
pub(crate) fn unknown(errors: &mut Errors, key: &Ident, known: &[&str]) {
    let name = key.unraw().to_string();
    match toolgate_expr::nearest(&name, known.iter().copied()) {
        Some(near) => errors.at(key.span(), messages::unknown_option_near(name, near)),
        None => errors.at(key.span(), messages::unknown_option(name, known.join(", "))),
    }
}

impl<'e> Reading<'e> {
    pub(crate) fn new(errors: &'e mut Errors) -> Self {
        Self { errors, seen: BTreeSet::new() }
    }

    /// The entry, where its key is given for the first time and its value could be read; else that is
    /// told. A sign other than `=` is told too, and its value is taken.
    pub(crate) fn first(&mut self, entry: Entry) -> Option<Entry> {
        let Entry { key, value } = entry;
        if !self.seen.insert(key.unraw().to_string()) {
            return self.wrong(key.span(), messages::option_twice(key.unraw()));
        }
        match value {
            Value::Broken => None,
            Value::Beside(value, sign) => {
                if !FLAGS.contains(&key.unraw().to_string().as_str()) {
                    self.errors.at(sign, messages::equals_expected(key.unraw()));
                }
                Some(Entry { key, value: *value })
            }
            value => Some(Entry { key, value }),
        }
    }

    fn wrong<T>(&mut self, place: impl Into<Place>, message: String) -> Option<T> {
        self.errors.at(place, message);
        None
    }

    /// A flag.
    pub(crate) fn flag(&mut self, entry: Entry) -> Option<Keyed<()>> {
        let Entry { key, value } = entry;
        match value {
            Value::Flag => Some(Keyed { key, value: () }),
            _ => self.wrong(key.span(), messages::flag_takes_nothing(key.unraw())),
        }
    }

    /// A text, which may be empty.
    pub(crate) fn text(&mut self, entry: Entry) -> Option<Keyed<LitStr>> {
        let Entry { key, value } = entry;
        match value {
            Value::Lit(Lit::Str(text)) => Some(Keyed { key, value: text }),
            other => {
                let bare = match &other {
                    Value::Path(path) => path.get_ident().map(Ident::unraw),
                    _ => None,
                };
                let message = match bare {
                    Some(word) => messages::text_unquoted(key.unraw(), word),
                    None => messages::text_expected(key.unraw()),
                };
                self.wrong(other.place(&key), message)
            }
        }
    }

    /// A text that says something.
    pub(crate) fn words(&mut self, entry: Entry) -> Option<Keyed<LitStr>> {
        let found = self.text(entry)?;
        if found.value.value().trim().is_empty() {
            return self.wrong(found.value.span(), messages::text_empty(found.key.unraw()));
        }
        Some(found)
    }

    /// A whole number within limits.
    pub(crate) fn count(&mut self, entry: Entry, low: u32, high: u32) -> Option<Keyed<u32>> {
        let Entry { key, value } = entry;
        let span = value.place(&key);
        let number = match value {
            Value::Lit(Lit::Int(number)) if number.suffix().is_empty() => number.base10_parse::<u64>().ok(),
            Value::Negative(..) => return self.wrong(span, messages::count_out_of_range(key.unraw(), low, high)),
            _ => return self.wrong(span, messages::count_expected(key.unraw(), high)),
        };
        match number.and_then(|number| u32::try_from(number).ok()) {
            Some(value) if (low..=high).contains(&value) => Some(Keyed { key, value }),
            _ => self.wrong(span, messages::count_out_of_range(key.unraw(), low, high)),
        }
    }

    /// A duration above zero.
    pub(crate) fn duration(&mut self, entry: Entry, longest: Duration, said: &str) -> Option<Keyed<Duration>> {
        let Entry { key, value } = entry;
        let span = value.place(&key);
        let name = key.unraw();
        let found = match value {
            Value::Negative(_, Lit::Int(_) | Lit::Float(_)) => return self.wrong(span, messages::duration_zero(name)),
            Value::Lit(Lit::Str(text)) => duration::parse(&text.value()),
            Value::Lit(Lit::Int(number)) if number.suffix().is_empty() => {
                Some(Duration::from_secs(number.base10_parse().unwrap_or(u64::MAX)))
            }
            _ => None,
        };
        match found {
            None => self.wrong(span, messages::duration_expected(name)),
            Some(Duration::ZERO) => self.wrong(span, messages::duration_zero(name)),
            Some(found) if found > longest => self.wrong(span, messages::duration_long(name, said)),
            Some(value) => Some(Keyed { key, value }),
        }
    }

    /// A path.
    pub(crate) fn path(&mut self, entry: Entry) -> Option<Keyed<Path>> {
        let Entry { key, value } = entry;
        match value {
            Value::Path(path) => Some(Keyed { key, value: path }),
            other => self.wrong(other.place(&key), messages::path_expected(key.unraw())),
        }
    }

    /// The absolute path of the facade.
    pub(crate) fn crate_path(&mut self, entry: Entry) -> Option<Keyed<Path>> {
        let span = entry.value.place(&entry.key);
        match entry.value {
            Value::Path(path) if path.leading_colon.is_some() || path.is_ident("crate") => {
                Some(Keyed { key: entry.key, value: path })
            }
            Value::Path(path) if path.segments.first().is_some_and(|segment| segment.ident == "crate") => {
                Some(Keyed { key: entry.key, value: path })
            }
            _ => self.wrong(span, messages::crate_path(entry.key)),
        }
    }

    /// A list of different texts, none empty.
    pub(crate) fn texts(&mut self, entry: Entry) -> Option<Keyed<Vec<LitStr>>> {
        let Entry { key, value } = entry;
        let Value::List(items, span) = value else {
            return self.wrong(value.place(&key), messages::texts_expected(key.unraw()));
        };
        if items.is_empty() {
            return self.wrong(span, messages::list_empty(key.unraw()));
        }
        let before = self.errors.count();
        let mut texts: Vec<LitStr> = Vec::new();
        let mut other = None;
        for item in items {
            match item {
                Value::Lit(Lit::Str(text)) if texts.iter().any(|other| other.value() == text.value()) => {
                    self.errors.at(text.span(), messages::listed_twice(key.unraw(), text.value()));
                }
                Value::Lit(Lit::Str(text)) => texts.push(text),
                item => other = other.or(Some(item)),
            }
        }
        if let Some(item) = other {
            self.errors.at(item.place(&key), messages::texts_expected(key.unraw()));
        }
        (self.errors.count() == before).then_some(Keyed { key, value: texts })
    }
}
