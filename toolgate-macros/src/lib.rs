//! The macros of toolgate: `#[tool]`, `#[tool_type]` and `toolset!`, each as syntax → check → expansion, all
//! mistakes in one compile. Not what a tool does when it runs: an expansion is data and calls into
//! the runtime. Documented at the facade, `toolgate`.

#[cfg(test)]
mod any_text;
mod check;
mod docs;
mod duration;
mod errors;
mod expand;
mod fallback;
mod item;
mod messages;
mod model;
mod pattern;
mod rough;
mod signature;
mod syntax;
mod template;
mod tool;
mod tool_type;
mod toolset;

use proc_macro::TokenStream;

/// An expansion names nothing but the facade: `::toolgate`, or what `crate` says.
#[proc_macro_attribute]
pub fn tool(options: TokenStream, item: TokenStream) -> TokenStream {
    tool::expand(options.into(), &item.into()).into()
}

/// An expansion names nothing but the facade: `::toolgate`, or what `crate` says.
#[proc_macro_attribute]
pub fn tool_type(options: TokenStream, item: TokenStream) -> TokenStream {
    tool_type::expand(options.into(), &item.into()).into()
}

/// An expansion names nothing but the facade: `::toolgate`, or what `crate` says.
#[proc_macro]
pub fn toolset(input: TokenStream) -> TokenStream {
    toolset::expand(input.into()).into()
}

#[cfg(test)]
mod tests;
