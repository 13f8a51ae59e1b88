//! Bounds a result's size without breaking its shape: objects stay objects, arrays keep their first items, strings say what was cut.
//!
//! Not redaction: clip what is redacted already, for half a token matches no rule.

use std::borrow::Cow;

use serde_json::{Map, Value};

/// How many notes are kept; the rest is a count.
const NOTES: usize = 32;
/// Most bytes of all notes, and of the place in one: keys come from the result.
const NOTES_BYTES: usize = 2_000;
const PLACE_BYTES: usize = 200;
/// A deeper value is emptied.
const MAX_DEPTH: usize = 128;

/// A value that fits, and what was left out.
#[derive(Debug, Clone, PartialEq)]
pub struct Clipped {
    /// The value, of the same shape.
    pub value: Value,
    /// Whether anything was left out.
    pub truncated: bool,
    /// Characters of the whole: of the compact JSON text, or of the text itself where the value is a string.
    pub total_chars: usize,
    /// Characters of the value that is left, counted the same way.
    pub given_chars: usize,
    /// Characters of the whole text before which everything is in the value; where reading on begins.
    pub next_offset: usize,
    /// What was left out where, each as `/pointer: 200 of 5000 items`; at most 32 in 2,000
    /// bytes, then a count.
    pub notes: Vec<String>,
}

/// Part of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// The characters of this page.
    pub text: String,
    /// Where the next page begins, in characters; `None` on the last.
    pub next_offset: Option<usize>,
    /// Characters of the whole.
    pub total: usize,
}

/// The characters `offset..offset + limit` of a text; a limit of 0 counts as 1, so that reading always ends.
pub fn page(value_text: &str, offset: usize, limit: usize) -> Page {
    let total = value_text.chars().count();
    let end = offset.saturating_add(limit.max(1));
    Page {
        text: value_text.chars().skip(offset).take(limit.max(1)).collect(),
        next_offset: (end < total).then_some(end),
        total,
    }
}

/// The value with at most `limit_chars` characters of compact JSON (of the text itself where it is a string).
///
/// A value that fits is untouched. Types stay the same at every pointer that stays; an object keeps all its keys, unless keys
/// and brackets alone are too long: then the largest objects inside are emptied first, and at last the object itself.
pub fn clip(value: &Value, limit_chars: usize) -> Clipped {
    let measure = Measure::of(value, 0);
    let total_chars = match value {
        Value::String(text) => text.chars().count(),
        _ => measure.chars,
    };
    if total_chars <= limit_chars {
        return Clipped {
            value: value.clone(),
            truncated: false,
            total_chars,
            given_chars: total_chars,
            next_offset: total_chars,
            notes: Vec::new(),
        };
    }
    let whole = value;
    let mut cutter = Cutter::default();
    let value = match value {
        Value::String(text) => {
            let (text, kept) = cut_text(text, limit_chars, |_| 1);
            cutter.note(kept, total_chars, "characters");
            Value::String(text)
        }
        other => cutter.cut(other, &measure, limit_chars),
    };
    let given = text_of(&value);
    let given_chars = given.chars().count();
    let next_offset = text_of(whole).chars().zip(given.chars()).take_while(|(whole, given)| whole == given).count();
    Clipped { value, truncated: true, total_chars, given_chars, next_offset, notes: cutter.finish() }
}

/// The text that is counted and paged: a string's own, else compact JSON.
pub fn text_of(value: &Value) -> Cow<'_, str> {
    match value {
        Value::String(text) => Cow::Borrowed(text),
        other => Cow::Owned(json_of(other)),
    }
}

/// Compact JSON. Without the way through `Display`, which writes every piece by itself.
pub(crate) fn json_of(value: &Value) -> String {
    // A value has text keys only, so it can be written.
    serde_json::to_string(value).unwrap_or_default()
}

/// Whether the value is so small that it fits however its strings are escaped. Says no where that isn't
/// sure; cheaper than to measure.
pub(crate) fn surely_fits(value: &Value, limit_chars: usize) -> bool {
    fn most(value: &Value) -> usize {
        match value {
            Value::Null | Value::Bool(_) => 5,
            Value::Number(_) => 32,
            Value::String(text) => text.len().saturating_mul(6).saturating_add(2),
            Value::Array(items) => items.iter().map(|item| most(item) + 1).fold(2, usize::saturating_add),
            Value::Object(members) => {
                let member = |(key, value): (&String, &Value)| key.len().saturating_mul(6) + 4 + most(value);
                members.iter().map(member).fold(2, usize::saturating_add)
            }
        }
    }
    most(value) <= limit_chars
}

/// Characters of a value's compact JSON: as it is, and with everything cut that may be cut while all keys stay.
struct Measure {
    chars: usize,
    skeleton: usize,
    items: Vec<Measure>,
}

impl Measure {
    fn of(value: &Value, depth: usize) -> Self {
        let leaf = |chars, skeleton| Self { chars, skeleton, items: Vec::new() };
        match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => {
                let chars = value.to_string().len();
                leaf(chars, chars)
            }
            Value::String(text) => leaf(text_chars(text), 2),
            Value::Array(_) | Value::Object(_) if depth >= MAX_DEPTH => leaf(value.to_string().chars().count(), 2),
            Value::Array(items) => {
                let items: Vec<Self> = items.iter().map(|item| Self::of(item, depth + 1)).collect();
                let chars = items.iter().map(|item| item.chars).sum::<usize>() + separators(items.len());
                Self { chars, skeleton: 2, items }
            }
            Value::Object(members) => {
                let frame = frame(members);
                let items: Vec<Self> = members.values().map(|member| Self::of(member, depth + 1)).collect();
                Self {
                    chars: frame + items.iter().map(|item| item.chars).sum::<usize>(),
                    skeleton: frame + items.iter().map(|item| item.skeleton).sum::<usize>(),
                    items,
                }
            }
        }
    }

    /// What is left when the value is emptied: `""`, `[]`, `{}`, or the number itself.
    fn floor(&self) -> usize {
        self.skeleton.min(if self.items.is_empty() { self.skeleton } else { 2 })
    }
}

/// Brackets and commas.
fn separators(count: usize) -> usize {
    2 + count.saturating_sub(1)
}

/// What an object needs besides its members' values.
fn frame(members: &Map<String, Value>) -> usize {
    separators(members.len()) + members.keys().map(|key| text_chars(key) + 1).sum::<usize>()
}

fn text_chars(text: &str) -> usize {
    2 + text.chars().map(char_cost).sum::<usize>()
}

/// Characters a character takes inside a JSON string.
fn char_cost(char: char) -> usize {
    match char {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        '\0'..='\u{1f}' => 6,
        _ => 1,
    }
}

/// The front of a text with a marker, within `budget`, and how many characters of it stayed.
pub(crate) fn cut_text(text: &str, budget: usize, cost: impl Fn(char) -> usize) -> (String, usize) {
    let total = text.chars().count();
    let marker = |left: usize| format!("… [{left} more characters]");
    let Some(room) = budget.checked_sub(marker(total).chars().count()) else {
        return (String::new(), 0);
    };
    let mut spent = 0;
    let mut kept = String::new();
    let mut count = 0;
    for char in text.chars() {
        spent += cost(char);
        if spent > room {
            break;
        }
        kept.push(char);
        count += 1;
    }
    kept.push_str(&marker(total - count));
    (kept, count)
}

/// Cuts, and remembers where.
#[derive(Default)]
struct Cutter {
    notes: Vec<String>,
    noted: usize,
    more: usize,
    path: String,
}

impl Cutter {
    fn finish(mut self) -> Vec<String> {
        if self.more > 0 {
            self.notes.push(format!("and {} more", self.more));
        }
        self.notes
    }

    fn note(&mut self, kept: usize, total: usize, unit: &str) {
        let mut place = if self.path.is_empty() { "(whole)".to_owned() } else { self.path.clone() };
        if place.len() > PLACE_BYTES {
            place.truncate(place.floor_char_boundary(PLACE_BYTES));
            place.push_str("..");
        }
        let note = format!("{place}: {kept} of {total} {unit}");
        if self.notes.len() >= NOTES || self.noted + note.len() > NOTES_BYTES {
            self.more += 1;
            return;
        }
        self.noted += note.len();
        self.notes.push(note);
    }

    /// `value` within `budget`, or emptied where even that is too small.
    fn cut(&mut self, value: &Value, measure: &Measure, budget: usize) -> Value {
        if measure.chars <= budget {
            return value.clone();
        }
        match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
            Value::String(text) => {
                let (cut, kept) = cut_text(text, budget.saturating_sub(2), char_cost);
                self.note(kept, text.chars().count(), "characters");
                Value::String(cut)
            }
            Value::Array(items) => Value::Array(self.cut_items(items, measure, budget)),
            Value::Object(members) => Value::Object(self.cut_members(members, measure, budget)),
        }
    }

    /// The first items; one that is too long is cut if at least half of the room is still there.
    fn cut_items(&mut self, items: &[Value], measure: &Measure, budget: usize) -> Vec<Value> {
        let whole = budget.saturating_sub(2);
        let mut room = whole;
        let mut kept: Vec<Value> = Vec::new();
        let noted = self.notes.len() + self.more;
        for (item, measure) in items.iter().zip(&measure.items) {
            let comma = usize::from(!kept.is_empty());
            let Some(free) = room.checked_sub(comma) else {
                break;
            };
            if measure.chars <= free {
                room = free - measure.chars;
                kept.push(item.clone());
                continue;
            }
            if free >= measure.skeleton && free * 2 >= whole {
                let length = self.path.len();
                self.path.push('/');
                self.path.push_str(&kept.len().to_string());
                kept.push(self.cut(item, measure, free));
                self.path.truncate(length);
            }
            break;
        }
        if kept.len() < items.len() || noted == self.notes.len() + self.more {
            self.note(kept.len(), items.len(), "items");
        }
        kept
    }

    /// All members: small ones whole, the room that is left shared by the large ones.
    fn cut_members(&mut self, members: &Map<String, Value>, measure: &Measure, budget: usize) -> Map<String, Value> {
        let shares = budget.checked_sub(frame(members)).and_then(|room| shares(&measure.items, room));
        let Some(shares) = shares else {
            self.note(0, members.len(), "members");
            return Map::new();
        };
        let mut slack = 0;
        let mut out = Map::new();
        for (((key, member), measure), share) in members.iter().zip(&measure.items).zip(shares) {
            let length = self.path.len();
            self.path.push('/');
            self.path.push_str(&key.replace('~', "~0").replace('/', "~1"));
            let room = share + if share < measure.chars { slack } else { 0 };
            let cut = self.cut(member, measure, room);
            self.path.truncate(length);
            if share < measure.chars {
                slack = room.saturating_sub(Measure::of(&cut, 0).chars);
            }
            out.insert(key.clone(), cut);
        }
        out
    }
}

/// How many characters each member may have so that all fit in `room`; `None` where even emptied ones don't fit.
fn shares(items: &[Measure], room: usize) -> Option<Vec<usize>> {
    let mut least: Vec<usize> = items.iter().map(|item| item.skeleton).collect();
    let mut needed: usize = least.iter().sum();
    let mut largest: Vec<usize> = (0..items.len()).collect();
    largest.sort_by_key(|place| std::cmp::Reverse(least.get(*place).copied()));
    for place in largest {
        if needed <= room {
            break;
        }
        if let (Some(own), Some(item)) = (least.get_mut(place), items.get(place)) {
            needed -= *own - item.floor();
            *own = item.floor();
        }
    }
    if needed > room {
        return None;
    }
    let emptied = |place: usize, item: &Measure| least.get(place).is_some_and(|own| *own < item.skeleton);
    let share = |cap: usize| {
        let each = items.iter().zip(&least).enumerate().map(move |(place, (item, least))| {
            if emptied(place, item) { *least } else { item.chars.min(cap.max(*least)) }
        });
        each.collect::<Vec<usize>>()
    };
    let (mut low, mut high) = (0, room + 1);
    while high - low > 1 {
        let middle = low.midpoint(high);
        if share(middle).iter().sum::<usize>() <= room {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(share(low))
}

/// Deepest nesting of a result. What is kept of it must be read again, and readers of JSON have a
/// limit (128 for `serde_json`) that wrappers count against.
pub const MAX_RESULT_DEPTH: usize = 100;

/// What stands in place of an array or object that is nested deeper than [`MAX_RESULT_DEPTH`].
pub const TOO_DEEP: &str = "[left out: nested deeper than 100 levels]";

/// Replaces what is nested too deep by [`TOO_DEEP`], in place.
pub fn cut_deep(value: &mut Value) {
    cut_below(value, MAX_RESULT_DEPTH);
}

fn cut_below(value: &mut Value, depth: usize) {
    if !value.is_array() && !value.is_object() {
        return;
    }
    let Some(below) = depth.checked_sub(1) else {
        *value = Value::String(TOO_DEEP.to_owned());
        return;
    };
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| cut_below(item, below)),
        Value::Object(members) => members.values_mut().for_each(|member| cut_below(member, below)),
        _ => {}
    }
}
