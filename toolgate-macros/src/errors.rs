//! Collects every mistake of one expansion. Not the wording, which is in [`crate::messages`].

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

/// The mistakes met so far.
#[derive(Debug, Default)]
pub(crate) struct Errors {
    all: Vec<syn::Error>,
}

impl Errors {
    /// A mistake at a place.
    pub(crate) fn at(&mut self, span: Span, message: impl std::fmt::Display) {
        self.all.push(syn::Error::new(span, message));
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
