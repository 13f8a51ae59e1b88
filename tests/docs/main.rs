//! What the documents say is there is there, and what is there is said. Not whether their examples run:
//! those are doctests, see `src/pages.rs`.
#![expect(clippy::unwrap_used, clippy::panic, clippy::string_slice, reason = "tests may panic")]

#[path = "../ui/coverage/cases.rs"]
#[expect(dead_code, reason = "only what the examples need is used here")]
mod cases;
#[path = "../ui/coverage/catalogue.rs"]
mod catalogue;
mod compiler;
#[path = "../ui/coverage/examples.rs"]
#[expect(dead_code, reason = "only what is written into the pages is used here")]
mod examples;
mod pages;
mod tables;

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// All files of that ending beneath a folder, folders of builds aside.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if entry.path().is_dir() {
            if name != "target" && !name.starts_with('.') {
                found.extend(files(&entry.path(), ending));
            }
        } else if name.ends_with(ending) {
            found.push(entry.path());
        }
    }
    found.sort();
    found
}

/// What stands between backticks, code blocks aside.
fn quoted(text: &str) -> Vec<&str> {
    let prose = text.split("```").step_by(2);
    prose.flat_map(|part| part.split('`').skip(1).step_by(2)).collect()
}

/// The texts in quotes of a Rust source.
fn literals(source: &str) -> impl Iterator<Item = &str> {
    source
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .flat_map(|line| line.split('"').skip(1).step_by(2))
}
