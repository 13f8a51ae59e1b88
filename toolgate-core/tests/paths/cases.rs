//! Every row of `paths.jsonl` that isn't `manual`, each on a fresh fixture.
//!
//! Nothing here knows a row's id. An unknown field or form counts as wrong.

use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;

use serde::Deserialize;
use serde_json::Value;
use toolgate_core::resource::{
    DirPath, EntryPath, Handle, PathError, PathKind, ReadPath, Workspace, WorkspaceOptions, WritePath,
};

use crate::fixture::{Fixture, case_file};

/// Names in the file that differ from ours.
const CODES: &[(&str, &str)] = &[
    ("not_found", "path.not_found"),
    ("not_a_file", "path.not_a_file"),
    ("not_a_directory", "path.not_a_directory"),
    ("symlink_loop", "path.symlink_loop"),
    ("permission", "path.permission"),
    ("permission_denied", "path.permission"),
    ("too_large", "path.too_large"),
    ("not_utf8", "path.not_utf8"),
];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    id: String,
    op: String,
    #[serde(default)]
    input: Option<String>,
    #[serde(default)]
    input_hex: Option<String>,
    #[serde(default)]
    build: Option<Vec<Value>>,
    expected: Expected,
    context: String,
    #[serde(rename = "why")]
    _why: String,
    #[serde(rename = "source")]
    _source: String,
    #[serde(rename = "static", default)]
    _static: bool,
    #[serde(default)]
    manual: bool,
    /// What other systems say is judged in `systems`.
    #[serde(rename = "expected_windows", default)]
    _windows: Option<String>,
    #[serde(rename = "expected_macos", default)]
    _macos: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    verdict: String,
    #[serde(default)]
    code: Option<String>,
    #[serde(default)]
    resolves_to: Option<String>,
}

/// One part of a big input.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Part {
    text: String,
    #[serde(default)]
    times: Option<usize>,
    #[serde(default)]
    join: Option<String>,
    #[serde(default)]
    escape: Option<usize>,
}

impl Part {
    fn build(&self) -> Result<String, String> {
        let mut text = self.text.clone();
        for _ in 0..self.escape.unwrap_or(0) {
            text = serde_json::to_string(&text).map_err(|e| e.to_string())?;
        }
        let Some(times) = self.times else {
            return Ok(text);
        };
        Ok(match &self.join {
            Some(join) => (0..times).map(|i| text.replace('#', &i.to_string())).collect::<Vec<_>>().join(join),
            None => text.repeat(times),
        })
    }
}

impl Row {
    fn text(&self, fixture: &Fixture) -> Result<String, String> {
        let text = match (&self.input, &self.input_hex, &self.build) {
            (Some(text), None, None) => text.clone(),
            (None, Some(hex), None) => from_hex(hex)?,
            (_, None, Some(parts)) => {
                let mut whole = String::new();
                for part in parts {
                    match part {
                        Value::String(text) => whole.push_str(text),
                        part => {
                            let part: Part = serde_json::from_value(part.clone()).map_err(|e| e.to_string())?;
                            whole.push_str(&part.build()?);
                        }
                    }
                }
                whole
            }
            _ => return Err("unknown form of input".to_owned()),
        };
        let root = String::from_utf8(fixture.ws().as_os_str().as_bytes().to_vec()).unwrap();
        Ok(text.replace("{WS_REL}", root.trim_start_matches('/')).replace("{WS}", &root))
    }
}

/// Bytes that aren't UTF-8 never reach a path: arguments are JSON, so the reader refuses them.
fn from_hex(hex: &str) -> Result<String, String> {
    let digit = |at| hex.get(at..at + 2).and_then(|two| u8::from_str_radix(two, 16).ok());
    let bytes: Option<Vec<u8>> = (0..hex.len()).step_by(2).map(digit).collect();
    String::from_utf8(bytes.ok_or("bad hex")?).map_err(|_| "input isn't UTF-8".to_owned())
}

/// `key=true` words in the context set options.
fn options(context: &str) -> WorkspaceOptions {
    let mut options = WorkspaceOptions::default();
    let on = |name: &str| context.contains(&format!("{name}=true"));
    options.no_xdev = on("no_xdev");
    options.deny_multiply_linked = on("deny_multiply_linked");
    options.portable_names = on("portable_names");
    options.refuse_absolute = on("refuse_absolute");
    options.create_parents = on("create_parents");
    options
}

/// Checks, pins, opens with the pin, and does what the operation says.
fn run(fixture: &Fixture, row: &Row) -> Result<Result<String, PathError>, String> {
    let (op, context) = (row.op.as_str(), row.context.as_str());
    let workspace = Workspace::open_with(fixture.ws(), options(context)).map_err(|e| e.to_string())?;
    let text = row.text(fixture)?;
    let kind = match op {
        "read" => PathKind::Read,
        "list" => PathKind::Dir,
        "write" | "append" => PathKind::Write,
        "delete" | "delete_tree" => PathKind::Entry,
        other => return Err(format!("unknown op {other}")),
    };
    let opened = workspace.check(kind, &text).and_then(|path| {
        let pin = workspace.pin(&path)?;
        let handle = workspace.open_path(&path, Some(&pin))?;
        assert_eq!(handle.resolved(), pin.resolved);
        Ok((pin, handle))
    });
    let (pin, handle) = match opened {
        Ok(opened) => opened,
        Err(error) => return Ok(Err(error)),
    };
    let shared = fixture.inside(&pin.resolved).symlink_metadata().is_ok_and(|facts| facts.nlink() > 1);
    Ok(act(op, handle, context, shared)?.map(|()| pin.resolved))
}

/// `shared`: the file has a second hard link, so it may hold what lies outside.
fn act(op: &str, handle: Handle, context: &str, shared: bool) -> Result<Result<(), PathError>, String> {
    Ok(match op {
        "read" => {
            let (path, slot) = ReadPath::pending(String::new());
            slot.set(handle).unwrap();
            match path.read_bytes() {
                Ok(bytes) if bytes.starts_with(b"SECRET") && !shared => {
                    return Err("read what lies outside".to_owned());
                }
                other => other.map(drop),
            }
        }
        "list" => {
            let (path, slot) = DirPath::pending(String::new());
            slot.set(handle).unwrap();
            match path.entries() {
                Ok(entries) => {
                    let listed = serde_json::to_value(&entries).unwrap();
                    check_listing(&listed, context)?;
                    Ok(())
                }
                Err(error) => Err(error),
            }
        }
        "write" | "append" => {
            let (path, slot) = WritePath::pending(String::new());
            slot.set(handle).unwrap();
            if op == "write" { path.write("NEW") } else { path.append("NEW") }
        }
        _ => {
            let (path, slot) = EntryPath::pending(String::new());
            slot.set(handle).unwrap();
            if op == "delete" { path.remove_file() } else { path.remove_tree() }
        }
    })
}

/// A post-condition `entry listed as {..}` names members that one entry must have.
fn check_listing(listed: &Value, context: &str) -> Result<(), String> {
    let Some((_, wanted)) = context.split_once("entry listed as ") else {
        return Ok(());
    };
    let wanted: BTreeMap<String, Value> = serde_json::from_str(wanted).map_err(|e| e.to_string())?;
    let found =
        listed.as_array().unwrap().iter().any(|entry| wanted.iter().all(|(key, value)| entry.get(key) == Some(value)));
    if found { Ok(()) } else { Err(format!("no entry is {wanted:?}")) }
}

fn judge(row: &Row) -> Result<(), String> {
    let fixture = Fixture::new();
    let result = run(&fixture, row)?;
    if let Some(damage) = fixture.damage() {
        return Err(damage);
    }
    compare(&row.expected, &result)
}

fn compare(expected: &Expected, result: &Result<String, PathError>) -> Result<(), String> {
    let (verdict, code, resolved) = match result {
        Ok(resolved) => ("allow", None, Some(resolved.as_str())),
        Err(error) => (if error.refused() { "deny" } else { "error" }, Some(error.code()), error.resolved()),
    };
    let wanted = expected
        .code
        .as_deref()
        .map(|code| CODES.iter().find(|(theirs, _)| *theirs == code).map_or(code, |(_, ours)| *ours));
    match expected.verdict.as_str() {
        // A race: that nothing leaked and nothing outside changed was checked before.
        "allow_or_deny" => return Ok(()),
        "allow" | "deny" | "error" => {}
        other => return Err(format!("unknown verdict {other}")),
    }
    let place_right = expected.resolves_to.is_none() || expected.resolves_to.as_deref() == resolved;
    if verdict == expected.verdict && code == wanted && place_right {
        return Ok(());
    }
    Err(format!("got {verdict} {code:?} {resolved:?}"))
}

#[test]
fn cases_paths() {
    let mut right = 0;
    let mut wrong = Vec::new();
    let file = case_file("paths.jsonl");
    for (number, line) in file.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let row: Row = match serde_json::from_str(line) {
            Ok(row) => row,
            Err(error) => {
                wrong.push(format!("line {}: {error}", number + 1));
                continue;
            }
        };
        if row.manual {
            continue;
        }
        match judge(&row) {
            Ok(()) => right += 1,
            Err(error) => wrong.push(format!("{}: {error}", row.id)),
        }
    }
    println!("{right} right of {}", right + wrong.len());
    for line in &wrong {
        println!("wrong {line}");
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
