//! `[tool.<name>]`: arguments that must be in lists, limits, and how far controls go for the tool.

use std::collections::{BTreeMap, BTreeSet};

use toolgate_expr::nearest;

use super::section::{Section, Word};
use super::{controls, limits};
use crate::policy::file::model::{ListedArgument, ToolRules};

pub(super) fn read(name: Word, mut section: Section<'_, '_>, lists: &BTreeMap<String, BTreeSet<String>>) -> ToolRules {
    let mut arguments = Vec::new();
    if let Some(table) = section.table("arguments") {
        for (path, mut argument) in table.named() {
            let Some(list) = argument.needed("in") else { continue };
            if !lists.contains_key(&list.text) {
                let near = nearest(&list.text, lists.keys().map(String::as_str));
                let text = format!("there is no list `{}` under `[lists]`", list.text);
                section.source.misspelled(&list.at, "policy.unknown_list", text, near);
            }
            argument.finish();
            arguments.push(ListedArgument { path, list });
        }
    }
    let limits = section.table("limits").map(limits::read).unwrap_or_default();
    let modes = section.table("controls").map(controls::read).unwrap_or_default();
    section.finish();
    ToolRules { name, arguments, limits, modes }
}
