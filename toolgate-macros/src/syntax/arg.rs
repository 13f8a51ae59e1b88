//! The options of `#[arg(..)]` on a parameter, a field or a variant, as written. Not whether they fit
//! the type.

use syn::ext::IdentExt as _;
use syn::{Attribute, LitStr, Meta};

use super::entry::{Entry, Keyed, Value, entries};
use super::value::{Reading, unknown};
use crate::errors::Errors;
use crate::messages;

/// The options of `#[arg]`, or those of a constrained newtype.
#[derive(Default)]
pub(crate) struct RawArg {
    pub(crate) range: Option<Keyed<Value>>,
    pub(crate) min_length: Option<Keyed<u32>>,
    pub(crate) max_length: Option<Keyed<u32>>,
    pub(crate) pattern: Option<Keyed<LitStr>>,
    pub(crate) one_of: Option<Keyed<Vec<LitStr>>>,
    pub(crate) min_items: Option<Keyed<u32>>,
    pub(crate) max_items: Option<Keyed<u32>>,
    pub(crate) default: Option<Keyed<Value>>,
    pub(crate) example: Option<Keyed<Value>>,
    pub(crate) sensitive: Option<Keyed<()>>,
    pub(crate) reason: Option<Keyed<()>>,
    pub(crate) destination: Option<Keyed<()>>,
    pub(crate) not_a_resource: Option<Keyed<LitStr>>,
    /// `not_a_resource` was there, also wrongly: what is wrong isn't missing too.
    pub(crate) denies_resource: bool,
    pub(crate) rename: Option<Keyed<LitStr>>,
}

/// Options that bound a value, in parameters, fields and newtypes.
pub(crate) const BOUNDS: &[&str] =
    &["range", "min_length", "max_length", "pattern", "one_of", "min_items", "max_items"];

/// Largest length or count that can be asked for.
const MOST: u32 = 100_000_000;

/// Reads all `#[arg(..)]` among the attributes; `known` are the keys allowed here.
pub(crate) fn parse<'a>(
    attributes: impl IntoIterator<Item = &'a Attribute>,
    known: &[&str],
    errors: &mut Errors,
) -> RawArg {
    let mut found = RawArg::default();
    let mut all = Vec::new();
    for attribute in attributes {
        match &attribute.meta {
            Meta::List(list) if !list.tokens.is_empty() => all.extend(entries(list.tokens.clone(), errors)),
            _ => errors.over(attribute, messages::arg_empty()),
        }
    }
    let mut reading = Reading::new(errors);
    for entry in all {
        found.read(entry, known, &mut reading);
    }
    found
}

impl RawArg {
    /// Reads one entry.
    pub(crate) fn read(&mut self, entry: Entry, known: &[&str], reading: &mut Reading<'_>) {
        let key = entry.key.unraw().to_string();
        if !known.contains(&key.as_str()) {
            return unknown(reading.errors, &entry.key, known);
        }
        self.denies_resource |= key == "not_a_resource";
        let Some(entry) = reading.first(entry) else { return };
        match key.as_str() {
            "range" => self.range = range(entry, reading),
            "min_length" => self.min_length = reading.count(entry, 0, MOST),
            "max_length" => self.max_length = reading.count(entry, 1, MOST),
            "pattern" => self.pattern = reading.words(entry),
            "one_of" => self.one_of = reading.texts(entry),
            "min_items" => self.min_items = reading.count(entry, 0, MOST),
            "max_items" => self.max_items = reading.count(entry, 1, MOST),
            "default" => self.default = literal(entry, reading),
            "example" => self.example = literal(entry, reading),
            "sensitive" => self.sensitive = reading.flag(entry),
            "reason" => self.reason = reading.flag(entry),
            "destination" => self.destination = reading.flag(entry),
            "not_a_resource" => self.not_a_resource = reading.words(entry),
            "rename" => self.rename = reading.words(entry),
            _ => unknown(reading.errors, &entry.key, known),
        }
    }
}

fn range(entry: Entry, reading: &mut Reading<'_>) -> Option<Keyed<Value>> {
    match &entry.value {
        Value::Range { low, high, .. } if low.is_some() || high.is_some() => {
            Some(Keyed { key: entry.key, value: entry.value })
        }
        other => {
            reading.errors.at(other.place(&entry.key), messages::range_expected());
            None
        }
    }
}

fn literal(entry: Entry, reading: &mut Reading<'_>) -> Option<Keyed<Value>> {
    match &entry.value {
        Value::Lit(_) | Value::Negative(..) | Value::List(..) => Some(Keyed { key: entry.key, value: entry.value }),
        other => {
            reading.errors.at(other.place(&entry.key), messages::value_literal(entry.key.unraw()));
            None
        }
    }
}
