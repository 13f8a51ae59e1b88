//! Sorts the troubles of SQLite into faults of a store. Not what to do about
//! them.

use rusqlite::ffi::{ErrorCode, SQLITE_READONLY_DBMOVED};
use toolgate_core::store::{StoreError, StoreFault};

/// A fault with its text for the operator.
pub(crate) fn error(fault: StoreFault, detail: impl Into<String>) -> StoreError {
    StoreError::new(fault, detail)
}

/// What SQLite's error means.
pub(crate) fn sorted(error: &rusqlite::Error) -> StoreFault {
    use rusqlite::Error as E;
    match error {
        E::SqliteFailure(failure, _) if failure.extended_code == SQLITE_READONLY_DBMOVED => StoreFault::Gone,
        E::SqliteFailure(failure, _) => match failure.code {
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => StoreFault::Busy,
            ErrorCode::DiskFull => StoreFault::Full,
            ErrorCode::ReadOnly | ErrorCode::PermissionDenied => StoreFault::ReadOnly,
            ErrorCode::CannotOpen => StoreFault::Gone,
            ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => StoreFault::Corrupt,
            ErrorCode::ConstraintViolation => StoreFault::Conflict,
            _ => StoreFault::Io,
        },
        E::FromSqlConversionFailure(..)
        | E::InvalidColumnType(..)
        | E::IntegralValueOutOfRange(..)
        | E::Utf8Error(..) => StoreFault::Corrupt,
        _ => StoreFault::Io,
    }
}

/// SQLite's error as a store's.
#[expect(clippy::needless_pass_by_value, reason = "the shape that `map_err` takes")]
pub(crate) fn of_sqlite(error: rusqlite::Error) -> StoreError {
    let fault = sorted(&error);
    StoreError::new(fault, error.to_string())
}
