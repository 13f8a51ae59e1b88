//! The audit trail of a run: read from the store and printed as the command `toolgate audit` prints it.

use std::io::{self, Write as _};

use toolgate::Session;
use toolgate::store::{CallFilter, CallRecord, Store, StoreError};
use toolgate_cli::{audit_stats, audit_table};

/// What is recorded about these sessions, oldest first.
pub(crate) async fn records(store: &dyn Store, sessions: &[&Session]) -> Result<Vec<CallRecord>, StoreError> {
    let mut records = Vec::new();
    for session in sessions {
        let filter = CallFilter { session: Some(session.id().to_owned()), ..CallFilter::default() };
        records.extend(store.calls(&filter).await?.into_iter().rev());
    }
    records.sort_by_key(|record| record.received_ms);
    Ok(records)
}

/// The tables of `toolgate audit list` and `toolgate audit stats`; plain where no terminal reads them.
pub(crate) fn print(records: &[CallRecord]) -> io::Result<()> {
    let mut out = toolgate_cli::stdout();
    audit_table(&mut out, records)?;
    writeln!(out)?;
    audit_stats(&mut out, records)?;
    out.flush()
}
