//! The function under `#[tool]`, as written: its parameters with their docs and options, and the function
//! as it is emitted, without them. Not whether a tool may look like this.

use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;
use syn::{Attribute, FnArg, Item, ItemFn, Meta, Pat, Path, Type};

use crate::docs::Doc;
use crate::errors::Errors;
use crate::messages;
use crate::syntax::{RawArg, parse_arg};

/// The options of `#[arg]` on a parameter.
pub(crate) const PARAMETER_KEYS: &[&str] = &[
    "range",
    "min_length",
    "max_length",
    "pattern",
    "one_of",
    "min_items",
    "max_items",
    "default",
    "example",
    "sensitive",
    "reason",
    "not_a_resource",
];

/// A function that is to become a tool.
pub(crate) struct Function {
    /// Without docs and options on its parameters.
    pub(crate) item: ItemFn,
    pub(crate) doc: Doc,
    pub(crate) parameters: Vec<Parameter>,
}

/// One parameter.
pub(crate) struct Parameter {
    /// Its name; `None` for `self` and patterns.
    pub(crate) ident: Option<Ident>,
    /// Its type; `None` for `self`.
    pub(crate) ty: Option<Type>,
    /// Where it stands.
    pub(crate) span: Span,
    pub(crate) doc: Doc,
    pub(crate) options: RawArg,
    /// `#[arg]` was there.
    pub(crate) has_options: bool,
    /// Where `#[state]` is.
    pub(crate) state: Option<Span>,
    /// Where `#[cfg]` is.
    pub(crate) cfg: Option<Span>,
}

impl Parameter {
    /// The name on the wire; empty for what has none.
    pub(crate) fn name(&self) -> String {
        self.ident.as_ref().map(|ident| ident.unraw().to_string()).unwrap_or_default()
    }
}

/// Reads the function; what is no function is told.
pub(crate) fn parse(tokens: TokenStream, errors: &mut Errors) -> Option<Function> {
    let mut item: ItemFn = match syn::parse2(tokens.clone()) {
        Ok(item) => item,
        Err(error) => {
            // A function with a mistake inside is the compiler's to explain, and it will.
            match syn::parse2::<Item>(tokens.clone()) {
                Ok(_) => errors.over(head(tokens), messages::not_a_function()),
                Err(_) => errors.push(error),
            }
            return None;
        }
    };
    let doc = Doc::of(&item.attrs);
    let parameters = item.sig.inputs.iter_mut().map(|argument| parameter(argument, errors)).collect();
    Some(Function { item, doc, parameters })
}

/// The first tokens of an item, after its attributes: where to point at it as a whole.
fn head(tokens: TokenStream) -> TokenStream {
    match syn::parse2::<Item>(tokens.clone()) {
        Ok(Item::Struct(item)) => item.ident.to_token_stream(),
        Ok(Item::Enum(item)) => item.ident.to_token_stream(),
        Ok(Item::Mod(item)) => item.ident.to_token_stream(),
        Ok(Item::Trait(item)) => item.ident.to_token_stream(),
        Ok(Item::Const(item)) => item.ident.to_token_stream(),
        Ok(Item::Impl(item)) => item.self_ty.to_token_stream(),
        _ => tokens,
    }
}

fn parameter(argument: &mut FnArg, errors: &mut Errors) -> Parameter {
    let span = match argument {
        FnArg::Receiver(receiver) => receiver.self_token.span,
        FnArg::Typed(typed) => typed.pat.span(),
    };
    let (attributes, ident, ty) = match argument {
        FnArg::Receiver(receiver) => (&mut receiver.attrs, None, None),
        FnArg::Typed(typed) => {
            let ident = match &*typed.pat {
                Pat::Ident(pattern) if pattern.by_ref.is_none() && pattern.subpat.is_none() => {
                    Some(pattern.ident.clone())
                }
                _ => None,
            };
            (&mut typed.attrs, ident, Some((*typed.ty).clone()))
        }
    };
    let taken: Vec<Attribute> = attributes.extract_if(.., |attribute| is_ours(attribute.path())).collect();
    let args = || taken.iter().filter(|attribute| attribute.path().is_ident("arg"));
    let state = taken.iter().find(|attribute| attribute.path().is_ident("state"));
    if let Some(state) = state
        && !matches!(state.meta, Meta::Path(_))
    {
        errors.over(state, messages::state_takes_nothing());
    }
    Parameter {
        ident,
        ty,
        span,
        doc: Doc::of(&taken),
        has_options: args().next().is_some(),
        options: parse_arg(args(), PARAMETER_KEYS, errors),
        state: state.map(|state| state.path().span()),
        cfg: taken.iter().find(|attribute| attribute.path().is_ident("cfg")).map(|cfg| cfg.path().span()),
    }
}

/// Attributes that the emitted function may not carry on a parameter, or that make no sense there.
fn is_ours(path: &Path) -> bool {
    ["doc", "arg", "state", "cfg"].iter().any(|name| path.is_ident(name))
}
