//! `toolset!`: a list of tools, with one constant for each entry that the compiler evaluates. The
//! rules themselves are in `toolgate_core::spec::set`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::{Attribute, Ident, Path, Token, Visibility, bracketed};

use crate::errors::Errors;
use crate::expand::{tool_at, written};
use crate::messages;

/// One tool of the list.
struct Entry {
    attributes: Vec<Attribute>,
    path: Path,
}

impl Parse for Entry {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let at = input.span();
        let path = Path::parse_mod_style(input).map_err(|_| syn::Error::new(at, messages::entry_expected()))?;
        if !input.is_empty() && !input.peek(Token![,]) {
            return Err(input.error(messages::entry_expected()));
        }
        Ok(Self { attributes, path })
    }
}

type Entries = Punctuated<Entry, Token![,]>;

/// `pub static NAME = [..];`
struct Item {
    attributes: Vec<Attribute>,
    vis: Visibility,
    ident: Ident,
    entries: Entries,
}

impl Parse for Item {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let vis = input.parse()?;
        input.parse::<Token![static]>()?;
        let ident = input.parse()?;
        input.parse::<Token![=]>()?;
        let inside;
        bracketed!(inside in input);
        let entries = Entries::parse_terminated(&inside)?;
        input.parse::<Option<Token![;]>>()?;
        Ok(Self { attributes, vis, ident, entries })
    }
}

/// Whether this is the item form.
fn is_item(input: ParseStream<'_>) -> syn::Result<bool> {
    let ahead = input.fork();
    let item =
        ahead.call(Attribute::parse_outer).is_ok() && ahead.parse::<Visibility>().is_ok() && ahead.peek(Token![static]);
    input.parse::<TokenStream>()?;
    Ok(item)
}

/// Takes `crate = ::path;` off the front; gives the facade and the rest.
fn facade(input: ParseStream<'_>) -> syn::Result<(TokenStream, TokenStream)> {
    let mut krate = quote!(::toolgate);
    if input.peek(Token![crate]) && input.peek2(Token![=]) {
        input.parse::<Token![crate]>()?;
        input.parse::<Token![=]>()?;
        let path = Path::parse_mod_style(input)?;
        if path.leading_colon.is_none() {
            return Err(syn::Error::new_spanned(path, messages::crate_path("crate")));
        }
        input.parse::<Token![;]>()?;
        krate = quote!(#path);
    }
    Ok((krate, input.parse()?))
}

/// The set, as an expression or an item.
pub(crate) fn expand(tokens: TokenStream) -> TokenStream {
    let (krate, tokens) = match facade.parse2(tokens) {
        Ok(found) => found,
        Err(error) => return error.to_compile_error(),
    };
    if is_item.parse2(tokens.clone()).unwrap_or(false) {
        return match syn::parse2::<Item>(tokens) {
            Ok(item) => of_item(&krate, &item),
            Err(error) => told(&error),
        };
    }
    match Entries::parse_terminated.parse2(tokens) {
        Ok(entries) => {
            let set = set(&krate, &entries);
            quote!({ #set })
        }
        Err(error) => told(&error),
    }
}

/// A mistake of ours stays; one of the grammar gets our words.
fn told(error: &syn::Error) -> TokenStream {
    if error.to_string() == messages::entry_expected() {
        return error.to_compile_error();
    }
    syn::Error::new(error.span(), messages::toolset_item()).to_compile_error()
}

fn of_item(krate: &TokenStream, item: &Item) -> TokenStream {
    let Item { attributes, vis, ident, entries } = item;
    let set = set(krate, entries);
    let test = test(krate, item);
    quote! {
        #(#attributes)*
        #vis static #ident: #krate::StaticToolset = { #set };
        #test
    }
}

/// The check of types against types, which the compiler can't make, as a test: expressions against results and
/// words. The same that a gate makes when it is built.
///
/// A toolset inside of a function can't be named from a module, and no test in there would be run: an empty one
/// stands for it.
fn test(krate: &TokenStream, item: &Item) -> TokenStream {
    let Item { attributes, ident, .. } = item;
    let cfgs = attributes.iter().filter(|attribute| attribute.path().is_ident("cfg"));
    let name = quote::format_ident!("toolset_{}", ident.unraw().to_string().to_lowercase());
    let written = ident.unraw().to_string();
    quote! {
        #(#cfgs)*
        #[cfg(test)]
        #[allow(unnameable_test_items, dead_code, unused_imports, clippy::wildcard_imports, clippy::items_after_statements)]
        mod #name {
            #[#krate::__private::v1::test]
            fn fits_together() {
                static #ident: #krate::StaticToolset = #krate::__private::v1::EMPTY;
                {
                    use super::*;
                    #krate::__private::v1::fits_together(&#ident, #written);
                }
            }
        }
    }
}

/// Checks, then the value.
fn set(krate: &TokenStream, entries: &Entries) -> TokenStream {
    let mut errors = Errors::default();
    for attribute in entries.iter().flat_map(|entry| &entry.attributes) {
        if !attribute.path().is_ident("cfg") {
            errors.over(attribute, messages::entry_attribute());
        }
    }
    let errors = errors.finish(Some(())).err();
    let members = entries.iter().map(|Entry { attributes, path }| {
        let cfgs = attributes.iter().filter(|attribute| attribute.path().is_ident("cfg"));
        let written = written(path);
        let member = tool_at(path, |tool| quote_spanned!(path.span()=> __toolgate::Member::of::<#tool>(#written)));
        quote!(#(#cfgs)* #member)
    });
    let checks = checks(entries);
    let unmarked = unmarked(entries);
    quote! {
        #errors
        use #krate::__private::v1 as __toolgate;
        const __TOOLGATE_SET: &[__toolgate::Member] = &[#(#members),*];
        const __TOOLGATE_STUCK: [__toolgate::bool; __TOOLGATE_SET.len()] = __toolgate::stuck(__TOOLGATE_SET);
        #checks
        #unmarked
        const __TOOLGATE_ENTRIES: &[__toolgate::ToolEntry] =
            &__toolgate::entries::<{ __TOOLGATE_SET.len() }>(__TOOLGATE_SET);
        __toolgate::StaticToolset { entries: __TOOLGATE_ENTRIES }
    }
}

/// Functions beside the toolset that carry no `#[tool]`, which the compiler tells only as what they are not.
/// Around all that the module holds stand names for what it doesn't; where a function is found and a type of
/// its name is not, the attribute is missing.
fn unmarked(entries: &Entries) -> TokenStream {
    let mut idents: Vec<&Ident> = entries.iter().filter_map(|entry| entry.path.get_ident()).collect();
    idents.sort();
    idents.dedup();
    let checks = idents.iter().map(|ident| {
        let written = ident.unraw().to_string();
        quote_spanned!(ident.span()=> const _: () = __toolgate::unmarked::verdict::<#ident, _>(&#ident, #written).hold();)
    });
    quote! {
        const _: () = {
            #[allow(unused_imports)]
            use __toolgate::unmarked::{#(Elsewhere as #idents),*};
            #[allow(deprecated, unused_imports)]
            const _: () = {
                #[allow(clippy::wildcard_imports)]
                use self::*;
                #(#checks)*
            };
        };
    }
}

/// One constant for each entry: in one constant for all, the first mistake would hide the rest. And one for all
/// second mistakes of an entry, which are rare: a constant for each rule and entry was a seventh of all constants
/// and functions.
fn checks(entries: &Entries) -> TokenStream {
    let mut always = 0_usize;
    let mut sometimes: Vec<TokenStream> = Vec::new();
    let (mut checks, mut seconds) = (Vec::new(), Vec::new());
    for Entry { attributes, path } in entries {
        let conditions: Vec<TokenStream> = attributes
            .iter()
            .filter(|attribute| attribute.path().is_ident("cfg"))
            .filter_map(|attribute| attribute.parse_args().ok())
            .collect();
        let at = quote!(#always #(+ #sometimes)*);
        let cfgs = quote!(#(#[cfg(#conditions)])*);
        let rules = quote_spanned!(path.span()=> __toolgate::fits(__TOOLGATE_SET, &__TOOLGATE_STUCK, #at).hold());
        checks.push(quote!(#cfgs const _: () = #rules;));
        let second = quote_spanned!(path.span()=> __toolgate::fits_too(__TOOLGATE_SET, &__TOOLGATE_STUCK, #at).hold());
        seconds.push(quote!(#cfgs #second;));
        if conditions.is_empty() {
            always += 1;
        } else {
            sometimes.push(quote!(__toolgate::cfg!(all(#(#conditions),*)) as __toolgate::usize));
        }
    }
    quote!(#(#checks)* const _: () = { #(#seconds)* };)
}
