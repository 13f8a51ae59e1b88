//! The memory store keeps the promises of a store.

use std::sync::Arc;

use toolgate_core::store::{MemoryStore, Store};
use toolgate_testing::store_conformance;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn memory_store_conforms() {
    store_conformance(|| Arc::new(MemoryStore::new().unwrap()) as Arc<dyn Store>).await;
}
