//! Sorts the troubles of PostgreSQL into faults of a store, and says which of them pass when the transaction
//! is tried again. Not what to do about them.

use std::error::Error as _;
use std::io;

use deadpool_postgres::PoolError;
use tokio_postgres::Error;
use tokio_postgres::error::SqlState;
use toolgate_core::store::{StoreError, StoreFault};

/// A fault with its text for the operator.
pub(crate) fn error(fault: StoreFault, detail: impl Into<String>) -> StoreError {
    StoreError::new(fault, detail)
}

/// Whether the connection is no more: what was under way may have been done or not.
pub(crate) fn is_lost(error: &Error) -> bool {
    let by_server = error.code().is_some_and(|code| {
        [&SqlState::ADMIN_SHUTDOWN, &SqlState::CRASH_SHUTDOWN, &SqlState::CANNOT_CONNECT_NOW].contains(&code)
            || code.code().starts_with("08")
            // `idle_session_timeout` and its like.
            || code.code().starts_with("57P")
            || code.code() == "25P03"
    });
    let by_network = error.source().is_some_and(<dyn std::error::Error>::is::<io::Error>);
    error.is_closed() || by_server || by_network
}

/// Whether the transaction stands against others and was taken back by the server: tried again, it may pass.
/// A new row that is there already was written by another since this transaction looked.
pub(crate) fn is_contended(error: &Error) -> bool {
    error.code().is_some_and(|code| {
        [&SqlState::T_R_SERIALIZATION_FAILURE, &SqlState::T_R_DEADLOCK_DETECTED, &SqlState::UNIQUE_VIOLATION]
            .contains(&code)
    })
}

fn sorted(error: &Error) -> StoreFault {
    if is_lost(error) {
        return StoreFault::Gone;
    }
    let Some(code) = error.code() else {
        // What can't be read or written as a column of that type.
        return StoreFault::Corrupt;
    };
    match code.code() {
        "53100" => StoreFault::Full,
        "55P03" | "57014" | "40001" | "40P01" => StoreFault::Busy,
        "25006" | "42501" => StoreFault::ReadOnly,
        "42P01" | "42703" | "3F000" | "3D000" => StoreFault::Gone,
        code if code.starts_with("53") => StoreFault::Busy,
        code if code.starts_with("28") => StoreFault::ReadOnly,
        code if code.starts_with("XX") => StoreFault::Corrupt,
        _ => StoreFault::Io,
    }
}

/// PostgreSQL's error in words. The server's `DETAIL` is left out: it shows values.
fn told(error: &Error) -> String {
    match error.as_db_error() {
        Some(told) => format!("{} (SQLSTATE {})", told.message(), told.code().code()),
        None => match error.source() {
            Some(cause) => format!("{error}: {cause}"),
            None => error.to_string(),
        },
    }
}

/// PostgreSQL's error as a store's.
pub(crate) fn of_postgres(error: &Error) -> StoreError {
    StoreError::new(sorted(error), told(error))
}

/// An error of the pool of readers as a store's.
pub(crate) fn of_pool(error: &PoolError) -> StoreError {
    match error {
        PoolError::Backend(error) => of_postgres(error),
        PoolError::Timeout(_) => StoreError::new(StoreFault::Busy, "no connection for reading came free in time"),
        other => StoreError::new(StoreFault::Io, other.to_string()),
    }
}

/// The fault of a store whose threads have ended.
pub(crate) fn ended() -> StoreError {
    error(StoreFault::Io, "the store's own threads have ended")
}
