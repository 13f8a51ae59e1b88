//! The bounded pool for sync tools. A place is held until the function really ends, so stuck
//! functions make the gate say "busy" instead of hanging.

use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::panics::caught;
use super::run_end::RunEnd;
use crate::tool::{Context, Output, ToolError};

#[derive(Debug, Clone)]
pub(super) struct Pool {
    places: Arc<Semaphore>,
    queue: Duration,
}

/// A place, held until it is dropped, and by all to whom it is lent.
#[derive(Debug)]
pub(super) struct Place {
    place: Arc<OwnedSemaphorePermit>,
    /// Of one that is lent: one at a time.
    _turn: Option<OwnedSemaphorePermit>,
}

/// A place that its holder lends while it waits. Ends with the holder's run.
#[derive(Debug, Clone)]
pub(super) struct Lent {
    place: Weak<OwnedSemaphorePermit>,
    turn: Arc<Semaphore>,
}

impl Place {
    pub(super) fn lend(&self) -> Lent {
        Lent { place: Arc::downgrade(&self.place), turn: Arc::new(Semaphore::new(1)) }
    }
}

impl Lent {
    /// The place, once nobody else uses it; `None` where it is given back.
    async fn take(&self) -> Option<Place> {
        let turn = Arc::clone(&self.turn).acquire_owned().await.ok()?;
        Some(Place { place: self.place.upgrade()?, _turn: Some(turn) })
    }
}

impl Pool {
    /// So many functions at once; a call waits for a place at most `queue`.
    pub(super) fn new(places: usize, queue: Duration) -> Self {
        Self { places: Arc::new(Semaphore::new(places)), queue }
    }

    /// A place, or `None` where none gets free in time. An inner call takes the place that is lent to it
    /// where that is free: the tool that has it waits for the call, so that a full pool can't stand still.
    pub(super) async fn place(&self, lent: Option<&Lent>) -> Option<Place> {
        let own = Arc::clone(&self.places).acquire_owned();
        let own = async { own.await.ok().map(|place| Place { place: Arc::new(place), _turn: None }) };
        let wait = async {
            let Some(lent) = lent else {
                return own.await;
            };
            tokio::select! {
                biased;
                Some(place) = lent.take() => Some(place),
                place = own => place,
            }
        };
        tokio::time::timeout(self.queue, wait).await.ok().flatten()
    }

    pub(super) async fn run(
        place: Place,
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
