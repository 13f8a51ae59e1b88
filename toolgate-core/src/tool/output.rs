//! How a result of Rust becomes JSON, for the types toolgate knows itself. Not the clipping.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;

use super::argument::MAX_EXACT;
use crate::spec::shape::{DEFAULT_ITEMS_MAX, Shape};

/// A type that can be a result without serde. `#[tool_type]` implements it.
pub trait ToolOutput: Sized {
    /// Its form.
    const SHAPE: Shape;

    /// [`Self::SHAPE`] by reference, for shapes that hold others.
    #[doc(hidden)]
    const SHAPE_REF: &'static Shape = &Self::SHAPE;

    /// The value as JSON.
    fn into_value(self) -> Value;
}

macro_rules! plain {
    ($($type:ty: $shape:expr;)*) => {$(
        impl ToolOutput for $type {
            const SHAPE: Shape = $shape;
            fn into_value(self) -> Value {
                Value::from(self)
            }
        }
    )*};
}

const INTEGER: Shape = Shape::Integer { min: -MAX_EXACT, max: MAX_EXACT };
const TEXT: Shape = Shape::Text { min: 0, max: u32::MAX };

plain! {
    bool: Shape::Bool;
    u8: INTEGER;
    u16: INTEGER;
    u32: INTEGER;
    u64: INTEGER;
    usize: INTEGER;
    i8: INTEGER;
    i16: INTEGER;
    i32: INTEGER;
    i64: INTEGER;
    isize: INTEGER;
    f32: Shape::Number;
    f64: Shape::Number;
    String: TEXT;
    &'static str: TEXT;
    Value: Shape::Any;
}

impl ToolOutput for () {
    const SHAPE: Shape = Shape::Null;
    fn into_value(self) -> Value {
        Value::Null
    }
}

impl<T: ToolOutput> ToolOutput for Option<T> {
    const SHAPE: Shape = Shape::Nullable(T::SHAPE_REF);
    fn into_value(self) -> Value {
        self.map_or(Value::Null, T::into_value)
    }
}

impl<T: ToolOutput> ToolOutput for Box<T> {
    const SHAPE: Shape = T::SHAPE;
    fn into_value(self) -> Value {
        (*self).into_value()
    }
}

impl<T: ToolOutput> ToolOutput for Vec<T> {
    const SHAPE: Shape = Shape::List { items: T::SHAPE_REF, min: 0, max: u32::MAX, unique: false };
    fn into_value(self) -> Value {
        Value::Array(self.into_iter().map(T::into_value).collect())
    }
}

impl<T: ToolOutput> ToolOutput for BTreeMap<String, T> {
    const SHAPE: Shape = Shape::Map { values: T::SHAPE_REF, max: DEFAULT_ITEMS_MAX };
    fn into_value(self) -> Value {
        Value::Object(self.into_iter().map(|(key, value)| (key, value.into_value())).collect())
    }
}

impl<T: ToolOutput> ToolOutput for HashMap<String, T> {
    const SHAPE: Shape = Shape::Map { values: T::SHAPE_REF, max: DEFAULT_ITEMS_MAX };
    fn into_value(self) -> Value {
        Value::Object(self.into_iter().map(|(key, value)| (key, value.into_value())).collect())
    }
}
