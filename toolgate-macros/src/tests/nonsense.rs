//! Attributes of tokens in any order: nothing panics, and the function survives.

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
        let expanded = crate::tool::expand(options, &item);
        let file: syn::File = syn::parse2(expanded).unwrap();
        let survives = file.items.iter().any(|item| matches!(item, syn::Item::Fn(found) if found.sig.ident == "act"));
        proptest::prop_assert!(survives);
        let listed = attribute(&pieces).map(crate::toolset::expand);
        proptest::prop_assert!(listed.is_some());
    }
}
