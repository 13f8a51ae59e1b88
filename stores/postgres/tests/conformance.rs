//! The PostgreSQL store keeps the promises of a store, alone and with others over the same schema.

mod common;

use std::sync::Arc;

use common::{fresh_schema, open, server};
use toolgate_core::store::Store;
use toolgate_testing::conformance::races;
use toolgate_testing::store_conformance;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn postgres_store_conforms() {
    let Some(server) = server() else { return };
    store_conformance(|| open(server, &fresh_schema()) as Arc<dyn Store>).await;
}

/// As many connections that write.
fn eight() -> Option<Vec<Arc<dyn Store>>> {
    let server = server()?;
    let schema = fresh_schema();
    Some((0..8).map(|_| open(server, &schema) as Arc<dyn Store>).collect())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_claim_wins_through_eight_stores() {
    let Some(stores) = eight() else { return };
    races::one_of_many_claims_wins(&stores).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn approval_is_spent_once_through_eight_stores() {
    let Some(stores) = eight() else { return };
    races::approval_is_spent_once_under_racing(&stores).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn every_write_through_eight_stores_is_kept_each_in_its_own_chain() {
    let Some(stores) = eight() else { return };
    races::every_write_of_many_is_kept(&stores).await;
    let report = stores.first().map(|store| store.report());
    let report = report.into_iter().next();
    let Some(report) = report else { return };
    let facts = report.await.map(|report| report.facts).unwrap_or_default();
    let heads = facts.iter().filter(|(name, _)| name.starts_with("chain_head ")).count();
    assert_eq!(heads, 8);
}
