//! The rules about one parameter or field: whether its constraints fit its type and each other, and its
//! default and example fit both.

use syn::{LitStr, Type};

use super::kind::{self, Kind, holds_text, is_option};
use super::{literal, names, range};
use crate::docs::Doc;
use crate::errors::Errors;
use crate::model::{Bounds, FieldFacts};
use crate::syntax::{Keyed, RawArg};
use crate::{messages, pattern};

/// The facts of a parameter or field; what is wrong is told and left out.
pub(crate) fn check(doc: Doc, options: &RawArg, name: &str, ty: &Type, errors: &mut Errors) -> FieldFacts {
    let kind = Kind::of(ty);
    let bounds = bounds(options, name, kind, errors);
    let default = options.default.as_ref().and_then(|found| literal::check(found, name, ty, &bounds, errors));
    let example = options.example.as_ref().and_then(|found| literal::check(found, name, ty, &bounds, errors));
    if let Some(reason) = &options.reason {
        if !matches!(kind, Kind::Text | Kind::Unknown) {
            errors.at(reason.key.span(), messages::reason_type(name));
        }
        if options.sensitive.is_some() {
            errors.at(reason.key.span(), messages::reason_sensitive(name));
        }
        if options.destination.is_some() {
            errors.at(reason.key.span(), messages::reason_destination(name));
        }
    }
    FieldFacts {
        doc,
        bounds,
        optional: is_option(ty),
        default,
        example,
        sensitive: options.sensitive.is_some(),
        reason: options.reason.is_some(),
        destination: options.destination.is_some(),
        resource: None,
    }
}

/// Whether a model can fill the type, as far as its name says: types of the standard library that stand for
/// what is of this machine are told, with what to take instead.
pub(crate) fn fillable(name: &str, ty: &Type, errors: &mut Errors) -> bool {
    let refused = kind::machine(ty);
    if let Some((word, repair)) = refused {
        errors.over(ty, messages::parameter_type(name, word, repair));
    }
    refused.is_none()
}

/// The word in a field's name that says it is a resource, where it is free text and nobody denies it.
pub(crate) fn resource(name: &str, ty: &Type, options: &RawArg, errors: &mut Errors) -> Option<String> {
    let found = names::resource(name).filter(|_| holds_text(ty) && options.one_of.is_none());
    match (found, &options.not_a_resource) {
        (None, Some(denied)) => {
            errors.at(denied.key.span(), messages::not_a_resource_idle(name));
            None
        }
        (found, None) if !options.denies_resource => found.map(|found| found.word().to_owned()),
        _ => None,
    }
}

/// The constraints that fit.
pub(crate) fn bounds(options: &RawArg, name: &str, kind: Kind, errors: &mut Errors) -> Bounds {
    let text = |kind| matches!(kind, Kind::Text | Kind::Unknown);
    let list = |kind| matches!(kind, Kind::List | Kind::Unknown);
    let mut found = Bounds {
        min_length: count(options.min_length.as_ref(), name, kind, text(kind), "text", errors),
        max_length: count(options.max_length.as_ref(), name, kind, text(kind), "text", errors),
        min_items: count(options.min_items.as_ref(), name, kind, list(kind), "lists", errors),
        max_items: count(options.max_items.as_ref(), name, kind, list(kind), "lists", errors),
        ..Bounds::default()
    };
    ordered(options.min_length.as_ref(), options.max_length.as_ref(), errors);
    ordered(options.min_items.as_ref(), options.max_items.as_ref(), errors);
    if let Some(given) = &options.range {
        let ends = range::check(given, name, kind, errors);
        (found.min, found.max) = ends.unwrap_or_default();
    }
    if let Some(given) = &options.pattern {
        if text(kind) {
            found.pattern = checked_pattern(given, errors);
        } else {
            errors.at(given.key.span(), messages::constraint_type("pattern", name, kind.word(), "text"));
        }
    }
    if let Some(given) = &options.one_of {
        if text(kind) {
            found.one_of = Some(given.value.iter().map(LitStr::value).collect());
        } else {
            errors.at(given.key.span(), messages::constraint_type("one_of", name, kind.word(), "text"));
        }
        let others = [
            options.pattern.as_ref().map(|found| &found.key),
            options.min_length.as_ref().map(|found| &found.key),
            options.max_length.as_ref().map(|found| &found.key),
        ];
        for key in others.into_iter().flatten() {
            errors.at(key.span(), messages::one_of_bounded(key));
        }
    }
    found
}

fn count(
    given: Option<&Keyed<u32>>,
    name: &str,
    kind: Kind,
    fits: bool,
    wanted: &str,
    errors: &mut Errors,
) -> Option<u32> {
    let given = given?;
    if !fits {
        errors.at(given.key.span(), messages::constraint_type(&given.key, name, kind.word(), wanted));
        return None;
    }
    Some(given.value)
}

fn ordered(low: Option<&Keyed<u32>>, high: Option<&Keyed<u32>>, errors: &mut Errors) {
    if let (Some(low), Some(high)) = (low, high)
        && low.value > high.value
    {
        errors.at(low.key.span(), messages::constraint_empty(&low.key, &high.key));
    }
}

fn checked_pattern(given: &Keyed<LitStr>, errors: &mut Errors) -> Option<String> {
    let text = given.value.value();
    let message = match pattern::check(&text) {
        None => return Some(text),
        Some(pattern::Fault::Wrong(fault)) => messages::pattern_wrong(fault),
        Some(pattern::Fault::Dialect(part, repair)) => messages::pattern_dialect(part, repair),
    };
    errors.at(given.value.span(), message);
    None
}
