//! Rules on preconditions: what the types can't check. A field or word that a typed result doesn't have is no
//! finding: it is a fault when the tools are put together (`spec.expression`).

use toolgate_expr::{Step, Type};

use super::rule::{Look, Rule};
use super::subject::{Subject, Whole};
use crate::spec::{CompiledPrecondition, Risk};

pub(super) const RULES: &[Rule] = &[
    Rule::warning(
        "condition.untyped",
        "a precondition that reads a field of which the other tool's result type says nothing",
        Look::Pair(untyped),
    ),
    Rule::note(
        "condition.free_word",
        "a precondition that compares free text of a result with a word, which nothing checks",
        Look::Pair(free_word),
    ),
    Rule::note(
        "condition.no_age",
        "a precondition of an `external` or `dangerous` tool without `max_age`",
        Look::Tool(no_age),
    ),
];

/// What a type says of a path beneath it.
#[derive(Debug, PartialEq)]
enum Told {
    Nothing,
    FreeText,
    Enough,
}

fn told(of: &Type, path: &[Step]) -> Told {
    match (of, path.split_first()) {
        (Type::Nullable(inner), _) => told(inner, path),
        (Type::Any, _) => Told::Nothing,
        (Type::Text(None), None) => Told::FreeText,
        (_, None) => Told::Enough,
        (Type::Object(fields, open), Some((Step::Field(name), rest))) => {
            match fields.iter().find(|(known, _)| known == name) {
                Some((_, field)) => told(field, rest),
                None if *open => Told::Nothing,
                None => Told::Enough,
            }
        }
        (Type::List(item), Some((_, rest))) => told(item, rest),
        _ => Told::Enough,
    }
}

/// The paths of a result that a precondition reads, with what its type says of them.
fn read<'p>(whole: &Whole<'_>, precondition: &'p CompiledPrecondition) -> Vec<(String, Told, &'p str)> {
    let (Some(when), Some(other)) = (
        &precondition.when,
        whole.subjects.iter().find(|subject| subject.tool.spec.name == precondition.declared.tool),
    ) else {
        return Vec::new();
    };
    let paths = when.fields("result").into_iter();
    paths.map(|path| (shown(&path), told(&other.tool.result, &path), when.text())).collect()
}

fn shown(path: &[Step]) -> String {
    path.iter().fold("result".to_owned(), |text, step| match step {
        Step::Field(name) => format!("{text}.{name}"),
        Step::Index(index) => format!("{text}[{index}]"),
    })
}

fn each(whole: &Whole<'_>, at: usize, say: impl Fn(&str, &str, &Told, &str) -> Option<String>) -> Vec<String> {
    let preconditions = whole.subjects.get(at).into_iter().flat_map(|subject| &subject.tool.preconditions);
    preconditions
        .flat_map(|precondition| {
            let other = precondition.declared.tool;
            let found = read(whole, precondition).into_iter();
            found.filter_map(|(path, told, text)| say(other, &path, &told, text)).collect::<Vec<_>>()
        })
        .collect()
}

fn untyped(whole: &Whole<'_>, at: usize) -> Vec<String> {
    each(whole, at, |other, path, told, _| {
        (*told == Told::Nothing).then(|| {
            format!(
                "its precondition reads `{path}` of `{other}`, whose result type says nothing of it, so a typing mistake \
                 would refuse every call; give `{other}` a result type with `#[tool_type]`, at run time an `output_schema`"
            )
        })
    })
}

fn free_word(whole: &Whole<'_>, at: usize) -> Vec<String> {
    each(whole, at, |other, path, told, text| {
        let compared = |rest: &str| {
            let rest = rest.trim_start();
            let operand = ["==", "!=", "in"].iter().find_map(|operator| rest.strip_prefix(operator));
            operand.is_some_and(|operand| operand.trim_start().starts_with(['\'', '"', '[']))
        };
        let with_a_word = text.split(path).skip(1).any(compared);
        (*told == Told::FreeText && with_a_word).then(|| {
            format!(
                "its precondition compares `{path}` of `{other}` with a word, and that is free text, so a typing mistake \
                 would never hold; make it an enum with `#[tool_type]`, whose words are checked"
            )
        })
    })
}

fn no_age(subject: &Subject<'_>) -> Vec<String> {
    let spec = subject.tool.spec;
    if spec.risk < Risk::External {
        return Vec::new();
    }
    let ageless = spec.preconditions.iter().filter(|precondition| precondition.max_age.is_none());
    ageless
        .map(|precondition| {
            format!(
                "the precondition of `{}` on `{}` holds however old the outcome is, as long as the task lives; say \
                 `max_age = \"5m\"`",
                spec.name, precondition.tool
            )
        })
        .collect()
}
