//! The one redaction pipeline for everything that is stored or leaves: database, logs, approval text, webhooks, cassettes.
//!
//! Not a way to find every secret: a value that nobody registered, under a name that says nothing and without a known
//! form, passes. Redact before clipping: half a token matches no rule.

mod assign;
mod cards;
mod issued;
mod keys;
mod known;
mod markup;
mod names;
mod scan;
mod signs;
mod spans;
mod text;
mod tokens;
mod url;
mod value;
mod view;

pub(crate) use issued::{Registered, Unfit};
pub(crate) use names::words as words_of_name;

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use serde_json::Value;

/// The version of the rules, recorded with what they redacted.
pub const VERSION: &str = "toolgate.redaction.v1";
/// What stands in place of a secret. A mask in the input proves nothing and is read like any text.
pub const MASK: &str = "[REDACTED]";
/// What stands in place of a whole value that could not be redacted.
pub const FAILED: &str = "[REDACTION_FAILED]";
/// A longer string is dropped whole, in bytes.
pub const MAX_TEXT_BYTES: usize = 1 << 20;
/// A deeper value is dropped whole.
pub const MAX_DEPTH: usize = 128;
/// How often the rules run until nothing changes.
const ROUNDS: usize = 6;

/// Whether a text under this name is hidden wherever it is stored.
pub(crate) fn names_a_secret(name: &str) -> bool {
    keys::judge(name, &[]).hides(keys::Kind::Other)
}

/// Redaction did not come to an end; the value must not pass.
#[derive(Debug, Clone, Copy)]
struct Failed;

type Hook = Arc<dyn Fn(&mut Value) + Send + Sync>;

/// An optional set of rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Pack {
    /// Payment card numbers (PCI DSS 3.4).
    Pci,
}

#[derive(Clone, Default)]
struct Inner {
    known: known::Known,
    keys: Vec<Vec<String>>,
    packs: Vec<Pack>,
    hook: Option<Hook>,
    issued: Arc<issued::Issued>,
}

impl Inner {
    /// Whether no secret value is registered or issued.
    fn knows_nothing(&self) -> bool {
        self.known.len() == 0 && self.issued.is_empty()
    }

    /// Marks every secret value that is registered or was issued.
    fn mark_known(&self, text: &str, spans: &mut spans::Spans) -> Result<(), Failed> {
        self.issued.mark_with(&self.known, text, spans)
    }
}

/// Redacts values and texts. Cheap to clone; every method is total and linear in its input.
///
/// Redacting twice gives the same as redacting once (a hook aside). Input that is too long or too deep, and input on
/// which a rule fails, becomes [`FAILED`]: it never passes as it was.
#[derive(Clone, Default)]
pub struct Redactor(Arc<Inner>);

impl fmt::Debug for Redactor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Redactor")
            .field("secrets", &self.0.known.len())
            .field("keys", &self.0.keys.len())
            .field("packs", &self.0.packs)
            .field("hook", &self.0.hook.is_some())
            .finish()
    }
}

impl Redactor {
    /// Registers a secret value: from now on it is hidden raw and in percent, hex, JSON-escaped, base64 and base64url form.
    ///
    /// A value of fewer than 6 bytes is hidden by its key only, never by value.
    #[must_use]
    pub fn with_secret(mut self, value: impl Into<String>) -> Self {
        Arc::make_mut(&mut self.0).known.add(&value.into());
        self
    }

    /// Hides the values under one more name; names are compared by words, so `staff_badge` also covers `staffBadge`.
    #[must_use]
    pub fn with_sensitive_key(mut self, name: impl AsRef<str>) -> Self {
        Arc::make_mut(&mut self.0).keys.push(names::words(name.as_ref()));
        self
    }

    /// Turns an optional set of rules on.
    #[must_use]
    pub fn with_pack(mut self, pack: Pack) -> Self {
        Arc::make_mut(&mut self.0).packs.push(pack);
        self
    }

    /// Runs a function of the tool's author on every value before the rules; if it panics, the value is [`FAILED`].
    #[must_use]
    pub fn with_hook(mut self, hook: impl Fn(&mut Value) + Send + Sync + 'static) -> Self {
        Arc::make_mut(&mut self.0).hook = Some(Arc::new(hook));
        self
    }

    /// Whether any secret value is registered, or was issued by a gate that has this redactor.
    pub fn has_secrets(&self) -> bool {
        !self.0.knows_nothing()
    }

    /// Makes a secret value known to this redactor and all its clones, as long as the guard lives and a
    /// while longer.
    pub(crate) fn register(&self, value: &str, now_ms: i64) -> Result<Registered, Unfit> {
        self.0.issued.register(value, now_ms)
    }

    /// The value with every secret masked: by key, by value, inside JSON in strings (three deep), in object keys.
    pub fn value(&self, value: &Value) -> Value {
        self.changed(value).unwrap_or_else(|| value.clone())
    }

    /// As [`Self::value`], of a value that nobody else needs.
    pub(crate) fn redacted(&self, value: Value) -> Value {
        self.changed(&value).unwrap_or(value)
    }

    /// The value with every secret masked; `None` where it has none.
    fn changed(&self, value: &Value) -> Option<Value> {
        let rules = |value: &Value| value::redact(&self.0, value);
        let changed = guarded(|| {
            let Some(hook) = &self.0.hook else {
                if is_deeper(value, MAX_DEPTH) {
                    return Err(Failed);
                }
                // What the rules leave alone they leave alone again.
                return rules(value)?.map(|once| settle(once, rules)).transpose();
            };
            let mut current = checked_clone(value)?;
            hook(&mut current);
            settle(current, rules).map(Some)
        });
        changed.unwrap_or_else(|Failed| Some(value::failed()))
    }

    /// The text with every secret masked; a text that is JSON is redacted as such.
    pub fn text(&self, text: &str) -> String {
        let rules = |text: &String| value::redact_text(&self.0, text);
        let redacted = guarded(|| match value::redact_text(&self.0, text)? {
            None => Ok(text.to_owned()),
            Some(once) => settle(once, rules),
        });
        redacted.unwrap_or_else(|Failed| FAILED.to_owned())
    }

    /// Masks registered secrets and nothing else, in place; `true` when something was masked.
    ///
    /// For what goes to a model, which would write a guessed mask back.
    pub fn mask_known(&self, value: &mut Value) -> bool {
        if self.0.knows_nothing() && !is_deeper(value, MAX_DEPTH) {
            return false;
        }
        let masked = guarded(|| {
            let mut current = checked_clone(value)?;
            let found = value::mask_known(&self.0, &mut current, 0)?;
            Ok((current, found))
        });
        let (masked, found) = masked.unwrap_or_else(|Failed| (value::failed(), true));
        *value = masked;
        found
    }

    /// Masks what the JSON pointers name, in place; `*` as a segment means every item or member. Missing targets are skipped.
    pub fn mask_pointers(value: &mut Value, pointers: &[String]) {
        for pointer in pointers {
            value::mask_pointer(value, pointer);
        }
    }
}

/// A copy of a value that is not too deep to be walked.
fn checked_clone(value: &Value) -> Result<Value, Failed> {
    if is_deeper(value, MAX_DEPTH) { Err(Failed) } else { Ok(value.clone()) }
}

fn is_deeper(value: &Value, depth: usize) -> bool {
    let Some(below) = depth.checked_sub(1) else {
        return !matches!(value, Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_));
    };
    match value {
        Value::Array(items) => items.iter().any(|item| is_deeper(item, below)),
        Value::Object(members) => members.values().any(|member| is_deeper(member, below)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

fn guarded<T>(work: impl FnOnce() -> Result<T, Failed>) -> Result<T, Failed> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or(Err(Failed))
}

/// Runs the rules until nothing changes, so that redacting twice is redacting once.
fn settle<T: PartialEq>(mut current: T, rules: impl Fn(&T) -> Result<Option<T>, Failed>) -> Result<T, Failed> {
    for _ in 0..ROUNDS {
        match rules(&current)? {
            Some(next) if next != current => current = next,
            _ => return Ok(current),
        }
    }
    Err(Failed)
}
