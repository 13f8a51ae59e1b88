//! A decoded call, ready to run once: what the macro's `prepare` and a run-time handler give the gate.

use std::fmt;
use std::future::Future;
use std::pin::Pin;

use super::context::Context;
use super::error::ToolError;
use crate::content::{Content, WithContent};

/// A boxed future that may move between threads.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What a tool gave back, before masking and clipping.
#[derive(Debug, Clone, PartialEq)]
pub struct Output {
    /// The typed result as JSON.
    pub value: serde_json::Value,
    /// What it gave beside data: images, files, text.
    pub content: Vec<Content>,
}

impl From<serde_json::Value> for Output {
    fn from(value: serde_json::Value) -> Self {
        Self { value, content: Vec::new() }
    }
}

impl From<WithContent<serde_json::Value>> for Output {
    fn from(given: WithContent<serde_json::Value>) -> Self {
        Self { value: given.data, content: given.content }
    }
}

type AsyncBody = Box<dyn FnOnce(Context) -> BoxFuture<'static, Result<Output, ToolError>> + Send>;
type BlockingBody = Box<dyn FnOnce(Context) -> Result<Output, ToolError> + Send>;

/// One run of a tool with its arguments already inside.
pub enum Invocation {
    /// An async function that asks for nothing but its arguments.
    Future(BoxFuture<'static, Result<Output, ToolError>>),
    /// An async function.
    Async(AsyncBody),
    /// A sync function; runs on the bounded blocking pool.
    Blocking(BlockingBody),
}

impl Invocation {
    /// Wraps the body of an async tool.
    pub fn future<F>(body: impl FnOnce(Context) -> F + Send + 'static) -> Self
    where
        F: Future<Output = Result<Output, ToolError>> + Send + 'static,
    {
        Self::Async(Box::new(move |context| Box::pin(body(context))))
    }

    /// Wraps the body of a sync tool.
    pub fn blocking(body: impl FnOnce(Context) -> Result<Output, ToolError> + Send + 'static) -> Self {
        Self::Blocking(Box::new(body))
    }
}

impl fmt::Debug for Invocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Future(_) => "Invocation::Future",
            Self::Async(_) => "Invocation::Async",
            Self::Blocking(_) => "Invocation::Blocking",
        })
    }
}
