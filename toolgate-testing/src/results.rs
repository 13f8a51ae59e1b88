//! Results that weren't what their tools declare, found after a test. A gate gives such a result all the
//! same, as what was done is done; a test should not.

use toolgate_core::store::{CallFilter, Store};

/// Panics with every recorded call whose result wasn't what its tool declares: a type whose `Serialize`
/// and `JsonSchema` disagree, a newtype made past its bounds, a number that JSON readers change.
///
/// # Panics
/// Where there is one, and where the store can't be read.
pub async fn assert_results_declared(store: &dyn Store) {
    let calls = store.calls(&CallFilter::default()).await.unwrap_or_else(|error| panic!("the store: {error}"));
    let broken: Vec<String> = calls
        .into_iter()
        .filter(|call| call.rule.as_deref() == Some("execute.undeclared"))
        .map(|call| format!("{} ({}): {}", call.tool, call.call_id, call.operator.unwrap_or_default()))
        .collect();
    assert!(broken.is_empty(), "{} results are not what their tools declare:\n{}", broken.len(), broken.join("\n"));
}
