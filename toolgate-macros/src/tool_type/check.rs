//! Reads the item under `#[tool_type]` and checks it; takes our attributes off it.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Span, TokenStream};
use syn::ext::IdentExt as _;
use syn::{Attribute, Field, Fields, Generics, Item, ItemEnum, ItemStruct, LitStr, Path, Type, Variant as RawVariant};

use super::case;
use super::model::{Content, Direction, Member, ToolType, Variant};
use crate::check::{field, kind::Kind};
use crate::docs::Doc;
use crate::errors::Errors;
use crate::messages;
use crate::syntax::{BOUNDS, Keyed, RawArg, Reading, entries, parse_arg, unknown};

/// Options of `#[tool_type(..)]`.
#[derive(Default)]
pub(super) struct Options {
    pub(super) krate: Option<Keyed<Path>>,
    pub(super) direction: Direction,
    rename_all: Option<Keyed<LitStr>>,
    bounds: RawArg,
    bounds_given: Vec<Ident>,
}

const OWN_KEYS: &[&str] = &["rename_all", "argument", "result", "crate"];
const FIELD_KEYS: &[&str] = &[
    "range",
    "min_length",
    "max_length",
    "pattern",
    "one_of",
    "min_items",
    "max_items",
    "default",
    "example",
    "sensitive",
    "destination",
    "rename",
];
/// A struct can be all arguments of a tool, and then its fields are parameters.
const STRUCT_KEYS: &[&str] = &["reason", "not_a_resource"];

/// Reads the options.
pub(super) fn options(tokens: TokenStream, errors: &mut Errors) -> Options {
    let mut options = Options::default();
    let all = entries(tokens, errors);
    let mut reading = Reading::new(errors);
    let known = [BOUNDS, OWN_KEYS].concat();
    let (mut argument, mut result) = (None, None);
    for entry in all {
        let key = entry.key.unraw().to_string();
        if BOUNDS.contains(&key.as_str()) {
            options.bounds_given.push(entry.key.clone());
            options.bounds.read(entry, BOUNDS, &mut reading);
        } else if !OWN_KEYS.contains(&key.as_str()) {
            unknown(reading.errors, &entry.key, &known);
        } else if let Some(entry) = reading.first(entry) {
            match key.as_str() {
                "rename_all" => options.rename_all = reading.text(entry),
                "argument" => argument = reading.flag(entry),
                "result" => result = reading.flag(entry),
                _ => options.krate = reading.crate_path(entry),
            }
        }
    }
    options.direction = match (argument, result) {
        (Some(_), Some(second)) => {
            errors.at(second.key.span(), messages::type_direction());
            Direction::Both
        }
        (Some(_), None) => Direction::Argument,
        (None, Some(_)) => Direction::Result,
        (None, None) => Direction::Both,
    };
    options
}

/// The checked type; mistakes are told.
pub(super) fn check(item: &mut Item, options: &Options, errors: &mut Errors) -> Option<ToolType> {
    match item {
        Item::Struct(item) => of_struct(item, options, errors),
        Item::Enum(item) => of_enum(item, options, errors),
        _ => None,
    }
}

fn concrete(ident: &Ident, generics: &Generics, errors: &mut Errors) {
    if !generics.params.is_empty() {
        errors.over(&generics.params, messages::type_generic(ident));
    }
}

fn no_bounds(options: &Options, errors: &mut Errors) {
    for key in &options.bounds_given {
        errors.at(key.span(), messages::bounds_on_newtype_only(key));
    }
}

fn of_struct(item: &mut ItemStruct, options: &Options, errors: &mut Errors) -> Option<ToolType> {
    concrete(&item.ident, &item.generics, errors);
    if let Some(rename_all) = &options.rename_all {
        errors.at(rename_all.key.span(), messages::rename_all_on_enum_only());
    }
    match &mut item.fields {
        Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
            let part = fields.unnamed.first_mut()?;
            if let Some(option) = take_ours(&mut part.attrs, errors).args.first() {
                errors.over(option, messages::newtype_field_options(&item.ident));
            }
            let bounds = field::bounds(&options.bounds, &item.ident.to_string(), Kind::of(&part.ty), errors);
            fillable(&item.ident.unraw().to_string(), &part.ty, options.direction, errors);
            Some(ToolType::Newtype(Box::new((part.ty.clone(), bounds))))
        }
        Fields::Named(fields) if !fields.named.is_empty() => {
            no_bounds(options, errors);
            let known = [FIELD_KEYS, STRUCT_KEYS].concat();
            Some(ToolType::Struct(members(fields.named.iter_mut(), &known, options.direction, errors)))
        }
        Fields::Unnamed(fields) if !fields.unnamed.is_empty() => {
            no_bounds(options, errors);
            errors.at(item.ident.span(), messages::type_tuple(&item.ident));
            fields.unnamed.iter_mut().for_each(|field| drop(take_ours(&mut field.attrs, errors)));
            None
        }
        _ => {
            no_bounds(options, errors);
            errors.at(item.ident.span(), messages::type_empty(&item.ident));
            None
        }
    }
}

fn of_enum(item: &mut ItemEnum, options: &Options, errors: &mut Errors) -> Option<ToolType> {
    concrete(&item.ident, &item.generics, errors);
    no_bounds(options, errors);
    if item.variants.is_empty() {
        errors.at(item.ident.span(), messages::type_no_variants(&item.ident));
        return None;
    }
    let mut style = "snake_case".to_owned();
    if let Some(given) = &options.rename_all {
        let word = given.value.value();
        if case::NAMES.contains(&word.as_str()) {
            style = word;
        } else {
            errors.at(given.value.span(), messages::rename_all_unknown(word));
        }
    }
    let mut words = BTreeSet::new();
    let variants: Vec<Variant> = item
        .variants
        .iter_mut()
        .filter_map(|raw| {
            let span = raw.ident.span();
            let variant = variant(raw, &style, options.direction, errors)?;
            unique(&mut words, &variant.word, span, errors);
            Some(variant)
        })
        .collect();
    if variants.iter().all(|variant| matches!(variant.content, Content::Nothing)) {
        return Some(ToolType::Words(variants));
    }
    Some(ToolType::Variants(variants))
}

fn unique(words: &mut BTreeSet<String>, word: &str, span: Span, errors: &mut Errors) {
    if !words.insert(word.to_owned()) {
        errors.at(span, messages::word_twice(word));
    }
}

fn variant(raw: &mut RawVariant, style: &str, direction: Direction, errors: &mut Errors) -> Option<Variant> {
    let ours = take_ours(&mut raw.attrs, errors);
    let options = parse_arg(&ours.args, &["rename"], errors);
    let ident = raw.ident.unraw();
    let word = options.rename.map_or_else(|| case::rename(&ident.to_string(), style), |found| found.value.value());
    let content = match &mut raw.fields {
        Fields::Unit => Content::Nothing,
        Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
            let part = fields.unnamed.first_mut()?;
            if let Some(option) = take_ours(&mut part.attrs, errors).args.first() {
                errors.over(option, messages::newtype_field_options(&ident));
            }
            described(&ours.doc, &raw.ident, direction, errors);
            fillable(&ident.to_string(), &part.ty, direction, errors);
            Content::One(Box::new(part.ty.clone()))
        }
        Fields::Named(fields) if !fields.named.is_empty() => {
            Content::Fields(members(fields.named.iter_mut(), FIELD_KEYS, direction, errors))
        }
        Fields::Unnamed(fields) if !fields.unnamed.is_empty() => {
            fields.unnamed.iter_mut().for_each(|field| drop(take_ours(&mut field.attrs, errors)));
            errors.at(raw.ident.span(), messages::variant_tuple(&ident));
            return None;
        }
        _ => {
            errors.at(raw.ident.span(), messages::type_empty(&ident));
            return None;
        }
    };
    Some(Variant { ident: raw.ident.clone(), word, doc: ours.doc, content })
}

/// What a model fills is described; the words of an enum may speak for themselves.
fn described(doc: &Doc, part: &Ident, direction: Direction, errors: &mut Errors) {
    if doc.is_empty() && direction != Direction::Result {
        errors.at(part.span(), messages::part_undescribed(part.unraw()));
    }
}

/// What is never an argument needn't be filled.
fn fillable(name: &str, ty: &Type, direction: Direction, errors: &mut Errors) {
    if direction != Direction::Result {
        field::fillable(name, ty, errors);
    }
}

fn members<'f>(
    fields: impl Iterator<Item = &'f mut Field>,
    known: &[&str],
    direction: Direction,
    errors: &mut Errors,
) -> Vec<Member> {
    let mut names = BTreeSet::new();
    let mut reasons = 0;
    fields
        .filter_map(|field| {
            let ident = field.ident.clone()?;
            let ours = take_ours(&mut field.attrs, errors);
            described(&ours.doc, &ident, direction, errors);
            let options = parse_arg(&ours.args, known, errors);
            let name = ident.unraw().to_string();
            let mut facts = field::check(ours.doc, &options, &name, &field.ty, errors);
            if let Some(reason) = &options.reason {
                reasons += 1;
                if reasons == 2 {
                    errors.at(reason.key.span(), messages::reason_twice());
                }
            }
            facts.resource = field::resource(&name, &field.ty, &options, errors);
            fillable(&name, &field.ty, direction, errors);
            let name = options.rename.map_or(name, |found| found.value.value());
            unique(&mut names, &name, ident.span(), errors);
            Some(Member { ident, name, ty: field.ty.clone(), facts })
        })
        .collect()
}

struct Ours {
    doc: Doc,
    args: Vec<Attribute>,
}

/// Takes `#[arg]` off and reads the docs, which stay.
fn take_ours(attributes: &mut Vec<Attribute>, errors: &mut Errors) -> Ours {
    let doc = Doc::of(&*attributes);
    if let Some(cfg) = attributes.iter().find(|attribute| attribute.path().is_ident("cfg")) {
        errors.over(cfg.path(), messages::type_cfg());
    }
    let args = attributes.extract_if(.., |attribute| attribute.path().is_ident("arg")).collect();
    Ours { doc, args }
}
