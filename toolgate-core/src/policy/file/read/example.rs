//! `[[example]]`: calls whose answers are known, the tests of the file. Not their run, which is `examples.rs`'s.

use serde_json::{Map, Number, Value};
use toml::Spanned;
use toml::de::DeValue;

use super::rule::verdict;
use super::section::{Section, kind};
use super::task;
use crate::policy::file::model::Example;

pub(super) fn read(mut section: Section<'_, '_>) -> Option<Example> {
    let at = section.at.clone();
    let name = section.needed("name");
    let task = section.needed("task");
    let (principal, user) = (section.text("principal"), section.text("user"));
    let call = section.take("call");
    let expect = section.needed("expect").and_then(|word| verdict(&section, &word));
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
    let text = |word: Option<super::Word>| word.map(|word| word.text);
    let (principal, user) = (text(principal), text(user));
    Some(Example { at, name, tool, arguments, task, principal, user, expect, rule, approvers })
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
