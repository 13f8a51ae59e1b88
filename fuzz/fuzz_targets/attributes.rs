//! Any text as options and item of the macros: nothing panics, and the body of a function survives. A seed is
//! options, a line `---`, and an item. The modules are those of `toolgate-macros`, which as a crate of macros
//! can't be linked.
//!
//! Not here: what the compiler says to the output; the UI tests hold that.
#![no_main]

#[path = "../../toolgate-macros/src/any_text.rs"]
mod any_text;
#[path = "../../toolgate-macros/src/check/mod.rs"]
mod check;
#[path = "../../toolgate-macros/src/docs.rs"]
mod docs;
#[path = "../../toolgate-macros/src/duration.rs"]
mod duration;
#[path = "../../toolgate-macros/src/errors.rs"]
mod errors;
#[path = "../../toolgate-macros/src/expand/mod.rs"]
mod expand;
#[path = "../../toolgate-macros/src/fallback.rs"]
mod fallback;
#[path = "../../toolgate-macros/src/item.rs"]
mod item;
#[path = "../../toolgate-macros/src/messages.rs"]
mod messages;
#[path = "../../toolgate-macros/src/model.rs"]
mod model;
#[path = "../../toolgate-macros/src/pattern.rs"]
mod pattern;
#[path = "../../toolgate-macros/src/rough.rs"]
mod rough;
#[path = "../../toolgate-macros/src/signature.rs"]
mod signature;
#[path = "../../toolgate-macros/src/syntax/mod.rs"]
mod syntax;
#[path = "../../toolgate-macros/src/template.rs"]
mod template;
#[path = "../../toolgate-macros/src/tool.rs"]
mod tool;
#[path = "../../toolgate-macros/src/tool_type/mod.rs"]
mod tool_type;
#[path = "../../toolgate-macros/src/toolset/mod.rs"]
mod toolset;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| any_text::any_text(text));
