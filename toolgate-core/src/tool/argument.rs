//! How a value of the model becomes a value of Rust, for the types toolgate knows itself. The
//! contract has accepted the value before; what can still fail is a serde type of the user's.

use std::collections::BTreeSet;

use super::args::Reader;
use super::kept::narrowed;
use crate::json::Node;
use crate::resource::{DirPath, EntryPath, HttpUrl, PathKind, ReadPath, WritePath};
use crate::spec::shape::{DEFAULT_ITEMS_MAX, DEFAULT_TEXT_MAX, Field, Shape};

/// A type that can be an argument without serde. `#[tool_type]` implements it.
pub trait Argument: Sized + Send + 'static {
    /// Its form, shown to the model and checked by the contract.
    const SHAPE: Shape;

    /// [`Self::SHAPE`] by reference, for shapes that hold others.
    #[doc(hidden)]
    const SHAPE_REF: &'static Shape = &Self::SHAPE;

    /// The value; `None` after a problem was told to `reader`.
    fn read(node: &Node<'_>, reader: &mut Reader<'_>) -> Option<Self>;

    /// The value of a parameter that was left out and has no default; `None` for what is required.
    fn absent() -> Option<Self> {
        None
    }

    /// Whether it may be left out.
    #[doc(hidden)]
    const OPTIONAL: bool = false;

    /// Its fields, where it is a struct: what `#[args]` makes the arguments of a tool.
    #[doc(hidden)]
    const FIELDS: Option<&'static [Field]> = None;
}

/// Largest integer that every JSON reader keeps exact, 2^53-1 (RFC 7493, section 2.2).
pub const MAX_EXACT: i64 = 9_007_199_254_740_991;

macro_rules! integers {
    ($($type:ty: $min:expr, $max:expr;)*) => {$(
        impl Argument for $type {
            const SHAPE: Shape = Shape::Integer { min: $min, max: $max };
            fn read(node: &Node<'_>, reader: &mut Reader<'_>) -> Option<Self> {
                match node {
                    Node::Integer(value) => Self::try_from(*value).ok().or_else(|| reader.mismatch("integer")),
                    _ => reader.mismatch("integer"),
                }
            }
        }
    )*};
}

integers! {
    u8: 0, u8::MAX as i64;
    u16: 0, u16::MAX as i64;
    u32: 0, u32::MAX as i64;
    u64: 0, MAX_EXACT;
    usize: 0, MAX_EXACT;
    u128: 0, MAX_EXACT;
    i8: i8::MIN as i64, i8::MAX as i64;
    i16: i16::MIN as i64, i16::MAX as i64;
    i32: i32::MIN as i64, i32::MAX as i64;
    i64: -MAX_EXACT, MAX_EXACT;
    isize: -MAX_EXACT, MAX_EXACT;
    i128: -MAX_EXACT, MAX_EXACT;
}

impl Argument for f64 {
    const SHAPE: Shape = Shape::Number;
    #[expect(clippy::cast_precision_loss, reason = "the scanner keeps integers within 2^53-1")]
    fn read(node: &Node<'_>, reader: &mut Reader<'_>) -> Option<Self> {
        match node {
            Node::Integer(value) => Some(*value as Self),
            Node::Float(value) => Some(*value),
            _ => reader.mismatch("number"),
        }
    }
}

impl Argument for f32 {
    const SHAPE: Shape = Shape::Number;
    fn read(node: &Node<'_>, reader: &mut Reader<'_>) -> Option<Self> {
        let value = f64::read(node, reader)?;
        narrowed(value).or_else(|| reader.mismatch("number that 32 bits keep as it is"))
    }
}

impl Argument for bool {
    const SHAPE: Shape = Shape::Bool;
    fn read(node: &Node<'_>, reader: &mut Reader<'_>) -> Option<Self> {
        match node {
            Node::Bool(value) => Some(*value),
            _ => reader.mismatch("boolean"),
        }
    }
}

impl Argument for () {
    const SHAPE: Shape = Shape::Null;
    fn read(node: &Node<'_>, reader: &mut Reader<'_>) -> Option<Self> {
        match node {
            Node::Null => Some(()),
            _ => reader.mismatch("null"),
        }
    }
}

impl Argument for String {
    const SHAPE: Shape = Shape::Text { min: 0, max: DEFAULT_TEXT_MAX };
    fn read(node: &Node<'_>, reader: &mut Reader<'_>) -> Option<Self> {
        match node {
            Node::Text(text) => Some(text.clone().into_owned()),
            _ => reader.mismatch("string"),
        }
    }
}

impl Argument for char {
    const SHAPE: Shape = Shape::Text { min: 1, max: 1 };
    fn read(node: &Node<'_>, reader: &mut Reader<'_>) -> Option<Self> {
        let Node::Text(text) = node else {
            return reader.mismatch("string");
        };
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (Some(only), None) => Some(only),
            _ => reader.mismatch("string of one character"),
        }
    }
}

impl Argument for serde_json::Value {
    const SHAPE: Shape = Shape::Any;
    fn read(node: &Node<'_>, _: &mut Reader<'_>) -> Option<Self> {
        Some(node.to_value())
    }
}

impl<T: Argument> Argument for Option<T> {
    const SHAPE: Shape = Shape::Nullable(T::SHAPE_REF);
    const OPTIONAL: bool = true;
    fn read(node: &Node<'_>, reader: &mut Reader<'_>) -> Option<Self> {
        match node {
            Node::Null => Some(None),
            other => T::read(other, reader).map(Some),
        }
    }
    fn absent() -> Option<Self> {
        Some(None)
    }
}

impl<T: Argument> Argument for Box<T> {
    const SHAPE: Shape = T::SHAPE;
    const FIELDS: Option<&'static [Field]> = T::FIELDS;
    fn read(node: &Node<'_>, reader: &mut Reader<'_>) -> Option<Self> {
        T::read(node, reader).map(Self::new)
    }
}

pub(super) fn read_list<T: Argument, C: FromIterator<T>>(node: &Node<'_>, reader: &mut Reader<'_>) -> Option<C> {
    let Node::List(items) = node else {
        return reader.mismatch("array");
    };
    items.iter().enumerate().map(|(index, item)| reader.within_item(index, |reader| T::read(item, reader))).collect()
}

impl<T: Argument> Argument for Vec<T> {
    const SHAPE: Shape = Shape::List { items: T::SHAPE_REF, min: 0, max: DEFAULT_ITEMS_MAX, unique: false };
    fn read(node: &Node<'_>, reader: &mut Reader<'_>) -> Option<Self> {
        read_list(node, reader)
    }
}

impl<T: Argument + Ord> Argument for BTreeSet<T> {
    const SHAPE: Shape = Shape::List { items: T::SHAPE_REF, min: 0, max: DEFAULT_ITEMS_MAX, unique: true };
    fn read(node: &Node<'_>, reader: &mut Reader<'_>) -> Option<Self> {
        read_list(node, reader)
    }
}

macro_rules! paths {
    ($($type:ident: $kind:ident;)*) => {$(
        impl Argument for $type {
            const SHAPE: Shape = Shape::Path(PathKind::$kind);
            fn read(node: &Node<'_>, reader: &mut Reader<'_>) -> Option<Self> {
                let Node::Text(text) = node else { return reader.mismatch("string") };
                let (path, slot) = Self::pending(text.clone().into_owned());
                reader.slot(PathKind::$kind, text, slot);
                Some(path)
            }
        }
    )*};
}

paths! {
    ReadPath: Read;
    WritePath: Write;
    DirPath: Dir;
    EntryPath: Entry;
}

impl Argument for HttpUrl {
    const SHAPE: Shape = Shape::Url;
    fn read(node: &Node<'_>, reader: &mut Reader<'_>) -> Option<Self> {
        let Node::Text(text) = node else { return reader.mismatch("string") };
        reader.url(text)
    }
}
