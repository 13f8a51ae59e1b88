//! The declared facts as a constant. Data only.

use std::time::Duration;

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::Path;
use syn::spanned::Spanned as _;

use super::local;
use crate::check::{DEFAULT_RESULT_LIMIT, DEFAULT_TIMEOUT};
use crate::model::{Confirm, Effects, Failure, Hooks, Key, Precondition, Repeat, Tool};
use crate::syntax::ToolName;

/// `Some(..)` or `None`.
pub(crate) fn option(value: Option<impl ToTokens>) -> TokenStream {
    value.map_or_else(|| quote!(__toolgate::Option::None), |value| quote!(__toolgate::Option::Some(#value)))
}

fn duration(duration: Duration) -> TokenStream {
    let millis = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
    quote!(__toolgate::Duration::from_millis(#millis))
}

/// All facts, those that go without saying left out.
pub(super) fn spec(tool: &Tool) -> TokenStream {
    let Tool { permissions, coerce, result_limit, .. } = tool;
    let doc = tool.function.doc.expression(&quote!(__toolgate));
    let risk = tool.effects.risk().variant();
    let preconditions = tool.preconditions.iter().enumerate().map(|(index, needed)| precondition(index, needed));
    let (repeat, key) = repeat(&tool.effects);
    let place = tool.function.item.sig.ident.span();
    let said = [
        ("title", tool.title.as_ref().map(|text| option(Some(text)))),
        ("confirm", confirm(&tool.effects)),
        ("impact", tool.impact.as_ref().map(|text| option(Some(text)))),
        ("alternatives", tool.alternatives.as_ref().map(|text| option(Some(text)))),
        ("preconditions", (!tool.preconditions.is_empty()).then(|| quote!(&[#(#preconditions),*]))),
        ("failure_policy", failure(tool)),
        ("timeout", (tool.timeout != DEFAULT_TIMEOUT).then(|| duration(tool.timeout))),
        ("repeat", repeat),
        ("key", key),
        ("effects", tool.marked.then(|| quote!(__toolgate::EffectMarks::Marked))),
        ("settle", tool.hooks.settle.map(duration)),
        ("output", tool.untrusted.then(|| quote!(__toolgate::Trust::Untrusted))),
        ("result_limit", (*result_limit != DEFAULT_RESULT_LIMIT).then(|| quote!(#result_limit))),
        ("coerce", (!coerce.is_empty()).then(|| quote!(__toolgate::Repairs::of(&[#(__toolgate::Repair::#coerce),*])))),
    ];
    let said = said.into_iter().filter_map(|(name, value)| {
        let name = format_ident!("{name}");
        value.map(|value| quote!(#name: #value,))
    });
    let source = quote_spanned!(place=> __toolgate::concat!(__toolgate::file!(), ":", __toolgate::line!()));
    quote! {
        __toolgate::ToolSpec {
            name: Self::HEAD.name,
            doc: #doc,
            risk: __toolgate::Risk::#risk,
            permissions: &[#(#permissions),*],
            #(#said)*
            params: Self::HEAD.params,
            source: #source,
            ..__toolgate::PLAIN
        }
    }
}

/// What it says about its earlier calls; the place of each path is where its signature is told to be wrong.
pub(super) fn hooks(hooks: &Hooks) -> Option<TokenStream> {
    let Hooks { verify, reconcile, settle: _ } = hooks;
    if verify.is_none() && reconcile.is_none() {
        return None;
    }
    let asks = |ask: &str, path: &Option<Path>| {
        let path = path.as_ref()?;
        let place = path.span();
        let ask = Ident::new(ask, place);
        let (context, recorded) = (local("context"), local("recorded"));
        let asked = quote_spanned!(place=> __toolgate::#ask(#path, #context, #recorded));
        Some(quote!(|#context, #recorded| #asked))
    };
    let verify = option(asks("verify", verify));
    let reconcile = option(asks("reconcile", reconcile));
    Some(quote!(__toolgate::Hooks { verify: #verify, reconcile: #reconcile }))
}

fn confirm(effects: &Effects) -> Option<TokenStream> {
    match effects {
        Effects::Writes { confirm: Confirm::Ask(text), .. } => Some(quote!(__toolgate::Confirm::Ask(#text))),
        Effects::Writes { confirm: Confirm::Unconfirmed(why), .. } => {
            Some(quote!(__toolgate::Confirm::Unconfirmed(#why)))
        }
        Effects::Writes { confirm: Confirm::NotNeeded, .. } | Effects::Reads => None,
    }
}

fn repeat(effects: &Effects) -> (Option<TokenStream>, Option<TokenStream>) {
    match effects {
        Effects::Reads => (None, None),
        Effects::Writes { repeat, .. } => match repeat {
            Repeat::Idempotent(rule) => (Some(quote!(__toolgate::Repeat::Idempotent)), key(rule)),
            Repeat::Once(rule) => (Some(quote!(__toolgate::Repeat::Once)), key(rule)),
            Repeat::Repeatable(why) => (Some(quote!(__toolgate::Repeat::Repeatable(#why))), None),
        },
    }
}

fn key(rule: &Key) -> Option<TokenStream> {
    match rule {
        Key::Arguments => None,
        Key::Named(names) => Some(quote!(__toolgate::KeyRule::Named(&[#(#names),*]))),
        Key::Host => Some(quote!(__toolgate::KeyRule::Host)),
    }
}

fn failure(tool: &Tool) -> Option<TokenStream> {
    Some(match &tool.failure {
        Failure::Default => match tool.effects {
            Effects::Reads => return None,
            Effects::Writes { .. } => {
                let risk = tool.effects.risk().variant();
                quote!(__toolgate::FailurePolicy::default_for(__toolgate::Risk::#risk))
            }
        },
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
    })
}

fn precondition(index: usize, needed: &Precondition) -> TokenStream {
    let tool = match &needed.tool {
        ToolName::Path(path) => {
            let link = format_ident!("__TOOLGATE_NEED_{index}", span = path.span());
            quote!(#link.name)
        }
        ToolName::Text(text) => quote!(#text),
    };
    let when = option(needed.when.as_ref());
    let max_age = option(needed.max_age.map(duration));
    let unbound = option(needed.unbound.as_ref());
    quote!(__toolgate::Precondition { tool: #tool, when: #when, max_age: #max_age, unbound: #unbound })
}
