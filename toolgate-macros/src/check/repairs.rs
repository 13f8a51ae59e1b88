//! Which repairs of arguments a tool allows. Not what they do; the runtime has them.

use proc_macro2::{Ident, Span};
use syn::LitStr;

use crate::errors::Errors;
use crate::messages;
use crate::syntax::Keyed;

/// Word and name of the variant in the runtime. A test of the facade holds them against each other.
const KNOWN: [(&str, &str); 5] = [
    ("string-number", "StringNumber"),
    ("string-boolean", "StringBoolean"),
    ("double-encoded", "DoubleEncoded"),
    ("null-for-absent", "NullForAbsent"),
    ("item-for-list", "ItemForList"),
];

/// The variants of the named repairs; what isn't known is told.
pub(super) fn check(given: Option<&Keyed<Vec<LitStr>>>, errors: &mut Errors) -> Vec<Ident> {
    let mut variants = Vec::new();
    for word in given.into_iter().flat_map(|given| &given.value) {
        let text = word.value();
        if let Some((_, variant)) = KNOWN.iter().find(|(known, _)| *known == text) {
            variants.push(Ident::new(variant, Span::call_site()));
            continue;
        }
        let words = KNOWN.map(|(word, _)| word);
        let message = match toolgate_expr::nearest(&text, words.into_iter()) {
            Some(near) => messages::repair_unknown_near(&text, near),
            None => messages::repair_unknown(&text, words.join(", ")),
        };
        errors.at(word.span(), message);
    }
    variants
}
