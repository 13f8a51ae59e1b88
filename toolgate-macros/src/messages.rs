//! Every message of the macros in one place, each with what brings it about. Not where they point,
//! which the checks decide. The messages across a toolset are beside their checks, in
//! `toolgate_core::spec::set`.
//!
//! A message names the thing, the fault and the repair: lower-case, one line, no full stop, input in
//! backticks.

use std::fmt::Display;

macro_rules! messages {
    ($($(#[doc = $doc:literal])+ $name:ident($($arg:ident),*) = $text:literal;)*) => {
        $($(#[doc = $doc])+ pub(crate) fn $name($($arg: impl Display),*) -> String { format!($text) })*

        /// Name, text and cause of each message.
        #[cfg(test)]
        pub(crate) const ALL: &[(&str, &str, &str)] =
            &[$((stringify!($name), $text, concat!($($doc, "\n"),+))),*];
    };
}

messages! {
    /// An option that is not one, with the nearest one known.
    unknown_option_near(key, near) = "unknown option `{key}`; did you mean `{near}`?";
    /// An option that is not one.
    unknown_option(key, known) = "unknown option `{key}`, expected one of: {known}";
    /// An option is given a second time.
    option_twice(key) = "`{key}` is given twice; keep one";
    /// Something stands where the name of an option should.
    option_expected() = "expected an option such as `risk = \"read\"`";
    /// Something stands after an option that does not belong there.
    comma_expected(key) = "expected a comma after `{key}`";
    /// A sign other than `=` stands between an option and its value.
    equals_expected(key) = "`{key}` takes its value behind `=`; write `{key} = ..`";
    /// A value that is no literal, path, list or call.
    value_expected(key) = "`{key} =` has no value that an attribute can hold; give a literal, a path or a list";
    /// A flag is given a value.
    flag_takes_nothing(key) = "`{key}` takes no value; write just `{key}`";
    /// An option that takes a text has something else.
    text_expected(key) = "`{key}` takes a text in quotes: `{key} = \"..\"`";
    /// An option that takes a text has a word without quotes.
    text_unquoted(key, word) = "`{key}` takes a text in quotes; write `{key} = \"{word}\"`";
    /// A text that must say something is empty.
    text_empty(key) = "`{key}` says nothing; write the text between the quotes";
    /// An option that takes a whole number has something else.
    count_expected(key, limit) = "`{key}` takes a whole number up to {limit}, without suffix: `{key} = 100`";
    /// A number outside of what the option allows.
    count_out_of_range(key, low, high) = "`{key}` must be between {low} and {high}";
    /// An option that takes a path to a function has something else.
    path_expected(key) = "`{key}` takes a path: `{key} = my_function`";
    /// A list of texts is something else.
    texts_expected(key) = "`{key}` takes a list of texts: `{key} = [\"..\", \"..\"]`";
    /// A list has no items.
    list_empty(key) = "`{key}` lists nothing; name at least one, or remove it";
    /// A list has the same item twice.
    listed_twice(key, item) = "`{key}` lists `{item}` twice; keep one";
    /// A duration is not one.
    duration_expected(key) = "`{key}` takes a duration: seconds as a number, or a text such as `\"500ms\"`, `\"10s\"`, `\"5m\"`, `\"1h\"`";
    /// A duration of nothing or of less.
    duration_zero(key) = "`{key}` must be longer than zero";
    /// A duration longer than the option allows.
    duration_long(key, limit) = "`{key}` is at most {limit}";
    /// The path of the toolgate crate could mean different things in different modules.
    crate_path(key) = "`{key}` takes an absolute path to toolgate: `crate = ::gate`";

    /// `#[tool]` on something that is no function.
    not_a_function() = "`#[tool]` goes on a function; this is none";
    /// A function that is half typed.
    function_unfinished(part) = "the function is not finished, {part} is missing; write `fn name(..) -> Result<.., ToolError> {{ .. }}`";
    /// A function with something in it that can't be read.
    function_unreadable(tool) = "`{tool}` can't be read as a function; write `fn {tool}(..) -> Result<.., ToolError> {{ .. }}`";
    /// Something stands behind the function's body.
    function_trailing() = "something stands behind the function's body; remove it";
    /// A parameter that is half typed.
    parameter_unfinished(parameter) = "parameter `{parameter}` can't be read; write `{parameter}: Type`";
    /// A return type that is half typed.
    return_unfinished(tool) = "what `{tool}` returns can't be read; write `-> Result<.., ToolError>`";
    /// A tool without a risk level.
    risk_missing(tool) = "`{tool}` does not say its risk; add `risk = \"read\"`, `\"write\"`, `\"external\"` or `\"dangerous\"`";
    /// A risk level that is no text in quotes.
    risk_expected() = "`risk` takes one of `\"read\"`, `\"write\"`, `\"external\"` and `\"dangerous\"`, with the quotes";
    /// A risk level that is none.
    risk_unknown(word) = "unknown risk `{word}`, expected one of: `read`, `write`, `external`, `dangerous`";
    /// A trust in results that is none.
    output_unknown(word) = "unknown output `{word}`, expected `untrusted` (strangers write it: a web page, an e-mail, a ticket) or `trusted`";
    /// A tool without a doc comment.
    tool_undescribed(tool) = "`{tool}` has no description; the model reads the doc comment: write `/// ..` above the function";
    /// A parameter without a doc comment.
    parameter_undescribed(parameter) = "parameter `{parameter}` has no description; the model reads it: write `/// ..` above the parameter";
    /// A tool name that providers refuse.
    name_illegal(name) = "tool name `{name}` is not allowed; use 1 to 64 of `a-z`, `A-Z`, `0-9`, `_` and `-`";
    /// A permission that is no word.
    permission_illegal(word) = "permission `{word}` is not allowed; use a word such as `write:service`, without spaces";

    /// A repair of arguments that is not one, with the nearest one known.
    repair_unknown_near(word, near) = "unknown repair `{word}`; did you mean `{near}`?";
    /// A repair of arguments that is not one.
    repair_unknown(word, known) = "unknown repair `{word}`, expected some of: {known}";

    /// A tool that changes something and does not say how repeats are treated.
    repeat_missing(tool) = "`{tool}` changes something and does not say how repeats are treated; add `idempotent` (twice is like once), `once` (one effect for a key) or `repeatable = \"why\"`";
    /// Two answers to how repeats are treated.
    repeat_conflict(first, second) = "`{first}` and `{second}` contradict each other; keep one";
    /// An option about repeats on a tool that only reads.
    repeat_on_read(key, tool) = "`{key}` has no effect on `{tool}`, which only reads, and a read is never deduplicated; remove it, or correct `risk`";
    /// A key on a tool whose calls carry none.
    key_on_repeatable(tool) = "`key` has no effect on `{tool}`, which is `repeatable`; remove one of the two";
    /// A check of recorded results on a tool whose recorded results are never doubted.
    verify_idle(tool) = "`verify` has no effect on `{tool}`, which is not `idempotent`: its recorded result is never doubted; remove it, or say `idempotent`";
    /// A question about runs in doubt on a tool that such a run doesn't hold up.
    reconcile_idle(tool) = "`reconcile` has no effect on `{tool}`, which is not `once`: no run in doubt holds it up; remove it, or say `once`";
    /// A delay before a question that is never asked.
    settle_alone() = "`settle` is how long `reconcile` waits, and there is none; add `reconcile = my_function`, or remove it";
    /// Effects that are neither marked nor left out.
    effects_unknown(word) = "unknown effects `{word}`, expected `marked` (the tool says with `ctx.effect_starts()?` when its effect begins), or none of it";
    /// Marked effects on a tool that has none.
    effects_on_read(tool) = "`effects` has no effect on `{tool}`, which only reads; remove it, or correct `risk`";
    /// A key rule that is neither.
    key_expected() = "`key` takes the parameters that scope it, `key = [\"order_id\"]`, or `key = \"host\"`";
    /// A key that names what is no parameter.
    key_unknown(name, known) = "`key` names `{name}`, which is no argument of this tool; it has: {known}";
    /// A key that names what is no parameter, with the nearest one.
    key_unknown_near(name, near) = "`key` names `{name}`, which is no argument of this tool; did you mean `{near}`?";
    /// A key that names the model's reason.
    key_of_reason(name) = "`key` names `{name}`, which is the model's reason and not part of the operation; remove it";

    /// A tool that needs a person and does not ask one.
    confirm_missing(tool, risk) = "`{tool}` is `{risk}` and asks nobody; add `confirm = \"..\"`, or say why not with `unconfirmed = \"why\"`";
    /// Both asked and not asked.
    confirm_conflict() = "`confirm` and `unconfirmed` contradict each other; keep one";
    /// A confirmation on a tool that only reads.
    confirm_on_read(key, tool) = "`{key}` has no effect on `{tool}`, which only reads; remove it or set `risk = \"write\"`";
    /// A reason for not asking where nobody would be asked.
    unconfirmed_idle(tool) = "`unconfirmed` has no effect on `{tool}`, whose risk is `write`; remove it";
    /// A confirmation text that names what is no parameter, with the nearest one.
    placeholder_unknown_near(name, near) = "`confirm` names `{{{name}}}`, which is no argument of this tool; did you mean `{{{near}}}`?";
    /// A confirmation text that names what is no parameter.
    placeholder_unknown(name, known) = "`confirm` names `{{{name}}}`, which is no argument of this tool; it has: {known}";
    /// A confirmation text that would show what is to be kept out of texts.
    placeholder_sensitive(name) = "`confirm` shows `{{{name}}}`, which is `sensitive`; take it out of the text";
    /// A brace that is not closed.
    brace_unclosed(column) = "`confirm` has a `{{` at column {column} that is not closed; close it, or write `{{{{` for the brace itself";
    /// A brace that is not opened.
    brace_unopened(column) = "`confirm` has a `}}` at column {column} that closes nothing; remove it, or write `}}}}` for the brace itself";
    /// Braces around something that is no name.
    brace_no_name(column) = "`confirm` has braces at column {column} without the name of an argument between them; write `{{name}}`, or `{{{{` for the brace itself";

    /// A precondition without a tool.
    precondition_tool_missing() = "this precondition names no tool; add `tool = other_tool`";
    /// A precondition that is no list of options.
    precondition_expected() = "`precondition` takes options: `precondition(tool = other_tool, when = \"..\")`";
    /// A precondition on the tool itself.
    precondition_on_itself(tool) = "`{tool}` has a precondition on itself and could never be called; name another tool";
    /// A precondition whose expression can't be read.
    expression_wrong(part, fault) = "`when` can't be read at `{part}`: {fault}";
    /// A precondition whose expression can't be read and no part is to blame.
    expression_broken(fault) = "`when` can't be read: {fault}";
    /// A precondition that reads an argument this tool does not have.
    expression_argument(name, known) = "`when` reads `args.{name}`, which is no argument of this tool; it has: {known}";

    /// A failure policy that is none.
    policy_unknown() = "`failure_policy` takes `\"abort\"`, `\"abort_and_alert\"`, `\"retry\"`, `retry(max = 2, backoff = \"200ms\")` or `fallback = other_tool`";
    /// A failure policy that is none, on a tool that can't be run again.
    policy_unknown_once() = "`failure_policy` takes `\"abort\"`, `\"abort_and_alert\"` or `fallback = other_tool`";
    /// A fallback written as an option of its own.
    fallback_alone() = "`fallback` is a failure policy; write `failure_policy(fallback = other_tool)`";
    /// A retry written as an option of its own.
    retry_alone() = "`retry` is a failure policy; write `failure_policy = retry(max = 2, backoff = \"200ms\")`";
    /// A retry of what must not be run again.
    retry_unsafe(tool) = "`{tool}` can't be retried, because running it twice may have two effects; make it `idempotent`, or choose `failure_policy = \"abort\"`";
    /// A dangerous tool that goes on after a failure.
    policy_dangerous(tool) = "`{tool}` is `dangerous`, and after a failure a person must look; use `failure_policy = \"abort_and_alert\"` or leave it out";
    /// A tool that only reads, closed for effects that it doesn't have.
    abort_on_read(tool) = "`abort` has no effect on `{tool}`, which only reads: it closes a tool for what it changes; leave `failure_policy` out, or use `\"abort_and_alert\"` to stop what else the session changes";
    /// A fallback on the tool itself.
    fallback_on_itself(tool) = "`{tool}` falls back on itself; name another tool, or leave `failure_policy` out";

    /// A parameter that is `self`.
    parameter_self() = "a tool has no `self`; make it a free function and take host state with `#[state] name: &Type`";
    /// A parameter without a name.
    parameter_pattern() = "a tool's parameter is a plain name, which the model uses; take the value apart inside the function";
    /// A parameter that is borrowed.
    parameter_borrowed(parameter, owned) = "parameter `{parameter}` is borrowed, but arguments are handed over; take `{owned}`, or mark host state with `#[state]`";
    /// A parameter that is borrowed, of a type that may be the host's.
    parameter_borrowed_state(parameter, owned) = "parameter `{parameter}` is borrowed, as only host state may be; mark it with `#[state]`, or take `{owned}` if the model is to fill it";
    /// A parameter that is part of a type that is borrowed.
    parameter_lifetime(parameter) = "parameter `{parameter}` holds something borrowed, but arguments are handed over; take an owned type";
    /// A parameter of a type that is not named.
    parameter_unnamed_type(parameter) = "parameter `{parameter}` has no type that a model could fill; take a named type";
    /// A context that is not borrowed.
    context_borrowed(parameter) = "`{parameter}` is the context, which is lent to a tool; take `&Context`";
    /// A second context.
    context_twice() = "a tool has one context; remove the second `&Context`";
    /// Host state that is not behind a plain reference.
    state_borrowed(parameter) = "`{parameter}` is host state, which is lent to a tool; take it as `{parameter}: &Type`";
    /// `#[state]` with something in it.
    state_takes_nothing() = "`#[state]` takes no options; write just `#[state]`";
    /// `#[arg]` on what is no argument.
    arg_on_injected(parameter) = "`{parameter}` is injected and no argument of the model's; remove `#[arg(..)]`";
    /// A parameter that is there only sometimes.
    parameter_cfg(parameter) = "parameter `{parameter}` can't be conditional, because the model must know it; put `#[cfg]` on the whole function";
    /// `#[args]` with something in parentheses.
    args_takes_nothing() = "`#[args]` takes nothing; write just `#[args]`";
    /// Two structs of arguments.
    args_twice() = "`#[args]` is given twice, but one struct holds all arguments; put the fields into one";
    /// An argument beside the struct that holds all of them.
    args_beside(parameter, input) = "parameter `{parameter}` stands beside `#[args] {input}`, whose fields are all the arguments; move it into that struct";
    /// `#[args]` on a parameter that is no argument.
    args_on_injected(parameter) = "`#[args]` has no effect on `{parameter}`, which is injected and not an argument; remove it";
    /// Options on the struct of all arguments.
    args_with_options(parameter) = "`#[arg]` has no effect on `{parameter}`, whose fields are the arguments; put it on the fields";
    /// `#[arg]` without options.
    arg_empty() = "`#[arg]` takes options: `#[arg(max_length = 200)]`";

    /// A function with type, lifetime or const parameters.
    function_generic(tool) = "`{tool}` is generic, but a model can't choose types; take concrete types";
    /// A function that is unsafe.
    function_unsafe(tool) = "`{tool}` is `unsafe`, but a model can't keep a safety contract; make the function safe";
    /// A function with a foreign calling convention.
    function_extern(tool) = "`{tool}` is `extern`; a tool is a plain Rust function";
    /// A function that is const.
    function_const(tool) = "`{tool}` is `const`; a tool is a plain Rust function";
    /// A function with open-ended parameters.
    function_variadic(tool) = "`{tool}` is variadic; a tool's parameters are all named";
    /// A function that can't say that it failed.
    return_missing(tool) = "`{tool}` returns nothing, so a failure can't be told; return `Result<(), ToolError>`";
    /// A function that returns something that is no `Result`.
    return_no_result(tool) = "`{tool}` does not return a `Result`, so a failure can't be told; return `Result<.., ToolError>`";
    /// A function that returns a future instead of being `async`.
    return_future(tool) = "`{tool}` returns a future; make it `async fn {tool}`, await inside, and return `Result<.., ToolError>`";

    /// A function whose result has no name.
    return_unnamed(tool) = "the result of `{tool}` has no type that can be told; return a named type";
    /// A function whose error has no name, such as `Box<dyn Error>`.
    return_error(tool) = "the error of `{tool}` is none that can be told; return `Result<.., ToolError>`, and `?` turns any error into it that has a type of its own";
    /// A function whose result is borrowed.
    return_borrowed(tool) = "the result of `{tool}` is borrowed, but results are handed over; return an owned type";

    /// A constraint on a type that it can't hold for.
    constraint_type(key, name, kind, wanted) = "`{key}` does not fit `{name}`, which is {kind}; it is for {wanted}";
    /// A constraint that nothing can meet.
    constraint_empty(low, high) = "`{low}` is more than `{high}`, so nothing fits; swap them";
    /// A range that is no range.
    range_expected() = "`range` takes a range of numbers: `range = 1..=10`, `1..` or `..=10`";
    /// A range without its last value on a number that is not whole.
    range_exclusive() = "`range` of a number that is not whole includes its end; write `..=`";
    /// A range in which no value lies.
    range_empty(low, high) = "`range` from {low} to {high} holds no value; swap the ends";
    /// A range that goes beyond the type.
    range_beyond(end, kind, low, high) = "`range` ends at {end}, but {kind} goes from {low} to {high}; stay within it";
    /// A range in numbers that are not whole on a whole number.
    range_fraction(name) = "`range` has a fraction, but `{name}` is a whole number; use whole ends";
    /// A range in numbers too large to be exact in JSON.
    range_inexact() = "`range` goes beyond 2^53-1, where JSON numbers are not exact; stay within it";
    /// A pattern that can't be read.
    pattern_wrong(fault) = "`pattern` is not a regular expression: {fault}";
    /// A pattern that JSON Schema's dialect reads differently.
    pattern_dialect(part, repair) = "`{part}` in `pattern` means different things in Rust and in JSON Schema; {repair}";
    /// A closed set of words with further constraints.
    one_of_bounded(key) = "`{key}` has no effect beside `one_of`, which lists all words; remove one of the two";
    /// A value given as default or example that the type can't hold.
    value_type(key, name, kind) = "`{key}` does not fit `{name}`, which is {kind}; give a value of that kind";
    /// A number given as default or example that is too small or too large for the type.
    value_beyond(key, value, kind, low, high) = "`{key}` is {value}, but {kind} goes from {low} to {high}; stay within it";
    /// A value given as default or example that a constraint forbids.
    value_refused(key, constraint) = "`{key}` is refused by `{constraint}`; choose a value that the tool accepts";
    /// A value that is no literal.
    value_literal(key) = "`{key}` takes a literal: a number, a text, `true`, `false` or a list of them";
    /// A type of the standard library that a model's words can't fill.
    parameter_type(parameter, ty, repair) = "`{parameter}` has the type `{ty}`, which a model can't fill; take {repair}";
    /// Two reasons.
    reason_twice() = "a call has one stated reason; keep one `#[arg(reason)]`";
    /// A reason that is no text.
    reason_type(parameter) = "`{parameter}` is the model's reason, which is text; make it a `String`";
    /// A reason that nobody may see.
    reason_sensitive(parameter) = "`{parameter}` is the reason shown to the approver and can't be `sensitive`; keep one of the two";
    /// A reason that is sent somewhere.
    reason_destination(parameter) = "`{parameter}` is the reason shown to the approver and no `destination`; keep one of the two";
    /// A text whose name says that it is a file.
    resource_path(parameter, word) = "`{parameter}` is free text, but `{word}` says it names a file; take `ReadPath`, `WritePath`, `DirPath` or `EntryPath`, or say `#[arg(not_a_resource = \"why\")]`";
    /// A text whose name says that it is a place on the network.
    resource_host(parameter, word) = "`{parameter}` is free text, but `{word}` says it names a place on the network; take `HttpUrl` or a type of its own, or say `#[arg(not_a_resource = \"why\")]`";
    /// A denial of what nobody says.
    not_a_resource_idle(parameter) = "`not_a_resource` has no effect on `{parameter}`, whose name and type don't say that it is one; remove it";

    /// `#[tool_type]` on something that it can't describe.
    type_item() = "`#[tool_type]` goes on a struct or an enum; this is neither";
    /// A type with parameters.
    type_generic(name) = "`{name}` is generic, but its form must be known; make it concrete";
    /// A struct whose fields have no names.
    type_tuple(name) = "`{name}` has several fields without names; name them, or keep one";
    /// A struct or variant without fields.
    type_empty(name) = "`{name}` holds nothing that a model could fill; give it a field";
    /// An enum without variants.
    type_no_variants(name) = "`{name}` has no variants, so nothing fits; give it one";
    /// A field of an enum variant that has no name.
    variant_tuple(name) = "variant `{name}` has several fields without names; name them, or keep one";
    /// An option of a newtype on something else.
    bounds_on_newtype_only(key) = "`{key}` is for newtypes such as `struct Name(String)`; put it on the field with `#[arg({key} = ..)]`";
    /// An option of an enum on something else.
    rename_all_on_enum_only() = "`rename_all` is for enums; use `#[arg(rename = \"..\")]` on the field";
    /// A case that is none.
    rename_all_unknown(word) = "unknown case `{word}`, expected one of: `snake_case`, `kebab-case`, `camelCase`, `PascalCase`, `SCREAMING_SNAKE_CASE`, `lowercase`, `UPPERCASE`";
    /// A field of a type for arguments without a doc comment.
    part_undescribed(name) = "`{name}` has no description; the model reads it: write `/// ..` above it, or say `#[tool_type(result)]` if the type is never an argument";
    /// Two variants or fields have the same word on the wire.
    word_twice(word) = "`{word}` stands for two things here; give one of them `#[arg(rename = \"..\")]`";
    /// A type that is neither an argument nor a result.
    type_direction() = "`argument` and `result` are both the default; remove both";
    /// A field of a newtype with options of its own.
    newtype_field_options(name) = "constraints of the newtype `{name}` go on the type: `#[tool_type(..)]`";
    /// A field or variant that is there only sometimes.
    type_cfg() = "a part of a tool type can't be conditional, because the model must know it; put `#[cfg]` on the whole type";

    /// An entry of a toolset that is no path.
    entry_expected() = "a toolset lists tools by path: `toolset![look, db::query]`";
    /// An attribute on an entry of a toolset.
    entry_attribute() = "an entry of a toolset can only carry `#[cfg(..)]`";
    /// A toolset item that can't be read.
    toolset_item() = "write `toolset![look, db::query]`, or `toolset! {{ pub static TOOLS = [look, db::query]; }}`";
}

#[cfg(test)]
mod tests {
    use super::ALL;

    #[test]
    fn every_message_is_one_line_in_the_house_style() {
        for (name, text, cause) in ALL {
            assert!(!text.contains('\n'), "{name}: one line");
            assert!(!text.ends_with('.') || text.ends_with(".."), "{name}: no full stop");
            assert!(!text.starts_with(|letter: char| letter.is_uppercase()), "{name}: lower-case");
            assert!(cause.trim().ends_with('.'), "{name}: the cause is a sentence");
        }
    }

    #[test]
    fn messages_fill_their_places() {
        assert_eq!(
            super::placeholder_sensitive("pin"),
            "`confirm` shows `{pin}`, which is `sensitive`; take it out of the text"
        );
        assert!(super::brace_unclosed(3).starts_with("`confirm` has a `{` at column 3"));
    }
}
