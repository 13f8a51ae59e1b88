//! `[controls]`: how far each control goes, for the file, a task type, or a tool.

use toolgate_expr::nearest;

use super::section::{Section, Word};
use crate::policy::file::model::Modes;
use crate::policy::{Control, Mode};

pub(super) fn read(mut section: Section<'_, '_>) -> Modes {
    let mut modes = Modes { all: section.text("default").and_then(|word| mode(&section, &word)), ..Modes::default() };
    for control in Control::ALL {
        if let Some(mode) = section.text(control.as_str()).and_then(|word| mode(&section, &word)) {
            modes.each.insert(control, mode);
        }
    }
    section.finish();
    modes
}

/// `observe`, `warn` or `enforce`.
pub(super) fn mode(section: &Section<'_, '_>, word: &Word) -> Option<Mode> {
    let mode = Mode::parse(&word.text);
    if mode.is_none() {
        let near = nearest(&word.text, Mode::ALL.map(Mode::as_str));
        let text = "a control is `observe`, `warn` or `enforce`".to_owned();
        section.source.misspelled(&word.at, "policy.unknown_word", text, near);
    }
    mode
}
