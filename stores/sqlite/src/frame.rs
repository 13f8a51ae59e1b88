//! The rows of one write inside a savepoint of the writer's transaction. Not their meaning.

use std::borrow::Cow;
use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension as _, Params, Row, params};
use toolgate_core::clock::boot_ms;
use toolgate_core::keys::GateKey;
use toolgate_core::store::apply::Rows;
use toolgate_core::store::chain::{Head, Linked};
use toolgate_core::store::{
    CallRecord, Event, FILE_MARK, Facts, KeyRecord, Millis, OutcomeRecord, Stop, StoreError, StoreFault, StoredResult,
    TicketRecord, mark,
};

use crate::convert::{self, stored};
use crate::{fault, read};

/// The rows as the transaction has left them so far.
#[derive(Debug)]
pub(crate) struct Frame<'a> {
    pub(crate) conn: &'a Connection,
    pub(crate) key: &'a GateKey,
    pub(crate) head: &'a mut Head,
    /// The record that was written last, and its text: its event mostly tells the same.
    pub(crate) written: Option<(Arc<CallRecord>, String)>,
}

/// The last event of the chain.
pub(crate) fn head(conn: &Connection) -> Result<Head, StoreError> {
    let sql = "SELECT seq, link FROM events ORDER BY seq DESC LIMIT 1";
    let found = conn
        .prepare_cached(sql)
        .and_then(|mut statement| statement.query_row([], |row| Ok((row.get::<_, i64>(0)?, row.get(1)?))).optional());
    let found = found.map_err(fault::of_sqlite)?;
    Ok(found.map_or_else(Head::default, |(seq, link)| Head { seq: u64::try_from(seq).unwrap_or_default(), link }))
}

#[expect(clippy::needless_pass_by_value, reason = "the shape that `map_err` takes")]
fn no_json(error: serde_json::Error) -> StoreError {
    fault::error(StoreFault::Conflict, format!("a record that is no JSON: {error}"))
}

impl Frame<'_> {
    fn execute(&self, sql: &str, values: impl Params) -> Result<usize, StoreError> {
        self.conn.prepare_cached(sql).and_then(|mut statement| statement.execute(values)).map_err(fault::of_sqlite)
    }

    fn all<T>(
        &self,
        sql: &str,
        values: impl Params,
        convert: fn(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        read::all(self.conn, sql, values, convert)
    }
}

const UPDATE_CALL: &str = "UPDATE calls SET code = ?6, state = ?7, owner = coalesce(?8, owner), record = ?9 \
     WHERE call_id = ?1 AND session = ?2 AND task = ?3 AND tool = ?4 AND received_ms = ?5";

const PUT_CALL: &str = "INSERT INTO calls (call_id, session, task, tool, received_ms, code, state, owner, record) \
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, coalesce(?8, ''), ?9) \
     ON CONFLICT (call_id) DO UPDATE SET session = ?2, task = ?3, tool = ?4, received_ms = ?5, code = ?6, state = ?7, \
     owner = coalesce(?8, owner), record = ?9";

const PUT_KEY: &str = "INSERT INTO keys (key, fingerprint, tool, call_id, state, idempotent, attempts, fence, owner, \
     claimed_ms, settled_ms, seal) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12) \
     ON CONFLICT (key) DO UPDATE SET fingerprint = ?2, tool = ?3, call_id = ?4, state = ?5, idempotent = ?6, \
     attempts = ?7, fence = ?8, owner = ?9, claimed_ms = ?10, settled_ms = ?11, seal = ?12";

/// Who a ticket is bound to never changes.
const PUT_TICKET: &str = "INSERT INTO tickets (id, call_id, tool, contract, digest, sealed, session, task, principal, \
     user, policy, view, created_ms, expires_ms, state, decided_by, channel, comment, decided_ms, seal, needed, \
     approvals) \
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22) \
     ON CONFLICT (id) DO UPDATE SET state = ?15, decided_by = ?16, channel = ?17, comment = ?18, decided_ms = ?19, seal = ?20, \
     approvals = ?22";

impl Rows for Frame<'_> {
    fn call(&self, call_id: &str) -> Result<Option<CallRecord>, StoreError> {
        read::one(self.conn, "SELECT record FROM calls WHERE call_id = ?1", [call_id], convert::call)
    }

    fn call_state(&self, call_id: &str) -> Result<Option<String>, StoreError> {
        let sql = "SELECT state FROM calls WHERE call_id = ?1";
        read::one(self.conn, sql, [call_id], |row| row.get(0))
    }

    /// The narrow update leaves the indexes alone that hold what rarely changes.
    fn put_call(&mut self, call: Arc<CallRecord>, owner: Option<&str>) -> Result<(), StoreError> {
        let record = serde_json::to_string(&*call).map_err(no_json)?;
        let CallRecord { call_id, session, task, tool, received_ms, code, state, .. } = &*call;
        let values = params![call_id, session, task, tool, received_ms, code, state, owner, record];
        if self.execute(UPDATE_CALL, values)? == 0 {
            self.execute(PUT_CALL, values)?;
        }
        self.written = Some((call, record));
        Ok(())
    }

    fn append(&mut self, event: Event) -> Result<(), StoreError> {
        let Event { call_id, kind, at_ms, facts } = event;
        let body = match (&facts, &self.written) {
            (Facts::Call(call), Some((written, text))) if Arc::ptr_eq(call, written) => Cow::Borrowed(text.as_str()),
            _ => facts.text(),
        };
        let head = self.head.next(self.key, &Linked { call_id: &call_id, kind, at_ms, body: &body });
        let sql = "INSERT INTO events (seq, call_id, kind, at_ms, body, link) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        self.execute(sql, params![stored(head.seq), call_id, kind, at_ms, body, head.link])?;
        *self.head = head;
        Ok(())
    }

    fn key(&self, key: &str) -> Result<Option<KeyRecord>, StoreError> {
        read::key(self.conn, self.key, key)
    }

    fn put_key(&mut self, key: KeyRecord) -> Result<(), StoreError> {
        let seal = mark::key(self.key, &key);
        let KeyRecord {
            key,
            fingerprint,
            tool,
            call_id,
            state,
            idempotent,
            attempts,
            fence,
            owner,
            claimed_ms,
            settled_ms,
        } = key;
        let (state, fence) = (state.as_str(), stored(fence));
        let values = params![
            key,
            fingerprint,
            tool,
            call_id,
            state,
            idempotent,
            attempts,
            fence,
            owner,
            claimed_ms,
            settled_ms,
            seal
        ];
        self.execute(PUT_KEY, values).map(|_| ())
    }

    fn ticket(&self, id: &str) -> Result<Option<TicketRecord>, StoreError> {
        read::ticket(self.conn, self.key, id)
    }

    fn waiting_like(&self, ticket: &TicketRecord) -> Result<Option<String>, StoreError> {
        let sql = "SELECT id FROM tickets WHERE digest = ?1 AND tool = ?2 AND contract = ?3 AND session = ?4 \
                   AND task = ?5 AND principal = ?6 AND state = 'pending' AND expires_ms > ?7 \
                   ORDER BY position DESC LIMIT 1";
        let TicketRecord { tool, contract, digest, session, task, principal, created_ms, .. } = ticket;
        let values = params![digest, tool, contract, session, task, principal, created_ms];
        read::one(self.conn, sql, values, |row| row.get(0))
    }

    fn put_ticket(&mut self, ticket: TicketRecord) -> Result<(), StoreError> {
        let t = &ticket;
        let view = serde_json::to_string(&t.view).map_err(no_json)?;
        let approvals = serde_json::to_string(&t.approvals).map_err(no_json)?;
        let values = params![
            t.id,
            t.call_id,
            t.tool,
            t.contract,
            t.digest,
            t.sealed,
            t.session,
            t.task,
            t.principal,
            t.user,
            t.policy,
            view,
            t.created_ms,
            t.expires_ms,
            t.state.as_str(),
            t.decided_by,
            t.channel,
            t.comment,
            t.decided_ms,
            mark::ticket(self.key, t),
            t.needed,
            approvals
        ];
        self.execute(PUT_TICKET, values).map(|_| ())
    }

    fn add_outcome(&mut self, outcome: OutcomeRecord) -> Result<(), StoreError> {
        let OutcomeRecord { session, task, tool, call_id, at_ms, ok, facts } = outcome;
        let sql = "INSERT INTO outcomes (session, task, tool, call_id, at_ms, ok, facts) \
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
        self.execute(sql, params![session, task, tool, call_id, at_ms, ok, facts]).map(|_| ())
    }

    fn put_result(&mut self, result: StoredResult) -> Result<(), StoreError> {
        let StoredResult { call_id, session, sealed } = result;
        let sql = "INSERT INTO results (call_id, session, sealed) VALUES (?1, ?2, ?3) \
                   ON CONFLICT (call_id) DO UPDATE SET session = ?2, sealed = ?3";
        self.execute(sql, params![call_id, session, sealed]).map(|_| ())
    }

    fn open_stops(&self, session: &str) -> Result<Vec<Stop>, StoreError> {
        read::open_stops(self.conn, session)
    }

    fn add_stop(&mut self, stop: Stop) -> Result<(), StoreError> {
        let Stop { id: _, session, task, tool, reach, call_id, at_ms, resumed } = stop;
        let (by, resumed_ms) = resumed.unzip();
        let sql = "INSERT INTO stops (session, task, tool, reach, call_id, at_ms, resumed_by, resumed_ms) \
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
        let reach = convert::reach_word(reach);
        self.execute(sql, params![session, task, tool, reach, call_id, at_ms, by, resumed_ms]).map(|_| ())
    }

    fn put_stop(&mut self, stop: Stop) -> Result<(), StoreError> {
        let (by, resumed_ms) = stop.resumed.unzip();
        let sql = "UPDATE stops SET resumed_by = ?2, resumed_ms = ?3 WHERE id = ?1";
        match self.execute(sql, params![stored(stop.id), by, resumed_ms])? {
            1 => Ok(()),
            _ => Err(fault::error(StoreFault::Conflict, "no stop at that position")),
        }
    }

    fn owners(&self) -> Result<Vec<String>, StoreError> {
        let sql = "SELECT owner FROM calls WHERE state = 'RUNNING' \
                   UNION SELECT owner FROM keys WHERE state = 'running' ORDER BY 1";
        self.all(sql, [], |row| row.get(0))
    }

    fn running_calls(&self, owner: &str) -> Result<Vec<CallRecord>, StoreError> {
        let sql = "SELECT record FROM calls WHERE state = 'RUNNING' AND owner = ?1 ORDER BY id";
        self.all(sql, [owner], convert::call)
    }

    fn running_keys(&self, owner: &str) -> Result<Vec<KeyRecord>, StoreError> {
        let sql = format!("SELECT {} FROM keys WHERE state = 'running' AND owner = ?1 ORDER BY key", convert::KEY);
        let keys = self.all(&sql, [owner], convert::key)?;
        // One with a wrong mark stays as it is, and refuses whoever needs it.
        let own = keys.into_iter().filter(|(key, seal)| mark::key(self.key, key) == *seal);
        Ok(own.map(|(key, _)| key).collect())
    }

    fn lease_now_ms(&self) -> Result<Millis, StoreError> {
        Ok(boot_ms())
    }

    fn lease(&self, holder: &str) -> Result<Option<Millis>, StoreError> {
        read::lease(self.conn, holder)
    }

    fn put_lease(&mut self, holder: &str, until_ms: Millis) -> Result<(), StoreError> {
        let sql =
            "INSERT INTO leases (holder, until_ms) VALUES (?1, ?2) ON CONFLICT (holder) DO UPDATE SET until_ms = ?2";
        self.execute(sql, params![holder, until_ms]).map(|_| ())
    }

    fn remove_leases(&mut self, until_ms: Millis) -> Result<(), StoreError> {
        self.execute("DELETE FROM leases WHERE until_ms <= ?1", [until_ms]).map(|_| ())
    }

    fn remove_result(&mut self, call_id: &str) -> Result<bool, StoreError> {
        Ok(self.execute("DELETE FROM results WHERE call_id = ?1", [call_id])? > 0)
    }

    fn remove_ticket(&mut self, id: &str) -> Result<bool, StoreError> {
        Ok(self.execute("DELETE FROM tickets WHERE id = ?1", [id])? > 0)
    }

    fn remove_outcome(&mut self, name: &str, before_ms: Millis) -> Result<bool, StoreError> {
        let position: i64 = name.parse().unwrap_or(0);
        let sql = "DELETE FROM outcomes WHERE position = ?1 AND at_ms < ?2 AND tool <> ?3";
        Ok(self.execute(sql, params![position, before_ms, FILE_MARK])? > 0)
    }
}
