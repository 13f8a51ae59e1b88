//! The function under `#[tool]`, as written: its parameters with their docs and options, and the function
//! as it is emitted, without them. Not whether a tool may look like this.

use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;
use syn::{Attribute, FnArg, Meta, Pat, Path, Type};

use crate::docs::Doc;
use crate::errors::Errors;
use crate::item::{Item, Kept};
use crate::syntax::{RawArg, parse_arg};
use crate::{messages, rough};

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
    "destination",
    "not_a_resource",
];

/// A function that is to become a tool.
pub(crate) struct Function {
    /// Without docs and options on its parameters.
    pub(crate) item: Item,
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
    /// Where `#[args]` is.
    pub(crate) args: Option<Span>,
    /// Where `#[cfg]` is.
    pub(crate) cfg: Option<Span>,
}

impl Parameter {
    /// The name on the wire; empty for what has none.
    pub(crate) fn name(&self) -> String {
        self.ident.as_ref().map(|ident| ident.unraw().to_string()).unwrap_or_default()
    }
}

/// Reads the function; what is no function, and what is half typed, is told. All of it is kept in any case.
pub(crate) fn parse(tokens: &TokenStream, errors: &mut Errors) -> (Option<Function>, Kept) {
    let Ok(mut item) = syn::parse2::<Item>(tokens.clone()) else {
        let kept = rough::read(tokens, errors).unwrap_or_else(|| {
            errors.over(head(tokens.clone()), messages::not_a_function());
            Kept { ident: None, vis: TokenStream::new(), attrs: Vec::new(), tokens: tokens.clone() }
        });
        return (None, kept);
    };
    let doc = Doc::of(&item.all_attributes());
    let parameters = item.sig.inputs.iter_mut().map(|argument| parameter(argument, errors)).collect();
    let kept = item.kept();
    (Some(Function { item, doc, parameters }), kept)
}

/// The first tokens of an item, after its attributes: where to point at it as a whole.
fn head(tokens: TokenStream) -> TokenStream {
    match syn::parse2::<syn::Item>(tokens.clone()) {
        Ok(syn::Item::Struct(item)) => item.ident.to_token_stream(),
        Ok(syn::Item::Enum(item)) => item.ident.to_token_stream(),
        Ok(syn::Item::Mod(item)) => item.ident.to_token_stream(),
        Ok(syn::Item::Trait(item)) => item.ident.to_token_stream(),
        Ok(syn::Item::Const(item)) => item.ident.to_token_stream(),
        Ok(syn::Item::Impl(item)) => item.self_ty.to_token_stream(),
        _ => match tokens.clone().into_iter().next() {
            Some(first) => first.into(),
            None => tokens,
        },
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
    let options = || taken.iter().filter(|attribute| attribute.path().is_ident("arg"));
    let mut flag = |name: &str, message: fn() -> String| {
        let found = taken.iter().find(|attribute| attribute.path().is_ident(name))?;
        if !matches!(found.meta, Meta::Path(_)) {
            errors.over(found, message());
        }
        Some(found.path().span())
    };
    let (state, args) = (flag("state", messages::state_takes_nothing), flag("args", messages::args_takes_nothing));
    Parameter {
        ident,
        ty,
        span,
        doc: Doc::of(&taken),
        has_options: options().next().is_some(),
        options: parse_arg(options(), PARAMETER_KEYS, errors),
        state,
        args,
        cfg: taken.iter().find(|attribute| attribute.path().is_ident("cfg")).map(|cfg| cfg.path().span()),
    }
}

/// Attributes that the emitted function may not carry on a parameter, or that make no sense there.
pub(crate) fn is_ours(path: &Path) -> bool {
    ["doc", "arg", "args", "state", "cfg"].iter().any(|name| path.is_ident(name))
}
