//! What is emitted when there were mistakes: the mistakes, the user's function, and a stub of the tool, so
//! that nothing else fails because of them.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt as _;

use crate::expand::cfgs;
use crate::item::Kept;

/// Errors, function and stub.
pub(crate) fn expand(krate: &TokenStream, name: Option<String>, kept: &Kept, errors: &TokenStream) -> TokenStream {
    let Kept { ident, vis, attrs, tokens } = kept;
    let Some(ident) = ident else { return quote!(#errors #tokens) };
    let cfgs = cfgs(attrs);
    let name = name.unwrap_or_else(|| ident.unraw().to_string());
    quote! {
        #errors
        #tokens
        #(#cfgs)*
        #[doc(hidden)]
        #[non_exhaustive]
        #[allow(non_camel_case_types, dead_code)]
        #vis enum #ident {}
        #(#cfgs)*
        const _: () = {
            use #krate::__private::v1 as __toolgate;
            impl __toolgate::Tool for #ident {
                const HEAD: __toolgate::Head = __toolgate::Head { name: #name, params: &[] };
                const ENTRY: __toolgate::ToolEntry = __toolgate::BROKEN;
            }
        };
    }
}
