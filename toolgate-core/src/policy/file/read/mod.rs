//! Text → model: every table and key, with all problems at once. What needs the tools of a gate to be judged is
//! `check.rs`'s.

mod controls;
mod credentials;
mod example;
mod hosts;
mod limits;
mod lists;
mod rule;
mod section;
mod syntax;
mod task;
mod tool;

use std::path::Path;

use toml::de::DeTable;

pub(super) use section::Word;

use super::model::Model;
use super::source::Source;
use section::Section;

/// What a file says, as far as it can be read, with the text of the list files it names.
pub(super) fn read(source: &Source<'_>, folder: Option<&Path>) -> (Model, String) {
    let (table, faults) = DeTable::parse_recoverable(source.text);
    syntax::tell(source, &faults);
    let mut model = Model::default();
    let mut beside = String::new();
    if !faults.is_empty() {
        // What was made up for what can't be read would be told as a problem of its own.
        return (model, beside);
    }
    let mut whole = Section::new(source, table.get_ref(), 0..0);
    name(&mut whole, &mut model);
    if let Some(section) = whole.table("lists") {
        model.lists = lists::read(&section, folder, &mut beside);
    }
    if let Some(section) = whole.table("controls") {
        model.controls = controls::read(section);
    }
    if let Some(section) = whole.table("limits") {
        model.limits = limits::read(section);
    }
    if let Some(section) = whole.table("task") {
        model.tasks = section.named().into_iter().map(|(name, section)| (name.text, task::read(section))).collect();
    }
    if let Some(section) = whole.table("tool") {
        let tools = section.named().into_iter();
        model.tools =
            tools.map(|(name, section)| (name.text.clone(), tool::read(name, section, &model.lists))).collect();
    }
    model.rules = rule::read_all(whole.tables("rule"), &model.tasks);
    model.examples =
        whole.tables("example").into_iter().filter_map(|section| example::read(section, &model.tasks)).collect();
    whole.finish();
    if model.tasks.is_empty() {
        let text = "no `[task.<type>]`: every call would be refused; say what a type of task is granted";
        source.wrong(&(0..0), "policy.allows_nothing", text);
    }
    (model, beside)
}

fn name(whole: &mut Section<'_, '_>, model: &mut Model) {
    let Some(name) = whole.text("name") else {
        "policy".clone_into(&mut model.name);
        return;
    };
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'/');
    if name.text.is_empty() || name.text.len() > 64 || !name.text.bytes().all(legal) {
        let text = "a name is 1 to 64 of a-z, A-Z, 0-9, `_`, `-`, `.` and `/`";
        whole.source.wrong(&name.at, "policy.name", text);
    }
    model.name = name.text;
}
