//! The expansion of a checked tool: constant data, one function that reads the arguments, and the
//! implementation of `Tool`. All names are absolute, and none is the user's.

mod facts;
mod field;
mod flat;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens as _, format_ident, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Attribute, Index, Path};

pub(crate) use field::{bounds, field};

use crate::model::{Argument, Failure, Loose, Slot, Tool};
use crate::syntax::ToolName;

/// The attributes that decide whether an item is there at all.
pub(crate) fn cfgs(attributes: &[Attribute]) -> Vec<&Attribute> {
    attributes.iter().filter(|attribute| attribute.path().is_ident("cfg")).collect()
}

/// A name that no user's name can be taken for.
fn local(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// `content` with the type of the tool behind a path. A function that carries no `#[tool]` has none, and would be
/// told in the compiler's words; where the path has several parts, the runtime's stand-in takes its place.
/// A path of one part could be taken for a crate in an import.
pub(crate) fn tool_at(path: &Path, content: impl FnOnce(&TokenStream) -> TokenStream) -> TokenStream {
    if path.leading_colon.is_none() && path.segments.len() == 1 {
        return content(&quote!(#path));
    }
    let entry = Ident::new("__ToolgateEntry", path.span());
    let content = content(&entry.to_token_stream());
    // What is not found at all has its own error; naming it again keeps the stand-in from adding one.
    quote! {{
        #[allow(unused_imports, deprecated)]
        use #path as #entry;
        #[allow(unused_imports, clippy::wildcard_imports)]
        use __toolgate::unmarked::*;
        #[allow(deprecated)]
        let _ = #entry;
        #content
    }}
}

/// A path as it is written.
pub(crate) fn written(path: &Path) -> String {
    path.to_token_stream().to_string().replace(' ', "")
}

/// The user's function, the type of its name, and what makes that a tool.
pub(crate) fn expand(tool: &Tool) -> TokenStream {
    let item = &tool.function.item;
    let krate = &tool.krate;
    let (vis, ident, cfgs) = (&item.vis, &item.sig.ident, cfgs(&item.attrs));
    let values = values(tool);
    let links = links(tool);
    let prepare = prepare(tool);
    let implementation = implementation(tool);
    // A tool takes what it owns and returns a `Result`; its author can't choose otherwise.
    quote! {
        #[allow(clippy::needless_pass_by_value, clippy::unnecessary_wraps)]
        #item
        #(#cfgs)*
        #[doc(hidden)]
        #[non_exhaustive]
        #[allow(non_camel_case_types)]
        #vis enum #ident {}
        #(#cfgs)*
        #[allow(deprecated, unused_imports)]
        const _: () = {
            use #krate::__private::v1 as __toolgate;
            use __toolgate::ProbeForeign as _;
            #values
            #links
            #prepare
            #implementation
        };
    }
}

/// The struct whose fields are the arguments, where there is one.
fn flat(tool: &Tool) -> Option<&syn::Type> {
    tool.slots.iter().find_map(|slot| match slot {
        Slot::Arguments(ty) => Some(&**ty),
        _ => None,
    })
}

/// Each argument and where in the constant of all stands how it is read.
fn arguments(tool: &Tool) -> impl Iterator<Item = (TokenStream, &Argument)> {
    let arguments = tool.slots.iter().filter_map(|slot| match slot {
        Slot::Argument(argument) => Some(&**argument),
        _ => None,
    });
    arguments.enumerate().map(|(index, argument)| {
        let index = Index::from(index);
        (quote!(__TOOLGATE_ARGS.#index), argument)
    })
}

/// How each argument, state and the result is read or told; each bound stands here, and only here. One constant
/// for all arguments: each constant costs the compiler about as much as a function.
fn values(tool: &Tool) -> TokenStream {
    let types = arguments(tool).map(|(_, argument)| &argument.ty);
    let probes = arguments(tool).map(|(_, argument)| {
        let ty = &argument.ty;
        quote_spanned!(ty.span()=> <__toolgate::Probe<#ty>>::ARGUMENT.param())
    });
    let arguments = arguments(tool)
        .next()
        .map(|_| quote!(const __TOOLGATE_ARGS: &(#(__toolgate::Param<#types>,)*) = &(#(#probes,)*);));
    let states = states(tool).map(|(constant, ty)| {
        let probe = quote_spanned!(ty.span()=> __toolgate::state::<#ty>());
        quote!(const #constant: __toolgate::State<#ty> = #probe;)
    });
    let returns = &tool.returns;
    let place = returns.span();
    let (output, failed) = (Ident::new("__ToolgateOk", place), Ident::new("__ToolgateFailure", place));
    let parts = quote_spanned! {place=>
        type #output = <#returns as __toolgate::ToolReturn>::Output;
        type #failed = <#returns as __toolgate::ToolReturn>::Failure;
    };
    let probe = quote_spanned!(tool.result_span=> <__toolgate::Probe<#output>>::RESULT.returned());
    let failure = quote_spanned!(tool.error_span=> __toolgate::failure::<#failed>());
    // A type that is no `Result` is told once: in one place, and with one reason.
    let parts = quote_spanned! {place=>
        #parts
        const __TOOLGATE_RESULT: &__toolgate::Outcome<#output, #failed> = &#probe.or(#failure);
    };
    let flat = flat(tool).map(|ty| flat::values(tool, ty));
    quote! {
        #arguments
        #flat
        #(#states)*
        #parts
    }
}

fn states(tool: &Tool) -> impl Iterator<Item = (Ident, &syn::Type)> {
    let states = tool.slots.iter().filter_map(|slot| match slot {
        Slot::State(ty) => Some(&**ty),
        _ => None,
    });
    states.enumerate().map(|(index, ty)| (format_ident!("__TOOLGATE_STATE_{index}"), ty))
}

/// The other tools that this one names by path, each bound once; and that preconditions bind arguments.
fn links(tool: &Tool) -> TokenStream {
    let name = &tool.name;
    let link = |constant: &Ident, path: &Path| {
        let link = tool_at(path, |tool| quote_spanned!(path.span()=> __toolgate::Link::to::<#tool>()));
        let written = written(path);
        let again = Ident::new(&constant.to_string(), path.span());
        let is_tool = quote_spanned!(path.span()=> #again.is_tool(#written).hold());
        quote!(const #constant: __toolgate::Link = #link; const _: () = #is_tool;)
    };
    let needs = tool.preconditions.iter().enumerate().filter_map(|(index, needed)| {
        let ToolName::Path(path) = &needed.tool else { return None };
        let constant = format_ident!("__TOOLGATE_NEED_{index}");
        let declared = link(&constant, path);
        let check = match &needed.loose {
            Loose::Listed(loose) if loose.is_empty() => None,
            Loose::Listed(loose) => Some(quote_spanned! {path.span()=>
                __toolgate::binds(#name, #constant.name, &[#(#loose),*], #constant.params).hold()
            }),
            Loose::AllBut(bound) => Some(flat::binds(name, &constant, bound, path.span())),
        };
        let check = check.map(|call| quote!(const _: () = #call;));
        Some(quote!(#declared #check))
    });
    let fallback = match &tool.failure {
        Failure::Fallback(ToolName::Path(path)) => Some(link(&format_ident!("__TOOLGATE_FALLBACK"), path)),
        _ => None,
    };
    quote!(#(#needs)* #fallback)
}

/// Reads all arguments, then wraps the call.
fn prepare(tool: &Tool) -> TokenStream {
    let (args, context) = (local("args"), local("context"));
    let locals: Vec<Ident> = arguments(tool).enumerate().map(|(index, _)| local(&format!("arg{index}"))).collect();
    let takes = arguments(tool).map(|(reader, argument)| {
        let name = &argument.name;
        quote!((#reader.take)(#args, #name))
    });
    let whole = flat(tool).map(|_| local("whole"));
    let take_whole = whole.as_ref().map(|whole| quote!(let #whole = #args.whole(&__TOOLGATE_WHOLE)?;));
    let mut given = locals.iter();
    let mut states = states(tool);
    let inputs = tool.slots.iter().filter_map(|slot| match slot {
        Slot::Context => Some(quote!(&#context)),
        Slot::State(_) => states.next().map(|(constant, _)| quote!((#constant.get)(&#context)?)),
        Slot::Argument(_) => given.next().map(|local| quote!(#local)),
        Slot::Arguments(_) => whole.as_ref().map(|whole| quote!(#whole)),
    });
    let ident = &tool.function.item.sig.ident;
    let asynchronous = tool.function.item.sig.asyncness.is_some();
    // Everything about a type that is no `Result` points at it, or it would be told more than once.
    let place = tool.returns.span();
    let returned = Ident::new("returned", Span::mixed_site().located_at(place));
    let returns = &tool.returns;
    let finish = quote_spanned!(place=> __TOOLGATE_RESULT.finish::<#returns>(#returned));
    let inputs: Vec<TokenStream> = inputs.collect();
    let called = quote_spanned!(ident.span()=> #ident(#(#inputs),*));
    // A closure around nothing but a call would be one for the lints of the user's crate.
    let to_call = if inputs.is_empty() { quote!(#ident) } else { quote_spanned!(ident.span()=> move || #called) };
    let injects = tool.slots.iter().any(|slot| matches!(slot, Slot::Context | Slot::State(_)));
    let wrapped = match (asynchronous, injects) {
        (true, false) => quote_spanned!(place=> __TOOLGATE_RESULT.future::<#returns>(#called)),
        (false, false) => quote_spanned!(place=> __TOOLGATE_RESULT.blocking::<#returns>(#to_call)),
        (true, true) => quote_spanned! {ident.span()=>
            __toolgate::Invocation::future(move |#context| async move { let #returned = #called.await; #finish })
        },
        (false, true) => quote_spanned! {ident.span()=>
            __toolgate::Invocation::blocking(move |#context| { let #returned = #called; #finish })
        },
    };
    // All are read before any is looked at. One pattern, since a `?` for each costs the compiler a fifth of a
    // tool's check.
    let take = (!locals.is_empty()).then(|| {
        quote! {
            use __toolgate::Option::{None, Some};
            let (#(Some(#locals),)*) = (#(#takes,)*) else { return None };
        }
    });
    quote! {
        fn __toolgate_prepare(
            #args: &mut __toolgate::Args<'_>,
        ) -> __toolgate::Option<__toolgate::Invocation> {
            #take
            #take_whole
            __toolgate::Option::Some(#wrapped)
        }
    }
}

fn implementation(tool: &Tool) -> TokenStream {
    let (ident, name) = (&tool.function.item.sig.ident, &tool.name);
    let mut needs = tool.preconditions.iter().enumerate().map(|(index, needed)| match &needed.tool {
        ToolName::Path(_) => {
            let link = format_ident!("__TOOLGATE_NEED_{index}");
            quote!(__toolgate::Need::on(&#link))
        }
        ToolName::Text(text) => {
            let loose = match &needed.loose {
                Loose::Listed(loose) => quote!(&[#(#loose),*]),
                Loose::AllBut(bound) => flat::loose(bound),
            };
            quote!(__toolgate::Need { id: __toolgate::name_id(#text), name: #text, loose: #loose })
        }
    });
    let needs = needs.next().map(|first| quote!(const NEEDS: &'static [__toolgate::Need] = &[#first #(, #needs)*];));
    let params = arguments(tool).map(|(reader, argument)| field(&argument.name, &argument.facts, &reader));
    let params = flat(tool).map_or_else(|| quote!(&[#(#params),*]), |_| quote!(__TOOLGATE_FIELDS));
    let states = states(tool).map(|(constant, _)| quote!(#constant.def));
    let redact = facts::option(tool.redact.as_ref());
    let hooks = facts::hooks(&tool.hooks).unwrap_or_else(|| quote!(__toolgate::Hooks::NONE));
    let output = quote_spanned!(tool.returns.span()=> __TOOLGATE_RESULT.shape);
    let spec = facts::spec(tool);
    quote! {
        impl __toolgate::Tool for #ident {
            const HEAD: __toolgate::Head = __toolgate::Head { name: #name, params: #params };
            #needs
            const ENTRY: __toolgate::ToolEntry = __toolgate::ToolEntry {
                spec: &#spec,
                prepare: __toolgate_prepare,
                states: &[#(#states),*],
                redact: #redact,
                hooks: #hooks,
                output: #output,
            };
        }
    }
}
