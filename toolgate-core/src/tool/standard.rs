//! Types of the standard library as arguments and results, each said the way a model gets right: a
//! duration in seconds, an address as text, a map's number keys as text. Not the types of every day, which
//! are in `argument.rs` and `output.rs`.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::hash::Hash;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde::ser::Error as _;
use serde_json::{Error, Value};

use super::args::Reader;
use super::argument::{Argument, MAX_EXACT, read_list};
use super::output::{ToolOutput, list};
use crate::json::Node;
use crate::spec::shape::{Bounds, DEFAULT_ITEMS_MAX, DEFAULT_TEXT_MAX, Shape};

macro_rules! tuples {
    ($($count:literal: $($type:ident $index:tt)*;)*) => {$(
        impl<$($type: Argument),*> Argument for ($($type,)*) {
            const SHAPE: Shape = Shape::Tuple(&[$($type::SHAPE),*]);
            fn read(node: &Node<'_>, reader: &mut Reader<'_>) -> Option<Self> {
                let Node::List(items) = node else { return reader.mismatch("array") };
                // Every item is read, so that every problem is told.
                let read = ($(items.get($index).and_then(|item| reader.within_item($index, |reader| $type::read(item, reader))),)*);
                if items.len() != $count {
                    return reader.mismatch("array of as many items as the type has");
                }
                Some(($(read.$index?,)*))
            }
        }

        impl<$($type: ToolOutput),*> ToolOutput for ($($type,)*) {
            const SHAPE: Shape = Shape::Tuple(&[$($type::SHAPE),*]);
            fn into_value(self) -> Result<Value, Error> {
                Ok(Value::Array(vec![$(self.$index.into_value()?),*]))
            }
        }
    )*};
}

tuples! {
    2: A 0 B 1;
    3: A 0 B 1 C 2;
    4: A 0 B 1 C 2 D 3;
    5: A 0 B 1 C 2 D 3 E 4;
    6: A 0 B 1 C 2 D 3 E 4 F 5;
    7: A 0 B 1 C 2 D 3 E 4 F 5 G 6;
    8: A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7;
}

/// The length of an array as a bound; longer ones are no arguments.
const fn items(length: usize) -> u32 {
    assert!(length <= 10_000, "an array of more than 10,000 items can't be an argument or a result");
    #[expect(clippy::cast_possible_truncation, reason = "asserted above")]
    let items = length as u32;
    items
}

impl<T: Argument, const N: usize> Argument for [T; N] {
    const SHAPE: Shape = Shape::List { items: T::SHAPE_REF, min: items(N), max: items(N), unique: false };
    fn read(node: &Node<'_>, reader: &mut Reader<'_>) -> Option<Self> {
        let items: Vec<T> = read_list(node, reader)?;
        Self::try_from(items).ok().or_else(|| reader.mismatch("array of as many items as the type has"))
    }
}

impl<T: ToolOutput, const N: usize> ToolOutput for [T; N] {
    const SHAPE: Shape = Shape::List { items: T::SHAPE_REF, min: items(N), max: items(N), unique: false };
    fn into_value(self) -> Result<Value, Error> {
        list(self)
    }
}

impl<T: Argument> Argument for VecDeque<T> {
    const SHAPE: Shape = <Vec<T> as Argument>::SHAPE;
    fn read(node: &Node<'_>, reader: &mut Reader<'_>) -> Option<Self> {
        read_list(node, reader)
    }
}

impl<T: ToolOutput> ToolOutput for VecDeque<T> {
    const SHAPE: Shape = <Vec<T> as ToolOutput>::SHAPE;
    fn into_value(self) -> Result<Value, Error> {
        list(self)
    }
}

impl<T: Argument + Hash + Eq> Argument for HashSet<T> {
    const SHAPE: Shape = Shape::List { items: T::SHAPE_REF, min: 0, max: DEFAULT_ITEMS_MAX, unique: true };
    fn read(node: &Node<'_>, reader: &mut Reader<'_>) -> Option<Self> {
        read_list(node, reader)
    }
}

impl<T: ToolOutput> ToolOutput for HashSet<T> {
    const SHAPE: Shape = Shape::List { items: T::SHAPE_REF, min: 0, max: u32::MAX, unique: true };
    /// In the order of the items as text: a set has none of its own, and equal sets should read the same.
    fn into_value(self) -> Result<Value, Error> {
        let mut value = list(self)?;
        if let Value::Array(items) = &mut value {
            items.sort_by_cached_key(Value::to_string);
        }
        Ok(value)
    }
}

/// Whether keys of this form are whole numbers, which JSON writes as text.
fn is_number(shape: &Shape) -> bool {
    match shape {
        Shape::Integer { .. } => true,
        Shape::Bounded { inner, .. } | Shape::Noted { inner, .. } => is_number(inner),
        Shape::Named { shape, .. } => is_number(&shape()),
        _ => false,
    }
}

fn read_map<K: Argument, T: Argument, C: FromIterator<(K, T)>>(
    node: &Node<'_>,
    reader: &mut Reader<'_>,
) -> Option<C> {
    let Node::Object(entries) = node else { return reader.mismatch("object") };
    let by_number = is_number(&K::SHAPE);
    let read = entries.iter().map(|(key, item)| {
        reader.within_field(key, |reader| {
            let value = T::read(item, reader);
            let key = if by_number {
                let Ok(number) = key.parse() else { return reader.mismatch("key that is a whole number") };
                K::read(&Node::Integer(number), reader)
            } else {
                K::read(&Node::Text(Cow::Borrowed(key)), reader)
            };
            Some((key?, value?))
        })
    });
    // Every entry is read, so that every problem is told.
    let read: Vec<Option<(K, T)>> = read.collect();
    read.into_iter().collect()
}

fn map<K: ToolOutput, T: ToolOutput>(entries: impl IntoIterator<Item = (K, T)>) -> Result<Value, Error> {
    let entries = entries.into_iter().map(|(key, value)| {
        let key = match key.into_value()? {
            Value::String(text) => text,
            Value::Number(number) if !number.is_f64() => number.to_string(),
            _ => return Err(Error::custom("a key of a map is neither text nor a whole number")),
        };
        Ok((key, value.into_value()?))
    });
    entries.collect::<Result<_, _>>().map(Value::Object)
}

macro_rules! maps {
    ($($map:ident: $($bound:ident)*;)*) => {$(
        impl<K: Argument $(+ $bound)*, T: Argument> Argument for $map<K, T> {
            const SHAPE: Shape = Shape::Keyed { keys: K::SHAPE_REF, values: T::SHAPE_REF, max: DEFAULT_ITEMS_MAX };
            fn read(node: &Node<'_>, reader: &mut Reader<'_>) -> Option<Self> {
                read_map(node, reader)
            }
        }

        impl<K: ToolOutput, T: ToolOutput> ToolOutput for $map<K, T> {
            const SHAPE: Shape = Shape::Keyed { keys: K::SHAPE_REF, values: T::SHAPE_REF, max: DEFAULT_ITEMS_MAX };
            fn into_value(self) -> Result<Value, Error> {
                map(self)
            }
        }
    )*};
}

maps! {
    BTreeMap: Ord;
    HashMap: Hash Eq;
}

macro_rules! not_zero {
    ($($type:ty: $shape:expr;)*) => {$(
        impl Argument for NonZero<$type> {
            const SHAPE: Shape = $shape;
            fn read(node: &Node<'_>, reader: &mut Reader<'_>) -> Option<Self> {
                let value = <$type>::read(node, reader)?;
                Self::new(value).or_else(|| reader.mismatch("number other than 0"))
            }
        }

        impl ToolOutput for NonZero<$type> {
            const SHAPE: Shape = <$type as ToolOutput>::SHAPE;
            fn into_value(self) -> Result<Value, Error> {
                Ok(Value::from(self.get()))
            }
        }
    )*};
}

not_zero! {
    u8: Shape::Integer { min: 1, max: u8::MAX as i64 };
    u16: Shape::Integer { min: 1, max: u16::MAX as i64 };
    u32: Shape::Integer { min: 1, max: u32::MAX as i64 };
    u64: Shape::Integer { min: 1, max: MAX_EXACT };
    usize: Shape::Integer { min: 1, max: MAX_EXACT };
    i8: Shape::AnyOf(&[Shape::Integer { min: 1, max: i8::MAX as i64 }, Shape::Integer { min: i8::MIN as i64, max: -1 }]);
    i16: Shape::AnyOf(&[Shape::Integer { min: 1, max: i16::MAX as i64 }, Shape::Integer { min: i16::MIN as i64, max: -1 }]);
    i32: Shape::AnyOf(&[Shape::Integer { min: 1, max: i32::MAX as i64 }, Shape::Integer { min: i32::MIN as i64, max: -1 }]);
    i64: Shape::AnyOf(&[Shape::Integer { min: 1, max: MAX_EXACT }, Shape::Integer { min: -MAX_EXACT, max: -1 }]);
}

macro_rules! texts {
    ($($type:ty;)*) => {$(
        impl Argument for $type {
            const SHAPE: Shape = <String as Argument>::SHAPE;
            fn read(node: &Node<'_>, reader: &mut Reader<'_>) -> Option<Self> {
                String::read(node, reader).map(Self::from)
            }
        }

        impl ToolOutput for $type {
            const SHAPE: Shape = <String as ToolOutput>::SHAPE;
            fn into_value(self) -> Result<Value, Error> {
                Ok(Value::from(&*self))
            }
        }
    )*};
}

texts! {
    Arc<str>;
    Box<str>;
    Cow<'static, str>;
}

/// Longest duration, 136 years.
const MAX_SECONDS: f64 = u32::MAX as f64;

impl Argument for Duration {
    const SHAPE: Shape = Shape::Noted {
        inner: &Shape::Bounded {
            inner: &Shape::Number,
            bounds: Bounds { min: Some(0.0), max: Some(MAX_SECONDS), ..Bounds::NONE },
        },
        note: "In seconds.",
    };
    fn read(node: &Node<'_>, reader: &mut Reader<'_>) -> Option<Self> {
        let seconds = f64::read(node, reader)?;
        Self::try_from_secs_f64(seconds).ok().or_else(|| reader.mismatch("number of seconds"))
    }
}

impl ToolOutput for Duration {
    const SHAPE: Shape = Shape::Noted {
        inner: &Shape::Bounded { inner: &Shape::Number, bounds: Bounds { min: Some(0.0), ..Bounds::NONE } },
        note: "In seconds.",
    };
    fn into_value(self) -> Result<Value, Error> {
        self.as_secs_f64().into_value()
    }
}

macro_rules! octet {
    () => {
        "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
    };
}

/// `address:port`, the address of version 6 in brackets.
const SOCKET: &str = concat!(
    "^(?:",
    octet!(), r"\.", octet!(), r"\.", octet!(), r"\.", octet!(),
    r"|\[(?:(?:[0-9A-Fa-f]{1,4}:){7}[0-9A-Fa-f]{1,4}",
    "|(?:[0-9A-Fa-f]{1,4}:){1,7}:",
    "|(?:[0-9A-Fa-f]{1,4}:){1,6}:[0-9A-Fa-f]{1,4}",
    "|(?:[0-9A-Fa-f]{1,4}:){1,5}(?::[0-9A-Fa-f]{1,4}){1,2}",
    "|(?:[0-9A-Fa-f]{1,4}:){1,4}(?::[0-9A-Fa-f]{1,4}){1,3}",
    "|(?:[0-9A-Fa-f]{1,4}:){1,3}(?::[0-9A-Fa-f]{1,4}){1,4}",
    "|(?:[0-9A-Fa-f]{1,4}:){1,2}(?::[0-9A-Fa-f]{1,4}){1,5}",
    "|[0-9A-Fa-f]{1,4}:(?::[0-9A-Fa-f]{1,4}){1,6}",
    r"|:(?:(?::[0-9A-Fa-f]{1,4}){1,7}|:))\]",
    "):(?:6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[1-5][0-9]{4}|[1-9][0-9]{0,3}|0)$",
);

macro_rules! addresses {
    ($($type:ty: $shape:expr, $what:literal;)*) => {$(
        impl Argument for $type {
            const SHAPE: Shape = $shape;
            fn read(node: &Node<'_>, reader: &mut Reader<'_>) -> Option<Self> {
                let Node::Text(text) = node else { return reader.mismatch("string") };
                text.parse().ok().or_else(|| reader.mismatch($what))
            }
        }

        impl ToolOutput for $type {
            const SHAPE: Shape = Shape::Text { min: 0, max: DEFAULT_TEXT_MAX };
            fn into_value(self) -> Result<Value, Error> {
                Ok(Value::String(self.to_string()))
            }
        }
    )*};
}

addresses! {
    Ipv4Addr: Shape::Format("ipv4"), "address of IP version 4";
    Ipv6Addr: Shape::Format("ipv6"), "address of IP version 6";
    IpAddr: Shape::AnyOf(&[Shape::Format("ipv4"), Shape::Format("ipv6")]), "IP address";
    SocketAddr: Shape::Noted {
        inner: &Shape::Bounded {
            inner: &Shape::Text { min: 0, max: DEFAULT_TEXT_MAX },
            bounds: Bounds { pattern: Some(SOCKET), ..Bounds::NONE },
        },
        note: "Address and port, such as `127.0.0.1:80` or `[::1]:80`.",
    }, "address and port";
}

/// Refused while compiling: nothing would hold such a path to the workspace.
impl Argument for PathBuf {
    const SHAPE: Shape = panic!(
        "`PathBuf` is held to no workspace: take `ReadPath`, `WritePath`, `DirPath` or `EntryPath`, or a `String` with `#[arg(not_a_resource = \"why\")]`"
    );
    fn read(_: &Node<'_>, _: &mut Reader<'_>) -> Option<Self> {
        None
    }
}
