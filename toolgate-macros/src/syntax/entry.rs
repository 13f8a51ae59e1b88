//! The grammar of attributes: `key`, `key = value`, `key(..)`, separated by commas. A mistake costs one
//! entry, not the rest. Not which keys there are.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream, Parser as _};
use syn::{Ident, Lit, Path, Token, bracketed, parenthesized};

use crate::errors::{Errors, Place};
use crate::messages;

/// A value and the key it was given under.
#[derive(Clone)]
pub(crate) struct Keyed<T> {
    pub(crate) key: Ident,
    pub(crate) value: T,
}

/// One option as written.
#[derive(Clone)]
pub(crate) struct Entry {
    pub(crate) key: Ident,
    pub(crate) value: Value,
}

/// A number with its sign.
#[derive(Clone)]
pub(crate) struct Number {
    pub(crate) negative: bool,
    pub(crate) lit: Lit,
}

/// What can stand behind a key.
#[derive(Clone)]
pub(crate) enum Value {
    /// Nothing.
    Flag,
    /// `"text"`, `10`, `true`.
    Lit(Lit),
    /// `-10`.
    Negative(Token![-], Lit),
    /// `1..=10`, `1..`, `..=10`.
    Range { low: Option<Number>, inclusive: bool, high: Option<Number>, place: Place },
    /// `module::name`.
    Path(Path),
    /// `[..]`.
    List(Vec<Value>, Span),
    /// `name(..)`, with the name in front.
    Call(Ident, Vec<Entry>),
    /// `(..)` right behind the key.
    Group(Vec<Entry>),
    /// `key = name = value`, as in `failure_policy = fallback = other`.
    Named(Box<Entry>),
    /// `key: value`, `key => value`, `key == value`: a value behind a sign that is not the right one.
    Beside(Box<Value>, Place),
    /// Something that can't be read, which is told.
    Broken,
}

impl Value {
    /// Where to point at it; `key` where it is nothing.
    pub(crate) fn place(&self, key: &Ident) -> Place {
        match self {
            Self::Flag | Self::Group(_) | Self::Broken => key.span().into(),
            Self::Beside(value, _) => value.place(key),
            Self::Lit(lit) => lit.span().into(),
            Self::Negative(minus, lit) => Place::new(minus.span, lit.span()),
            Self::Range { place, .. } => *place,
            Self::List(_, span) => (*span).into(),
            Self::Path(path) => {
                let mut spans = path.to_token_stream().into_iter().map(|token| token.span());
                let first = spans.next().unwrap_or_else(Span::call_site);
                Place::new(first, spans.last().unwrap_or(first))
            }
            Self::Call(name, _) => name.span().into(),
            Self::Named(entry) => entry.key.span().into(),
        }
    }
}

/// Reads all entries of an attribute; what can't be read is told and left out.
pub(crate) fn entries(tokens: TokenStream, errors: &mut Errors) -> Vec<Entry> {
    let mut found = Vec::new();
    let reader = |input: ParseStream<'_>| {
        read_all(input, &mut found, errors);
        Ok(())
    };
    if let Err(error) = reader.parse2(tokens) {
        errors.push(error);
    }
    found
}

fn read_all(input: ParseStream<'_>, found: &mut Vec<Entry>, errors: &mut Errors) {
    while !input.is_empty() {
        match read_entry(input, errors) {
            Ok(entry) => {
                let whole = !matches!(entry.value, Value::Broken);
                if whole && !input.is_empty() && !input.peek(Token![,]) {
                    errors.at(input.span(), messages::comma_expected(&entry.key));
                }
                found.push(entry);
            }
            Err(error) => errors.push(error),
        }
        skip_to_comma(input);
        if input.parse::<Option<Token![,]>>().is_err() {
            return;
        }
    }
}

fn skip_to_comma(input: ParseStream<'_>) {
    while !input.is_empty() && !input.peek(Token![,]) {
        if input.parse::<proc_macro2::TokenTree>().is_err() {
            return;
        }
    }
}

/// The entry; a value that can't be read is told, and its key is known all the same.
fn read_entry(input: ParseStream<'_>, errors: &mut Errors) -> syn::Result<Entry> {
    if !input.peek(Ident::peek_any) {
        return Err(input.error(messages::option_expected()));
    }
    let key = Ident::parse_any(input)?;
    let value = read_behind(input, &key).unwrap_or_else(|error| {
        errors.push(error);
        Value::Broken
    });
    Ok(Entry { key, value })
}

fn read_behind(input: ParseStream<'_>, key: &Ident) -> syn::Result<Value> {
    if input.peek(syn::token::Paren) {
        return read_group(input).map(Value::Group);
    }
    let start = input.span();
    let wrong = (input.peek(Token![:]) && !input.peek(Token![::])) || input.peek(Token![=>]) || input.peek(Token![==]);
    if wrong {
        let mut end = start;
        while input.peek(Token![:]) || input.peek(Token![=]) || input.peek(Token![>]) {
            end = input.span();
            input.parse::<proc_macro2::TokenTree>()?;
        }
        let value = read_value(input, key)?;
        return Ok(Value::Beside(Box::new(value), Place::new(start, end)));
    }
    if input.peek(Token![=]) {
        input.parse::<Token![=]>()?;
        return read_value(input, key);
    }
    Ok(Value::Flag)
}

/// The entries between parentheses. A text without a key, as in `retry("x")`, is no entry.
fn read_group(input: ParseStream<'_>) -> syn::Result<Vec<Entry>> {
    let inside;
    parenthesized!(inside in input);
    let mut errors = Errors::default();
    let mut found = Vec::new();
    read_all(&inside, &mut found, &mut errors);
    match errors.into_one() {
        Some(error) => Err(error),
        None => Ok(found),
    }
}

fn read_value(input: ParseStream<'_>, key: &Ident) -> syn::Result<Value> {
    let start = input.span();
    if input.is_empty() || input.peek(Token![,]) {
        return Err(syn::Error::new(key.span(), messages::value_expected(key.unraw())));
    }
    if input.peek(syn::token::Bracket) {
        let inside;
        let bracket = bracketed!(inside in input);
        let mut items = Vec::new();
        while !inside.is_empty() {
            items.push(read_value(&inside, key)?);
            if !inside.is_empty() {
                inside.parse::<Token![,]>()?;
            }
        }
        return Ok(Value::List(items, bracket.span.join()));
    }
    if input.peek(Token![..=]) || input.peek(Token![..]) {
        return read_range(input, None, start);
    }
    if input.peek(Lit) || input.peek(Token![-]) {
        let minus: Option<Token![-]> = input.parse()?;
        let lit: Lit = input.parse().map_err(|_| syn::Error::new(start, messages::value_expected(key.unraw())))?;
        if input.peek(Token![..]) || input.peek(Token![..=]) {
            return read_range(input, Some(Number { negative: minus.is_some(), lit }), start);
        }
        return Ok(match minus {
            Some(minus) => Value::Negative(minus, lit),
            None => Value::Lit(lit),
        });
    }
    read_named(input, key)
}

/// A path, a call or `name = value`.
fn read_named(input: ParseStream<'_>, key: &Ident) -> syn::Result<Value> {
    if input.peek(Ident::peek_any) && input.peek2(syn::token::Paren) {
        let name = Ident::parse_any(input)?;
        return Ok(Value::Call(name, read_group(input)?));
    }
    if input.peek(Ident) && input.peek2(Token![=]) && !input.peek2(Token![==]) {
        let mut errors = Errors::default();
        let entry = read_entry(input, &mut errors)?;
        return errors.into_one().map_or_else(|| Ok(Value::Named(Box::new(entry))), Err);
    }
    if input.peek(Ident::peek_any) || input.peek(Token![::]) {
        return input.call(Path::parse_mod_style).map(Value::Path);
    }
    Err(input.error(messages::value_expected(key.unraw())))
}

fn read_range(input: ParseStream<'_>, low: Option<Number>, start: Span) -> syn::Result<Value> {
    let inclusive = input.peek(Token![..=]);
    let mut end = input.span();
    if inclusive {
        input.parse::<Token![..=]>()?;
    } else {
        input.parse::<Token![..]>()?;
    }
    let high = if input.peek(Lit) || input.peek(Token![-]) {
        let number: Number = input.parse()?;
        end = number.lit.span();
        Some(number)
    } else {
        None
    };
    Ok(Value::Range { low, inclusive, high, place: Place::new(start, end) })
}

impl Parse for Number {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let negative = input.parse::<Option<Token![-]>>()?.is_some();
        Ok(Self { negative, lit: input.parse()? })
    }
}
