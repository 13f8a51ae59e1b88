//! `#[tool_type]`: reads a struct or an enum, checks it, and writes how it is read and told. Needs neither
//! serde nor schemars.

mod case;
mod check;
mod expand;
mod model;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Item, parse2};

use crate::errors::Errors;
use crate::messages;

/// The item with its implementations, or with its mistakes.
pub(crate) fn expand(options: TokenStream, tokens: &TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let mut item = match parse2::<Item>(tokens.clone()) {
        Ok(item @ (Item::Struct(_) | Item::Enum(_))) => item,
        Ok(other) => {
            errors.over(other, messages::type_item());
            let told = errors.finish::<()>(None).err();
            return quote!(#told #tokens);
        }
        Err(error) => {
            let told = error.to_compile_error();
            return quote!(#told #tokens);
        }
    };
    let options = check::options(options, &mut errors);
    let head = expand::Head::of(&item, &options);
    let tool_type = check::check(&mut item, &options, &mut errors);
    match errors.finish(tool_type) {
        Ok(tool_type) => expand::expand(&head, &item, &tool_type),
        Err(errors) => expand::fallback(&head, &item, &errors),
    }
}
