//! The example of each message: what is wrong, from the case that its repair names, and what is right,
//! from the repair itself. Not whether the one is refused and the other compiles: the compiler says so.

use std::fs;

use crate::cases::{Case, folder, refused, rust_files, stem};
use crate::catalogue::{Message, all, fits};

/// A message with all there is to tell of it.
#[derive(Debug)]
pub(crate) struct Example {
    /// The message.
    pub(crate) message: Message,
    /// What brings it about, one paragraph.
    pub(crate) cause: String,
    /// As the compiler says it in the case, or as the catalogue has it.
    pub(crate) headline: String,
    /// What is refused.
    pub(crate) wrong: String,
    /// What is right instead.
    pub(crate) right: String,
}

/// A module of `repairs/`.
#[derive(Debug)]
struct Repair {
    name: String,
    bad: Bad,
    cause: String,
    right: String,
}

/// What a repair mends.
#[derive(Debug)]
enum Bad {
    /// `Bad:` a case.
    Case(String),
    /// `Typed:` a function that is half typed, which only an editor hands over: the compiler's own parser stands before
    /// the macro. A test of the macros holds that the message is told.
    Typed(String),
}

/// Messages that only an editor sees.
pub(crate) fn typed() -> Vec<String> {
    let typed = repairs().into_iter().filter(|repair| matches!(repair.bad, Bad::Typed(_)));
    typed.map(|repair| repair.name).collect()
}

/// The examples of all messages, in the order of the catalogue; the messages that have none, or that nothing
/// shows where theirs says.
pub(crate) fn examples() -> (Vec<Example>, Vec<String>) {
    let (mut repairs, cases) = (repairs(), refused());
    let (mut found, mut missing) = (Vec::new(), Vec::new());
    for message in all() {
        let at = repairs.iter().position(|repair| repair.name == snake(&message.name));
        match at.map(|at| repairs.swap_remove(at)).map(|repair| example(message, repair, &cases)) {
            Some(Ok(example)) => found.push(example),
            Some(Err(fault)) => missing.push(fault),
            None => missing.push("a message has no module in tests/ui/repairs".to_owned()),
        }
    }
    missing.extend(repairs.iter().map(|repair| format!("tests/ui/repairs: no message is called `{}`", repair.name)));
    (found, missing)
}

fn example(message: Message, repair: Repair, cases: &[Case]) -> Result<Example, String> {
    let Repair { name, bad, cause, right } = repair;
    let (headline, wrong) = match bad {
        Bad::Case(case) => {
            let shown = cases.iter().find(|found| found.name == case);
            let shown = shown.ok_or_else(|| format!("tests/ui/repairs: `{name}` names no case `{case}`"))?;
            let told = shown.errors.iter().find(|told| fits(&message.text, &told.headline));
            let told = told.ok_or_else(|| format!("tests/ui/{case}.stderr does not show `{name}`"))?;
            (told.headline.clone(), essence(&shown.source))
        }
        Bad::Typed(text) => (message.text.clone(), format!("#[tool(risk = \"read\")]\n{text}")),
    };
    let cause = if cause.is_empty() { message.cause.clone() } else { cause };
    if cause.is_empty() {
        return Err(format!("tests/ui/repairs: `{name}` has no cause"));
    }
    Ok(Example { cause, headline, wrong, right, message })
}

/// `SerdeArgument` as a module is called.
pub(crate) fn snake(name: &str) -> String {
    let mut snake = String::new();
    for (at, letter) in name.chars().enumerate() {
        if letter.is_ascii_uppercase() && at > 0 {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}

fn repairs() -> Vec<Repair> {
    let mut repairs = Vec::new();
    for file in rust_files(&folder().join("repairs")) {
        let source = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        for module in source.split("\nmod ").skip(1).filter(|_| stem(&file) != "mod") {
            let (name, body) = module.split_once(" {\n").unwrap_or((module, ""));
            let body = body.split("\n}").next().unwrap_or_default();
            let lines: Vec<&str> = body.lines().map(|line| line.strip_prefix("    ").unwrap_or(line)).collect();
            let (docs, code): (Vec<&str>, Vec<&str>) = lines.iter().partition(|line| line.starts_with("//!"));
            let mut docs = docs.iter().map(|line| line.trim_start_matches("//!").trim());
            let bad = match docs.next().and_then(|line| line.split_once(": ")) {
                Some(("Bad", case)) => Bad::Case(case.to_owned()),
                Some(("Typed", text)) => Bad::Typed(text.to_owned()),
                other => panic!("tests/ui/repairs: `{name}` begins with `//! Bad: <case>`, not {other:?}"),
            };
            let cause = docs.collect::<Vec<_>>().join(" ");
            repairs.push(Repair { name: name.to_owned(), bad, cause, right: essence(&code.join("\n")) });
        }
    }
    repairs
}

/// The source without its imports, its `main` and what marks the mistakes.
fn essence(source: &str) -> String {
    let source = source.split("\nfn main()").next().unwrap_or(source);
    let lines = source.lines().filter(|line| !line.starts_with("use ") && !line.starts_with("//~"));
    lines.collect::<Vec<_>>().join("\n").trim().to_owned()
}
