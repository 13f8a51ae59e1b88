//! One table of the file, taken key by key: what is of the wrong kind or unknown is noted at its place, and reading
//! goes on. Not what the keys mean.

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};
use toolgate_expr::nearest;

use super::super::source::{Source, Span};

/// A text with its place.
#[derive(Debug, Clone)]
pub(in super::super) struct Word {
    pub(in super::super) text: String,
    pub(in super::super) at: Span,
}

/// A table on the way.
pub(super) struct Section<'s, 't> {
    pub(super) source: &'s Source<'t>,
    table: &'s DeTable<'t>,
    /// Where its head stands.
    pub(super) at: Span,
    taken: Vec<&'static str>,
}

type Entry<'s, 't> = (&'s Spanned<DeString<'t>>, &'s Spanned<DeValue<'t>>);

impl<'s, 't> Section<'s, 't> {
    pub(super) fn new(source: &'s Source<'t>, table: &'s DeTable<'t>, at: Span) -> Self {
        Self { source, table, at, taken: Vec::new() }
    }

    /// The table that a value is, or a note that it is none.
    pub(super) fn of(source: &'s Source<'t>, value: &'s Spanned<DeValue<'t>>, at: Span) -> Option<Self> {
        match value.get_ref() {
            DeValue::Table(table) => Some(Self::new(source, table, at)),
            other => {
                source.wrong(&value.span(), "policy.kind", format!("a table belongs here, not {}", kind(other)));
                None
            }
        }
    }

    /// Where the value of a key stands, or the section where it has none.
    pub(super) fn place(&self, key: &str) -> Span {
        self.table.get(key).map_or_else(|| self.at.clone(), Spanned::span)
    }

    fn wrong(&self, at: &Span, message: impl Into<String>) {
        self.source.wrong(at, "policy.kind", message);
    }

    pub(super) fn take(&mut self, key: &'static str) -> Option<&'s Spanned<DeValue<'t>>> {
        self.taken.push(key);
        self.table.get(key)
    }

    /// A text that must be there.
    pub(super) fn needed(&mut self, key: &'static str) -> Option<Word> {
        if self.table.get(key).is_none() {
            self.source.wrong(&self.at, "policy.missing_key", format!("`{key}` is missing"));
        }
        self.text(key)
    }

    pub(super) fn text(&mut self, key: &'static str) -> Option<Word> {
        let value = self.take(key)?;
        let word = self.word(value);
        if word.is_none() {
            let found = kind(value.get_ref());
            self.wrong(&value.span(), format!("`{key}` is a text, not {found}"));
        }
        word
    }

    fn word(&self, value: &Spanned<DeValue<'t>>) -> Option<Word> {
        value.get_ref().as_str().map(|text| Word { text: text.to_owned(), at: value.span() })
    }

    /// A list of texts; none where the key is absent.
    pub(super) fn words(&mut self, key: &'static str) -> Vec<Word> {
        self.taken.push(key);
        self.words_of(key)
    }

    /// As [`Self::words`], of a key that any name may be.
    pub(super) fn words_of(&self, key: &str) -> Vec<Word> {
        let Some(value) = self.table.get(key) else { return Vec::new() };
        let DeValue::Array(items) = value.get_ref() else {
            let found = kind(value.get_ref());
            self.wrong(&value.span(), format!("`{key}` is a list of texts, such as [\"a\", \"b\"], not {found}"));
            return Vec::new();
        };
        let mut words: Vec<Word> = Vec::new();
        for item in items {
            match self.word(item) {
                Some(word) if words.iter().any(|known| known.text == word.text) => {
                    self.source.wrong(&word.at, "policy.twice", format!("`{}` stands twice in `{key}`", word.text));
                }
                Some(word) => words.push(word),
                None => {
                    self.wrong(&item.span(), format!("`{key}` is a list of texts, not of {}", kind(item.get_ref())));
                }
            }
        }
        words
    }

    /// Notes a list that is there and empty, where that could be taken for none and for all.
    pub(super) fn not_empty(&self, key: &str) {
        let Some(value) = self.table.get(key) else { return };
        if value.get_ref().as_array().is_some_and(|items| items.is_empty()) {
            let text = format!("`{key}` names none; leave it out where all are meant");
            self.source.wrong(&value.span(), "policy.empty_list", text);
        }
    }

    /// A whole number from `least` to `most`.
    pub(super) fn number(&mut self, key: &'static str, least: u64, most: u64) -> Option<u64> {
        let value = self.take(key)?;
        let number = value.get_ref().as_integer().and_then(|number| {
            let digits: String = number.as_str().chars().filter(|letter| *letter != '_').collect();
            u64::from_str_radix(digits.trim_start_matches('+'), number.radix()).ok()
        });
        let number = number.filter(|number| (least..=most).contains(number));
        if number.is_none() {
            self.wrong(&value.span(), format!("`{key}` is a whole number from {least} to {most}"));
        }
        number
    }

    /// A table below this one.
    pub(super) fn table(&mut self, key: &'static str) -> Option<Self> {
        let value = self.take(key)?;
        let at = self.head(key, value);
        Self::of(self.source, value, at)
    }

    /// The tables of a list, `[[key]]`.
    pub(super) fn tables(&mut self, key: &'static str) -> Vec<Self> {
        let Some(value) = self.take(key) else { return Vec::new() };
        let DeValue::Array(items) = value.get_ref() else {
            self.wrong(&value.span(), format!("`{key}` is a list of tables, each under `[[{key}]]`"));
            return Vec::new();
        };
        items.iter().filter_map(|item| Self::of(self.source, item, item.span())).collect()
    }

    /// All keys, whatever they are, with their values.
    pub(super) fn entries(&self) -> impl Iterator<Item = Entry<'s, 't>> + use<'s, 't> {
        self.table.iter()
    }

    /// All keys as tables, by name.
    pub(super) fn named(&self) -> Vec<(Word, Self)> {
        let tables = self.entries().filter_map(|(key, value)| {
            let name = Word { text: key.get_ref().to_string(), at: key.span() };
            Self::of(self.source, value, key.span()).map(|section| (name, section))
        });
        tables.collect()
    }

    fn head(&self, key: &str, value: &Spanned<DeValue<'t>>) -> Span {
        let key = self.table.iter().find(|(known, _)| known.get_ref() == key);
        key.map_or_else(|| value.span(), |(key, _)| key.span())
    }

    /// Notes the keys that nobody took.
    pub(super) fn finish(self) {
        for (key, _) in self.table {
            let name = key.get_ref().as_ref();
            if self.taken.contains(&name) {
                continue;
            }
            let near = nearest(name, self.taken.iter().copied());
            let known = self.taken.join(", ");
            let text = match near {
                Some(_) => format!("unknown key `{name}`"),
                None => format!("unknown key `{name}`, expected one of: {known}"),
            };
            self.source.misspelled(&key.span(), "policy.unknown_key", text, near);
        }
    }
}

/// What a value is, with its article.
pub(super) fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "a boolean",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}
