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

    /// Whether nothing was met so far.
    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The value where there was no mistake, else all of them as `compile_error!`s.
    pub(crate) fn finish<T>(self, value: Option<T>) -> Result<T, TokenStream> {
        match (value, self.all.is_empty()) {
            (Some(value), true) => Ok(value),
            _ => Err(self.all.iter().map(syn::Error::to_compile_error).collect()),
        }
    }
}
