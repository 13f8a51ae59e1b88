//! The macros of toolgate: `#[tool]`, `#[tool_type]` and `toolset!`, each as syntax → check → expansion, all
//! mistakes in one compile. Not what a tool does when it runs: an expansion is data and calls into
//! the runtime. Documented at the facade, `toolgate`.

mod check;
mod docs;
mod duration;
mod errors;
mod expand;
mod fallback;
mod messages;
mod model;
mod pattern;
mod signature;
mod syntax;
mod template;
mod tool_type;
mod toolset;

use proc_macro::TokenStream;

use errors::Errors;

/// An expansion names nothing but the facade: `::toolgate`, or what `crate` says.
#[proc_macro_attribute]
pub fn tool(options: TokenStream, item: TokenStream) -> TokenStream {
    tool_in(options.into(), &item.into()).into()
}

fn tool_in(options: proc_macro2::TokenStream, item: &proc_macro2::TokenStream) -> proc_macro2::TokenStream {
    let mut errors = Errors::default();
    let options = syntax::parse(options, &mut errors);
    let function = signature::parse(item.clone(), &mut errors);
    let krate = check::facade(options.krate.as_ref());
    let name = options.name.as_ref().map(|name| name.value.value());
    let emitted = function.as_ref().map(|function| function.item.clone());
    let tool = function.and_then(|function| check::check(options, function, &mut errors));
    match errors.finish(tool) {
        Ok(tool) => expand::expand(&tool),
        Err(errors) => fallback::expand(&krate, name, emitted.as_ref(), item, &errors),
    }
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
mod tests {
    use proc_macro2::TokenStream;

    /// Tokens that options are made of, in any order.
    const PIECES: &[&str] = &[
        "risk",
        "=",
        "\"read\"",
        ",",
        "timeout",
        "10",
        "-",
        "..=",
        "..",
        "[",
        "]",
        "(",
        ")",
        "precondition",
        "tool",
        "::",
        "a",
        "crate",
        "retry",
        "failure_policy",
        "fallback",
        "key",
        "\"{\"",
        "true",
        "1.5",
        "'c'",
        "#",
        "&",
        "once",
    ];

    fn attribute(pieces: &[usize]) -> Option<TokenStream> {
        let text: Vec<&str> = pieces.iter().filter_map(|index| PIECES.get(*index).copied()).collect();
        text.join(" ").parse().ok()
    }

    proptest::proptest! {
        #[test]
        fn no_attribute_panics_and_the_function_survives(
            pieces in proptest::collection::vec(0..PIECES.len(), 0..24),
            on_parameter in proptest::collection::vec(0..PIECES.len(), 0..8),
        ) {
            let (Some(options), Some(argument)) = (attribute(&pieces), attribute(&on_parameter)) else {
                return Ok(());
            };
            let item = quote::quote!(fn act(#[arg(#argument)] what: u8) -> Result<(), ToolError> { Ok(()) });
            let expanded = super::tool_in(options, &item);
            let file: syn::File = syn::parse2(expanded).unwrap();
            let survives = file.items.iter().any(|item| matches!(item, syn::Item::Fn(found) if found.sig.ident == "act"));
            proptest::prop_assert!(survives);
            let listed = attribute(&pieces).map(super::toolset::expand);
            proptest::prop_assert!(listed.is_some());
        }
    }
}
