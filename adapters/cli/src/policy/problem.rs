//! What is wrong with a policy file, at its place in the file. The text may be anybody's, so all of it is escaped.

use std::io::{self, Write};

use toolgate_core::policy::file::LoadProblem;

use crate::text::{BAD, BOLD, DIM, styled, visible};

/// Most characters of a line that are shown on each side of the place.
const MOST: usize = 80;

/// Place, fault and what may have been meant, in one line.
pub(super) fn told(problem: &LoadProblem) -> String {
    format!("{}: {} ({})", place(problem), message(problem), problem.rule)
}

/// The first problem, and how many there are beside it.
pub(super) fn first_of(problems: &[LoadProblem]) -> String {
    let first = problems.first().map(told).unwrap_or_default();
    match problems.len() {
        0 | 1 => first,
        many => format!("{first}; {} more, which `policy check` shows", many - 1),
    }
}

fn place(problem: &LoadProblem) -> String {
    let LoadProblem { file, line, column, .. } = problem;
    let file = visible(file);
    if *line == 0 { file } else { format!("{file}:{line}:{column}") }
}

fn message(problem: &LoadProblem) -> String {
    let near = problem.nearest.as_deref().map(|near| format!("; did you mean `{}`?", visible(near)));
    format!("{}{}", visible(&problem.message), near.unwrap_or_default())
}

/// Prints it with its line and a mark below.
pub(super) fn put(out: &mut dyn Write, problem: &LoadProblem) -> io::Result<()> {
    let word = styled(BAD, &format!("error[{}]", problem.rule));
    writeln!(out, "{word} {}: {}", styled(BOLD, &place(problem)), message(problem))?;
    if problem.line == 0 {
        return Ok(());
    }
    let (before, marked, after) = parts(problem);
    let number = problem.line.to_string();
    let bar = styled(DIM, &format!("{} |", " ".repeat(number.len())));
    let width = |text: &str| text.chars().count();
    let marks = styled(BAD, &"^".repeat(width(&marked).max(1)));
    writeln!(out, "{} {before}{marked}{after}", styled(DIM, &format!("{number} |")))?;
    writeln!(out, "{bar} {}{marks}", " ".repeat(width(&before)))
}

/// The line before, at and after the place, escaped, so that a mark has the width of what is shown.
fn parts(problem: &LoadProblem) -> (String, String, String) {
    let letters = || problem.source_line.chars();
    let start = problem.column.saturating_sub(1);
    let end = start.saturating_add(problem.length);
    let piece = |from: usize, to: usize| visible(&letters().skip(from).take(to - from).collect::<String>());
    let from = start.saturating_sub(MOST);
    let cut = if from > 0 { ".. " } else { "" };
    let shown_end = end.min(start.saturating_add(MOST));
    (format!("{cut}{}", piece(from, start)), piece(start, shown_end), piece(shown_end, shown_end.saturating_add(MOST)))
}
