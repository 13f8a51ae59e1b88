//! The options of `#[tool(..)]` as written: everything optional, each with its key. Not how they
//! depend on each other.

use std::time::Duration;

use proc_macro2::{Ident, TokenStream};
use syn::ext::IdentExt as _;
use syn::{Lit, LitStr, Path};

use super::entry::{Entry, Keyed, Value, entries};
use super::value::{LONGEST, Reading, unknown};
use crate::errors::Errors;
use crate::messages;

/// All options of `#[tool]`.
pub(crate) const KEYS: &[&str] = &[
    "name",
    "title",
    "risk",
    "permissions",
    "confirm",
    "impact",
    "alternatives",
    "unconfirmed",
    "precondition",
    "failure_policy",
    "timeout",
    "idempotent",
    "once",
    "repeatable",
    "key",
    "verify",
    "reconcile",
    "settle",
    "effects",
    "coerce",
    "output",
    "result_limit",
    "redact",
    "crate",
];

/// The options of one tool.
#[derive(Default)]
pub(crate) struct RawOptions {
    pub(crate) name: Option<Keyed<LitStr>>,
    pub(crate) title: Option<Keyed<LitStr>>,
    pub(crate) risk: Option<Keyed<LitStr>>,
    pub(crate) permissions: Option<Keyed<Vec<LitStr>>>,
    pub(crate) confirm: Option<Keyed<LitStr>>,
    pub(crate) impact: Option<Keyed<LitStr>>,
    pub(crate) alternatives: Option<Keyed<LitStr>>,
    pub(crate) unconfirmed: Option<Keyed<LitStr>>,
    pub(crate) preconditions: Vec<RawPrecondition>,
    pub(crate) failure_policy: Option<Keyed<RawPolicy>>,
    pub(crate) timeout: Option<Keyed<Duration>>,
    pub(crate) idempotent: Option<Keyed<()>>,
    pub(crate) once: Option<Keyed<()>>,
    pub(crate) repeatable: Option<Keyed<LitStr>>,
    pub(crate) key: Option<Keyed<RawKey>>,
    pub(crate) verify: Option<Keyed<Path>>,
    pub(crate) reconcile: Option<Keyed<Path>>,
    pub(crate) settle: Option<Keyed<Duration>>,
    pub(crate) effects: Option<Keyed<LitStr>>,
    pub(crate) coerce: Option<Keyed<Vec<LitStr>>>,
    pub(crate) output: Option<Keyed<LitStr>>,
    pub(crate) result_limit: Option<Keyed<u32>>,
    pub(crate) redact: Option<Keyed<Path>>,
    pub(crate) krate: Option<Keyed<Path>>,
    /// Names of the options that were given, also wrongly: what is wrong isn't missing too.
    pub(crate) given: Vec<String>,
}

/// What scopes the key, as written.
pub(crate) enum RawKey {
    /// `key = "host"`.
    Host,
    /// `key = ["a", "b"]`.
    Named(Vec<LitStr>),
}

/// Another tool, by path or by name.
#[derive(Clone)]
pub(crate) enum ToolName {
    /// Resolved by the compiler.
    Path(Path),
    /// Resolved by the toolset.
    Text(LitStr),
}

/// `precondition(..)` as written.
pub(crate) struct RawPrecondition {
    pub(crate) key: Ident,
    pub(crate) tool: Option<ToolName>,
    pub(crate) when: Option<LitStr>,
    pub(crate) max_age: Option<Duration>,
    pub(crate) unbound: Option<LitStr>,
    /// Whether something in it was wrong and is told already.
    pub(crate) faulty: bool,
}

/// `failure_policy` as written.
pub(crate) enum RawPolicy {
    Abort,
    AbortAndAlert,
    Retry { max: u32, backoff: Duration },
    Fallback(ToolName),
}

impl RawOptions {
    /// Whether the option was given, rightly or wrongly.
    pub(crate) fn gave(&self, key: &str) -> bool {
        self.given.iter().any(|given| given == key)
    }
}

/// Reads the options of `#[tool(..)]`.
pub(crate) fn parse(tokens: TokenStream, errors: &mut Errors) -> RawOptions {
    let mut options = RawOptions::default();
    let entries = entries(tokens, errors);
    let mut reading = Reading::new(errors);
    options.given = entries.iter().map(|entry| entry.key.unraw().to_string()).collect();
    for entry in entries {
        read(&mut options, entry, &mut reading);
    }
    options
}

fn read(options: &mut RawOptions, entry: Entry, reading: &mut Reading<'_>) {
    let key = entry.key.unraw().to_string();
    let entry = if KEYS.contains(&key.as_str()) && key != "precondition" {
        let Some(entry) = reading.first(entry) else { return };
        entry
    } else {
        entry
    };
    match key.as_str() {
        "name" => options.name = reading.text(entry),
        "title" => options.title = reading.words(entry),
        "risk" => options.risk = risk(entry, reading),
        "permissions" => options.permissions = reading.texts(entry),
        "confirm" => options.confirm = reading.words(entry),
        "impact" => options.impact = reading.words(entry),
        "alternatives" => options.alternatives = reading.words(entry),
        "unconfirmed" => options.unconfirmed = reading.words(entry),
        "precondition" => options.preconditions.extend(precondition(entry, reading)),
        "failure_policy" => options.failure_policy = policy(entry, options.gave("once"), reading),
        "timeout" => options.timeout = reading.duration(entry, LONGEST, "24 h"),
        "idempotent" => options.idempotent = reading.flag(entry),
        "once" => options.once = reading.flag(entry),
        "repeatable" => options.repeatable = reading.words(entry),
        "key" => options.key = key_rule(entry, reading),
        "verify" => options.verify = reading.path(entry),
        "reconcile" => options.reconcile = reading.path(entry),
        "settle" => options.settle = reading.duration(entry, LONGEST, "24 h"),
        "effects" => options.effects = reading.text(entry),
        "coerce" => options.coerce = reading.texts(entry),
        "output" => options.output = reading.text(entry),
        "result_limit" => options.result_limit = reading.count(entry, 100, 10_000_000),
        "redact" => options.redact = reading.path(entry),
        "crate" => options.krate = reading.crate_path(entry),
        "fallback" => reading.errors.at(entry.key.span(), messages::fallback_alone()),
        "retry" => reading.errors.at(entry.key.span(), messages::retry_alone()),
        _ => unknown(reading.errors, &entry.key, KEYS),
    }
}

fn risk(entry: Entry, reading: &mut Reading<'_>) -> Option<Keyed<LitStr>> {
    match entry.value {
        Value::Lit(Lit::Str(text)) => Some(Keyed { key: entry.key, value: text }),
        other => {
            reading.errors.at(other.place(&entry.key), messages::risk_expected());
            None
        }
    }
}

fn key_rule(entry: Entry, reading: &mut Reading<'_>) -> Option<Keyed<RawKey>> {
    match &entry.value {
        Value::Lit(Lit::Str(text)) if text.value() == "host" => Some(Keyed { key: entry.key, value: RawKey::Host }),
        Value::List(..) => {
            let Keyed { key, value } = reading.texts(entry)?;
            Some(Keyed { key, value: RawKey::Named(value) })
        }
        other => {
            reading.errors.at(other.place(&entry.key), messages::key_expected());
            None
        }
    }
}

fn tool_name(entry: Entry, reading: &mut Reading<'_>) -> Option<ToolName> {
    match entry.value {
        Value::Path(path) => Some(ToolName::Path(path)),
        Value::Lit(Lit::Str(text)) => Some(ToolName::Text(text)),
        other => {
            reading.errors.at(other.place(&entry.key), messages::path_expected(entry.key.unraw()));
            None
        }
    }
}

const PRECONDITION_KEYS: &[&str] = &["tool", "when", "max_age", "unbound"];

fn precondition(entry: Entry, reading: &mut Reading<'_>) -> Option<RawPrecondition> {
    let Value::Group(inside) = entry.value else {
        if !matches!(entry.value, Value::Broken) {
            reading.errors.at(entry.key.span(), messages::precondition_expected());
        }
        return None;
    };
    let mut found =
        RawPrecondition { key: entry.key, tool: None, when: None, max_age: None, unbound: None, faulty: false };
    let mut reading = Reading::new(reading.errors);
    let before = reading.errors.count();
    let mut tool_given = false;
    for entry in inside {
        let key = entry.key.unraw().to_string();
        if !PRECONDITION_KEYS.contains(&key.as_str()) {
            unknown(reading.errors, &entry.key, PRECONDITION_KEYS);
        } else if let Some(entry) = reading.first(entry) {
            match key.as_str() {
                "tool" => {
                    tool_given = true;
                    found.tool = tool_name(entry, &mut reading);
                }
                "when" => found.when = reading.words(entry).map(|found| found.value),
                "max_age" => {
                    found.max_age = reading.duration(entry, LONGEST, "24 h").map(|found| found.value);
                }
                _ => found.unbound = reading.words(entry).map(|found| found.value),
            }
        }
    }
    found.faulty = reading.errors.count() > before;
    if !tool_given && !found.faulty {
        reading.errors.at(found.key.span(), messages::precondition_tool_missing());
        found.faulty = true;
    }
    Some(found)
}

/// The policy; `once` says that the tool can't be run again.
fn policy(entry: Entry, once: bool, reading: &mut Reading<'_>) -> Option<Keyed<RawPolicy>> {
    let Entry { key, value } = entry;
    let place = value.place(&key);
    let named = match value {
        Value::Lit(Lit::Str(word)) => match word.value().as_str() {
            "abort" => return Some(Keyed { key, value: RawPolicy::Abort }),
            "abort_and_alert" => return Some(Keyed { key, value: RawPolicy::AbortAndAlert }),
            "retry" => Some(Entry { key: Ident::new("retry", word.span()), value: Value::Flag }),
            _ => None,
        },
        Value::Call(name, inside) => Some(Entry { key: name, value: Value::Group(inside) }),
        Value::Named(entry) => Some(*entry),
        Value::Path(path) => path.get_ident().map(|name| Entry { key: name.clone(), value: Value::Flag }),
        Value::Group(mut inside) => inside.pop().filter(|_| inside.is_empty()),
        _ => None,
    };
    let before = reading.errors.count();
    let value = named.and_then(|named| policy_of(named, reading));
    if value.is_none() && reading.errors.count() == before {
        let message = if once { messages::policy_unknown_once() } else { messages::policy_unknown() };
        reading.errors.at(place, message);
    }
    value.map(|value| Keyed { key, value })
}

/// `retry`, `retry(..)`, `fallback = other`, `fallback(other)`.
fn policy_of(entry: Entry, reading: &mut Reading<'_>) -> Option<RawPolicy> {
    let name = entry.key.to_string();
    match (name.as_str(), entry.value) {
        ("retry", Value::Flag) => retry(Vec::new(), reading),
        ("retry", Value::Group(inside)) => retry(inside, reading),
        ("fallback", value @ (Value::Path(_) | Value::Lit(Lit::Str(_)))) => {
            tool_name(Entry { key: entry.key, value }, reading).map(RawPolicy::Fallback)
        }
        ("fallback", Value::Group(mut inside)) => match (inside.pop(), inside.is_empty()) {
            (Some(Entry { key, value: Value::Flag }), true) => {
                Some(RawPolicy::Fallback(ToolName::Path(Path::from(key))))
            }
            _ => None,
        },
        _ => None,
    }
}

const RETRY_KEYS: &[&str] = &["max", "backoff"];

fn retry(inside: Vec<Entry>, reading: &mut Reading<'_>) -> Option<RawPolicy> {
    let mut reading = Reading::new(reading.errors);
    let before = reading.errors.count();
    let (mut max, mut backoff) = (2, Duration::from_millis(200));
    for entry in inside {
        let key = entry.key.to_string();
        if !RETRY_KEYS.contains(&key.as_str()) {
            unknown(reading.errors, &entry.key, RETRY_KEYS);
        } else if let Some(entry) = reading.first(entry) {
            if key == "max" {
                max = reading.count(entry, 1, 10).map_or(max, |found| found.value);
            } else {
                backoff =
                    reading.duration(entry, Duration::from_mins(10), "10 min").map_or(backoff, |found| found.value);
            }
        }
    }
    (reading.errors.count() == before).then_some(RawPolicy::Retry { max, backoff })
}
