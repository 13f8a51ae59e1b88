//! The UI cases as they lie in their folders: source, what the compiler said, and where. Not the
//! compiler: `ui.rs` holds the `.stderr` files against it.

use std::fs;
use std::path::{Path, PathBuf};

/// The folders of cases that are refused.
pub(crate) const KINDS: [&str; 6] = ["malformed", "options", "function", "parameters", "types", "toolset"];

/// A case that the compiler refuses.
#[derive(Debug)]
pub(crate) struct Case {
    /// Folder and file, without its ending.
    pub(crate) name: String,
    /// The source.
    pub(crate) source: String,
    /// All that the compiler said.
    pub(crate) output: String,
    /// Its errors, in order.
    pub(crate) errors: Vec<Told>,
}

/// One error.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Told {
    /// Its code, where the compiler gives one.
    pub(crate) code: Option<String>,
    /// What follows `error:`, without the words that precede each panic of const evaluation.
    pub(crate) headline: String,
    /// The line it points at.
    pub(crate) line: usize,
    /// The source that is marked there.
    pub(crate) marked: String,
}

/// Where the cases are.
pub(crate) fn folder() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    if own.join("malformed").is_dir() { own.to_owned() } else { own.join("tests/ui") }
}

/// All cases that are refused.
pub(crate) fn refused() -> Vec<Case> {
    let mut cases = Vec::new();
    for kind in KINDS {
        for file in rust_files(&folder().join(kind)) {
            let name = format!("{kind}/{}", stem(&file));
            let read =
                |path: &Path| fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let (source, output) = (read(&file), read(&file.with_extension("stderr")));
            let errors = errors(&source, &output);
            cases.push(Case { name, source, output, errors });
        }
    }
    cases
}

/// The Rust files of a folder, in order.
pub(crate) fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "rs"));
    files.sort();
    files
}

/// A file's name without its ending.
pub(crate) fn stem(file: &Path) -> String {
    file.file_stem().expect("a file has a name").to_string_lossy().into_owned()
}

fn errors(source: &str, output: &str) -> Vec<Told> {
    let lines: Vec<&str> = output.lines().collect();
    let starts = lines.iter().enumerate().filter(|(_, line)| line.starts_with("error: ") || line.starts_with("error["));
    starts.map(|(at, line)| told(source, line, &lines[at + 1..])).collect()
}

fn told(source: &str, headline: &str, rest: &[&str]) -> Told {
    let (kind, text) = headline.split_once(": ").expect("a headline has a colon");
    let code = kind.strip_prefix("error[").and_then(|code| code.strip_suffix(']')).map(str::to_owned);
    let headline = text.strip_prefix("evaluation panicked: ").unwrap_or(text).to_owned();
    let place = rest.first().and_then(|line| line.trim().strip_prefix("--> ")).unwrap_or_default();
    let mut numbers = place.rsplit(':').map(|number| number.parse::<usize>().unwrap_or_default());
    let (column, line) = (numbers.next().unwrap_or_default(), numbers.next().unwrap_or_default());
    let row: String = source.lines().nth(line.saturating_sub(1)).unwrap_or_default().chars().skip(column - 1).collect();
    let marked = row.chars().take(marked(rest)).collect();
    Told { code, headline, line, marked }
}

/// How much is marked: as wide as the first row of carets, which has no line number; the whole row, where more than
/// one is marked.
fn marked(rest: &[&str]) -> usize {
    let rows = rest.iter().take_while(|row| !row.is_empty()).filter_map(|row| row.split_once(" | "));
    for (before, row) in rows {
        if row.starts_with("/ ") {
            return usize::MAX;
        }
        if before.trim().is_empty() && row.contains('^') {
            return row.chars().skip_while(|sign| *sign != '^').take_while(|sign| *sign == '^').count();
        }
    }
    0
}
