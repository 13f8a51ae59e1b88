//! The text of a policy file, and its problems shown at their place. Not the finding of them.

use std::cell::RefCell;
use std::fmt;
use std::ops::Range;

use serde::Serialize;

/// Bytes of the text.
pub(super) type Span = Range<usize>;

/// Most problems that are kept.
const MOST_PROBLEMS: usize = 100;

/// One thing that is wrong with a policy file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LoadProblem {
    /// The file.
    pub file: String,
    /// The line, from 1; 0 where it is about the file as a whole.
    pub line: usize,
    /// The column, in characters from 1.
    pub column: usize,
    /// How many characters of the line it is about, at least 1.
    pub length: usize,
    /// What is wrong and what would be right; one line, lower-case.
    pub message: String,
    /// The name that may have been meant.
    pub nearest: Option<String>,
    /// The finer rule, such as `policy.unknown_key`.
    pub rule: &'static str,
    /// The line as it is written.
    pub source_line: String,
}

impl LoadProblem {
    /// A problem of the file as a whole.
    pub(super) fn of_file(file: &str, rule: &'static str, message: impl Into<String>) -> Self {
        let (file, message) = (file.to_owned(), message.into());
        Self { file, line: 0, column: 1, length: 1, message, nearest: None, rule, source_line: String::new() }
    }

    /// The message, with the nearest name.
    pub(super) fn told(&self) -> String {
        let near = self.nearest.as_deref().map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        format!("{}{near}", self.message)
    }
}

impl fmt::Display for LoadProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, column, length, message: _, nearest: _, rule, source_line } = self;
        write!(f, "{} ({rule})", self.told())?;
        if *line == 0 {
            return write!(f, "\n --> {file}");
        }
        let number = line.to_string();
        let margin = " ".repeat(number.len());
        let shown: String = source_line.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
        let (before, marks) = (" ".repeat(column.saturating_sub(1)), "^".repeat(*length));
        write!(f, "\n{margin}--> {file}:{line}:{column}")?;
        write!(f, "\n{margin} |\n{number} | {shown}\n{margin} | {before}{marks}")
    }
}

/// Why a policy file can't be used; every problem at once, in the order of the text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LoadError {
    /// At least one.
    pub problems: Vec<LoadProblem>,
}

impl LoadError {
    pub(super) fn of(problem: LoadProblem) -> Self {
        Self { problems: vec![problem] }
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown: Vec<String> = self.problems.iter().map(ToString::to_string).collect();
        f.write_str(&shown.join("\n\n"))
    }
}

impl std::error::Error for LoadError {}

/// The text, and what is wrong with it so far.
#[derive(Debug)]
pub(super) struct Source<'t> {
    pub(super) file: &'t str,
    pub(super) text: &'t str,
    found: RefCell<Vec<(usize, LoadProblem)>>,
}

impl<'t> Source<'t> {
    pub(super) fn new(file: &'t str, text: &'t str) -> Self {
        Self { file, text, found: RefCell::new(Vec::new()) }
    }

    /// Notes a problem at these bytes.
    pub(super) fn wrong(&self, at: &Span, rule: &'static str, message: impl Into<String>) {
        self.note(at, rule, message.into(), None);
    }

    /// As [`Self::wrong`], with the name that may have been meant.
    pub(super) fn misspelled(&self, at: &Span, rule: &'static str, message: String, nearest: Option<&str>) {
        self.note(at, rule, message, nearest.map(str::to_owned));
    }

    fn note(&self, at: &Span, rule: &'static str, message: String, nearest: Option<String>) {
        let mut found = self.found.borrow_mut();
        if found.len() < MOST_PROBLEMS {
            let (line, column, length, source_line) = self.place(at);
            let file = self.file.to_owned();
            found.push((at.start, LoadProblem { file, line, column, length, message, nearest, rule, source_line }));
        }
    }

    /// Line, column, characters and the line's text.
    fn place(&self, at: &Span) -> (usize, usize, usize, String) {
        let start = floor(self.text, at.start);
        let (before, after) = self.text.split_at_checked(start).unwrap_or((self.text, ""));
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        let lead = before.get(line_start..).unwrap_or_default();
        let rest = after.split('\n').next().unwrap_or_default();
        let marked = self.text.get(start..floor(self.text, at.end.max(start))).unwrap_or_default();
        let length = marked.split('\n').next().unwrap_or_default().trim_end().chars().count().max(1);
        let line = before.matches('\n').count() + 1;
        (line, lead.chars().count() + 1, length, format!("{lead}{rest}").trim_end().to_owned())
    }

    /// The line of these bytes.
    pub(super) fn line(&self, at: &Span) -> usize {
        self.place(at).0
    }

    /// The text, unless something is wrong with it.
    pub(super) fn finish(self) -> Result<(), LoadError> {
        let mut found = self.found.into_inner();
        found.sort_by_key(|(at, _)| *at);
        let mut problems: Vec<LoadProblem> = found.into_iter().map(|(_, problem)| problem).collect();
        problems.dedup();
        if problems.is_empty() { Ok(()) } else { Err(LoadError { problems }) }
    }
}

/// The nearest place at or before `at` where a character begins.
fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at = at.saturating_sub(1);
    }
    at
}
