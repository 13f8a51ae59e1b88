//! The declared facts as a constant. Data only.

use std::time::Duration;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned as _;

use super::{arguments, field, flat};
use crate::model::{Confirm, Effects, Failure, Key, Precondition, Repeat, Tool};
use crate::syntax::ToolName;

/// `Some(..)` or `None`.
pub(crate) fn option(value: Option<impl ToTokens>) -> TokenStream {
    value.map_or_else(|| quote!(__toolgate::Option::None), |value| quote!(__toolgate::Option::Some(#value)))
}

fn duration(duration: Duration) -> TokenStream {
    let millis = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
    quote!(__toolgate::Duration::from_millis(#millis))
}

/// The constant that holds all facts.
pub(super) fn spec(tool: &Tool) -> TokenStream {
    let Tool { name, permissions, coerce, result_limit, .. } = tool;
    let said = |name: &str, text: &Option<String>| {
        let name = quote::format_ident!("{name}");
        text.as_ref().map(|text| quote!(#name: __toolgate::Option::Some(#text),))
    };
    let title = said("title", &tool.title);
    let doc = tool.function.doc.expression(&quote!(__toolgate));
    let risk = tool.effects.risk().variant();
    let output = tool.untrusted.then(|| quote!(output: __toolgate::Trust::Untrusted,));
    let confirm = confirm(&tool.effects);
    let (impact, alternatives) = (said("impact", &tool.impact), said("alternatives", &tool.alternatives));
    let preconditions = tool.preconditions.iter().enumerate().map(|(index, needed)| precondition(index, needed));
    let failure = failure(tool);
    let timeout = duration(tool.timeout);
    let (repeat, key) = repeat(&tool.effects);
    let params =
        arguments(tool).map(|(constant, argument)| field(&argument.name, &argument.facts, &constant.to_token_stream()));
    let params = flat(tool).map_or_else(|| quote!(&[#(#params),*]), |_| quote!(__TOOLGATE_FIELDS));
    let place = tool.function.item.sig.ident.span();
    let source = quote_spanned!(place=> __toolgate::concat!(__toolgate::file!(), ":", __toolgate::line!()));
    quote! {
        const __TOOLGATE_SPEC: __toolgate::ToolSpec = __toolgate::ToolSpec {
            name: #name,
            #title
            doc: #doc,
            risk: __toolgate::Risk::#risk,
            permissions: &[#(#permissions),*],
            confirm: #confirm,
            #impact
            #alternatives
            preconditions: &[#(#preconditions),*],
            failure_policy: #failure,
            timeout: #timeout,
            repeat: #repeat,
            key: #key,
            #output
            result_limit: #result_limit,
            coerce: __toolgate::Repairs::of(&[#(__toolgate::Repair::#coerce),*]),
            params: #params,
            source: #source,
            ..__toolgate::ToolSpec::PLAIN
        };
    }
}

fn confirm(effects: &Effects) -> TokenStream {
    match effects {
        Effects::Writes { confirm: Confirm::Ask(text), .. } => quote!(__toolgate::Confirm::Ask(#text)),
        Effects::Writes { confirm: Confirm::Unconfirmed(why), .. } => quote!(__toolgate::Confirm::Unconfirmed(#why)),
        Effects::Writes { confirm: Confirm::NotNeeded, .. } | Effects::Reads => quote!(__toolgate::Confirm::NotNeeded),
    }
}

fn repeat(effects: &Effects) -> (TokenStream, TokenStream) {
    let all = quote!(__toolgate::KeyRule::Arguments);
    match effects {
        Effects::Reads => (quote!(__toolgate::Repeat::Reads), all),
        Effects::Writes { repeat, .. } => match repeat {
            Repeat::Idempotent(rule) => (quote!(__toolgate::Repeat::Idempotent), key(rule)),
            Repeat::Once(rule) => (quote!(__toolgate::Repeat::Once), key(rule)),
            Repeat::Repeatable(why) => (quote!(__toolgate::Repeat::Repeatable(#why)), all),
        },
    }
}

fn key(rule: &Key) -> TokenStream {
    match rule {
        Key::Arguments => quote!(__toolgate::KeyRule::Arguments),
        Key::Named(names) => quote!(__toolgate::KeyRule::Named(&[#(#names),*])),
        Key::Host => quote!(__toolgate::KeyRule::Host),
    }
}

fn failure(tool: &Tool) -> TokenStream {
    match &tool.failure {
        Failure::Default => {
            let risk = tool.effects.risk().variant();
            quote!(__toolgate::FailurePolicy::default_for(__toolgate::Risk::#risk))
        }
        Failure::Retry { max, backoff } => {
            let backoff = duration(*backoff);
            quote!(__toolgate::FailurePolicy::Retry { max: #max, backoff: #backoff })
        }
        Failure::Fallback(ToolName::Path(_)) => {
            quote!(__toolgate::FailurePolicy::Fallback { tool: __TOOLGATE_FALLBACK.name })
        }
        Failure::Fallback(ToolName::Text(text)) => quote!(__toolgate::FailurePolicy::Fallback { tool: #text }),
        Failure::Abort => quote!(__toolgate::FailurePolicy::Abort),
        Failure::AbortAndAlert => quote!(__toolgate::FailurePolicy::AbortAndAlert),
    }
}

fn precondition(index: usize, needed: &Precondition) -> TokenStream {
    let tool = match &needed.tool {
        ToolName::Path(path) => {
            let link = quote::format_ident!("__TOOLGATE_NEED_{index}", span = path.span());
            quote!(#link.name)
        }
        ToolName::Text(text) => quote!(#text),
    };
    let when = option(needed.when.as_ref());
    let max_age = option(needed.max_age.map(duration));
    let unbound = option(needed.unbound.as_ref());
    quote!(__toolgate::Precondition { tool: #tool, when: #when, max_age: #max_age, unbound: #unbound })
}
