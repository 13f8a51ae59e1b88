//! `credentials`: names that every granted tool may ask for, or a table of names with the tools that each is for.

use std::collections::BTreeMap;

use toml::de::DeValue;

use super::section::{Section, Word, kind};
use super::task;

/// Names as a grant has them, and the tools as they are written.
pub(super) fn read(section: &mut Section<'_, '_>) -> (BTreeMap<String, Vec<String>>, Vec<Word>) {
    let Some(value) = section.take("credentials") else { return Default::default() };
    let source = section.source;
    match value.get_ref() {
        DeValue::Array(_) => {
            let names = section.words("credentials");
            for name in &names {
                named(section, name);
            }
            (names.into_iter().map(|name| (name.text, vec!["*".to_owned()])).collect(), Vec::new())
        }
        DeValue::Table(_) => {
            let Some(table) = section.table("credentials") else { return Default::default() };
            for_tools(&table)
        }
        other => {
            let text = format!(
                "`credentials` is a list of names, or a table such as {{ deploy = [\"restart\"] }}, not {}",
                kind(other)
            );
            source.wrong(&value.span(), "policy.kind", text);
            Default::default()
        }
    }
}

fn for_tools(table: &Section<'_, '_>) -> (BTreeMap<String, Vec<String>>, Vec<Word>) {
    let (mut granted, mut written) = (BTreeMap::new(), Vec::new());
    let names: Vec<Word> =
        table.entries().map(|(key, _)| Word { text: key.get_ref().to_string(), at: key.span() }).collect();
    for name in names {
        named(table, &name);
        let tools = table.words_of(&name.text);
        if tools.is_empty() {
            let text = format!("no tool may ask for `{}`; name the tools, or leave it out", name.text);
            table.source.wrong(&name.at, "policy.empty_list", text);
        }
        for tool in &tools {
            task::pattern(table, tool, "a tool");
        }
        granted.insert(name.text, tools.iter().map(|tool| tool.text.clone()).collect());
        written.extend(tools);
    }
    (granted, written)
}

fn named(section: &Section<'_, '_>, name: &Word) {
    if name.text.is_empty() || name.text.contains('*') {
        let text = "a credential is granted by its whole name; a `*` belongs to the tools that it is for";
        section.source.wrong(&name.at, "policy.credential", text);
    }
}
