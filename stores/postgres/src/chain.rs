//! The chain of events that a writer goes on with: the first of its names that no other writer has, held by a
//! lock of the session, so that it comes free with the connection. Not the links, which are
//! `toolgate_core::store::chain`'s.

use tokio_postgres::{Client, Row};
use toolgate_core::keys::GateKey;
use toolgate_core::store::chain::Head;
use toolgate_core::store::{StoreError, StoreFault};

use crate::session::Failure;
use crate::{convert, fault};

/// Most writers at one time.
const MOST: usize = 10_000;

/// The mark of a head under the gate's key: a tail that is cut doesn't fit the head.
pub(crate) fn seal(gate: &GateKey, name: &str, head: &Head) -> String {
    gate.digest("toolgate.chain.head.v1", &[name.as_bytes(), &head.seq.to_be_bytes(), head.link.as_bytes()])
}

/// The head in a row of `seq`, `link` and `seal`.
pub(crate) fn head(row: &Row, name: &str, gate: &GateKey) -> Result<Head, StoreError> {
    let head = Head { seq: convert::count(row, 0)?, link: convert::get(row, 1)? };
    if convert::get::<&str>(row, 2)? == seal(gate, name, &head) {
        return Ok(head);
    }
    Err(fault::error(StoreFault::Corrupt, changed_head(name)))
}

/// What is said of a head whose mark is wrong.
pub(crate) fn changed_head(name: &str) -> String {
    format!("the head of the chain `{name}` was changed outside of the gate")
}

/// Takes a chain for as long as the connection lasts, and gives its name.
pub(crate) async fn take(client: &Client, prefix: &str, gate: &GateKey) -> Result<String, Failure> {
    let lock = client
        .prepare("SELECT pg_try_advisory_lock(hashtextextended('toolgate:chain:' || current_schema() || ':' || $1, 0))")
        .await?;
    for number in 1..=MOST {
        let name = format!("{prefix}-{number}");
        if client.query_one(&lock, &[&name]).await?.get::<_, bool>(0) {
            let insert =
                "INSERT INTO chains (name, seq, link, seal) VALUES ($1, 0, '', $2) ON CONFLICT (name) DO NOTHING";
            client.execute(insert, &[&name, &seal(gate, &name, &Head::default())]).await?;
            return Ok(name);
        }
    }
    Err(fault::error(StoreFault::Busy, "every chain has a writer").into())
}
