//! The memory store: another start is another gate on it.

use std::sync::Arc;

use toolgate_core::store::{MemoryStore, Store, StoreError};
use toolgate_testing::scenarios::{Grounds, Place};

use crate::{not_here, run};

struct Memory;

#[derive(Debug)]
struct InMemory(Arc<dyn Store>);

impl Place for InMemory {
    fn open(&self) -> Result<Arc<dyn Store>, StoreError> {
        Ok(Arc::clone(&self.0))
    }
}

impl Grounds for Memory {
    fn fresh(&self) -> Arc<dyn Place> {
        Arc::new(InMemory(Arc::new(MemoryStore::new().unwrap())))
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn scenarios_hold_on_the_memory_store() {
    let report = run(&Memory, None).await;
    let dies_or_is_harmed = [
        "I031", "I032", "I033", "I034", "I035", "I037", "I039", "I047", "I055", "I056", "I064", "I065", "I072", "I076",
        "I078", "I079", "I07C", "I07E", "I090", "I091",
    ];
    assert_eq!(not_here(&report), dies_or_is_harmed);
}
