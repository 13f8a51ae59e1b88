//! Each mistake has one error in our words, at the key or parameter it is about.
//!
//! The last lines of a case say what is marked, in the order of its errors: `//~ 5 retry(max = 3)` is
//! the text in line 5 that the first error points at.

use crate::cases::{Case, refused};
use crate::catalogue::{all, fits};

/// Cases with several mistakes, or several places for one.
const SEVERAL: [(&str, &str); 9] = [
    ("malformed/many_at_once", "every mistake of two tools in one compile"),
    ("function/variadic", "the compiler refuses it too, wherever it stands"),
    ("malformed/colon_for_equals", "two options with a colon"),
    ("parameters/default_and_range_at_once", "three faults of one attribute"),
    ("toolset/many_at_once", "every mistake of a toolset in one compile"),
    ("types/undescribed_parts", "three parts without a description"),
    ("options/precondition_arguments", "two arguments that are not there, in one condition"),
    ("options/precondition_variables", "two variables that are not there, in one condition"),
    ("toolset/function_without_attribute", "three entries, each of another kind"),
];

/// Headlines of the compiler's own, which say it as well as we could.
const FOREIGN: [(&str, &str, &str); 8] = [
    (
        "toolset/module_of_its_name",
        "the name `look` is defined multiple times",
        "a tool and a module of its name; the compiler shows `as`, which is the way out",
    ),
    (
        "toolset/function_inside_a_function",
        "constant provided when a type was expected",
        "a function that stands in a function can only be named as it is: a value where a type is asked about",
    ),
    (
        "function/question_mark_on_a_boxed_error",
        "`?` couldn't convert the error: `Box<dyn StdError>: toolgate_core::tool::error::Cause` is not satisfied",
        "a `?` has a headline of the compiler's own; our words stand at the mark",
    ),
    (
        "function/future_not_send",
        "future cannot be sent between threads safely",
        "names the `await` and what is held across it, which a macro can't see",
    ),
    (
        "toolset/function_without_attribute",
        "constant provided when a type was expected",
        "a plain function beside the toolset is a value where a type is asked about; our words follow",
    ),
    ("function/variadic", "`...` is not supported for non-extern functions", "the compiler's, after ours"),
    ("function/variadic", "C-variadic functions are unstable", "the compiler's, after ours"),
    (
        "toolset/no_such_tool",
        "cannot find type `loko` in this scope",
        "a name that is nowhere is the compiler's to tell",
    ),
];

fn marks(case: &Case) -> Vec<(usize, &str)> {
    let marks = case.source.lines().filter_map(|line| line.strip_prefix("//~ "));
    marks
        .map(|mark| mark.split_once(' ').unwrap_or((mark, "")))
        .map(|(line, text)| (line.parse().unwrap_or(0), text))
        .collect()
}

#[test]
fn one_mistake_has_one_error() {
    for case in refused() {
        let several = SEVERAL.iter().any(|(name, _)| *name == case.name);
        assert_eq!(case.errors.len() > 1, several, "{}: {} errors", case.name, case.errors.len());
        assert!(!case.errors.is_empty(), "{}: says nothing", case.name);
    }
}

#[test]
fn every_error_points_at_what_is_wrong() {
    for case in refused() {
        let told: Vec<(usize, &str)> = case.errors.iter().map(|told| (told.line, told.marked.as_str())).collect();
        assert_eq!(marks(&case), told, "{}: the `//~` lines at its end say what is marked", case.name);
        for (_, marked) in told {
            assert!(!marked.trim().is_empty(), "{}: nothing is marked", case.name);
            let several = SEVERAL.iter().any(|(name, _)| *name == case.name);
            assert!(
                several || !marked.starts_with("#[tool"),
                "{}: the whole attribute is marked, not the key",
                case.name
            );
        }
    }
}

#[test]
fn every_headline_is_ours() {
    let ours = all();
    for case in refused() {
        for told in &case.errors {
            let foreign = FOREIGN.iter().any(|(name, text, _)| *name == case.name && *text == told.headline);
            let known = ours.iter().any(|message| fits(&message.text, &told.headline));
            assert!(known != foreign, "{}: `{}`", case.name, told.headline);
            let code = told.code.as_deref();
            assert!(foreign || matches!(code, None | Some("E0277" | "E0080")), "{}: {code:?}", case.name);
        }
    }
}

#[test]
fn no_line_of_an_exception_is_left_over() {
    let cases = refused();
    for name in SEVERAL.iter().map(|found| found.0).chain(FOREIGN.iter().map(|found| found.0)) {
        assert!(cases.iter().any(|case| case.name == name), "{name}");
    }
}

#[test]
fn at_least_ten_mistakes_are_told_in_one_compile() {
    let cases = refused();
    let many = cases.iter().find(|case| case.name == "malformed/many_at_once").expect("the case is there");
    assert!(many.errors.len() >= 20, "{}", many.errors.len());
}
