//! The walk over a JSON value: keys judge values, strings are read as JSON or as text, keys are texts too.
//!
//! Not here: the rules for text.

use serde_json::{Map, Number, Value};

use super::keys::{Kind, Verdict, judge, takes_the_line};
use super::spans::Spans;
use super::{FAILED, Failed, Inner, MASK, MAX_DEPTH, text};
use crate::json::value_of;

/// How many times a string may hold JSON inside JSON.
const STRING_DEPTH: usize = 3;
const NAME_FIELDS: [&str; 6] = ["name", "key", "header", "field", "param", "variable"];
const VALUE_FIELDS: [&str; 7] = ["value", "val", "values", "content", "data", "default", "text"];

/// Masks one value once; `None` where nothing is to be masked.
pub(super) fn redact(inner: &Inner, value: &Value) -> Result<Option<Value>, Failed> {
    Walk { inner, strings: STRING_DEPTH }.value(value, 0)
}

/// As [`redact`], of a text.
pub(super) fn redact_text(inner: &Inner, text: &str) -> Result<Option<String>, Failed> {
    Walk { inner, strings: STRING_DEPTH }.string(text)
}

#[derive(Clone, Copy)]
struct Walk<'a> {
    inner: &'a Inner,
    strings: usize,
}

impl Walk<'_> {
    fn value(self, value: &Value, depth: usize) -> Result<Option<Value>, Failed> {
        if depth > MAX_DEPTH {
            return Err(Failed);
        }
        match value {
            Value::Null | Value::Bool(_) => Ok(None),
            Value::Number(number) => self.number(number),
            Value::String(text) => Ok(self.string(text)?.map(Value::String)),
            Value::Array(items) => self.array(items, depth),
            Value::Object(members) => self.object(members, depth),
        }
    }

    /// Digits alone are a registered secret or a card; no other rule knows any.
    fn number(self, number: &Number) -> Result<Option<Value>, Failed> {
        if self.knows_nothing() && self.inner.packs.is_empty() {
            return Ok(None);
        }
        Ok(text::redact(self.inner, &number.to_string())?.map(|_| mask()))
    }

    fn knows_nothing(self) -> bool {
        self.inner.knows_nothing()
    }

    /// A string that is JSON is redacted inside, any other by the rules for text.
    fn string(self, text: &str) -> Result<Option<String>, Failed> {
        let nested = if self.strings > 0 && text.len() <= super::MAX_TEXT_BYTES { parse(text) } else { None };
        let Some(nested) = nested else {
            return text::redact(self.inner, text);
        };
        let walk = Walk { strings: self.strings - 1, ..self };
        let inside = walk.value(&nested, 0)?;
        if inside.is_none() && text::redact(self.inner, text)?.is_none() {
            return Ok(None);
        }
        // parsing kept the last of repeated keys and dropped white space: what is written again holds only what was seen
        let written = inside.unwrap_or(nested).to_string();
        let mut spans = Spans::default();
        self.inner.mark_known(&written, &mut spans)?;
        Ok(Some(spans.apply(&written)))
    }

    fn array(self, items: &[Value], depth: usize) -> Result<Option<Value>, Failed> {
        if self.spells_secret(items)? {
            return Ok(Some(mask()));
        }
        let mut changes: Vec<(usize, Value)> = Vec::new();
        let mut hides_next = Verdict::Open;
        for (place, item) in items.iter().enumerate() {
            if hides_next.hides(Kind::of(item)) {
                changes.push((place, mask()));
                hides_next = Verdict::Open;
                continue;
            }
            if let Some(changed) = self.value(item, depth + 1)? {
                changes.push((place, changed));
            }
            hides_next = self.announces(item, place, items);
        }
        if changes.is_empty() && self.knows_nothing() {
            return Ok(None);
        }
        let changed = !changes.is_empty();
        let mut out = items.to_vec();
        for (place, value) in changes {
            if let Some(item) = out.get_mut(place) {
                *item = value;
            }
        }
        let split = mask_split(self.inner, out.iter_mut())?;
        Ok((changed || split).then_some(Value::Array(out)))
    }

    /// Whether an item names the next one: a flag in an argument list, the name in a pair, a header in a flat list.
    fn announces(self, item: &Value, place: usize, items: &[Value]) -> Verdict {
        let Value::String(name) = item else {
            return Verdict::Open;
        };
        let next_is_flag = matches!(items.get(place + 1), Some(Value::String(next)) if next.starts_with("--"));
        let flag = name.starts_with('-') && !name.contains(['=', ' ']) && !next_is_flag;
        let login = matches!(name.as_str(), "-u" | "--user" | "--proxy-user")
            && matches!(items.get(place + 1), Some(Value::String(next)) if next.contains(':'));
        let pair = place == 0 && items.len() == 2;
        let listed = place.is_multiple_of(2) && items.len().is_multiple_of(2) && name.contains('-');
        let single = name.len() <= 128 && !name.contains(char::is_whitespace);
        if login {
            Verdict::Secret
        } else if single && (flag || pair || listed || takes_the_line(name)) {
            judge(name, &self.inner.keys)
        } else {
            Verdict::Open
        }
    }

    /// Whether the array is a secret text given as bytes.
    fn spells_secret(self, items: &[Value]) -> Result<bool, Failed> {
        let byte = |item: &Value| item.as_u64().and_then(|byte| u8::try_from(byte).ok());
        if items.len() < super::known::MIN_BYTES {
            return Ok(false);
        }
        let Some(bytes) = items.iter().map(byte).collect::<Option<Vec<u8>>>() else {
            return Ok(false);
        };
        let spelt = String::from_utf8_lossy(&bytes);
        Ok(text::redact(self.inner, &spelt)?.is_some())
    }

    fn object(self, members: &Map<String, Value>, depth: usize) -> Result<Option<Value>, Failed> {
        let named = self.names_secret(members);
        let mut changes: Vec<(usize, Option<String>, Option<Value>)> = Vec::new();
        for (place, (key, value)) in members.iter().enumerate() {
            let mut verdict = judge(key, &self.inner.keys);
            if named != Verdict::Open && is_one_of(key, &VALUE_FIELDS) {
                verdict = named;
            }
            let value = if verdict.hides(Kind::of(value)) && !is_structured_auth(verdict, value) {
                Some(mask())
            } else {
                self.value(value, depth + 1)?
            };
            let key = text::redact(self.inner, key)?;
            if key.is_some() || value.is_some() {
                changes.push((place, key, value));
            }
        }
        if changes.is_empty() && self.knows_nothing() {
            return Ok(None);
        }
        let changed = !changes.is_empty();
        let mut changes = changes.into_iter().peekable();
        let mut out = Map::new();
        for (place, (key, value)) in members.iter().enumerate() {
            let (new_key, new_value) =
                changes.next_if(|(at, ..)| *at == place).map_or((None, None), |(_, key, value)| (key, value));
            insert(&mut out, new_key.as_deref().unwrap_or(key), new_value.unwrap_or_else(|| value.clone()));
        }
        let split = mask_split(self.inner, out.values_mut())?;
        Ok((changed || split).then_some(Value::Object(out)))
    }

    /// `{"name": "password", "value": ..}`: the verdict on the name that a member holds.
    fn names_secret(self, members: &Map<String, Value>) -> Verdict {
        let mut verdict = Verdict::Open;
        for (key, value) in members {
            if let (true, Value::String(name)) = (is_one_of(key, &NAME_FIELDS), value)
                && verdict == Verdict::Open
            {
                verdict = judge(name, &self.inner.keys);
            }
        }
        verdict
    }
}

/// `auth: {..}` groups fields; they are judged one by one.
fn is_structured_auth(verdict: Verdict, value: &Value) -> bool {
    verdict == Verdict::Worded && value.is_object()
}

fn is_one_of(key: &str, names: &[&str]) -> bool {
    names.iter().any(|name| key.eq_ignore_ascii_case(name))
}

fn mask() -> Value {
    Value::String(MASK.to_owned())
}

/// Keeps both members where two keys became the same by masking.
fn insert(out: &mut Map<String, Value>, key: &str, value: Value) {
    let mut free = key.to_owned();
    let mut count = 1;
    while out.contains_key(&free) {
        count += 1;
        free = format!("{key} #{count}");
    }
    out.insert(free, value);
}

fn parse(text: &str) -> Option<Value> {
    let start = text.trim_start().bytes().next()?;
    matches!(start, b'{' | b'[' | b'"').then(|| value_of(text).ok()).flatten()
}

/// Masks only known secrets, in strings, keys and numbers; `true` when something was masked.
pub(super) fn mask_known(inner: &Inner, value: &mut Value, depth: usize) -> Result<bool, Failed> {
    if depth > MAX_DEPTH {
        return Err(Failed);
    }
    match value {
        Value::Null | Value::Bool(_) => Ok(false),
        Value::Number(number) => {
            let found = known_in(inner, &number.to_string())?.is_some();
            if found {
                *value = mask();
            }
            Ok(found)
        }
        Value::String(text) => {
            let masked = known_in(inner, text)?;
            let found = masked.is_some();
            if let Some(masked) = masked {
                *text = masked;
            }
            Ok(found)
        }
        Value::Array(items) => {
            let mut found = false;
            for item in items.iter_mut() {
                found |= mask_known(inner, item, depth + 1)?;
            }
            Ok(mask_split(inner, items.iter_mut())? | found)
        }
        Value::Object(members) => {
            let mut found = false;
            let mut out = Map::new();
            for (key, mut member) in std::mem::take(members) {
                found |= mask_known(inner, &mut member, depth + 1)?;
                let masked = known_in(inner, &key)?;
                found |= masked.is_some();
                insert(&mut out, &masked.unwrap_or(key), member);
            }
            found |= mask_split(inner, out.values_mut())?;
            *members = out;
            Ok(found)
        }
    }
}

fn known_in(inner: &Inner, text: &str) -> Result<Option<String>, Failed> {
    let mut spans = Spans::default();
    inner.mark_known(text, &mut spans)?;
    Ok((!spans.is_empty()).then(|| spans.apply(text)))
}

/// A known secret cut over neighbouring strings: each string loses its part.
fn mask_split<'a>(inner: &Inner, values: impl Iterator<Item = &'a mut Value>) -> Result<bool, Failed> {
    if inner.knows_nothing() {
        return Ok(false);
    }
    let mut strings: Vec<&mut String> = Vec::new();
    for value in values {
        if let Value::String(text) = value {
            strings.push(text);
        }
    }
    if strings.len() < 2 {
        return Ok(false);
    }
    let joined: String = strings.iter().map(|text| text.as_str()).collect();
    let mut found = Spans::default();
    inner.mark_known(&joined, &mut found)?;
    if found.is_empty() {
        return Ok(false);
    }
    let mut start = 0;
    for text in strings {
        let end = start + text.len();
        let mut own = Spans::default();
        for (from, to) in found.iter().filter(|(from, to)| *from < end && *to > start) {
            own.add(from.max(start) - start, to.min(end) - start);
        }
        *text = own.apply(text);
        start = end;
    }
    Ok(true)
}

/// Replaces what a JSON pointer names; a segment `*` stands for every item or member.
pub(super) fn mask_pointer(value: &mut Value, pointer: &str) {
    let Some(path) = pointer.strip_prefix('/') else {
        if pointer.is_empty() {
            *value = mask();
        }
        return;
    };
    let (segment, rest) = path.find('/').map_or((path, ""), |at| path.split_at(at));
    let name = segment.replace("~1", "/").replace("~0", "~");
    match value {
        Value::Array(items) if segment == "*" => {
            for item in items {
                mask_pointer(item, rest);
            }
        }
        Value::Object(members) if segment == "*" => {
            for member in members.values_mut() {
                mask_pointer(member, rest);
            }
        }
        Value::Array(items) => {
            if let Some(item) = name.parse::<usize>().ok().and_then(|place| items.get_mut(place)) {
                mask_pointer(item, rest);
            }
        }
        Value::Object(members) => {
            if let Some(member) = members.get_mut(&name) {
                mask_pointer(member, rest);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// What stands where redaction failed.
pub(super) fn failed() -> Value {
    Value::String(FAILED.to_owned())
}
