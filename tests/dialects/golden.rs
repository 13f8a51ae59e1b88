//! Files of what is expected, `tests/golden/<dialect>/<group>.json`. `TOOLGATE_UPDATE_GOLDEN=1` writes them
//! anew; what changed is then for `git diff`.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use toolgate::dialect::{Dialect, ToolsForModel};

use super::{groups, registered};

/// Holds a text against its file.
pub(crate) fn assert_golden(path: &str, text: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(path);
    if std::env::var_os("TOOLGATE_UPDATE_GOLDEN").is_some_and(|value| value == "1") {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, text).unwrap();
        return;
    }
    let expected = fs::read_to_string(&file).unwrap_or_default();
    if expected != text {
        let differing = expected.lines().zip(text.lines()).position(|(left, right)| left != right);
        let line = differing.unwrap_or_else(|| expected.lines().count().min(text.lines().count()));
        panic!(
            "tests/golden/{path}:{}: expected `{}`, got `{}` (TOOLGATE_UPDATE_GOLDEN=1 writes it anew)",
            line + 1,
            expected.lines().nth(line).unwrap_or_default(),
            text.lines().nth(line).unwrap_or_default(),
        );
    }
}

/// JSON text with a line for each member, in the order it has; what is short stays on its line.
pub(crate) fn pretty(text: &str) -> String {
    let mut out = String::new();
    write_pretty(text, 0, &mut out);
    out.push('\n');
    out
}

fn write_pretty(text: &str, depth: usize, out: &mut String) {
    let open = text.chars().next().unwrap_or(' ');
    if text.len() + depth * 2 <= 110 || !matches!(open, '{' | '[') {
        out.push_str(text);
        return;
    }
    out.push(open);
    let inner = &text[1..text.len() - 1];
    for (index, part) in split(inner, ',').into_iter().enumerate() {
        out.push_str(if index == 0 { "\n" } else { ",\n" });
        out.push_str(&"  ".repeat(depth + 1));
        match split(part, ':').as_slice() {
            [name, value] if open == '{' => {
                let _ = write!(out, "{name}: ");
                write_pretty(value, depth + 1, out);
            }
            _ => write_pretty(part, depth + 1, out),
        }
    }
    let _ = write!(out, "\n{}{}", "  ".repeat(depth), if open == '{' { '}' } else { ']' });
}

/// The parts between separators outside of strings and brackets.
fn split(text: &str, separator: char) -> Vec<&str> {
    let (mut parts, mut start, mut depth, mut in_string, mut escaped) = (Vec::new(), 0, 0, false, false);
    for (at, letter) in text.char_indices() {
        match letter {
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            '{' | '[' if !in_string => depth += 1,
            '}' | ']' if !in_string => depth -= 1,
            _ if letter == separator && !in_string && depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

#[test]
fn every_dialect_says_these_tools_as_its_golden_files_have_them() {
    for dialect in Dialect::ALL {
        for (group, entries) in groups() {
            let (tools, faults) = registered(entries);
            let tools = ToolsForModel::new(*dialect, &tools);
            let mut text = pretty(&tools.to_text());
            for tool in tools.tools() {
                for note in &tool.schema.notes {
                    let _ = writeln!(text, "// {}: {note}", tool.name);
                }
            }
            for refused in tools.refused() {
                let _ = writeln!(text, "// refused: {refused}");
            }
            for fault in faults {
                let _ = writeln!(text, "// no tool: {fault}");
            }
            // Comments aren't JSON; the ending says so.
            assert_golden(&format!("{dialect}/{group}.jsonc"), &text);
        }
    }
}

#[test]
fn the_form_of_responses_is_flat_and_says_strict_each_time() {
    let (tools, _) = registered(super::facts::TOOLS.entries);
    for dialect in [Dialect::OpenAi, Dialect::OpenAiStrict] {
        let tools = ToolsForModel::new(dialect, &tools);
        for (flat, nested) in tools.for_responses().as_array().unwrap().iter().zip(tools.to_json().as_array().unwrap())
        {
            assert_eq!((&flat["type"], flat["strict"].is_boolean()), (&"function".into(), true));
            for member in ["name", "description", "parameters", "strict"] {
                assert_eq!(flat[member], nested["function"][member]);
            }
        }
    }
}

#[test]
fn the_text_of_all_forms_is_the_same_each_time_and_keeps_the_order_of_arguments() {
    let (tools, _) = registered(super::facts::TOOLS.entries);
    for dialect in Dialect::ALL {
        let one = ToolsForModel::new(*dialect, &tools);
        let text = one.to_text();
        assert_eq!(text, ToolsForModel::new(*dialect, &tools).to_text());
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), one.to_json());
        assert_eq!(serde_json::to_string(&one).unwrap(), text, "serialised as its text");
        let at = |word: &str| text.find(word).unwrap();
        assert!(at("\"service\"") < at("\"seconds\"") && at("\"attempts\"") < at("\"why\""), "{dialect}");
    }
}
