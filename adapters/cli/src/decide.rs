//! Which store a command looks at, who decides, and how a decision is made and told. Not the
//! compare-and-set, which is `toolgate_core::approval`'s.

use std::path::PathBuf;
use std::sync::Arc;

use toolgate_core::approval::{self, Decision};
use toolgate_core::clock::{Clock as _, SystemClock};
use toolgate_core::redact::Redactor;
use toolgate_core::store::{Decided, NotAllowed, Store, TicketRecord, TicketState};
use toolgate_sqlite::SqliteStore;

use crate::args::{Common, Person};
use crate::host::Host;
use crate::out::Failure;
use crate::server;
use crate::text::{ticket_fate, visible};

/// Name of the channel in tickets and records.
const CHANNEL: &str = "cli";

/// A store that may only be read, so that an audit changes nothing.
pub(crate) fn reading(common: &Common, host: Option<&Host>) -> Result<Arc<dyn Store>, Failure> {
    open(common, host, false)
}

/// A store for decisions. A file that isn't there is not made.
pub(crate) fn writing(common: &Common, host: Option<&Host>) -> Result<Arc<dyn Store>, Failure> {
    open(common, host, true)
}

/// The file that is looked at. Inside an agent's binary the environment names none: its gate has a store.
pub(crate) fn named(common: &Common, host: Option<&Host>) -> Option<PathBuf> {
    let from_environment = || std::env::var_os("TOOLGATE_DB").filter(|path| !path.is_empty() && host.is_none());
    common.db.clone().or_else(|| from_environment().map(PathBuf::from))
}

fn open(common: &Common, host: Option<&Host>, writes: bool) -> Result<Arc<dyn Store>, Failure> {
    let Some(path) = &named(common, host) else {
        let text = "no database named; give `--db PATH` or set TOOLGATE_DB";
        return host.map(|host| Arc::clone(host.gate().store())).ok_or_else(|| Failure::Cannot(text.to_owned()));
    };
    if let Some(url) = path.to_str().filter(|text| server::is_url(text)) {
        return server::open(url, writes);
    }
    let shown = visible(&path.to_string_lossy());
    match path.try_exists() {
        Ok(true) => {}
        Ok(false) => {
            return Err(Failure::Cannot(format!("no database at `{shown}`; name the file that the agent uses")));
        }
        Err(error) => return Err(Failure::Cannot(format!("the database `{shown}` can't be reached: {error}"))),
    }
    match if writes { SqliteStore::open(path) } else { SqliteStore::open_read_only(path) } {
        Ok(store) => Ok(Arc::new(store)),
        Err(error) => Err(Failure::Cannot(format!("the database `{shown}` can't be opened: {error}"))),
    }
}

/// The redaction of the agent, or the usual one.
pub(crate) fn redactor(host: Option<&Host>) -> Redactor {
    host.map(|host| host.gate().redactor().clone()).unwrap_or_default()
}

/// The name that is recorded.
pub(crate) fn name_of(person: &Person) -> Result<String, Failure> {
    let name = person.by.clone().or_else(system_user);
    match name.as_deref().map(str::trim) {
        Some(name) if !name.is_empty() => Ok(name.to_owned()),
        _ => Err(Failure::Cannot("nobody's name to record; give `--by NAME`".to_owned())),
    }
}

/// Who runs this process: the variable `USER`, or `LOGNAME`, or the name that `/etc/passwd` has for its
/// user id. For the record only; nothing proves it.
pub fn system_user() -> Option<String> {
    let variable = |name| std::env::var(name).ok().filter(|name| !name.trim().is_empty());
    let known = || name_in(&std::fs::read_to_string("/etc/passwd").ok()?, rustix::process::getuid().as_raw());
    variable("USER").or_else(|| variable("LOGNAME")).or_else(known)
}

fn name_in(passwd: &str, user: u32) -> Option<String> {
    passwd.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next().filter(|name| !name.is_empty())?;
        (fields.nth(1)?.parse() == Ok(user)).then(|| name.to_owned())
    })
}

pub(crate) fn no_ticket(id: &str) -> Failure {
    let text = format!("no ticket `{}` in this database; `approvals list --all` shows which there are", visible(id));
    Failure::No(text)
}

/// What became of a decision.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// It counts.
    Counts(Box<TicketRecord>),
    /// Somebody was first, or time was over: why, and the ticket.
    TooLate(String, Box<TicketRecord>),
}

/// Decides a ticket; the first decision counts.
pub(crate) async fn decide(
    store: &dyn Store,
    redactor: &Redactor,
    id: &str,
    decision: &Decision,
) -> Result<Outcome, Failure> {
    let now = SystemClock.now_ms();
    let decided = approval::decide(store, redactor, now, id, decision, CHANNEL).await?;
    let ticket = match decided {
        Decided::Now(ticket) => return Ok(Outcome::Counts(ticket)),
        Decided::Already(ticket) => ticket,
        Decided::NotAllowed(ticket, why) => return Ok(Outcome::TooLate(not_allowed(&ticket, why), ticket)),
        Decided::NotFound => return Err(no_ticket(id)),
    };
    let fate = ticket_fate(&ticket, now);
    let why = match ticket.state_at(now) {
        TicketState::Expired => format!("ticket `{}` is over: {fate}; the agent must ask again", visible(id)),
        _ => format!("ticket `{}` is already decided: {fate}", visible(id)),
    };
    Ok(Outcome::TooLate(why, ticket))
}

/// Why a person's yes doesn't count for a ticket that needs several.
fn not_allowed(ticket: &TicketRecord, why: NotAllowed) -> String {
    let needed = ticket.needed;
    match why {
        NotAllowed::Requester => format!("it needs {needed} people, and none of them may be the agent or its user"),
        NotAllowed::Twice => format!("it needs {needed} different people, and this one has said yes already"),
    }
}

/// What follows from a decision that counts, in one line.
pub(crate) fn told(ticket: &TicketRecord) -> String {
    let what = visible(&ticket.view.what);
    let by = visible(ticket.decided_by.as_deref().unwrap_or_default());
    if ticket.state == TicketState::Pending {
        let (given, needed) = (ticket.approvals.len(), ticket.needed);
        return format!("{given} of {needed} people have said yes, {by} the last: {what} The others are still asked.");
    }
    if ticket.state == TicketState::Approved {
        let until = toolgate_core::clock::format_time(ticket.expires_ms);
        format!("approved by {by}: {what} The agent may do it once, until {until}.")
    } else {
        format!("denied by {by}: {what} Nothing was done.")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_id_has_its_name_in_the_list_of_users() {
        let list = "root:x:0:0:root:/root:/bin/sh\nbroken\n:x:7::\nlea:x:1000:1000::/home/lea:/bin/sh\n";
        assert_eq!(name_in(list, 0).as_deref(), Some("root"));
        assert_eq!(name_in(list, 1000).as_deref(), Some("lea"));
        assert_eq!((name_in(list, 7), name_in(list, 8), name_in("", 0)), (None, None, None));
    }
}
