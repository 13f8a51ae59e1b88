//! Any text: the reader of policy files never panics, its problems stand inside of the text and can be shown, and a file
//! that it takes says the same when it is read again.
//!
//! Not here: what must be refused; the case files say that.

use toolgate_core::policy::Policy as _;
use toolgate_core::policy::file::{LoadError, PolicyFile};
use toolgate_core::spec::Toolset;

pub fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match PolicyFile::parse(text) {
        Err(error) => within(text, &error),
        Ok(file) => {
            let again = PolicyFile::parse(text).expect("what is read once is read twice");
            assert_eq!(file.version(), again.version());
            let tools = Toolset::default();
            assert!(PolicyFile::diff(&file, &again, &tools).changes.is_empty());
            if let Err(error) = file.check_against(&tools) {
                within(text, &error);
            }
        }
    }
}

/// Every problem is at a place of the text.
fn within(text: &str, error: &LoadError) {
    assert!(!error.problems.is_empty());
    assert!(!error.to_string().is_empty());
    let lines: Vec<&str> = text.split('\n').collect();
    for problem in error.problems.iter().filter(|problem| problem.line > 0) {
        let line = lines.get(problem.line - 1).expect("the line is in the text");
        let letters = line.chars().count();
        assert!(problem.length >= 1 && !problem.message.is_empty());
        assert!((1..=letters + 1).contains(&problem.column), "column {} of {letters}", problem.column);
        assert!(problem.column - 1 + problem.length <= letters.max(problem.column), "{problem:?}");
    }
}
