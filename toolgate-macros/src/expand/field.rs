//! One parameter or field as constant data.

use proc_macro2::TokenStream;
use quote::quote;

use crate::model::{Bounds, FieldFacts};

/// A `Field`; `side` is how it is read or told.
pub(crate) fn field(name: &str, facts: &FieldFacts, side: &TokenStream) -> TokenStream {
    let FieldFacts { doc, bounds, optional, default, example, sensitive, reason, destination, resource } = facts;
    let doc = doc.expression(&quote!(__toolgate));
    let left_out = optional.then(|| quote!(.left_out()));
    let bounds = (!bounds.is_empty()).then(|| {
        let bounds = self::bounds(bounds);
        quote!(.bounded(#bounds))
    });
    let default = default.as_ref().map(|json| quote!(.with_default(#json)));
    let example = example.as_ref().map(|json| quote!(.with_example(#json)));
    let sensitive = sensitive.then(|| quote!(.sensitive()));
    let reason = reason.then(|| quote!(.reason()));
    let destination = destination.then(|| quote!(.destination()));
    let resource = resource.as_ref().map(|word| quote!(.resource(#word)));
    quote!(#side.named(#name, #doc)#left_out #bounds #default #example #sensitive #reason #destination #resource)
}

/// Constraints, only those that there are.
pub(crate) fn bounds(bounds: &Bounds) -> TokenStream {
    let Bounds { min, max, min_length, max_length, min_items, max_items, pattern, one_of } = bounds;
    let one_of = one_of.as_ref().map(|words| quote!(&[#(#words),*]));
    let given = [
        ("min", min.map(|value| quote!(#value))),
        ("max", max.map(|value| quote!(#value))),
        ("min_length", min_length.map(|value| quote!(#value))),
        ("max_length", max_length.map(|value| quote!(#value))),
        ("min_items", min_items.map(|value| quote!(#value))),
        ("max_items", max_items.map(|value| quote!(#value))),
        ("pattern", pattern.as_ref().map(|value| quote!(#value))),
        ("one_of", one_of),
    ];
    let given = given.into_iter().filter_map(|(name, value)| {
        let name = quote::format_ident!("{name}");
        value.map(|value| quote!(.#name(#value)))
    });
    quote!(__toolgate::Bounds::NONE #(#given)*)
}
