//! All messages of the compiler that are ours, from where they are written: the macros' catalogue, that of
//! the checks across a toolset, and the texts of bounds. Not a copy: the catalogues are compiled in here.

use std::fs;
use std::path::Path;

#[path = "../../../toolgate-macros/src/messages.rs"]
#[expect(dead_code, reason = "only the list of all is used here")]
mod messages;
#[path = "../../../toolgate-core/src/spec/told.rs"]
#[expect(dead_code, reason = "only the list of all is used here")]
mod told;

/// One message.
#[derive(Debug)]
pub(crate) struct Message {
    /// Name in the catalogue; for a bound, that of its trait.
    pub(crate) name: String,
    /// The text with its holes, as it is shown.
    pub(crate) text: String,
    /// What brings it about; empty for bounds, which are told in the repairs.
    pub(crate) cause: String,
    /// What stands at the place, where the headline is not repeated there.
    pub(crate) label: Option<String>,
}

/// Every message, in the order in which they are written.
pub(crate) fn all() -> Vec<Message> {
    let mut all: Vec<Message> = messages::ALL.iter().chain(told::ALL).map(|found| listed(found)).collect();
    all.extend(bounds());
    all
}

fn listed((name, text, cause): &(&str, &str, &str)) -> Message {
    let cause = cause.lines().map(str::trim).collect::<Vec<_>>().join(" ").trim().to_owned();
    let text = text.replace("{{", "{").replace("}}", "}");
    Message { name: (*name).to_owned(), text, cause, label: None }
}

/// The texts of the traits that stand for "this type can't be that".
fn bounds() -> Vec<Message> {
    let core = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().map(|folder| folder.join("toolgate-core/src"));
    let core = core.into_iter().find(|folder| folder.is_dir()).expect("the core is beside the tests");
    let mut found = Vec::new();
    for file in sources(&core) {
        let source = fs::read_to_string(&file).expect("a source is text");
        for block in source.split("#[diagnostic::on_unimplemented(").skip(1) {
            let quoted = |key: &str| {
                let line = block.lines().find_map(|line| line.trim().strip_prefix(key)?.strip_prefix(" = \""));
                line.and_then(|rest| Some(rest.rsplit_once('"')?.0.replace("\\\"", "\"")))
            };
            let name = block.lines().find_map(|line| line.split_once("pub trait ")).map(|(_, rest)| rest);
            let name = name.and_then(|rest| rest.split([':', ' ', '<']).next()).expect("a bound is a trait's");
            let text = quoted("message").unwrap_or_else(|| panic!("{name} has no message"));
            found.push(Message { name: name.to_owned(), text, cause: String::new(), label: quoted("label") });
        }
    }
    found
}

fn sources(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder of sources").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// What the compiler said is this message, with something in its holes.
pub(crate) fn fits(template: &str, said: &str) -> bool {
    let pieces = pieces(template);
    let (Some(first), Some(last)) = (pieces.first(), pieces.last()) else { return false };
    if pieces.len() == 1 {
        return said == first;
    }
    let Some(mut rest) = said.strip_prefix(first.as_str()).and_then(|rest| rest.strip_suffix(last.as_str())) else {
        return false;
    };
    for piece in &pieces[1..pieces.len() - 1] {
        let Some((_, after)) = rest.split_once(piece.as_str()) else { return false };
        rest = after;
    }
    true
}

/// The parts of a template between its holes. A hole is a name in braces.
fn pieces(template: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let last = pieces.last_mut().expect("there is always one");
        last.push_str(before);
        match after.split_once('}') {
            Some((name, behind))
                if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'_') =>
            {
                pieces.push(String::new());
                rest = behind;
            }
            _ => {
                last.push('{');
                rest = after;
            }
        }
    }
    pieces.last_mut().expect("there is always one").push_str(rest);
    pieces
}

#[test]
fn a_message_fits_what_was_made_of_it_and_nothing_else() {
    assert!(fits("unknown option `{key}`; did you mean `{near}`?", "unknown option `a`; did you mean `b`?"));
    assert!(!fits("unknown option `{key}`; did you mean `{near}`?", "unknown option `a`, expected one of: b"));
    assert!(!fits("`{key}` says nothing", "`a` says nothing at all"));
    assert!(fits("braces {} and `{name}`", "braces {} and `x`"));
}
