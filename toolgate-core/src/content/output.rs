//! Blocks as results: wherever one stands in a tool's value, its description stands in the data, and
//! the block itself is put aside for the gate.

use std::any::TypeId;
use std::cell::RefCell;

use serde_json::{Error, Value};

use super::{Audio, Content, File, Image, ResourceLink};
use crate::spec::shape::{Choice, Field, Shape};
use crate::tool::ToolOutput;

thread_local! {
    /// Where the blocks of the value that is being written on this thread go; `None` while none is.
    static ASIDE: RefCell<Option<Vec<Content>>> = const { RefCell::new(None) };
}

/// What `write` gives, and the blocks that stood in it, in order. Writing is sync, so that no other
/// value is written on this thread meanwhile.
pub(crate) fn collect<T>(write: impl FnOnce() -> T) -> (T, Vec<Content>) {
    /// Puts back what was there, also where `write` panics.
    struct Outer(Option<Vec<Content>>);
    impl Drop for Outer {
        fn drop(&mut self) {
            ASIDE.set(self.0.take());
        }
    }
    let outer = Outer(ASIDE.replace(Some(Vec::new())));
    let value = write();
    let blocks = ASIDE.take().unwrap_or_default();
    drop(outer);
    (value, blocks)
}

fn put_aside(block: Content) {
    ASIDE.with_borrow_mut(|aside| {
        if let Some(aside) = aside {
            aside.push(block);
        }
    });
}

/// Whether a block stands in a field that is `sensitive`: its description could be masked, and the block
/// would be given all the same.
pub(crate) fn hides_block(shape: &Shape) -> bool {
    Walk::default().hides(shape, false)
}

#[derive(Default)]
struct Walk {
    open: Vec<(TypeId, bool)>,
}

impl Walk {
    fn hides(&mut self, shape: &Shape, hidden: bool) -> bool {
        match shape {
            Shape::Object(fields) => fields.iter().any(|field| self.hides(&field.shape, hidden || field.sensitive)),
            Shape::List { items: inner, .. }
            | Shape::Map { values: inner, .. }
            | Shape::Keyed { values: inner, .. }
            | Shape::Nullable(inner)
            | Shape::Bounded { inner, .. }
            | Shape::Noted { inner, .. } => self.hides(inner, hidden),
            Shape::Tuple(shapes) | Shape::AnyOf(shapes) => shapes.iter().any(|shape| self.hides(shape, hidden)),
            Shape::Named { id, shape, .. } => {
                let id = id();
                if BLOCKS.iter().any(|block| block() == id) {
                    return hidden;
                }
                if self.open.contains(&(id, hidden)) {
                    return false;
                }
                self.open.push((id, hidden));
                self.hides(&shape(), hidden)
            }
            _ => false,
        }
    }
}

const BLOCKS: [fn() -> TypeId; 5] =
    [TypeId::of::<Content>, TypeId::of::<Image>, TypeId::of::<Audio>, TypeId::of::<File>, TypeId::of::<ResourceLink>];

/// A result with blocks beside its data. The data says nothing of the blocks; in fields of a
/// `#[tool_type(result)]` they would be described where they stand.
#[derive(Debug, Clone, PartialEq)]
pub struct WithContent<T> {
    /// The data, as if it were returned alone.
    pub data: T,
    /// The blocks, in order.
    pub content: Vec<Content>,
}

impl<T> WithContent<T> {
    /// The data, with no blocks yet.
    pub const fn new(data: T) -> Self {
        Self { data, content: Vec::new() }
    }

    /// With one more block.
    #[must_use]
    pub fn with(mut self, block: impl Into<Content>) -> Self {
        self.content.push(block.into());
        self
    }
}

impl<T: ToolOutput> ToolOutput for WithContent<T> {
    const SHAPE: Shape = T::SHAPE;
    fn into_value(self) -> Result<Value, Error> {
        let value = self.data.into_value()?;
        self.content.into_iter().for_each(put_aside);
        Ok(value)
    }
}

const TEXT: Shape = Shape::Text { min: 0, max: u32::MAX };
const SIZE: Shape = Shape::Integer { min: 0, max: crate::tool::MAX_EXACT };

const fn kind(words: &'static [Choice]) -> Field {
    Field::new("kind", "What it is.", Shape::OneOf(words), true)
}

const fn word(value: &'static str) -> Choice {
    Choice { value, doc: "" }
}

const NAME: Field = Field::new("name", "Its name.", TEXT, true);
const MEDIA_TYPE: Field = Field::new("media_type", "Its media type.", TEXT, true);
const BYTES: Field = Field::new("bytes", "Its size.", SIZE, true);

const OF_TEXT: Shape = Shape::Object(&[kind(&[word("text")]), Field::new("chars", "Its characters.", SIZE, true)]);
const OF_IMAGE: Shape = Shape::Object(&[kind(&[word("image")]), MEDIA_TYPE, BYTES]);
const OF_AUDIO: Shape = Shape::Object(&[kind(&[word("audio")]), MEDIA_TYPE, BYTES]);
const OF_FILE: Shape = Shape::Object(&[kind(&[word("file")]), NAME, MEDIA_TYPE, BYTES]);
const OF_LINK: Shape = Shape::Object(&[
    kind(&[word("link")]),
    NAME,
    Field::new("uri", "Its address.", TEXT, true),
    Field::new("media_type", "The media type of what is there.", Shape::Nullable(&TEXT), true),
]);
const OF_ANY: Shape = Shape::AnyOf(&[OF_TEXT, OF_IMAGE, OF_AUDIO, OF_FILE, OF_LINK]);

macro_rules! described {
    ($($type:ident: $shape:ident;)*) => {$(
        impl ToolOutput for $type {
            const SHAPE: Shape = Shape::Named {
                name: stringify!($type),
                id: TypeId::of::<$type>,
                shape: || $shape,
            };
            fn into_value(self) -> Result<Value, Error> {
                let block = Content::from(self);
                let described = block.description();
                put_aside(block);
                Ok(described)
            }
        }
    )*};
}

described! {
    Content: OF_ANY;
    Image: OF_IMAGE;
    Audio: OF_AUDIO;
    File: OF_FILE;
    ResourceLink: OF_LINK;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_put_aside_in_order_and_described_where_they_stand() {
        let file = File::new("a.txt", "text/plain", "abc").unwrap();
        let value = vec![Some(Content::from("hello")), None, Some(file.clone().into())];
        let (value, blocks) = collect(|| value.into_value().unwrap());
        assert_eq!(blocks, ["hello".into(), Content::from(file)]);
        let file = serde_json::json!({"kind": "file", "name": "a.txt", "media_type": "text/plain", "bytes": 3});
        assert_eq!(value, serde_json::json!([{"kind": "text", "chars": 5}, null, file]));
    }

    #[test]
    fn blocks_of_a_value_that_panics_while_it_is_written_are_not_another_values() {
        let broken = std::panic::catch_unwind(|| {
            collect(|| {
                let _ = Content::from("lost").into_value();
                panic!("while it is written")
            })
        });
        assert!(broken.is_err());
        let _ = Content::from("to nobody").into_value();
        assert_eq!(collect(|| ()).1, []);
    }

    #[test]
    fn a_sensitive_block_is_found_in_every_kind_of_map_and_behind_a_note() {
        const IMAGE: Shape = <Image as ToolOutput>::SHAPE;
        const NUMBER: Shape = Shape::Integer { min: 0, max: 9 };
        let shapes = [
            Shape::Map { values: &IMAGE, max: 9 },
            Shape::Keyed { keys: &NUMBER, values: &IMAGE, max: 9 },
            Shape::Noted { inner: &IMAGE, note: "a picture" },
        ];
        for shape in shapes {
            assert!(Walk { open: Vec::new() }.hides(&shape, true));
            assert!(!hides_block(&shape));
        }
    }
}
