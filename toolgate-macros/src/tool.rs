//! `#[tool]`: reads options and function, checks them, and writes the tool, or what stands in its place. Not
//! any one of these.

use proc_macro2::TokenStream;

use crate::errors::Errors;
use crate::{check, expand, fallback, signature, syntax};

/// The function and its tool, or its mistakes.
pub(crate) fn expand(options: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let options = syntax::parse(options, &mut errors);
    let (function, kept) = signature::parse(item, &mut errors);
    let krate = check::facade(options.krate.as_ref());
    let name = options.name.as_ref().map(|name| name.value.value());
    let tool = function.and_then(|function| check::check(options, function, &mut errors));
    match errors.finish(tool) {
        Ok(tool) => expand::expand(&tool),
        Err(errors) => fallback::expand(&krate, name, &kept, &errors),
    }
}
