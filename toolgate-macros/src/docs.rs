//! Doc comments as one text. They count wherever they stand among the attributes.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// A doc comment: literal lines, or pieces that the compiler puts together (`include_str!`).
#[derive(Clone, Default)]
pub(crate) struct Doc {
    lines: Vec<Line>,
}

#[derive(Clone)]
enum Line {
    Text(String),
    Other(TokenStream),
}

impl Doc {
    /// The doc comment among the attributes.
    pub(crate) fn of<'a>(attributes: impl IntoIterator<Item = &'a Attribute>) -> Self {
        let lines = attributes.into_iter().filter_map(|attribute| {
            let Meta::NameValue(pair) = &attribute.meta else { return None };
            if !pair.path.is_ident("doc") {
                return None;
            }
            Some(match &pair.value {
                Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Line::Text(text.value()),
                other => Line::Other(other.to_token_stream()),
            })
        });
        Self { lines: lines.collect() }
    }

    /// Whether it says nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.lines.iter().all(|line| matches!(line, Line::Text(text) if text.trim().is_empty()))
    }

    /// An expression of type `&'static str`.
    pub(crate) fn expression(&self, private: &TokenStream) -> TokenStream {
        let texts: Option<Vec<&str>> = self
            .lines
            .iter()
            .map(|line| match line {
                Line::Text(text) => Some(text.as_str()),
                Line::Other(_) => None,
            })
            .collect();
        if let Some(texts) = texts {
            let text = join(&texts);
            return quote!(#text);
        }
        let pieces = self.lines.iter().map(|line| match line {
            Line::Text(text) => {
                let text = format!("{}\n", text.strip_prefix(' ').unwrap_or(text));
                quote!(#text)
            }
            Line::Other(other) => quote!(#other, "\n"),
        });
        quote!(#private::concat!(#(#pieces),*))
    }
}

/// The lines without the space that follows `///`, and without empty ones at the ends.
fn join(lines: &[&str]) -> String {
    let lines = lines.iter().flat_map(|text| text.split('\n'));
    let lines: Vec<&str> = lines.map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end()).collect();
    lines.join("\n").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doc(item: TokenStream) -> Doc {
        let item: syn::ItemFn = syn::parse2(item).unwrap();
        Doc::of(&item.attrs)
    }

    #[test]
    fn lines_join_wherever_other_attributes_stand() {
        let doc = doc(quote! {
            /// One.
            ///
            #[allow(dead_code)]
            ///   Two, indented.
            fn f() {}
        });
        assert!(!doc.is_empty());
        assert_eq!(doc.expression(&quote!(p)).to_string(), quote!("One.\n\n  Two, indented.").to_string());
    }

    #[test]
    fn a_comment_of_spaces_says_nothing() {
        assert!(doc(quote! { #[doc = "  "] #[doc(hidden)] fn f() {} }).is_empty());
    }

    #[test]
    fn an_included_text_is_left_to_the_compiler() {
        let doc = doc(quote! { #[doc = include_str!("a.md")] fn f() {} });
        assert!(!doc.is_empty());
        assert!(doc.expression(&quote!(p)).to_string().contains("include_str"));
    }
}
