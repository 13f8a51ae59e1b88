//! The bounded pool for sync tools. A place is held until the function really ends, so stuck
//! functions make the gate say "busy" instead of hanging.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;

use super::panics::caught;
use super::run_end::RunEnd;
use crate::tool::{Context, Output, ToolError};

#[derive(Debug, Clone)]
pub(super) struct Pool {
    places: Arc<Semaphore>,
    queue: Duration,
}

impl Pool {
    /// So many functions at once; a call waits for a place at most `queue`.
    pub(super) fn new(places: usize, queue: Duration) -> Self {
        Self { places: Arc::new(Semaphore::new(places)), queue }
    }

    /// A place, or `None` where none gets free in time.
    pub(super) async fn place(&self) -> Option<tokio::sync::OwnedSemaphorePermit> {
        let wait = Arc::clone(&self.places).acquire_owned();
        tokio::time::timeout(self.queue, wait).await.ok().and_then(Result::ok)
    }

    pub(super) async fn run(
        place: tokio::sync::OwnedSemaphorePermit,
        body: Box<dyn FnOnce(Context) -> Result<Output, ToolError> + Send>,
        context: Context,
    ) -> RunEnd {
        let run = tokio::task::spawn_blocking(move || {
            let end = RunEnd::of(caught(|| body(context)));
            drop(place);
            end
        });
        match run.await {
            Ok(end) => end,
            Err(_) => RunEnd::Panicked("the runtime ended the function".to_owned()),
        }
    }
}
