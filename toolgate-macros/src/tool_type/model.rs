//! A checked type: what its values look like on the wire and in Rust.

use proc_macro2::Ident;
use syn::Type;

use crate::docs::Doc;
use crate::model::{Bounds, FieldFacts};

/// What `#[tool_type]` makes of an item.
pub(super) enum ToolType {
    /// One part, with constraints.
    Newtype(Box<(Type, Bounds)>),
    /// An object.
    Struct(Vec<Member>),
    /// A closed set of words.
    Words(Vec<Variant>),
    /// One of several forms.
    Variants(Vec<Variant>),
}

/// One field.
pub(super) struct Member {
    pub(super) ident: Ident,
    pub(super) name: String,
    pub(super) ty: Type,
    pub(super) facts: FieldFacts,
}

/// One variant.
pub(super) struct Variant {
    pub(super) ident: Ident,
    pub(super) word: String,
    pub(super) doc: Doc,
    pub(super) content: Content,
}

/// What a variant holds.
pub(super) enum Content {
    Nothing,
    One(Box<Type>),
    Fields(Vec<Member>),
}

/// Which of the two traits are written.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Direction {
    #[default]
    Both,
    Argument,
    Result,
}
