//! The person who takes on a database that was restored from a backup. Not how that is noticed.

use std::path::Path;

use rusqlite::TransactionBehavior;
use serde_json::json;
use toolgate_core::store::apply::Rows as _;
use toolgate_core::store::{Event, Millis, StoreError, StoreFault};

use crate::frame::{self, Frame};
use crate::head_file::{self, HeadFile};
use crate::{SqliteOptions, SqliteStore, fault, open};

/// What was taken on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Restored {
    /// Events that the database has.
    pub events: u64,
    /// Events that it had before, as far as that was remembered; 0 where it wasn't.
    pub known: u64,
}

impl SqliteStore {
    /// Takes on a database that was restored from a backup, so that it can be opened again: records who did, as an
    /// event `restored`, and goes on from there. Operations that were done after the backup are not in it: a repeat
    /// of one runs as if it were new.
    ///
    /// # Errors
    /// As [`Self::open_with`], but for what is taken on here.
    pub fn accept_restore(path: impl AsRef<Path>, by: &str, now_ms: Millis) -> Result<Restored, StoreError> {
        let wait = SqliteOptions::default().busy_timeout;
        let (mut conn, key, place) = open::writable(path.as_ref(), wait)?;
        let known = match head_file::load(place.path()) {
            Ok(known) => known.map_or(0, |head| head.seq),
            Err(error) if error.fault() == StoreFault::Restored => 0,
            Err(error) => return Err(error),
        };
        conn.pragma_update(None, "synchronous", "FULL").map_err(fault::of_sqlite)?;
        let taken = conn.transaction_with_behavior(TransactionBehavior::Immediate).map_err(fault::of_sqlite)?;
        let mut head = frame::head(&taken)?;
        let events = head.seq;
        let event = Event::new("", "restored", now_ms, &json!({ "by": by, "events": events, "known": known }));
        Frame { conn: &taken, key: &key, head: &mut head, written: None }.append(event)?;
        taken.commit().map_err(fault::of_sqlite)?;
        HeadFile::of(place.path()).put(&head)?;
        Ok(Restored { events, known })
    }
}
