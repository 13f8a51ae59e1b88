//! Any text as the input of the macros: nothing panics, and a function survives. What the fuzz target
//! `attributes` asks of texts that it makes up, and a test of those in `fuzz/corpus/attributes`. Not compiled
//! into the macros.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::{tool, tool_type, toolset};

/// What stands between the options and the item.
const BETWEEN: &str = "\n---\n";

/// The item where a text has none.
const ITEM: &str = "/// Acts.\nfn act(/** What. */ what: String) -> Result<(), ToolError> { drop(what); Ok(()) }";

/// Gives the text to each macro, where it can be read as tokens at all.
pub(crate) fn any_text(text: &str) {
    let (options, item) = text.split_once(BETWEEN).unwrap_or((text, ITEM));
    let (Ok(options), Ok(item)) = (options.parse::<TokenStream>(), item.parse::<TokenStream>()) else { return };
    drop(toolset::expand(options.clone()));
    drop(tool_type::expand(options.clone(), &item));
    let expanded = tool::expand(options, &item).to_string();
    if let Some(body) = body(item) {
        assert!(expanded.contains(&body), "the body is lost from `{expanded}`");
    }
}

/// The first group in braces, where the item may be a function.
fn body(item: TokenStream) -> Option<String> {
    let mut tokens = item.into_iter().skip_while(|token| !matches!(token, TokenTree::Ident(word) if word == "fn"));
    let body = tokens.find(|token| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace));
    body.map(|body| body.to_string())
}
