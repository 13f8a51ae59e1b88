//! `[lists]`: identifiers that arguments may be, in the file itself or one a line in a file beside it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path};

use super::section::{Section, Word};
use toml::Spanned;
use toml::de::DeValue;

/// Most bytes of a list file.
const MOST_BYTES: u64 = 4 << 20;
/// Most entries of a list.
const MOST_ENTRIES: usize = 100_000;

/// The lists; the text of those in files is added to `beside`, for the version of the policy.
pub(super) fn read(
    section: &Section<'_, '_>,
    folder: Option<&Path>,
    beside: &mut String,
) -> BTreeMap<String, BTreeSet<String>> {
    let mut lists = BTreeMap::new();
    for (key, value) in section.entries() {
        let name = key.get_ref().to_string();
        let list = match value.get_ref() {
            DeValue::Array(items) => items.iter().filter_map(|item| entry(section, item)).collect(),
            DeValue::Table(_) => from_file(section, value, folder, beside),
            _ => {
                let text = "a list is such as [\"a\", \"b\"], or { file = \"names.txt\" }";
                section.source.wrong(&value.span(), "policy.kind", text);
                continue;
            }
        };
        if list.is_empty() {
            section.source.wrong(&key.span(), "policy.empty_list", format!("the list `{name}` has no entries"));
        }
        lists.insert(name, list);
    }
    lists
}

/// An entry: a text, or a whole number, which is meant as its digits.
fn entry(section: &Section<'_, '_>, item: &Spanned<DeValue<'_>>) -> Option<String> {
    let entry = match item.get_ref() {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix()).ok().map(|it| it.to_string()),
        _ => None,
    };
    if entry.is_none() {
        section.source.wrong(&item.span(), "policy.kind", "an entry of a list is a text or a whole number");
    }
    entry
}

fn from_file<'t>(
    section: &Section<'_, 't>,
    value: &Spanned<DeValue<'t>>,
    folder: Option<&Path>,
    beside: &mut String,
) -> BTreeSet<String> {
    let Some(mut table) = Section::of(section.source, value, value.span()) else { return BTreeSet::new() };
    let file = table.needed("file");
    table.finish();
    let Some(file) = file else { return BTreeSet::new() };
    match text_of(&file, folder) {
        Ok(text) => {
            // Framed by their lengths, so that no two sets of files read alike.
            let (name, text) = (&file.text, &text);
            beside.extend([&*name.len().to_string(), ":", name, &*text.len().to_string(), ":", text]);
            let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
            lines.map(str::to_owned).collect()
        }
        Err(fault) => {
            section.source.wrong(&file.at, "policy.list_file", fault);
            // It isn't empty, only not known.
            BTreeSet::from([String::new()])
        }
    }
}

fn text_of(file: &Word, folder: Option<&Path>) -> Result<String, String> {
    let path = Path::new(&file.text);
    if file.text.is_empty() || !path.components().all(|part| matches!(part, Component::Normal(_))) {
        return Err(
            "the file of a list stands beside the policy or in a folder below: no absolute path, no `..`".into()
        );
    }
    let folder = folder.ok_or("a policy that is given as text has no folder to look in")?;
    let path = folder.join(path);
    let told = |error: std::io::Error| format!("can't be read: {error}");
    let facts = std::fs::metadata(&path).map_err(told)?;
    if !facts.is_file() || facts.len() > MOST_BYTES {
        return Err(format!("is no file of at most {MOST_BYTES} bytes"));
    }
    let text = std::fs::read_to_string(&path).map_err(told)?;
    if text.lines().count() > MOST_ENTRIES {
        return Err(format!("has more than {MOST_ENTRIES} lines"));
    }
    Ok(text)
}
