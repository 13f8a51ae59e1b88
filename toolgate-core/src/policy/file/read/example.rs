//! `[[example]]`: calls whose answers are known, the tests of the file. Not their run, which is `examples.rs`'s.

use std::collections::BTreeMap;

use serde_json::{Map, Number, Value};
use toml::Spanned;
use toml::de::DeValue;
use toolgate_expr::nearest;

use super::rule::{known_task, verdict};
use super::section::{Section, Word, kind};
use super::task;
use crate::policy::Verdict;
use crate::policy::file::model::{Example, TaskRules};

pub(super) fn read(mut section: Section<'_, '_>, tasks: &BTreeMap<String, TaskRules>) -> Option<Example> {
    let at = section.at.clone();
    let name = section.needed("name");
    let task = section.needed("task");
    let (principal, user) = (section.text("principal"), section.text("user"));
    let call = section.take("call");
    let expect = section.needed("expect").and_then(|word| verdict(&section, &word));
    if let Some(task) = &task
        && !may_be_unknown(task, expect, tasks)
    {
        known_task(&section, task, tasks);
    }
    let rule = section.text("rule");
    let approvers = task::people(&mut section);
    let source = section.source;
    if call.is_none() {
        source.wrong(
            &at,
            "policy.missing_key",
            "`call` is missing, such as call = { tool = \"look\", arguments = {} }",
        );
    }
    section.finish();
    let mut call = Section::of(source, call?, call?.span())?;
    let tool = call.needed("tool");
    let arguments = call.take("arguments").map_or_else(
        || Some(Value::Object(Map::new())),
        |value| {
            let json = json(value);
            if !matches!(json, Some(Value::Object(_))) {
                let text = format!("`arguments` is a table of JSON values, not {}", kind(value.get_ref()));
                source.wrong(&value.span(), "policy.kind", text);
            }
            json
        },
    );
    call.finish();
    let rule = rule.map(|rule| rule.text);
    let (name, tool, task, expect, arguments) = (name?.text, tool?, task?, expect?, arguments?);
    let text = |word: Option<Word>| word.map(|word| word.text);
    let (principal, user) = (text(principal), text(user));
    Some(Example { at, name, tool, arguments, task, principal, user, expect, rule, approvers })
}

/// Whether an example may name this type of task though the file doesn't have it: it is to be refused, and nothing that the
/// file has is like it.
fn may_be_unknown(task: &Word, expect: Option<Verdict>, tasks: &BTreeMap<String, TaskRules>) -> bool {
    expect == Some(Verdict::Deny) && nearest(&task.text, tasks.keys().map(String::as_str)).is_none()
}

/// A value of the file as JSON; dates have none.
fn json(value: &Spanned<DeValue<'_>>) -> Option<Value> {
    Some(match value.get_ref() {
        DeValue::String(text) => Value::String(text.to_string()),
        DeValue::Boolean(flag) => Value::Bool(*flag),
        DeValue::Integer(number) => Value::from(i64::from_str_radix(number.as_str(), number.radix()).ok()?),
        DeValue::Float(number) => Value::Number(Number::from_f64(number.as_str().parse().ok()?)?),
        DeValue::Datetime(_) => return None,
        DeValue::Array(items) => Value::Array(items.iter().map(json).collect::<Option<_>>()?),
        DeValue::Table(fields) => {
            let fields = fields.iter().map(|(name, value)| Some((name.get_ref().to_string(), json(value)?)));
            Value::Object(fields.collect::<Option<_>>()?)
        }
    })
}
