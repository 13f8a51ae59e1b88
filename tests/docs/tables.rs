//! Tables of the documents against the code they are about.

use std::collections::BTreeSet;

use toolgate::Code;
use toolgate::gate::FaultPoint;

use super::{files, literals, quoted, read, root};

const FAMILIES: [&str; 22] = [
    "json",
    "tool",
    "schema",
    "policy",
    "path",
    "limit",
    "net",
    "idem",
    "task",
    "precondition",
    "confirm",
    "execute",
    "inner",
    "credential",
    "exec",
    "session",
    "store",
    "gate",
    "audit",
    "spec",
    "toolset",
    "undo",
];

fn is_rule(text: &str) -> bool {
    text.split_once('.').is_some_and(|(family, word)| {
        FAMILIES.contains(&family)
            && !word.is_empty()
            && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
    })
}

/// First cells of the rows of all tables.
fn first_cells(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next()).collect()
}

/// Names in a constant list of texts.
fn constant_list(source: &str, name: &str) -> Vec<String> {
    let start = source.find(&format!("const {name}: &[&str] =")).unwrap_or_else(|| panic!("no constant `{name}`"));
    let list = &source[start..];
    let list = &list[..list.find("];").unwrap()];
    list.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn every_code_has_its_row_in_errors() {
    let text = read("docs/errors.md");
    let rows: Vec<&str> = first_cells(&text);
    for code in Code::ALL {
        let cell = format!("`{code}`");
        assert_eq!(rows.iter().filter(|row| **row == cell).count(), 1, "{code}: one row");
    }
}

#[test]
fn every_rule_of_the_code_is_in_errors_and_no_other() {
    let text = read("docs/errors.md");
    let told: BTreeSet<String> = first_cells(&text)
        .iter()
        .flat_map(|cell| quoted(cell))
        .filter(|word| is_rule(word))
        .map(str::to_owned)
        .collect();
    let mut sources = files(&root().join("toolgate-core/src"), ".rs");
    sources.extend(files(&root().join("adapters/exec/src"), ".rs"));
    let sources: Vec<String> = sources.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect();
    let coded: BTreeSet<String> =
        sources.iter().flat_map(|source| literals(source)).filter(|text| is_rule(text)).map(str::to_owned).collect();
    assert!(coded.len() > 80, "the rules of the code were found");
    assert_eq!(coded.difference(&told).collect::<Vec<_>>(), Vec::<&String>::new(), "not in docs/errors.md");
    assert_eq!(told.difference(&coded).collect::<Vec<_>>(), Vec::<&String>::new(), "not in the code");
}

#[test]
fn every_option_of_the_macros_is_in_the_guide() {
    let text = read("docs/guide/tools.md");
    let cells: Vec<&str> = first_cells(&text).iter().flat_map(|cell| quoted(cell)).collect();
    let lists = [
        ("toolgate-macros/src/syntax/options.rs", "KEYS"),
        ("toolgate-macros/src/syntax/options.rs", "PRECONDITION_KEYS"),
        ("toolgate-macros/src/signature.rs", "PARAMETER_KEYS"),
        ("toolgate-macros/src/tool_type/check.rs", "OWN_KEYS"),
    ];
    for (file, name) in lists {
        let keys = constant_list(&read(file), name);
        assert!(!keys.is_empty());
        for key in keys {
            let told = cells.iter().any(|cell| *cell == key || *cell == format!("{key}(..)"))
                || (name == "PRECONDITION_KEYS" && quoted(&text).contains(&key.as_str()));
            assert!(told, "`{key}` of {name} has no row in docs/guide/tools.md");
        }
    }
}

#[test]
fn every_field_of_the_record_is_in_audit() {
    let text = read("docs/audit.md");
    let cells: Vec<&str> = first_cells(&text).iter().flat_map(|cell| quoted(cell)).collect();
    let sources = files(&root().join("toolgate-core/src/store"), ".rs");
    let source = sources
        .iter()
        .map(|path| std::fs::read_to_string(path).unwrap())
        .find(|source| source.contains("pub struct CallRecord {"))
        .unwrap();
    let start = source.find("pub struct CallRecord {").unwrap();
    let fields = &source[start..start + source[start..].find("\n}").unwrap()];
    let names: Vec<&str> = fields
        .lines()
        .filter_map(|line| line.trim().strip_prefix("pub ")?.split_once(':'))
        .map(|found| found.0)
        .collect();
    assert!(names.len() > 30, "{names:?}");
    for name in names {
        assert!(cells.contains(&name), "`{name}` has no row in docs/audit.md");
    }
}

#[test]
fn every_fault_point_is_in_the_guide() {
    let text = read("docs/guide/testing.md");
    for point in FaultPoint::ALL {
        assert!(quoted(&text).contains(&point.as_str()), "{}", point.as_str());
    }
}

#[test]
fn every_rule_of_the_review_is_in_the_guide_as_it_is_and_no_other() {
    let text = read("docs/guide/review.md");
    let told: Vec<&str> = text.lines().filter(|line| line.starts_with("| `")).collect();
    let row =
        |rule: &toolgate::review::Rule| format!("| `{}` | {} | {} |", rule.id, rule.severity.as_str(), rule.about);
    assert_eq!(told, toolgate::review::rules().map(row).collect::<Vec<_>>(), "`toolgate lint --rules` prints them");
}

#[test]
fn every_test_of_the_threat_model_is_there() {
    let text = read("docs/threat-model.md");
    let named: Vec<(&str, &str)> = quoted(&text).into_iter().filter_map(|name| name.split_once(".rs::")).collect();
    assert!(named.len() > 30, "{named:?}");
    for (file, test) in named {
        assert!(read(&format!("{file}.rs")).contains(&format!("fn {test}(")), "no test `{test}` in {file}.rs");
    }
}
