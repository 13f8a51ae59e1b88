//! What a batch of writes looks at, locked and read in one round trip. Every transaction takes its locks in the
//! same order: tickets asked for, calls, keys, tickets, chain, stops.

use std::collections::BTreeSet;

use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Error, Row, Statement};
use toolgate_core::owner;
use toolgate_core::store::chain::Head;
use toolgate_core::store::{OldKind, Prune, StoreFault, Sweep, Write};

use crate::changes::Loaded;
use crate::session::{Failure, Session};
use crate::shift::Shift;
use crate::{chain, convert, fault, schema};

/// The names of the rows that writes look at.
#[derive(Debug, Default)]
pub(crate) struct Footprint {
    calls: BTreeSet<String>,
    keys: BTreeSet<String>,
    tickets: BTreeSet<String>,
    /// Of tickets that are asked for.
    digests: BTreeSet<String>,
    sessions: BTreeSet<String>,
    holders: BTreeSet<String>,
    adds_stops: bool,
}

impl Footprint {
    pub(crate) fn of(writes: &[Write]) -> Self {
        let mut all = Self::default();
        writes.iter().for_each(|write| all.add(write));
        all
    }

    fn add(&mut self, write: &Write) {
        match write {
            Write::Begin(begin) => {
                self.calls.insert(begin.call.call_id.clone());
                self.keys.extend(begin.claims.iter().map(|claim| claim.key.clone()));
                self.tickets.extend(begin.spend.iter().map(|spend| spend.ticket.clone()));
                self.sessions.insert(begin.call.bound_session());
                self.holders.extend(begin.lease.iter().map(|renew| renew.holder.clone()));
            }
            Write::Record(record) => {
                self.calls.insert(record.call.call_id.clone());
                self.keys.extend(record.settle.iter().map(|settle| settle.key.clone()));
                self.tickets.extend(record.end_ticket.iter().map(|(id, _)| id.clone()));
                self.tickets.extend(record.ticket.iter().map(|ticket| ticket.id.clone()));
                self.digests.extend(record.ticket.iter().map(|ticket| ticket.digest.clone()));
                self.adds_stops |= record.stop.is_some();
            }
            Write::Decide(decide) => {
                self.tickets.insert(decide.ticket.clone());
            }
            Write::Resume(resume) => {
                self.sessions.insert(resume.session.clone());
            }
            Write::Renew(renew) => {
                self.holders.insert(renew.holder.clone());
            }
            Write::Resolve(resolve) => {
                self.calls.insert(resolve.call_id.clone());
                self.keys.extend(resolve.keys.iter().map(|(key, _)| key.clone()));
            }
            Write::Prune(prune) => match prune.kind {
                OldKind::Keys => self.keys.extend(prune.names.iter().cloned()),
                OldKind::Results => self.calls.extend(prune.names.iter().cloned()),
                OldKind::Tickets => self.tickets.extend(prune.names.iter().cloned()),
                OldKind::Outcomes => {}
            },
            // Looked up by itself: what runs isn't known before.
            Write::Note(_) | Write::Sweep(_) => {}
        }
    }
}

fn names(set: &BTreeSet<String>) -> Vec<String> {
    set.iter().map(|name| convert::stored(name).into_owned()).collect()
}

/// The characters of a name that an index holds.
pub(crate) fn indexed(name: &str) -> String {
    convert::stored(name).chars().take(schema::INDEXED).collect()
}

async fn rows(client: &Client, statement: &Statement, values: &[&(dyn ToSql + Sync)]) -> Result<Vec<Row>, Error> {
    client.query(statement, values).await
}

/// Rows by names; nothing is asked for none.
async fn named(client: &Client, statement: &Statement, names: &Vec<String>) -> Result<Vec<Row>, Error> {
    if names.is_empty() { Ok(Vec::new()) } else { rows(client, statement, &[names]).await }
}

impl Session {
    /// Begins a transaction, locks and reads what the writes look at. A commit that isn't `durable` doesn't wait for
    /// the medium.
    pub(crate) async fn load(&self, foot: &Footprint, durable: bool, shift: &Shift) -> Result<(Loaded, Head), Failure> {
        let (client, known) = (&self.client, &self.statements);
        let begin = if durable {
            "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
        } else {
            "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL synchronous_commit = off"
        };
        let (calls, keys, tickets) = (names(&foot.calls), names(&foot.keys), names(&foot.tickets));
        let (digests, sessions, holders) = (names(&foot.digests), names(&foot.sessions), names(&foot.holders));
        let heads: Vec<String> = foot.sessions.iter().map(|session| indexed(session)).collect();
        let of_chain: [&(dyn ToSql + Sync); 1] = [&self.chain];
        let before = Shift::now();
        let asked = tokio::join!(
            biased;
            client.batch_execute(begin),
            async { (client.query_one(&known.now, &[]).await, Shift::now()) },
            named(client, &known.lock_digests, &digests),
            named(client, &known.leases, &holders),
            named(client, &known.calls, &calls),
            named(client, &known.keys, &keys),
            async {
                if tickets.is_empty() && digests.is_empty() {
                    return Ok(Vec::new());
                }
                rows(client, &known.tickets, &[&tickets, &digests]).await
            },
            rows(client, &known.chain, &of_chain),
            async { if foot.adds_stops { rows(client, &known.stops_made, &[]).await } else { Ok(Vec::new()) } },
            async {
                if sessions.is_empty() {
                    return Ok(Vec::new());
                }
                rows(client, &known.stops, &[&heads, &sessions]).await
            },
        );
        let (begun, (now, after), locked, leases, calls, keys, tickets, chain, made, stops) = asked;
        begun?;
        locked?;
        let mut loaded = Loaded { now_ms: convert::get(&now?, 0)?, ..Loaded::default() };
        shift.measure(before, loaded.now_ms, after);
        loaded.add_leases(&leases?)?;
        for row in calls? {
            loaded.calls.insert(convert::text(&row, 0)?, convert::get(&row, 1)?);
        }
        loaded.add_keys(&keys?)?;
        for row in tickets? {
            loaded.tickets.push(convert::ticket(&row)?);
        }
        for row in stops? {
            loaded.stops.push(convert::stop(&row)?);
        }
        if let Some(row) = made?.first() {
            loaded.stops_made = convert::count(row, 0)?;
        }
        let head = chain?.first().map(|row| chain::head(row, &self.chain, &self.gate)).transpose()?;
        let gone =
            || fault::error(StoreFault::Corrupt, format!("the chain `{}` has no row: it was deleted", self.chain));
        Ok((loaded, head.ok_or_else(gone)?))
    }

    /// Reads a call that is locked, whole.
    pub(crate) async fn load_record(&self, loaded: &mut Loaded, call_id: &str) -> Result<(), Failure> {
        if let Some(row) = self.client.query_opt(&self.statements.record, &[&convert::stored(call_id)]).await? {
            loaded.records.insert(call_id.to_owned(), convert::call(&row)?);
        }
        Ok(())
    }

    /// Reads what else matters to whether something may be let go, within the transaction.
    pub(crate) async fn load_prune(&self, loaded: &mut Loaded, prune: &Prune) -> Result<(), Failure> {
        let (client, known) = (&self.client, &self.statements);
        match prune.kind {
            OldKind::Keys => {}
            OldKind::Results => {
                let asked = prune.names.iter().map(|name| convert::stored(name).into_owned()).collect();
                for row in named(client, &known.results, &asked).await? {
                    loaded.results.insert(convert::text(&row, 0)?);
                }
            }
            OldKind::Tickets => {
                let calls = loaded.tickets.iter().map(|(ticket, _)| convert::stored(&ticket.call_id).into_owned());
                for row in named(client, &known.call_states, &calls.collect()).await? {
                    loaded.calls.insert(convert::text(&row, 0)?, convert::get(&row, 1)?);
                }
            }
            OldKind::Outcomes => {
                let positions: Vec<i64> = prune.names.iter().filter_map(|name| name.parse().ok()).collect();
                for row in rows(client, &known.outcomes, &[&positions]).await? {
                    loaded.outcomes.insert(convert::get(&row, 0)?, (convert::get(&row, 1)?, convert::text(&row, 2)?));
                }
            }
        }
        Ok(())
    }

    /// Locks and reads what dead owners left, within the transaction.
    pub(crate) async fn load_sweep(&self, loaded: &mut Loaded, sweep: &Sweep) -> Result<(), Failure> {
        let (client, known) = (&self.client, &self.statements);
        let (leases, owners) = tokio::join!(
            biased;
            rows(client, &known.all_leases, &[]),
            rows(client, &known.owners, &[]),
        );
        loaded.add_leases(&leases?)?;
        for row in owners? {
            let owner = convert::text(&row, 0)?;
            let until_ms = loaded.leases.get(owner::holder_of(&owner));
            if until_ms.is_some_and(|until| *until <= loaded.now_ms) || !(sweep.is_alive)(&owner) {
                loaded.owners.push(owner);
            }
        }
        let dead: Vec<String> = loaded.owners.iter().map(|owner| convert::stored(owner).into_owned()).collect();
        if dead.is_empty() {
            return Ok(());
        }
        let of_dead: [&(dyn ToSql + Sync); 1] = [&dead];
        let (calls, keys) = tokio::join!(
            biased;
            rows(client, &known.running_calls, &of_dead),
            rows(client, &known.running_keys, &of_dead),
        );
        let mut found = Vec::new();
        for row in calls? {
            found.push((convert::get::<i64>(&row, 1)?, convert::text(&row, 2)?, convert::call(&row)?));
        }
        found.sort_by_key(|(id, ..)| *id);
        for (_, owner, call) in found {
            loaded.calls.insert(call.call_id.clone(), call.state.clone());
            loaded.running_calls.push((owner, call));
        }
        let keys = keys?;
        loaded.add_keys(&keys)?;
        for row in &keys {
            loaded.running_keys.push(convert::text(row, 0)?);
        }
        let of_keys: Vec<String> =
            loaded.keys.values().map(|(key, _)| convert::stored(&key.call_id).into_owned()).collect();
        for row in named(client, &known.call_states, &of_keys).await? {
            loaded.calls.insert(convert::text(&row, 0)?, convert::get(&row, 1)?);
        }
        if loaded.running_calls.iter().any(|(_, call)| call.stops_if_lost) {
            for row in rows(client, &known.stops_made, &[]).await? {
                loaded.stops_made = convert::count(&row, 0)?;
            }
        }
        Ok(())
    }
}

impl Loaded {
    fn add_leases(&mut self, rows: &[Row]) -> Result<(), Failure> {
        for row in rows {
            self.leases.insert(convert::text(row, 0)?, convert::get(row, 1)?);
        }
        Ok(())
    }

    fn add_keys(&mut self, rows: &[Row]) -> Result<(), Failure> {
        for row in rows {
            let (key, seal) = convert::key(row)?;
            self.keys.insert(key.key.clone(), (key, seal));
        }
        Ok(())
    }
}
