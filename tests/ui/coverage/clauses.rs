//! The compile-time review, clause by clause: what the macro promises to refuse, and the cases that hold
//! it to that. Clauses are in the words of this file; a new rule of the macro gets a line here.

use std::collections::BTreeSet;

use crate::cases::refused;

/// What is refused, and the cases that show it.
const CLAUSES: &[(&str, &[&str])] = &[
    // Options as written.
    (
        "an option that is not one, with the nearest",
        &[
            "malformed/unknown_option_near",
            "options/retry_option_unknown",
            "parameters/option_unknown",
            "types/field_option_unknown",
            "types/unknown_option",
        ],
    ),
    (
        "an option that is not one, with those there are",
        &["malformed/unknown_option_far", "malformed/option_of_a_later_issue"],
    ),
    ("an option given twice", &["options/coerce_twice", "malformed/option_twice", "parameters/option_twice"]),
    (
        "a value of the wrong kind",
        &[
            "options/coerce_no_list",
            "malformed/wrong_literal",
            "malformed/flag_with_value",
            "malformed/flag_with_colon",
            "malformed/word_without_quotes",
            "options/risk_without_quotes",
            "malformed/not_a_path",
            "options/permissions_no_list",
            "options/result_limit_no_number",
            "options/precondition_no_list",
            "options/key_kind",
            "parameters/default_no_literal",
        ],
    ),
    (
        "no value, no option, no comma",
        &[
            "malformed/value_missing",
            "malformed/value_missing_of_what_is_needed",
            "malformed/colon_for_equals",
            "options/retry_with_colons",
            "malformed/literal_for_an_option",
            "malformed/no_comma",
            "parameters/options_empty",
        ],
    ),
    (
        "a value out of its set",
        &[
            "options/risk_unknown",
            "options/policy_unknown",
            "options/policy_unknown_once",
            "options/coerce_unknown",
            "options/coerce_unknown_far",
            "options/output_unknown",
            "options/result_limit_small",
            "options/retry_too_often",
            "types/rename_all_unknown",
        ],
    ),
    (
        "a text or list that says nothing",
        &[
            "options/coerce_empty",
            "options/title_empty",
            "options/permissions_empty",
            "options/repeatable_without_reason",
            "parameters/not_a_resource_silent",
        ],
    ),
    ("a policy written as an option of its own", &["options/fallback_alone", "options/retry_alone"]),
    ("a facade by a path that differs from module to module", &["malformed/crate_relative"]),
    ("an item that is no function", &["function/no_body", "malformed/not_a_function"]),
    // What must be said.
    ("no risk", &["options/risk_missing", "options/risk_missing_without_parentheses"]),
    (
        "no description of tool, parameter or part",
        &[
            "options/tool_undescribed",
            "options/described_by_nothing",
            "parameters/undescribed",
            "types/undescribed_parts",
        ],
    ),
    // Effects, and what follows from them.
    ("an effect without a word about repeats", &["options/repeat_missing", "options/repeat_conflict"]),
    (
        "a risk that needs a person, and asks nobody",
        &["options/dangerous_unconfirmed", "options/external_unconfirmed", "options/confirm_conflict"],
    ),
    ("a reason for not asking where nobody is asked", &["options/unconfirmed_write"]),
    ("a dangerous tool that goes on after a failure", &["options/dangerous_that_goes_on"]),
    ("a retry of what must not run twice", &["options/retry_of_once"]),
    ("a fallback on itself", &["options/fallback_on_itself"]),
    (
        "a word about repeats, asking or closing on a read",
        &["options/idempotent_read", "options/key_on_read", "options/confirm_on_read", "options/abort_on_read"],
    ),
    (
        "a hook or a mark on a read, or one that nothing asks",
        &[
            "options/effects_on_read",
            "options/effects_unknown",
            "options/reconcile_idle",
            "options/reconcile_on_read",
            "options/settle_alone",
            "options/verify_idle",
        ],
    ),
    ("a hook of another signature", &["types/reconcile_signature", "types/verify_signature"]),
    (
        "a key of a tool without keys, or of what is no argument",
        &["options/key_on_repeatable", "options/key_unknown", "options/key_unknown_far", "options/key_of_the_reason"],
    ),
    // Confirmations.
    (
        "a confirmation that names what is no argument",
        &["options/confirm_unknown_placeholder", "options/confirm_names_no_argument"],
    ),
    (
        "a confirmation with braces that don't match",
        &["options/confirm_brace_open", "options/confirm_brace_closed", "options/confirm_braces_empty"],
    ),
    ("a confirmation that says nothing", &["options/confirm_empty"]),
    ("a confirmation that shows what is sensitive", &["options/confirm_shows_sensitive"]),
    // Times, names, permissions.
    (
        "a timeout of nothing, less, or more than a day",
        &["options/timeout_zero", "options/timeout_negative", "options/timeout_long"],
    ),
    ("a duration that is none", &["options/timeout_unparsable"]),
    ("a call in the background without an end", &["options/background_endless"]),
    ("a name that providers refuse", &["options/name_illegal", "options/name_empty"]),
    ("a permission that is no word, or stands twice", &["options/permission_illegal", "options/permission_twice"]),
    // Preconditions.
    ("an expression that can't be read", &["options/precondition_syntax", "options/precondition_cut_off"]),
    (
        "an expression that names what is not there",
        &[
            "options/precondition_arguments",
            "options/precondition_variables",
            "options/precondition_variable",
            "options/precondition_argument",
        ],
    ),
    (
        "a precondition without a tool, or on itself",
        &["options/precondition_without_tool", "options/precondition_on_itself", "options/precondition_on_no_tool"],
    ),
    (
        "a precondition that leaves a shared parameter loose",
        &["options/precondition_unbound", "toolset/precondition_unbound"],
    ),
    // Constraints of arguments.
    (
        "constraints that contradict each other",
        &[
            "parameters/lengths_swapped",
            "parameters/range_swapped",
            "parameters/range_of_nothing",
            "parameters/one_of_with_pattern",
            "parameters/one_of_twice",
        ],
    ),
    (
        "a constraint that the type can't have",
        &[
            "parameters/pattern_on_number",
            "parameters/range_on_text",
            "parameters/items_on_text",
            "parameters/range_with_fraction",
            "parameters/range_beyond_the_type",
            "parameters/range_inexact",
            "parameters/range_open_ended",
            "types/bounds_of_another_kind",
            "types/bounds_on_a_struct",
        ],
    ),
    ("a pattern that is no regular expression", &["parameters/pattern_broken", "parameters/pattern_looks_around"]),
    ("a pattern that JSON Schema reads differently", &["parameters/pattern_of_two_meanings"]),
    (
        "a default or example that the tool refuses",
        &[
            "parameters/default_outside_range",
            "parameters/default_of_another_kind",
            "parameters/default_beyond_the_type",
            "parameters/default_unlike_the_pattern",
            "parameters/default_with_items_beyond_the_type",
            "parameters/default_and_range_at_once",
            "parameters/example_not_listed",
        ],
    ),
    (
        "a reason that is no text, hidden, or one too many",
        &[
            "types/reason_twice",
            "parameters/reason_no_text",
            "parameters/reason_sensitive",
            "parameters/reason_destination",
            "parameters/reason_twice",
        ],
    ),
    // Resources.
    ("free text whose name says that it is a file", &["parameters/resource_path", "parameters/resource_paths"]),
    ("free text whose name says that it is on the network", &["parameters/resource_host"]),
    ("a denial of what nobody says", &["types/not_a_resource_idle", "parameters/not_a_resource_idle"]),
    // What a parameter may be.
    (
        "a borrowed parameter",
        &[
            "parameters/borrowed_cow",
            "parameters/borrowed_text",
            "parameters/borrowed_inside",
            "parameters/path_of_std_borrowed",
            "parameters/state_unmarked",
        ],
    ),
    ("a parameter of a type without a name", &["parameters/impl_trait"]),
    (
        "a type of the standard library that a model can't fill",
        &["parameters/path_of_std", "parameters/text_of_the_machine", "types/part_path_of_std"],
    ),
    ("a parameter that is taken apart", &["parameters/pattern"]),
    ("a `self`", &["function/method"]),
    ("parameters without an end", &["function/variadic"]),
    ("a conditional parameter", &["parameters/conditional"]),
    (
        "a context or host state that is not lent",
        &[
            "parameters/context_by_value",
            "parameters/context_twice",
            "parameters/context_with_options",
            "parameters/state_by_value",
            "parameters/state_not_shared",
            "parameters/state_with_options",
        ],
    ),
    // One struct as all arguments.
    (
        "a struct of all arguments that is none, or not alone",
        &[
            "parameters/args_enum",
            "parameters/args_list",
            "parameters/args_newtype",
            "parameters/args_of_no_kind",
            "parameters/args_borrowed",
            "parameters/args_twice",
            "parameters/args_beside_another",
            "parameters/args_on_the_context",
            "parameters/args_with_options",
            "parameters/args_with_parentheses",
        ],
    ),
    (
        "an option that names what is none of its fields",
        &[
            "options/args_key_unknown",
            "options/args_key_of_the_reason",
            "options/args_placeholder_unknown",
            "options/args_placeholder_sensitive",
            "options/args_precondition_argument",
            "options/args_precondition_unbound",
        ],
    ),
    ("a field of it whose name says that it is a resource", &["parameters/args_with_a_path_as_text"]),
    // What a function may be.
    ("a generic function", &["function/generic_with_where", "function/generic"]),
    (
        "an unsafe, extern or const function",
        &["function/unsafe_function", "function/extern_function", "function/const_function"],
    ),
    (
        "a function that can't say that it failed",
        &[
            "function/returns_a_future",
            "function/returns_nothing",
            "function/returns_no_result",
            "function/returns_an_alias_of_no_result",
        ],
    ),
    (
        "a result or error that can't be told",
        &[
            "function/question_mark_on_a_boxed_error",
            "types/cause_of_no_kind",
            "function/returns_borrowed",
            "function/returns_unnamed",
            "function/returns_unnamed_error",
            "types/result_of_no_kind",
            "types/error_of_no_kind",
        ],
    ),
    ("a future that stays on its thread", &["function/future_not_send"]),
    (
        "an argument that can't be read, in one error at the type",
        &["types/argument_of_no_kind", "types/argument_of_no_kind_in_a_list", "types/argument_without_schema"],
    ),
    // Types.
    (
        "a type that has no form a model could fill",
        &[
            "types/union",
            "types/generic",
            "types/tuple",
            "types/tuple_variant",
            "types/unit_struct",
            "types/no_variants",
            "types/part_of_no_kind",
        ],
    ),
    (
        "a type with options that don't fit it",
        &[
            "types/both_directions",
            "types/rename_all_on_a_struct",
            "types/newtype_field_options",
            "types/field_option_of_parameters",
            "types/conditional_field",
            "types/word_twice",
        ],
    ),
    // Toolsets.
    ("a list that is none", &["toolset/no_list", "toolset/no_item", "toolset/no_path", "toolset/other_attribute"]),
    (
        "an entry that is no tool",
        &[
            "toolset/function_inside_a_function",
            "toolset/module_of_its_name",
            "toolset/no_tool",
            "toolset/no_such_tool",
            "toolset/function_without_attribute",
        ],
    ),
    ("two tools of one name", &["toolset/name_twice", "toolset/listed_twice", "toolset/expression"]),
    ("a precondition outside of the set", &["toolset/precondition_outside", "toolset/precondition_misspelt"]),
    ("preconditions in a circle", &["toolset/precondition_circle", "toolset/precondition_on_itself_by_path"]),
    (
        "a fallback outside of the set, or that fits not",
        &["toolset/fallback_outside", "toolset/fallback_risks_more", "toolset/fallback_with_other_parameters"],
    ),
    // All of it together.
    ("every mistake in one compile", &["malformed/many_at_once", "toolset/many_at_once"]),
    ("nothing that follows from a mistake", &["toolset/broken_tool_is_told_once", "malformed/many_at_once"]),
];

#[test]
fn every_clause_has_its_cases() {
    let cases: BTreeSet<String> = refused().into_iter().map(|case| case.name).collect();
    for (clause, names) in CLAUSES {
        assert!(!names.is_empty(), "{clause}");
        for name in *names {
            assert!(cases.contains(*name), "{clause}: there is no case {name}");
        }
    }
}

#[test]
fn every_case_belongs_to_a_clause() {
    let listed: BTreeSet<&str> = CLAUSES.iter().flat_map(|(_, names)| names.iter().copied()).collect();
    let loose: Vec<String> =
        refused().into_iter().map(|case| case.name).filter(|name| !listed.contains(name.as_str())).collect();
    assert_eq!(loose, Vec::<String>::new(), "a line of `CLAUSES` says what is refused there");
}
