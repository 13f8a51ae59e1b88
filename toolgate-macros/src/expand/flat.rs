//! The expansion of `#[args] input: T`: the fields of `T` as parameters, and the look-up of every name that the
//! options use, which only the compiler can do.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens as _, quote, quote_spanned};
use syn::Type;
use syn::spanned::Spanned as _;

use crate::model::{NamedBy, Tool};

/// How all arguments are read at once, which there are, and that the options name no others.
pub(super) fn values(tool: &Tool, ty: &Type) -> TokenStream {
    let written = ty.to_token_stream().to_string().replace(' ', "");
    let param = quote_spanned!(ty.span()=> <__toolgate::Probe<#ty>>::ARGUMENT.param());
    let flat = quote_spanned!(ty.span()=> <__toolgate::Probe<#ty>>::ARGUMENT.flat());
    let is_struct = quote_spanned!(ty.span()=> __toolgate::flat::is_struct(&__TOOLGATE_FLAT, #written).hold());
    let no_resource = quote_spanned!(ty.span()=> __toolgate::flat::no_resource(__TOOLGATE_FIELDS, #written).hold());
    let checks = tool.named.iter().map(|named| {
        let name = &named.name;
        let check = Ident::new(
            match named.by {
                NamedBy::Confirm => "placeholder",
                NamedBy::Key => "key",
                NamedBy::Precondition => "expression",
            },
            named.place,
        );
        quote_spanned!(named.place=> const _: () = __toolgate::flat::#check(__TOOLGATE_FIELDS, #name).hold();)
    });
    quote! {
        const __TOOLGATE_WHOLE: __toolgate::Param<#ty> = #param;
        const __TOOLGATE_FLAT: __toolgate::Flat = #flat;
        const __TOOLGATE_FIELDS: &[__toolgate::Field] =
            __toolgate::flat::fields(&__TOOLGATE_FLAT, &[__toolgate::Field::whole(__TOOLGATE_WHOLE.shape)]);
        const _: () = #is_struct;
        const _: () = #no_resource;
        #(#checks)*
    }
}

/// The names of those that are not bound.
pub(super) fn loose(bound: &[String]) -> TokenStream {
    quote!(&__toolgate::flat::loose::<{ __TOOLGATE_FIELDS.len() }>(__TOOLGATE_FIELDS, &[#(#bound),*]))
}

/// That the precondition on the tool behind `need` leaves nothing loose.
pub(super) fn binds(tool: &str, need: &Ident, bound: &[String], place: Span) -> TokenStream {
    quote_spanned! {place=>
        __toolgate::flat::binds::<{ __TOOLGATE_FIELDS.len() }>(
            #tool, #need.name, __TOOLGATE_FIELDS, &[#(#bound),*], #need.params,
        )
        .hold()
    }
}
