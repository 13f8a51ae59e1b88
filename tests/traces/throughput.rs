//! How many recorded calls a second go through a gate, on memory and on a SQLite file. Printed, not
//! asserted: `cargo test --release -p toolgate-trace-tests throughput -- --nocapture`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use toolgate_core::store::{CallFilter, MemoryStore, Store};
use toolgate_sqlite::SqliteStore;

use crate::data::{Call, folder, lines};
use crate::desk::{Desk, Grants};

#[tokio::test(flavor = "multi_thread")]
async fn the_recorded_runs_pass_on_memory_and_on_sqlite() {
    let Some(folder) = folder() else { return };
    let calls: Vec<Call> = lines(&folder, "agentdojo-calls.jsonl");
    let mut runs: BTreeMap<&str, Vec<&Call>> = BTreeMap::new();
    calls.iter().for_each(|call| runs.entry(&call.t).or_default().push(call));
    let place = Place::new();
    for together in [1, 64] {
        let memory: Arc<dyn Store> = Arc::new(MemoryStore::new().unwrap());
        let sqlite = SqliteStore::open(place.0.join(format!("{together}.db"))).unwrap();
        for (name, store) in [("memory", memory), ("sqlite", Arc::new(sqlite) as Arc<dyn Store>)] {
            let desk = Arc::new(Desk::open(&folder, Arc::clone(&store), Grants::All).await);
            let runs: Vec<Vec<Call>> = runs.values().map(|run| run.iter().copied().cloned().collect()).collect();
            let begun = Instant::now();
            pass(&desk, runs, together).await;
            let rate = f64::from(u32::try_from(calls.len()).unwrap()) / begun.elapsed().as_secs_f64();
            println!("{name}, {together:>2} sessions at once: {rate:>8.0} calls a second");
            let records = store.calls(&CallFilter::default()).await.unwrap();
            assert_eq!(records.len(), calls.len(), "{name}");
        }
    }
}

/// Each run in its own order, so many runs at once.
async fn pass(desk: &Arc<Desk>, runs: Vec<Vec<Call>>, together: usize) {
    let runs = Arc::new(std::sync::Mutex::new(runs));
    let workers: Vec<_> = (0..together)
        .map(|_| {
            let (desk, runs) = (Arc::clone(desk), Arc::clone(&runs));
            tokio::spawn(async move {
                loop {
                    let Some(run) = runs.lock().unwrap().pop() else { return };
                    for call in &run {
                        let _ = desk.task(call).call(desk.prepare(call)).await;
                    }
                }
            })
        })
        .collect();
    for worker in workers {
        worker.await.unwrap();
    }
}

/// A folder that goes when the test ends.
struct Place(PathBuf);

impl Place {
    fn new() -> Self {
        let place = std::env::temp_dir().join(format!("toolgate-throughput-{}", std::process::id()));
        std::fs::create_dir_all(&place).unwrap();
        Self(place)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
