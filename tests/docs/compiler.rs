//! The pages about what the compiler says, made from the catalogue, the UI cases and the repairs that
//! compile, so that they can't drift: compared here, and written where `TOOLGATE_WRITE_DOCS` is set.

use std::fmt::Write as _;

use super::examples::{Example, examples};
use super::{catalogue, files, read, root};

const TABLE: &str = "docs/errors.md";
const EXAMPLES: &str = "docs/compile-errors.md";
const BEGIN: &str =
    "<!-- begin: messages of the compiler, written by `TOOLGATE_WRITE_DOCS=1 cargo test --test docs` -->";
const END: &str = "<!-- end: messages of the compiler -->";

fn all() -> Vec<Example> {
    let (found, missing) = examples();
    assert_eq!(missing, Vec::<String>::new());
    found
}

/// A message in a cell of a table: its own signs stand for nothing.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "\\<")
}

fn table(examples: &[Example]) -> String {
    let mut text = format!("{BEGIN}\n| message | text | when |\n|---|---|---|\n");
    for Example { message, cause, .. } in examples {
        let (name, anchor) = (&message.name, message.name.to_lowercase());
        let (told, cause) = (cell(&message.text), cell(cause));
        writeln!(text, "| [`{name}`](compile-errors.md#{anchor}) | {told} | {cause} |").unwrap();
    }
    text + END
}

fn page(examples: &[Example]) -> String {
    let mut text = format!(
        "{BEGIN}\n# What the compiler says\n\nEvery message of `#[tool]`, `#[tool_type]` and `toolset!`, with an example of what it \
         refuses and one of what is\nright instead. The first are UI tests, the second compile; both are without their \
         imports. How a message is read\nis in [the guide](guide/tools.md#reading-a-refusal); the table of all messages is in \
         [errors.md](errors.md#messages-of-the-compiler).\n"
    );
    for Example { message, cause, headline, wrong, right, .. } in examples {
        let name = &message.name;
        write!(text, "\n## `{name}`\n\n{cause}\n\n```text\nerror: {headline}\n").unwrap();
        if let Some(label) = &message.label {
            writeln!(text, "       {label}").unwrap();
        }
        write!(text, "```\n\nRefused:\n\n```rust\n{wrong}\n```\n\nRight:\n\n```rust\n{right}\n```\n").unwrap();
    }
    text + "\n" + END + "\n"
}

/// The page with what is made put between its marks.
fn with(page: &str, made: &str) -> String {
    let (before, rest) = page.split_once(BEGIN).unwrap_or_else(|| panic!("{TABLE}: no line `{BEGIN}`"));
    let (_, after) = rest.split_once(END).unwrap_or_else(|| panic!("{TABLE}: no line `{END}`"));
    format!("{before}{made}{after}")
}

fn must_be(path: &str, made: &str) {
    if std::env::var_os("TOOLGATE_WRITE_DOCS").is_some() {
        std::fs::write(root().join(path), made).unwrap();
    }
    let written = if root().join(path).exists() { read(path) } else { String::new() };
    let differs = written.lines().zip(made.lines()).find(|(is, should)| is != should);
    assert!(
        written == made,
        "{path} is not what the catalogue makes; write it with TOOLGATE_WRITE_DOCS=1. First difference: {differs:?}"
    );
}

#[test]
fn errors_tells_every_message_of_the_compiler() {
    must_be(TABLE, &with(&read(TABLE), &table(&all())));
}

#[test]
fn every_message_of_the_compiler_is_explained_by_two_examples() {
    let examples = all();
    assert!(examples.len() > 120);
    must_be(EXAMPLES, &page(&examples));
}

#[test]
fn errors_that_the_guide_shows_are_messages_of_the_catalogue() {
    let messages = catalogue::all();
    let mut shown = 0;
    for page in files(&root().join("docs/guide"), ".md") {
        let text = std::fs::read_to_string(&page).unwrap();
        for said in text.lines().filter_map(|line| line.strip_prefix("error: ")) {
            let known = messages.iter().any(|message| catalogue::fits(&message.text, said));
            assert!(known, "{}: {said}", page.display());
            shown += 1;
        }
    }
    assert!(shown > 0, "the guide shows what a refusal looks like");
}

#[test]
fn what_drifted_is_noticed() {
    let page = format!("a\n{BEGIN}\nold\n{END}\nb\n");
    assert_eq!(with(&page, "new"), "a\nnew\nb\n");
}
