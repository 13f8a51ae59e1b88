//! Collects every mistake of one expansion. Not the wording, which is in [`crate::messages`].

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;

/// Where a mistake is: from the first token to the last.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    first: Span,
    last: Span,
}

impl Place {
    pub(crate) fn new(first: Span, last: Span) -> Self {
        Self { first, last }
    }
}

impl From<Span> for Place {
    fn from(span: Span) -> Self {
        Self { first: span, last: span }
    }
}

/// Two tokens at the ends: on stable Rust spans can't be joined, and an error over both covers all
/// between them.
impl ToTokens for Place {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend([self.first, self.last].map(|span| TokenTree::from(Ident::new("place", span))));
    }
}

/// The mistakes met so far.
#[derive(Debug, Default)]
pub(crate) struct Errors {
    all: Vec<syn::Error>,
}

impl Errors {
    /// A mistake at a place.
    pub(crate) fn at(&mut self, place: impl Into<Place>, message: impl std::fmt::Display) {
        self.all.push(syn::Error::new_spanned(place.into(), message));
    }

    /// A mistake over a whole piece of syntax.
    pub(crate) fn over(&mut self, tokens: impl ToTokens, message: impl std::fmt::Display) {
        self.all.push(syn::Error::new_spanned(tokens, message));
    }

    /// A mistake that a parser found.
    pub(crate) fn push(&mut self, error: syn::Error) {
        self.all.push(error);
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.all.len()
    }

    /// All of them as one error, where there are any.
    pub(crate) fn into_one(self) -> Option<syn::Error> {
        self.all.into_iter().reduce(|mut all, next| {
            all.combine(next);
            all
        })
    }

    /// The value where there was no mistake, else all of them as `compile_error!`s.
    pub(crate) fn finish<T>(self, value: Option<T>) -> Result<T, TokenStream> {
        match (value, self.all.is_empty()) {
            (Some(value), true) => Ok(value),
            _ => Err(self.all.iter().map(syn::Error::to_compile_error).collect()),
        }
    }
}
