//! What the macros of other crates let through or told badly, mistake by mistake, and what holds ours to
//! better. The numbers are those of the comparison this list was made from: first the malformed tools
//! that were tried on rmcp, then on rig, then the kinds of mistakes that several crates let through.

use std::fs;

use crate::cases::{folder, refused, rust_files, stem};

/// What shows that a mistake is caught, or that what should work does.
enum Shown {
    /// Cases that the compiler refuses.
    Refused(&'static [&'static str]),
    /// Cases that compile and run.
    Passes(&'static [&'static str]),
    /// A test at run time: file and name.
    Runs(&'static str, &'static str),
    /// It can't be seen by a compiler; why.
    Unseen(&'static str),
}

use Shown::{Passes, Refused, Runs, Unseen};

const RMCP: &[(&str, Shown)] = &[
    ("1 no description", Refused(&["options/tool_undescribed", "parameters/undescribed"])),
    ("2 an empty description", Refused(&["options/described_by_nothing"])),
    ("3 a doc comment followed by another attribute", Passes(&["docs_and_attributes", "other_attribute_macros"])),
    ("4 an option misspelt, told once", Refused(&["malformed/unknown_option_near"])),
    ("5 an option misspelt inside of another", Refused(&["options/retry_option_unknown"])),
    ("6 several unknown options at once", Refused(&["malformed/many_at_once"])),
    ("7 an option given twice", Refused(&["malformed/option_twice", "parameters/option_twice"])),
    ("8 a value for a flag", Refused(&["malformed/flag_with_value"])),
    ("9 two tools of one name", Refused(&["toolset/name_twice"])),
    ("10 a name that clients refuse", Refused(&["options/name_illegal"])),
    (
        "11 facts that contradict each other",
        Refused(&["options/idempotent_read", "options/repeat_conflict", "options/confirm_on_read"]),
    ),
    (
        "12 a read that deletes",
        Unseen("what a body does is not in its signature; reviewers see the risk in the list of tools"),
    ),
    ("13 a plain `String` parameter", Passes(&["the_projects_own_line"])),
    ("14 a `&str` parameter", Refused(&["parameters/borrowed_text"])),
    ("15 an argument that can't be read", Refused(&["types/argument_of_no_kind"])),
    ("16 an argument without a schema", Refused(&["types/argument_without_schema"])),
    ("17 a result or error of no kind", Refused(&["types/result_of_no_kind", "types/error_of_no_kind"])),
    ("18 a struct that borrows", Refused(&["parameters/borrowed_inside"])),
    ("19 a list as the only argument", Runs("threads.rs", "n10_any_argument_stands_in_an_object")),
    ("20 any JSON as the only argument", Runs("threads.rs", "n10_any_argument_stands_in_an_object")),
    ("21 a tagged enum as the only argument", Runs("threads.rs", "n10_any_argument_stands_in_an_object")),
    ("22 two structs as arguments", Passes(&["serde_types", "types_by_other_names"])),
    ("23 an argument behind an alias", Passes(&["types_by_other_names"])),
    ("24 a generic function", Refused(&["function/generic"])),
    ("25 a tool outside of a list", Runs("threads.rs", "a_tool_outside_of_the_toolset_is_not_there")),
    ("26 a conditional tool", Passes(&["conditional_tools"])),
    ("27 `&mut self`", Refused(&["function/method"])),
    ("28 a future that stays on its thread", Refused(&["function/future_not_send"])),
    ("29 an empty list of tools", Passes(&["conditional_tools"])),
    ("30 an error of one's own", Passes(&["errors_of_other_types"])),
    ("31 doc lines on both sides of the attribute", Passes(&["docs_and_attributes"])),
    ("32 a method outside of what lists it", Refused(&["function/method"])),
    (
        "33 errors that follow from a misspelt option",
        Refused(&["malformed/many_at_once", "toolset/broken_tool_is_told_once"]),
    ),
];

const RIG: &[(&str, Shown)] = &[
    ("1 no description of tool or parameter", Refused(&["options/tool_undescribed", "parameters/undescribed"])),
    ("2 an empty description", Refused(&["options/described_by_nothing"])),
    (
        "3 an option misspelt, without a hint",
        Refused(&["malformed/unknown_option_near", "malformed/unknown_option_far"]),
    ),
    (
        "4 a word about a parameter that is not there",
        Refused(&["options/key_unknown", "options/confirm_unknown_placeholder", "options/precondition_argument"]),
    ),
    ("5 a name of other signs", Refused(&["options/name_illegal", "options/name_empty"])),
    ("6 a `&str` parameter", Refused(&["parameters/borrowed_text"])),
    ("7 a context that is not marked", Passes(&["names_of_parameters", "tools_in_modules", "all_options"])),
    ("8 a generic function", Refused(&["function/generic"])),
    ("9 no `Result`", Refused(&["function/returns_no_result", "function/returns_nothing"])),
    ("10 a `Result` by another name", Passes(&["errors_of_other_types", "types_by_other_names"])),
    ("11 a text as error", Refused(&["types/error_of_no_kind"])),
    ("12 a receiver", Refused(&["function/method"])),
    ("13 two tools of one name", Refused(&["toolset/name_twice"])),
    ("14 a type beside the tool, of its name", Passes(&["names_beside_the_tool"])),
    ("15 an unsafe function", Refused(&["function/unsafe_function"])),
    ("16 constraints of a parameter", Passes(&["all_options", "the_projects_own_line"])),
    ("17 an optional argument without a default", Passes(&["types_by_other_names", "serde_types"])),
];

const LET_THROUGH: &[(&str, Shown)] = &[
    (
        "1 no description",
        Refused(&[
            "options/tool_undescribed",
            "options/described_by_nothing",
            "parameters/undescribed",
            "types/undescribed_parts",
        ]),
    ),
    ("2 a description lost behind another attribute", Passes(&["docs_and_attributes"])),
    ("3 a safety hint misspelt", Refused(&["malformed/unknown_option_near", "options/risk_unknown"])),
    ("4 two tools of one name", Refused(&["toolset/name_twice", "toolset/listed_twice"])),
    ("5 an illegal name", Refused(&["options/name_illegal", "options/name_empty"])),
    (
        "6 hints that contradict each other",
        Refused(&[
            "options/idempotent_read",
            "options/key_on_read",
            "options/repeat_conflict",
            "options/confirm_conflict",
        ]),
    ),
    ("7 a root schema that is no object", Runs("threads.rs", "n10_any_argument_stands_in_an_object")),
    ("8 two argument structs, or one behind an alias", Passes(&["serde_types", "types_by_other_names"])),
    ("9 a tool that is nowhere registered", Runs("threads.rs", "a_tool_outside_of_the_toolset_is_not_there")),
    ("10 a conditional tool", Passes(&["conditional_tools"])),
    ("11 a `&str` parameter", Refused(&["parameters/borrowed_text"])),
    (
        "12 a type of no kind, told elsewhere",
        Refused(&["types/argument_of_no_kind", "types/argument_without_schema", "types/result_of_no_kind"]),
    ),
    (
        "13 functions of other kinds",
        Refused(&[
            "function/generic",
            "function/const_function",
            "function/unsafe_function",
            "function/extern_function",
            "parameters/impl_trait",
        ]),
    ),
    ("14 constraints of a parameter", Passes(&["all_options"])),
    ("15 reading and schema of two minds", Runs("threads.rs", "what_the_schema_says_is_what_is_read")),
    ("16 noise after a mistake", Refused(&["malformed/many_at_once", "toolset/broken_tool_is_told_once"])),
    (
        "17 a value of the wrong type taken for none",
        Runs("threads.rs", "n2_text_for_an_optional_number_is_refused_and_never_none"),
    ),
];

fn all() -> impl Iterator<Item = &'static (&'static str, Shown)> {
    RMCP.iter().chain(RIG).chain(LET_THROUGH)
}

#[test]
fn every_mistake_of_a_peer_is_caught_by_a_case() {
    let refused: Vec<String> = refused().into_iter().map(|case| case.name).collect();
    let passes: Vec<String> = rust_files(&folder().join("pass")).iter().map(|file| stem(file)).collect();
    for (mistake, shown) in all() {
        match shown {
            Refused(names) => {
                assert!(
                    !names.is_empty() && names.iter().all(|name| refused.iter().any(|known| known == name)),
                    "{mistake}"
                );
            }
            Passes(names) => {
                assert!(
                    !names.is_empty() && names.iter().all(|name| passes.iter().any(|known| known == name)),
                    "{mistake}"
                );
            }
            Runs(file, name) => {
                let source = fs::read_to_string(folder().join("../gate").join(file)).expect(file);
                assert!(source.contains(&format!("fn {name}()")), "{mistake}: no test `{name}` in tests/gate/{file}");
            }
            Unseen(why) => assert!(why.len() > 20, "{mistake}: why can't it be seen"),
        }
    }
}

#[test]
fn no_mistake_of_the_comparison_is_left_out() {
    for (list, count) in [(RMCP, 33), (RIG, 17), (LET_THROUGH, 17)] {
        let numbers: Vec<usize> =
            list.iter().map(|(mistake, _)| mistake.split(' ').next().unwrap_or("").parse().unwrap_or(0)).collect();
        assert_eq!(numbers, (1..=count).collect::<Vec<usize>>());
    }
}
