//! How an expansion reads and writes a value of a type it knows only by name: natively where the type
//! is toolgate's or marked with `#[tool_type]`, through serde and schemars else. Not the reading itself.
//!
//! `Probe::<T>::ARGUMENT` is an inherent constant where `T: Argument`; elsewhere the name falls to the
//! trait's constant, whose `param` states the serde bound. So each bound is asked once, where the macro
//! spells the type, and the answer is in our words.

use std::fmt;
use std::marker::PhantomData;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::args::{Args, Reader};
use super::argument::Argument;
use super::context::Context;
use super::error::ToolError;
use super::output::ToolOutput;
use crate::json::Node;
use crate::spec::StateDef;
use crate::spec::flat::Flat;
use crate::spec::shape::{Field, Shape};

/// Asks how a type is read or written.
pub struct Probe<T>(PhantomData<fn() -> T>);

/// A type that toolgate reads or writes itself.
pub struct Native<T>(PhantomData<fn() -> T>);

/// A type left to serde and schemars.
pub struct Foreign<T>(PhantomData<fn() -> T>);

/// What `Probe` says of a type that toolgate doesn't know itself.
pub trait ProbeForeign {
    /// The type asked about.
    type Of;
    /// As an argument.
    const ARGUMENT: Foreign<Self::Of> = Foreign(PhantomData);
    /// As a result.
    const RESULT: Foreign<Self::Of> = Foreign(PhantomData);
    /// As a part of a `#[tool_type]`.
    const PART: Foreign<Self::Of> = Foreign(PhantomData);
}

impl<T> ProbeForeign for Probe<T> {
    type Of = T;
}

impl<T: Argument> Probe<T> {
    /// As an argument.
    pub const ARGUMENT: Native<T> = Native(PhantomData);
}

impl<T: ToolOutput> Probe<T> {
    /// As a result.
    pub const RESULT: Native<T> = Native(PhantomData);
}

impl<T: Argument + ToolOutput> Probe<T> {
    /// As a part of a `#[tool_type]`.
    pub const PART: Native<T> = Native(PhantomData);
}

/// What can be read from a model's words by serde, and told back, so that nothing of them is skipped.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a tool argument",
    label = "no tool argument: mark the type with `#[tool_type]`, or derive `serde::Serialize`, `serde::Deserialize` and `schemars::JsonSchema` for it"
)]
pub trait SerdeArgument: DeserializeOwned + Serialize + JsonSchema + Send + 'static {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + Serialize + JsonSchema + Send + 'static> SerdeArgument for T {}

/// What can be told to a model by serde.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a tool's result",
    label = "no tool result: mark the type with `#[tool_type]`, or derive `serde::Serialize` and `schemars::JsonSchema` for it"
)]
pub trait SerdeResult: Serialize + JsonSchema {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + JsonSchema> SerdeResult for T {}

/// What can be read and told by serde.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a part of a `#[tool_type]`",
    label = "no part of a tool type: mark it with `#[tool_type]` too, or derive `serde::Serialize`, `serde::Deserialize` and `schemars::JsonSchema` for it"
)]
pub trait SerdePart: DeserializeOwned + Serialize + JsonSchema + Send + 'static {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + Serialize + JsonSchema + Send + 'static> SerdePart for T {}

/// How a value is read.
pub struct Param<T> {
    /// Its form.
    pub shape: Shape,
    /// Whether its type allows leaving it out.
    pub optional: bool,
    /// Reads the argument of that name.
    pub take: fn(&mut Args<'_>, &str) -> Option<T>,
    /// Reads the field of an object.
    pub field: fn(&mut Reader<'_>, &Node<'_>, &str) -> Option<T>,
    /// Reads a value.
    pub read: fn(&mut Reader<'_>, &Node<'_>) -> Option<T>,
}

/// How a value is told.
pub struct Returned<T> {
    /// Its form.
    pub shape: Shape,
    /// Writes it as JSON.
    pub write: fn(T) -> Result<Value, serde_json::Error>,
}

/// How one part of a `#[tool_type]` is read and told.
pub struct Part<T> {
    /// As an argument.
    pub input: Param<T>,
    /// As a result.
    pub output: Returned<T>,
}

impl<T> Param<T> {
    /// A parameter or field of that name.
    pub const fn named(&self, name: &'static str, doc: &'static str) -> Field {
        Field::new(name, doc, self.shape, !self.optional)
    }
}

impl<T> Returned<T> {
    /// A field of that name.
    pub const fn named(&self, name: &'static str, doc: &'static str) -> Field {
        Field::new(name, doc, self.shape, true)
    }
}

const fn native_param<T: Argument>() -> Param<T> {
    Param {
        shape: T::SHAPE,
        optional: T::OPTIONAL,
        take: |args, name| args.take(name),
        field: |reader, object, name| reader.field(object, name),
        read: |reader, node| T::read(node, reader),
    }
}

const fn foreign_param<T: DeserializeOwned + Serialize + JsonSchema>() -> Param<T> {
    Param {
        shape: Shape::Foreign(read_schema::<T>),
        optional: false,
        take: |args, name| args.take_foreign(name),
        field: |reader, object, name| reader.foreign_field(object, name),
        read: |reader, node| reader.foreign(node),
    }
}

const fn foreign_returned<T: Serialize + JsonSchema>() -> Returned<T> {
    Returned { shape: Shape::Foreign(write_schema::<T>), write: |value| serde_json::to_value(value) }
}

impl<T: Argument> Native<T> {
    /// What it is as all arguments at once.
    pub const fn flat(self) -> Flat {
        match T::FIELDS {
            Some(fields) => Flat::Fields(fields),
            None => Flat::Other,
        }
    }

    /// How the argument is read.
    pub const fn param(self) -> Param<T> {
        native_param()
    }
}

impl<T: ToolOutput> Native<T> {
    /// How the result is told.
    pub const fn returned(self) -> Returned<T> {
        Returned { shape: T::SHAPE, write: T::into_value }
    }
}

impl<T: Argument + ToolOutput> Native<T> {
    /// How the part is read and told.
    pub const fn part(self) -> Part<T> {
        Part { input: native_param(), output: Returned { shape: <T as ToolOutput>::SHAPE, write: T::into_value } }
    }
}

impl<T> Foreign<T> {
    /// What it is as all arguments at once: serde's to say.
    pub const fn flat(self) -> Flat {
        Flat::Unknown
    }

    /// How the argument is read.
    pub const fn param(self) -> Param<T>
    where
        T: SerdeArgument,
    {
        foreign_param()
    }

    /// How the result is told.
    pub const fn returned(self) -> Returned<T>
    where
        T: SerdeResult,
    {
        foreign_returned()
    }

    /// How the part is read and told.
    pub const fn part(self) -> Part<T>
    where
        T: SerdePart,
    {
        Part { input: foreign_param(), output: foreign_returned() }
    }
}

fn read_schema<T: JsonSchema>() -> Value {
    SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>().to_value()
}

fn write_schema<T: JsonSchema>() -> Value {
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>().to_value()
}

/// The type a tool's function returns.
#[diagnostic::on_unimplemented(
    message = "a tool returns `Result<T, ToolError>`, not `{Self}`",
    label = "return `Result<.., ToolError>`, so that a failure can say what happened"
)]
pub trait ToolReturn {
    /// What it returns when all went well.
    type Output;
    /// What it returns when not.
    type Failure;

    /// The value as what it is.
    ///
    /// # Errors
    /// The function's own.
    fn into_result(self) -> Result<Self::Output, Self::Failure>;
}

impl<T, E> ToolReturn for Result<T, E> {
    type Output = T;
    type Failure = E;

    fn into_result(self) -> Self {
        self
    }
}

/// The error type of a tool's function.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a tool's error",
    label = "no tool error: return `ToolError`, or implement `std::error::Error` for it"
)]
pub trait ToolFailure: Into<ToolError> {}

#[diagnostic::do_not_recommend]
impl<E: Into<ToolError>> ToolFailure for E {}

/// How the error of a tool's function is told.
pub struct Failure<E> {
    pub(super) told: fn(E) -> ToolError,
}

/// The error type of a tool's function.
pub const fn failure<E: ToolFailure>() -> Failure<E> {
    Failure { told: E::into }
}

/// What a host can share with its tools.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the state of a tool",
    label = "no host state: it must be `Send + Sync + 'static`, and behind a plain reference"
)]
pub trait HostState: Send + Sync + 'static {}

#[diagnostic::do_not_recommend]
impl<T: Send + Sync + 'static> HostState for T {}

/// How one piece of host state is found.
pub struct State<T> {
    /// What the gate checks when it is built.
    pub def: StateDef,
    /// Finds it.
    pub get: fn(&Context) -> Result<&T, ToolError>,
}

/// Host state of that type.
pub const fn state<T: HostState>() -> State<T> {
    State {
        def: StateDef { type_id: std::any::TypeId::of::<T>, name: std::any::type_name::<T> },
        get: |context| context.state(),
    }
}

macro_rules! opaque {
    ($($name:ident)*) => {$(
        impl<T> fmt::Debug for $name<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }
    )*};
}

opaque! { Failure Probe Native Foreign Param Returned Part State }
