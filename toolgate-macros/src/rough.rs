//! A function that is half typed, as editors hand it over: each part that can't be read is told, and all
//! tokens survive. Not what a finished function must be, which `check` knows.

use std::iter::Peekable;

use proc_macro2::token_stream::IntoIter;
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::ext::IdentExt as _;
use syn::parse::{ParseStream, Parser as _};
use syn::{Attribute, FnArg, ReturnType, Visibility};

use crate::errors::Errors;
use crate::item::{Kept, is_body};
use crate::messages;
use crate::signature::is_ours;

/// Tells what is missing or can't be read; `None` where this is no function at all.
pub(crate) fn read(tokens: &TokenStream, errors: &mut Errors) -> Option<Kept> {
    let before = errors.count();
    let Front { attrs, vis, mut rest } = front.parse2(tokens.clone()).unwrap_or_else(|_| Front::unread(tokens));
    while rest.next_if(is_qualifier).is_some() {}
    // What stands between may be anything; `const F: fn()` is no function.
    let is_first = rest.peek().is_some_and(|token| is_word(token, "fn"));
    let keyword = rest.find(|token| is_word(token, "fn"))?;
    let Some(TokenTree::Ident(ident)) = rest.next_if(|token| matches!(token, TokenTree::Ident(_))) else {
        errors.at(is_first.then(|| keyword.span())?, messages::function_unfinished("its name"));
        return Some(Kept { ident: None, vis: vis.to_token_stream(), attrs, tokens: tokens.clone() });
    };
    let mut method = false;
    let ends = |token: &TokenTree| is_body(token) || is_sign(token, ';');
    let signature: Vec<TokenTree> = rest.by_ref().take_while(|token| !ends(token)).collect();
    match signature.iter().position(|token| is_group(token, Delimiter::Parenthesis)) {
        None => errors.at(ident.span(), messages::function_unfinished("the list of its parameters")),
        Some(at) => {
            if let Some(TokenTree::Group(group)) = signature.get(at) {
                method = parameters(group.stream(), errors);
            }
            let output: TokenStream = signature.iter().skip(at + 1).cloned().collect();
            returns(output, &ident, errors);
        }
    }
    let mut tokens = without_ours(tokens.clone());
    if !tokens.clone().into_iter().any(|token| is_body(&token)) {
        errors.at(ident.span(), messages::function_unfinished("its body"));
        tokens = with_body(tokens);
    }
    if let Some(token) = rest.next() {
        errors.at(token.span(), messages::function_trailing());
    }
    if errors.count() == before {
        errors.at(ident.span(), messages::function_unreadable(ident.unraw()));
    }
    let ident = Some(ident).filter(|_| !method);
    Some(Kept { ident, vis: vis.to_token_stream(), attrs, tokens })
}

/// What comes before a function's keywords, and the rest.
struct Front {
    attrs: Vec<Attribute>,
    vis: Visibility,
    rest: Peekable<IntoIter>,
}

impl Front {
    fn unread(tokens: &TokenStream) -> Self {
        Self { attrs: Vec::new(), vis: Visibility::Inherited, rest: tokens.clone().into_iter().peekable() }
    }
}

fn front(input: ParseStream<'_>) -> syn::Result<Front> {
    let (attrs, vis) = (input.call(Attribute::parse_outer)?, input.parse()?);
    Ok(Front { attrs, vis, rest: input.parse::<TokenStream>()?.into_iter().peekable() })
}

fn is_word(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == word)
}

fn is_qualifier(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Literal(_))
        || ["const", "async", "unsafe", "extern"].iter().any(|word| is_word(token, word))
}

fn is_group(token: &TokenTree, delimiter: Delimiter) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == delimiter)
}

fn is_sign(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}

/// Tells of each parameter that can't be read; whether `self` is among them.
fn parameters(tokens: TokenStream, errors: &mut Errors) -> bool {
    let mut method = false;
    for parameter in split(tokens).into_iter().filter(|parameter| !parameter.is_empty()) {
        match syn::parse2::<FnArg>(parameter.iter().cloned().collect()) {
            Ok(FnArg::Receiver(_)) => method = true,
            Ok(FnArg::Typed(_)) => {}
            Err(_) => unfinished(&parameter, errors),
        }
    }
    method
}

/// At commas that stand in no angle brackets.
fn split(tokens: TokenStream) -> Vec<Vec<TokenTree>> {
    let mut parts = vec![Vec::new()];
    let mut depth = 0_usize;
    let mut arrow = false;
    for token in tokens {
        match &token {
            TokenTree::Punct(punct) if punct.as_char() == '<' => depth += 1,
            TokenTree::Punct(punct) if punct.as_char() == '>' && !arrow => depth = depth.saturating_sub(1),
            _ => {}
        }
        arrow = is_sign(&token, '-');
        if depth == 0 && is_sign(&token, ',') {
            parts.push(Vec::new());
        } else if let Some(part) = parts.last_mut() {
            part.push(token);
        }
    }
    parts
}

fn unfinished(parameter: &[TokenTree], errors: &mut Errors) {
    let attributes = |input: ParseStream<'_>| {
        input.call(Attribute::parse_outer)?;
        input.parse::<TokenStream>()
    };
    let all: TokenStream = parameter.iter().cloned().collect();
    let bare = attributes.parse2(all.clone()).unwrap_or(all);
    let name = bare.clone().into_iter().find_map(|token| match token {
        TokenTree::Ident(ident) if ident != "mut" => Some(ident),
        _ => None,
    });
    match name {
        Some(name) => errors.over(bare, messages::parameter_unfinished(name.unraw())),
        None => {
            let place = parameter.first().map_or_else(Span::call_site, TokenTree::span);
            errors.at(place, messages::parameter_unfinished("name"));
        }
    }
}

/// Tells of a return type that can't be read; a missing one is the finished function's fault.
fn returns(tokens: TokenStream, name: &Ident, errors: &mut Errors) {
    let output = |input: ParseStream<'_>| {
        input.parse::<ReturnType>()?;
        input.parse::<Option<syn::WhereClause>>()?;
        if input.is_empty() { Ok(()) } else { Err(input.error("")) }
    };
    if output.parse2(tokens).is_err() {
        errors.at(name.span(), messages::return_unfinished(name.unraw()));
    }
}

/// A body in place of a final `;`, or the compiler would tell that it is missing too.
fn with_body(tokens: TokenStream) -> TokenStream {
    let mut tokens: Vec<TokenTree> = tokens.into_iter().collect();
    if tokens.pop_if(|token| is_sign(token, ';')).is_some() {
        tokens.extend(quote::quote!({ loop {} }));
    }
    tokens.into_iter().collect()
}

/// The tokens without the attributes that are ours on parameters.
fn without_ours(tokens: TokenStream) -> TokenStream {
    let tokens = tokens.into_iter().map(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => {
            let mut bare = Group::new(group.delimiter(), without_attributes(group.stream()));
            bare.set_span(group.span());
            TokenTree::Group(bare)
        }
        other => other,
    });
    tokens.collect()
}

fn without_attributes(tokens: TokenStream) -> TokenStream {
    let mut kept = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let ours = is_sign(&token, '#')
            && tokens.next_if(|next| matches!(next, TokenTree::Group(group) if names_ours(group))).is_some();
        if !ours {
            kept.push(token);
        }
    }
    kept.into_iter().collect()
}

fn names_ours(group: &Group) -> bool {
    let first = group.stream().into_iter().next();
    group.delimiter() == Delimiter::Bracket
        && matches!(first, Some(TokenTree::Ident(ident)) if is_ours(&ident.clone().into()))
}
