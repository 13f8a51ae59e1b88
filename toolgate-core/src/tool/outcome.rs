//! How the function of a tool is run and its outcome told: what an expansion says once of a return type. Not how
//! a value is written, which [`super::probe`] finds out.

use std::fmt;
use std::future::Future;

use serde_json::{Error, Value};

use super::error::{Effect, ToolError};
use super::invocation::{Invocation, Output};
use super::probe::{Failure, Returned, ToolReturn};
use crate::spec::shape::Shape;

/// How the result of a tool's function is told, and how its error.
pub struct Outcome<T, E> {
    /// Form of the result.
    pub shape: Shape,
    write: fn(T) -> Result<Value, Error>,
    told: fn(E) -> ToolError,
}

impl<T> Returned<T> {
    /// With how the error is told.
    #[expect(clippy::needless_pass_by_value, reason = "an expansion is shorter by a sign, and nothing is copied")]
    pub const fn or<E>(self, failure: Failure<E>) -> Outcome<T, E> {
        Outcome { shape: self.shape, write: self.write, told: failure.told }
    }
}

impl<T: 'static, E: 'static> Outcome<T, E> {
    /// What the gate gets from what the function gave.
    ///
    /// # Errors
    /// The function's own; and one with effect done where the result can't be written as JSON.
    pub fn finish<R>(&self, outcome: R) -> Result<Output, ToolError>
    where
        R: ToolReturn<Output = T, Failure = E>,
    {
        let result = outcome.into_result().map_err(self.told)?;
        let (value, content) = crate::content::collect(|| (self.write)(result));
        let value = value.map_err(|error| {
            ToolError::new("the result could not be written as JSON").with_effect(Effect::Done).with_source(error)
        })?;
        Ok(Output { value, content })
    }

    /// An async function that asks for nothing but its arguments.
    pub fn future<R>(&'static self, run: impl Future<Output = R> + Send + 'static) -> Invocation
    where
        R: ToolReturn<Output = T, Failure = E>,
    {
        Invocation::Future(Box::pin(async move { self.finish(run.await) }))
    }

    /// A sync function that asks for nothing but its arguments.
    pub fn blocking<R>(&'static self, run: impl FnOnce() -> R + Send + 'static) -> Invocation
    where
        R: ToolReturn<Output = T, Failure = E>,
    {
        Invocation::blocking(move |_| self.finish(run()))
    }
}

impl<T, E> fmt::Debug for Outcome<T, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outcome").finish_non_exhaustive()
    }
}
