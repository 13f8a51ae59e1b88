//! A function as it is written and emitted: attributes, visibility and signature are read; the body is
//! tokens that pass through. Not what a tool may look like, and not what is half typed: see `rough`.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream, Parser as _};
use syn::{Attribute, FnArg, Signature, Visibility};

use crate::messages;

/// A function whose body nobody looks at.
#[derive(Clone)]
pub(crate) struct Item {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) sig: Signature,
    /// In its braces.
    pub(crate) body: TokenTree,
}

impl Parse for Item {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let vis = input.parse()?;
        let sig: Signature = input.parse()?;
        let body = bare(input.parse()?);
        if !is_body(&body) {
            return Err(syn::Error::new_spanned(body, messages::function_unfinished("its body")));
        }
        if !input.is_empty() {
            return Err(input.error(messages::function_trailing()));
        }
        Ok(Self { attrs, vis, sig, body })
    }
}

impl ToTokens for Item {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self { attrs, vis, sig, body } = self;
        tokens.extend(quote!(#(#attrs)* #vis #sig #body));
    }
}

impl Item {
    /// Its attributes, also those that stand first in the body.
    pub(crate) fn all_attributes(&self) -> Vec<Attribute> {
        let inner = |input: ParseStream<'_>| {
            let inner = input.call(Attribute::parse_inner);
            input.parse::<TokenStream>()?;
            inner
        };
        let body = match &self.body {
            TokenTree::Group(group) => group.stream(),
            _ => TokenStream::new(),
        };
        let inner = inner.parse2(body).unwrap_or_default();
        self.attrs.iter().cloned().chain(inner).collect()
    }

    /// What stays of it when there were mistakes.
    pub(crate) fn kept(&self) -> Kept {
        let in_impl = matches!(self.sig.inputs.first(), Some(FnArg::Receiver(_)));
        Kept {
            ident: Some(self.sig.ident.clone()).filter(|_| !in_impl),
            vis: self.vis.to_token_stream(),
            attrs: self.attrs.clone(),
            tokens: self.to_token_stream(),
        }
    }
}

/// Whether this is what can stand as a function's body.
pub(crate) fn is_body(token: &TokenTree) -> bool {
    matches!(bare(token.clone()), TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

/// The token without what stands around a fragment of a `macro_rules!`, such as `$body:block`.
fn bare(token: TokenTree) -> TokenTree {
    if let TokenTree::Group(group) = &token
        && group.delimiter() == Delimiter::None
    {
        let mut inside = group.stream().into_iter();
        if let (Some(only), None) = (inside.next(), inside.next()) {
            return bare(only);
        }
    }
    token
}

/// What stays of an item with mistakes.
pub(crate) struct Kept {
    /// Its name, where a type of that name can stand beside it: a method stands in an `impl`, where none can.
    pub(crate) ident: Option<Ident>,
    pub(crate) vis: TokenStream,
    pub(crate) attrs: Vec<Attribute>,
    /// The item, without our attributes on its parameters.
    pub(crate) tokens: TokenStream,
}
