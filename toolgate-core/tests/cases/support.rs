//! Reads case files and counts how many rows come out right.
//!
//! Not here: what a row means; each file's test says that. No id is known here.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::{env, fs};

use serde_json::{Map, Value};

/// Fields that every file may use; `only_fields` adds a test's own.
const COMMON: [&str; 10] =
    ["id", "input", "input_hex", "build", "context", "expected", "why", "source", "static", "manual"];

/// One row of a case file.
pub(crate) struct Case {
    row: Map<String, Value>,
}

impl Case {
    pub(crate) fn id(&self) -> &str {
        self.row.get("id").and_then(Value::as_str).unwrap_or("?")
    }

    pub(crate) fn field(&self, name: &str) -> Option<&Value> {
        self.row.get(name)
    }

    /// The text of a field; none where the row has no such field.
    pub(crate) fn text(&self, name: &str) -> Result<Option<&str>, String> {
        self.row.get(name).map(|value| text(value, name)).transpose()
    }

    /// Refuses fields that are neither common nor named.
    pub(crate) fn only_fields(&self, own: &[&str]) -> Result<(), String> {
        let known = |name: &str| COMMON.contains(&name) || own.contains(&name);
        only(&self.row, known, "row")
    }

    /// The parts of `expected`, all of them among `known`.
    pub(crate) fn expected(&self, known: &[&str]) -> Result<&Map<String, Value>, String> {
        let expected = self.row.get("expected").and_then(Value::as_object);
        let expected = expected.ok_or("no `expected`")?;
        only(expected, |name| known.contains(&name), "`expected`")?;
        Ok(expected)
    }

    /// The bytes under test: `build`, else `input_hex`, else `input`.
    pub(crate) fn bytes(&self) -> Result<Vec<u8>, String> {
        match (self.field("build"), self.text("input_hex")?) {
            (Some(_), Some(_)) => Err("both `build` and `input_hex`".to_owned()),
            (Some(parts), None) => build(parts),
            (None, Some(hex)) => from_hex(hex),
            (None, None) => match self.text("input")? {
                Some(input) => Ok(input.as_bytes().to_vec()),
                None => Err("no input".to_owned()),
            },
        }
    }

    /// Manual rows are not run; a mark that is no boolean leaves the row to be run.
    fn is_manual(&self) -> bool {
        self.field("manual") == Some(&Value::Bool(true))
    }
}

/// Runs `check` on every row that isn't manual, prints `N right of M` and the rows that are wrong.
///
/// Fails for a wrong row, unless `disputed.jsonl` says why the row itself is in question. Disputed rows
/// count as wrong in what is printed.
pub(crate) fn run(file: &str, check: impl Fn(&Case) -> Result<(), String>) {
    let folder = env::var_os("TOOLGATE_CASES").map_or_else(own_folder, PathBuf::from);
    let cases = load(&folder.join(file));
    let disputed = disputed_in(file);
    let (mut right, mut total, mut faults) = (0, 0, Vec::new());
    let mut wrong = Vec::new();
    for case in cases.iter().filter(|case| !case.is_manual()) {
        total += 1;
        let is_disputed = disputed.iter().any(|id| id == case.id());
        let outcome = catch_unwind(AssertUnwindSafe(|| check(case))).unwrap_or_else(|_| Err("panicked".to_owned()));
        match outcome {
            Ok(()) => {
                right += 1;
                if is_disputed {
                    println!("  {} is disputed, and right here", case.id());
                }
            }
            Err(reason) => {
                let mark = if is_disputed { " (disputed)" } else { "" };
                wrong.push(format!("{}{mark}: {reason}", case.id()));
                if !is_disputed {
                    faults.push(format!("{}: {reason}", case.id()));
                }
            }
        }
    }
    println!("{file}: {right} right of {total}");
    for line in &wrong {
        println!("  wrong {line}");
    }
    assert!(total > 0, "no rows in {file}");
    assert!(faults.is_empty(), "{file}: {right} right of {total}; {faults:#?}");
}

/// The project's own rows of which `wanted` is true, manual ones too.
pub(crate) fn rows(file: &str, wanted: impl Fn(&Case) -> bool) -> Vec<Case> {
    load(&own_folder().join(file)).into_iter().filter(wanted).collect()
}

pub(crate) fn own_folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/cases")
}

#[expect(clippy::panic, reason = "only tests call it")]
fn load(path: &PathBuf) -> Vec<Case> {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{} can't be read: {error}", path.display()));
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| Case { row: serde_json::from_str(line).unwrap_or_else(|error| panic!("{error} in {line}")) })
        .collect()
}

fn disputed_in(file: &str) -> Vec<String> {
    load(&own_folder().join("disputed.jsonl"))
        .iter()
        .filter(|row| row.text("file") == Ok(Some(file)))
        .map(|row| row.id().to_owned())
        .collect()
}

pub(crate) fn only(row: &Map<String, Value>, known: impl Fn(&str) -> bool, of: &str) -> Result<(), String> {
    match row.keys().find(|name| !known(name)) {
        Some(name) => Err(format!("unknown field `{name}` in {of}")),
        None => Ok(()),
    }
}

fn text<'v>(value: &'v Value, name: &str) -> Result<&'v str, String> {
    value.as_str().ok_or_else(|| format!("`{name}` is no text"))
}

fn build(parts: &Value) -> Result<Vec<u8>, String> {
    let parts = parts.as_array().ok_or("`build` is no array")?;
    let built: Result<Vec<String>, String> = parts.iter().map(build_part).collect();
    Ok(built?.concat().into_bytes())
}

/// A part is a text, a text repeated `times` (with `join` between, `#` in it standing for the index),
/// or a text made a JSON string `escape` times.
fn build_part(part: &Value) -> Result<String, String> {
    let part = part.as_object().ok_or("a part of `build` is no object")?;
    let known = |name: &str| ["text", "times", "join", "escape"].contains(&name);
    only(part, known, "`build`")?;
    let base = text(part.get("text").ok_or("a part without `text`")?, "text")?;
    let count = |name: &str| match part.get(name) {
        None => Ok(None),
        Some(value) => {
            let count = value.as_u64().and_then(|count| usize::try_from(count).ok());
            count.map(Some).ok_or_else(|| format!("`{name}` is no count"))
        }
    };
    let join = part.get("join").map(|value| text(value, "join")).transpose()?;
    match (count("times")?, join, count("escape")?) {
        (None, None, None) => Ok(base.to_owned()),
        (Some(times), None, None) => Ok(base.repeat(times)),
        (Some(times), Some(join), None) => {
            let one = |index: usize| base.replace('#', &index.to_string());
            Ok((0..times).map(one).collect::<Vec<_>>().join(join))
        }
        (None, None, Some(times)) => {
            let encode = |inner: String, _| Value::String(inner).to_string();
            Ok((0..times).fold(base.to_owned(), encode))
        }
        _ => Err("a part of `build` in an unknown form".to_owned()),
    }
}

fn from_hex(hex: &str) -> Result<Vec<u8>, String> {
    let pairs = hex.as_bytes().chunks(2).map(|pair| {
        let digits = std::str::from_utf8(pair).ok().filter(|pair| pair.len() == 2);
        digits.and_then(|pair| u8::from_str_radix(pair, 16).ok())
    });
    pairs.collect::<Option<_>>().ok_or_else(|| "`input_hex` is not hexadecimal".to_owned())
}
