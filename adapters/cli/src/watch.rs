//! `approvals watch`: pending tickets one after another, asked on a terminal. Without one it refuses,
//! because a pipe is nobody.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::time::Duration;

use toolgate_core::approval::Decision;
use toolgate_core::clock::{Clock as _, SystemClock};
use toolgate_core::store::{Store, TicketFilter, TicketRecord, TicketState};

use crate::args::{Common, WatchArgs};
use crate::decide::{Outcome, decide, name_of, redactor, told, writing};
use crate::host::Host;
use crate::out::{Failure, Verdict, put_json, stdout};
use crate::prompt::{self, Asked};
use crate::text::ticket_json;

/// How often the database is looked at for new tickets.
const EVERY: Duration = Duration::from_secs(1);

pub(crate) async fn run(args: &WatchArgs, common: &Common, host: Option<&Host>) -> Result<Verdict, Failure> {
    if !prompt::has_terminal() {
        let text = "nobody to ask: stdin and stderr are no terminal; use `approvals approve` or `deny`";
        return Err(Failure::Cannot(text.to_owned()));
    }
    let by = name_of(&args.person)?;
    let store = writing(common, host)?;
    let mut passed = BTreeSet::new();
    loop {
        let Some(ticket) = next(&*store, &passed).await? else {
            if args.once {
                return Ok(Verdict::Yes);
            }
            tokio::time::sleep(EVERY).await;
            continue;
        };
        let id = ticket.id.clone();
        // A prompt that broke off has decided nothing.
        let asked = tokio::task::spawn_blocking(move || prompt::ask(&ticket, &|| false)).await.unwrap_or(Asked::Closed);
        let approve = match asked {
            Asked::Approve => true,
            Asked::Deny => false,
            Asked::Skip | Asked::Over | Asked::Unclear => {
                passed.insert(id);
                continue;
            }
            Asked::NoTerminal | Asked::Closed => return Ok(Verdict::Yes),
        };
        let decision = Decision { approve, by: by.clone(), comment: None };
        let outcome = decide(&*store, &redactor(host), &id, &decision).await?;
        tell(&outcome, common.json)?;
    }
}

/// The oldest ticket that waits and hasn't been passed over.
async fn next(store: &dyn Store, passed: &BTreeSet<String>) -> Result<Option<TicketRecord>, Failure> {
    let filter = TicketFilter { state: Some(TicketState::Pending), ..TicketFilter::default() };
    let now = SystemClock.now_ms();
    let waits = |ticket: &TicketRecord| ticket.state_at(now) == TicketState::Pending && !passed.contains(&ticket.id);
    Ok(store.tickets(&filter).await?.into_iter().rev().find(waits))
}

fn tell(outcome: &Outcome, json: bool) -> Result<(), Failure> {
    let mut out = stdout();
    match outcome {
        Outcome::Counts(ticket) | Outcome::TooLate(_, ticket) if json => {
            put_json(&mut out, &ticket_json(ticket, SystemClock.now_ms()))?;
        }
        Outcome::Counts(ticket) => writeln!(out, "{}", told(ticket))?,
        Outcome::TooLate(why, _) => writeln!(out, "{why}")?,
    }
    Ok(())
}
