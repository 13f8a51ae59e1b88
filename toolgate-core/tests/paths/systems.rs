//! What the rules for texts say of the cases on Windows and macOS: the columns `expected_windows` and
//! `expected_macos`. Nothing is opened there; workspace paths need Linux.

use serde_json::Value;
use toolgate_core::resource::{PathError, PathKind, PathText, Workspace, WorkspaceOptions};

use crate::fixture::{Fixture, case_file};

/// A row whose column says something.
struct Row {
    id: String,
    kind: PathKind,
    text: String,
    said: String,
}

fn rows(fixture: &Fixture, column: &str) -> Vec<Row> {
    let root = fixture.ws().to_str().unwrap().to_owned();
    let file = case_file("paths.jsonl");
    let rows =
        file.lines().filter(|line| !line.trim().is_empty()).map(|line| serde_json::from_str::<Value>(line).unwrap());
    let row = |row: Value| {
        let word = |name: &str| row.get(name).and_then(Value::as_str).map(str::to_owned);
        let said = word(column)?;
        // A verdict that refers to the other column.
        let said = if said == "same as macOS" { word("expected_macos")? } else { said };
        let kind = if word("op")? == "write" { PathKind::Write } else { PathKind::Read };
        let text = word("input")?.replace("{WS_REL}", root.trim_start_matches('/')).replace("{WS}", &root);
        Some(Row { id: word("id")?, kind, text, said })
    };
    rows.filter_map(row).collect()
}

/// The codes that a verdict such as `deny path.escape/absolute` names; none where it only denies.
fn codes(said: &str) -> Vec<String> {
    let named = said.split_whitespace().find_map(|word| word.strip_prefix("path."));
    named.into_iter().flat_map(|named| named.split('/')).map(|code| format!("path.{code}")).collect()
}

/// The name of the file that a text is the same as, where the verdict says one.
fn same_as(said: &str) -> Option<&str> {
    let (_, rest) =
        said.to_ascii_lowercase().find("same file as ").map(|at| said.split_at(at + "same file as ".len()))?;
    rest.split([':', ';', ' ']).next().filter(|name| name.contains('.'))
}

fn judge(fixture: &Fixture, row: &Row, checked: &Result<PathText, PathError>) -> Result<(), String> {
    let got = checked.as_ref().map_or_else(PathError::code, |_| "ok");
    let is_refused = checked.as_ref().is_err_and(PathError::refused);
    if row.said.starts_with("deny") {
        let codes = codes(&row.said);
        let right = is_refused && (codes.is_empty() || codes.iter().any(|code| code == got));
        return if right { Ok(()) } else { Err(format!("{got}, and not {}", row.said)) };
    }
    if row.said.contains("must still not be allow") {
        return if is_refused { Ok(()) } else { Err(format!("{got}, and not a refusal")) };
    }
    if row.said.contains("ame file as") || row.said.contains("SAME file as") {
        let Ok(text) = checked else {
            return Err(format!("{got}, and not allowed"));
        };
        // The text stays what it was, so that a person sees which name was meant.
        if text.given() != row.text {
            return Err(format!("{:?} became {:?}", row.text, text.given()));
        }
        return same_as(&row.said).map_or(Ok(()), |name| is_guarded_with(fixture, &row.text, name));
    }
    Err(format!("no such verdict: {}", row.said))
}

/// A rule that protects the one name holds for the other, as a lenient file system would have it.
fn is_guarded_with(fixture: &Fixture, text: &str, name: &str) -> Result<(), String> {
    let last = name.rsplit('/').next().unwrap().to_owned();
    let options = WorkspaceOptions { protected: vec![last], ..WorkspaceOptions::default() };
    let workspace = Workspace::open_with(fixture.ws(), options).unwrap();
    match workspace.check(PathKind::Write, text) {
        Err(error) if error.code() == "path.protected" => Ok(()),
        other => Err(format!("{name} is protected and {text:?} is not: {other:?}")),
    }
}

fn judge_all(column: &str, options: WorkspaceOptions) {
    let fixture = Fixture::new();
    let workspace = Workspace::open_with(fixture.ws(), options).unwrap();
    let rows = rows(&fixture, column);
    let wrong: Vec<String> = rows
        .iter()
        .filter_map(|row| Some((row, judge(&fixture, row, &workspace.check(row.kind, &row.text)).err()?)))
        .map(|(row, error)| format!("{}: {error}", row.id))
        .collect();
    println!("{column}: {} right of {}", rows.len() - wrong.len(), rows.len());
    assert!(wrong.is_empty() && !rows.is_empty(), "{wrong:#?}");
}

#[test]
fn cases_paths_as_windows_reads_them() {
    judge_all("expected_windows", WorkspaceOptions { portable_names: true, ..WorkspaceOptions::default() });
}

#[test]
fn cases_paths_as_macos_reads_them() {
    judge_all("expected_macos", WorkspaceOptions::default());
}

/// Two spellings of one name are told apart, or found to be one, by what they lead to.
#[test]
fn two_spellings_are_compared_by_the_object_they_lead_to() {
    let fixture = Fixture::new();
    let workspace = Workspace::open(fixture.ws()).unwrap();
    let pin = |text: &str| workspace.pin(&workspace.check(PathKind::Read, text).unwrap()).unwrap();
    let object = |text: &str| (pin(text).device, pin(text).inode);
    assert_ne!(object("caf\u{e9}.txt"), object("cafe\u{301}.txt"), "this file system has two of them");
    assert_eq!(object("hard_in"), object("readme.txt"), "one file under two names");
}
