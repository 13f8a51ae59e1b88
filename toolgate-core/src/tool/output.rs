//! How a result of Rust becomes JSON, for the types toolgate knows itself. Not the clipping.

use std::collections::BTreeSet;

use serde::ser::Error as _;
use serde_json::{Error, Value};

use super::argument::MAX_EXACT;
use crate::resource::HttpUrl;
use crate::spec::shape::Shape;

/// A type that can be a result without serde. `#[tool_type]` implements it.
pub trait ToolOutput: Sized {
    /// Its form.
    const SHAPE: Shape;

    /// [`Self::SHAPE`] by reference, for shapes that hold others.
    #[doc(hidden)]
    const SHAPE_REF: &'static Shape = &Self::SHAPE;

    /// The value as JSON.
    ///
    /// # Errors
    /// When it can't be said in JSON: a number that isn't finite, a map key that is no text.
    fn into_value(self) -> Result<Value, Error>;
}

/// An object that is put together from results, in the order of its fields.
///
/// # Errors
/// The first of a field's own.
pub fn object_value<const N: usize>(fields: [(&str, Result<Value, Error>); N]) -> Result<Value, Error> {
    let fields = fields.into_iter().map(|(name, value)| Ok((name.to_owned(), value?)));
    fields.collect::<Result<_, _>>().map(Value::Object)
}

macro_rules! plain {
    ($($type:ty: $shape:expr;)*) => {$(
        impl ToolOutput for $type {
            const SHAPE: Shape = $shape;
            fn into_value(self) -> Result<Value, Error> {
                Ok(Value::from(self))
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
    String: TEXT;
    &'static str: TEXT;
    Value: Shape::Any;
}

impl ToolOutput for f64 {
    const SHAPE: Shape = Shape::Number;
    fn into_value(self) -> Result<Value, Error> {
        serde_json::Number::from_f64(self).map(Value::Number).ok_or_else(|| Error::custom("a number is not finite"))
    }
}

impl ToolOutput for f32 {
    const SHAPE: Shape = Shape::Number;
    fn into_value(self) -> Result<Value, Error> {
        f64::from(self).into_value()
    }
}

impl ToolOutput for char {
    const SHAPE: Shape = Shape::Text { min: 1, max: 1 };
    fn into_value(self) -> Result<Value, Error> {
        Ok(Value::String(self.to_string()))
    }
}

impl ToolOutput for HttpUrl {
    const SHAPE: Shape = TEXT;
    fn into_value(self) -> Result<Value, Error> {
        Ok(Value::String(self.to_string()))
    }
}

impl ToolOutput for () {
    const SHAPE: Shape = Shape::Null;
    fn into_value(self) -> Result<Value, Error> {
        Ok(Value::Null)
    }
}

impl<T: ToolOutput> ToolOutput for Option<T> {
    const SHAPE: Shape = Shape::Nullable(T::SHAPE_REF);
    fn into_value(self) -> Result<Value, Error> {
        self.map_or(Ok(Value::Null), T::into_value)
    }
}

impl<T: ToolOutput> ToolOutput for Box<T> {
    const SHAPE: Shape = T::SHAPE;
    fn into_value(self) -> Result<Value, Error> {
        (*self).into_value()
    }
}

pub(super) fn list<T: ToolOutput>(items: impl IntoIterator<Item = T>) -> Result<Value, Error> {
    items.into_iter().map(T::into_value).collect::<Result<_, _>>().map(Value::Array)
}

impl<T: ToolOutput> ToolOutput for Vec<T> {
    const SHAPE: Shape = Shape::List { items: T::SHAPE_REF, min: 0, max: u32::MAX, unique: false };
    fn into_value(self) -> Result<Value, Error> {
        list(self)
    }
}

impl<T: ToolOutput + Ord> ToolOutput for BTreeSet<T> {
    const SHAPE: Shape = Shape::List { items: T::SHAPE_REF, min: 0, max: u32::MAX, unique: true };
    fn into_value(self) -> Result<Value, Error> {
        list(self)
    }
}
