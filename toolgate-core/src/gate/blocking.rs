//! The gate for hosts without an async runtime: it owns one, and threads wait for it. A thread of a
//! runtime is refused, with words instead of a panic: waiting there would stop what is waited for.

use std::fmt;
use std::future::Future;
use std::time::Duration;

use tokio::runtime::{Builder, Handle, Runtime, RuntimeFlavor};

use super::{BuildError, Gate, GateBuilder};
use crate::call::{ToolCall, ToolResult};
use crate::session::Task;
use crate::tool::BoxFuture;

/// Threads on which async tools and the gate's own work run; sync tools have threads of their own.
const WORKERS: usize = 2;

/// Why a thread can't wait for the gate here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum BlockingError {
    /// The thread belongs to an async runtime.
    InsideRuntime,
    /// The gate was built on a runtime that runs on one thread only, which may not be running.
    OneThread,
    /// The runtime on which the gate was built has ended.
    RuntimeEnded,
}

impl fmt::Display for BlockingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::InsideRuntime => "this thread belongs to an async runtime: await the async function instead",
            Self::OneThread => "the gate was built on a one-thread runtime: build it with `build_blocking` instead",
            Self::RuntimeEnded => "the runtime on which the gate was built has ended: keep it as long as the gate",
        })
    }
}

impl std::error::Error for BlockingError {}

/// Where the gate's work runs.
#[derive(Debug)]
pub(super) struct Home {
    handle: Handle,
    own: Option<Runtime>,
}

impl Home {
    /// The runtime that this is called on, if any.
    pub(super) fn here() -> Option<Self> {
        Some(Self { handle: Handle::try_current().ok()?, own: None })
    }

    /// Whether whoever asks is run by this very runtime.
    pub(super) fn is_here(&self) -> bool {
        Handle::try_current().is_ok_and(|here| here.id() == self.handle.id())
    }

    /// Runs a call to its end, whoever waits for it, and from wherever.
    pub(super) fn spawn(&self, call: BoxFuture<'static, ()>) {
        // Whoever waits hears of the end by another way.
        drop(self.handle.spawn(call));
    }

    /// Where a thread may wait.
    fn waits(&self) -> Result<&Handle, BlockingError> {
        if Handle::try_current().is_ok() {
            return Err(BlockingError::InsideRuntime);
        }
        match self.handle.runtime_flavor() {
            RuntimeFlavor::CurrentThread => Err(BlockingError::OneThread),
            _ => Ok(&self.handle),
        }
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        // The last of the gate may be dropped by a call that ends, on a thread of this very runtime.
        if let Some(own) = self.own.take() {
            own.shutdown_background();
        }
    }
}

impl GateBuilder {
    /// As [`GateBuilder::build`], for a host without an async runtime: the gate owns one, with all that
    /// async tools need of tokio. It ends with the last clone of the gate, and of its sessions and tasks,
    /// once no call is under way.
    ///
    /// # Errors
    /// As [`GateBuilder::build`]; on a thread of a runtime; where the system gives no threads.
    pub fn build_blocking(self) -> Result<Gate, BuildError> {
        if Handle::try_current().is_ok() {
            return Err(BuildError::Blocking(BlockingError::InsideRuntime));
        }
        let own = Builder::new_multi_thread().worker_threads(WORKERS).thread_name("toolgate").enable_all().build();
        let own = own.map_err(BuildError::Runtime)?;
        let handle = own.handle().clone();
        handle.block_on(self.build_in(Home { handle: handle.clone(), own: Some(own) }))
    }
}

impl Gate {
    /// Waits for `future` on this thread: for what has no blocking form of its own, such as
    /// [`Gate::sweep`] or a decision about a ticket.
    ///
    /// # Errors
    /// On a thread of a runtime, for a gate built on a one-thread runtime, and where its runtime has ended.
    pub fn block_on<T>(&self, future: impl Future<Output = T>) -> Result<T, BlockingError> {
        // A runtime that has ended has no timers: waiting for one there panics.
        self.wait(async {})?;
        Ok(self.inner.home.waits()?.block_on(future))
    }

    /// As [`Gate::drain`].
    ///
    /// # Errors
    /// As [`Task::call_blocking`].
    pub fn drain_blocking(&self, timeout: Duration) -> Result<usize, BlockingError> {
        let gate = self.clone();
        self.wait(async move { gate.drain(timeout).await })
    }

    /// Runs the future where the gate's work runs: whoever stops waiting stops nothing.
    fn wait<T: Send + 'static>(&self, future: impl Future<Output = T> + Send + 'static) -> Result<T, BlockingError> {
        let (sender, receiver) = std::sync::mpsc::sync_channel(1);
        self.inner.home.waits()?.spawn(async move {
            // A thread that is gone waits no more.
            let _ = sender.send(future.await);
        });
        receiver.recv().map_err(|_| BlockingError::RuntimeEnded)
    }
}

impl Task {
    /// As [`Task::call`], for a thread that may wait.
    ///
    /// # Errors
    /// On a thread of a runtime, for a gate built on a one-thread runtime, and where its runtime has
    /// ended; nothing is done then, unless it ended in the middle of the call.
    pub fn call_blocking(&self, call: ToolCall) -> Result<ToolResult, BlockingError> {
        let task = self.clone();
        self.gate.wait(async move { task.call(call).await })
    }

    /// As [`Task::resume`], for a thread that may wait.
    ///
    /// # Errors
    /// As [`Task::call_blocking`].
    pub fn resume_blocking(&self, ticket: &str) -> Result<ToolResult, BlockingError> {
        let (task, ticket) = (self.clone(), ticket.to_owned());
        self.gate.wait(async move { task.resume(&ticket).await })
    }

    /// As [`Task::wait_for`], for a thread that may wait.
    ///
    /// # Errors
    /// As [`Task::call_blocking`].
    pub fn wait_for_blocking(&self, call_id: &str, timeout: Duration) -> Result<Option<ToolResult>, BlockingError> {
        let (task, call_id) = (self.clone(), call_id.to_owned());
        self.gate.wait(async move { task.wait_for(&call_id, timeout).await })
    }
}
