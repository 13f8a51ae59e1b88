//! The checks of a tool whose arguments are the fields of one struct, `#[args] input: T`, in const evaluation:
//! the macro knows the struct by name only. Where serde alone knows the fields, nothing is said here; the
//! contract and the toolset say it when a gate is built.

#![expect(clippy::indexing_slicing, reason = "const evaluation has no `get`; each index is bounded by its loop")]

use super::set::{self, FINE, Verdict, fault, has};
use super::shape::{Field, Role};
use super::told::{self, Text};

/// What a type is as all arguments at once.
#[derive(Debug, Clone, Copy)]
pub enum Flat {
    /// A struct with these fields.
    Fields(&'static [Field]),
    /// No struct.
    Other,
    /// A type that only serde knows.
    Unknown,
}

/// The type has fields.
pub const fn is_struct(flat: &Flat, ty: &str) -> Verdict {
    match flat {
        Flat::Other => fault(told::args_no_struct(ty)),
        Flat::Fields(_) | Flat::Unknown => FINE,
    }
}

/// The parameters: the fields, or the whole, which stands for those that are not known yet.
pub const fn fields(flat: &Flat, whole: &'static [Field]) -> &'static [Field] {
    match flat {
        Flat::Fields(fields) => fields,
        Flat::Other | Flat::Unknown => whole,
    }
}

/// Their names.
const fn names<const N: usize>(fields: &[Field]) -> [&'static str; N] {
    let mut names = [""; N];
    let mut index = 0;
    while index < fields.len() && index < N {
        names[index] = fields[index].name;
        index += 1;
    }
    names
}

/// The names that are not among the bound ones, nor the model's reason; empty where they are.
pub const fn loose<const N: usize>(fields: &[Field], bound: &[&str]) -> [&'static str; N] {
    let mut names = names(fields);
    let mut index = 0;
    while index < N {
        if has(bound, names[index]) || matches!(fields[index].role, Role::Reason | Role::Whole) {
            names[index] = "";
        }
        index += 1;
    }
    names
}

/// As [`set::binds`], of the fields that are not bound.
pub const fn binds<const N: usize>(
    tool: &str,
    needed: &str,
    fields: &[Field],
    bound: &[&str],
    params: &[Field],
) -> Verdict {
    set::binds(tool, needed, &loose::<N>(fields, bound), params)
}

const fn find<'f>(fields: &'f [Field], name: &str) -> Option<&'f Field> {
    let mut index = 0;
    while index < fields.len() {
        if matches!(fields[index].role, Role::Whole) || has(&[fields[index].name], name) {
            return Some(&fields[index]);
        }
        index += 1;
    }
    None
}

const fn listed(fields: &[Field]) -> Text {
    if fields.is_empty() {
        return Text::EMPTY.push("none");
    }
    let mut text = Text::EMPTY;
    let mut index = 0;
    while index < fields.len() {
        text = text.push(if index == 0 { "" } else { ", " }).push(fields[index].name);
        index += 1;
    }
    text
}

/// A confirmation text names an argument that may be shown.
pub const fn placeholder(fields: &[Field], name: &str) -> Verdict {
    match find(fields, name) {
        None => fault(told::args_placeholder(name, listed(fields).as_str())),
        Some(field) if field.sensitive => fault(told::args_placeholder_sensitive(name)),
        Some(_) => FINE,
    }
}

/// A key names an argument that is part of the operation.
pub const fn key(fields: &[Field], name: &str) -> Verdict {
    match find(fields, name) {
        None => fault(told::args_key(name, listed(fields).as_str())),
        Some(field) if matches!(field.role, Role::Reason) => fault(told::args_key_of_reason(name)),
        Some(_) => FINE,
    }
}

/// A precondition names an argument.
pub const fn expression(fields: &[Field], name: &str) -> Verdict {
    match find(fields, name) {
        None => fault(told::args_expression(name, listed(fields).as_str())),
        Some(_) => FINE,
    }
}

/// No argument is text whose name says that it is a resource.
pub const fn no_resource(fields: &[Field], ty: &str) -> Verdict {
    let mut index = 0;
    while index < fields.len() {
        if let Some(word) = fields[index].resource {
            return fault(told::args_resource(ty, fields[index].name, word));
        }
        index += 1;
    }
    FINE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::shape::Shape;

    const FIELDS: &[Field] = &[
        Field::new("service", "", Shape::Bool, true),
        Field::new("pin", "", Shape::Bool, true).sensitive(),
        Field::new("why", "", Shape::Bool, true).reason(),
        Field::new("log_path", "", Shape::Bool, true).resource("path"),
    ];

    #[test]
    fn what_options_name_is_found_among_the_fields() {
        for verdict in [placeholder(FIELDS, "why"), key(FIELDS, "pin"), expression(FIELDS, "service")] {
            assert_eq!(verdict.fault(), None);
        }
        let unknown = "`key` names `servce`, which is no argument of this tool; it has: service, pin, why, log_path";
        assert_eq!(key(FIELDS, "servce").fault(), Some(unknown));
        assert_eq!(
            expression(&[], "servce").fault(),
            Some("the precondition names `args.servce`, but this tool's arguments are: none")
        );
        let shown = "`confirm` shows `pin`, which is `sensitive`; take it out of the text";
        assert_eq!(placeholder(FIELDS, "pin").fault(), Some(shown));
        assert!(key(FIELDS, "why").fault().is_some_and(|fault| fault.contains("reason")));
        assert!(no_resource(FIELDS, "Input").fault().is_some_and(|fault| fault.starts_with("`log_path` of `Input`")));
    }

    #[test]
    fn fields_that_are_not_known_yet_are_not_judged() {
        let whole = &[const { Field::whole(Shape::Any) }];
        let fields = fields(&Flat::Unknown, whole);
        for verdict in [placeholder(fields, "x"), key(fields, "x"), expression(fields, "x"), no_resource(fields, "T")] {
            assert_eq!(verdict.fault(), None);
        }
        assert_eq!(loose::<1>(fields, &[]), [""]);
        assert!(is_struct(&Flat::Unknown, "T").fault().is_none());
        assert!(is_struct(&Flat::Other, "Vec<u8>").fault().is_some_and(|fault| fault.starts_with("`Vec<u8>` has no")));
    }

    #[test]
    fn what_is_bound_and_the_reason_are_not_loose() {
        assert_eq!(loose::<4>(FIELDS, &["service"]), ["", "pin", "", "log_path"]);
        assert!(binds::<4>("act", "look", FIELDS, &["service", "pin"], &[FIELDS[0], FIELDS[2]]).fault().is_none());
        assert!(
            binds::<4>("act", "look", FIELDS, &[], &[FIELDS[1]]).fault().is_some_and(|fault| fault.contains("`pin`"))
        );
    }
}
