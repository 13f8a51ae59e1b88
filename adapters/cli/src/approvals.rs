//! `approvals list|show|approve|deny`: answers from another terminal, on the agent's database. Not
//! the prompt, which is in `watch`.

use std::io::Write as _;

use toolgate_core::approval::Decision;
use toolgate_core::clock::{Clock as _, SystemClock};
use toolgate_core::store::{TicketFilter, TicketState};

use crate::args::{ApprovalsCommand, Common, DecisionArgs};
use crate::decide::{Outcome, decide, name_of, no_ticket, reading, redactor, told, writing};
use crate::host::Host;
use crate::out::{Failure, Verdict, put_json, stdout};
use crate::print::{ticket_list, ticket_view};
use crate::text::ticket_json;
use crate::watch;

pub(crate) async fn run(command: &ApprovalsCommand, common: &Common, host: Option<&Host>) -> Result<Verdict, Failure> {
    match command {
        ApprovalsCommand::List { all } => list(*all, common, host).await,
        ApprovalsCommand::Show { ticket } => show(ticket, common, host).await,
        ApprovalsCommand::Approve(args) => answer(args, true, common, host).await,
        ApprovalsCommand::Deny(args) => answer(args, false, common, host).await,
        ApprovalsCommand::Watch(args) => watch::run(args, common, host).await,
    }
}

async fn list(all: bool, common: &Common, host: Option<&Host>) -> Result<Verdict, Failure> {
    let store = reading(common, host)?;
    let filter = TicketFilter { state: (!all).then_some(TicketState::Pending), ..TicketFilter::default() };
    let now = SystemClock.now_ms();
    let mut tickets = store.tickets(&filter).await?;
    tickets.retain(|ticket| all || ticket.state_at(now) == TicketState::Pending);
    let mut out = stdout();
    if common.json {
        tickets.iter().try_for_each(|ticket| put_json(&mut out, &ticket_json(ticket, now)))?;
    } else {
        ticket_list(&mut out, &tickets, now)?;
    }
    Ok(Verdict::Yes)
}

async fn show(id: &str, common: &Common, host: Option<&Host>) -> Result<Verdict, Failure> {
    let store = reading(common, host)?;
    let ticket = store.ticket(id).await?.ok_or_else(|| no_ticket(id))?;
    let now = SystemClock.now_ms();
    let mut out = stdout();
    if common.json {
        put_json(&mut out, &ticket_json(&ticket, now))?;
    } else {
        ticket_view(&mut out, &ticket, now)?;
    }
    Ok(Verdict::Yes)
}

async fn answer(args: &DecisionArgs, approve: bool, common: &Common, host: Option<&Host>) -> Result<Verdict, Failure> {
    let decision = Decision { approve, by: name_of(&args.person)?, comment: args.comment.clone() };
    let store = writing(common, host)?;
    let ticket = match decide(&*store, &redactor(host), &args.ticket, &decision).await? {
        Outcome::Counts(ticket) => ticket,
        Outcome::TooLate(why, ticket) => {
            if common.json {
                put_json(&mut stdout(), &ticket_json(&ticket, SystemClock.now_ms()))?;
            }
            return Err(Failure::No(why));
        }
    };
    if common.json {
        put_json(&mut stdout(), &ticket_json(&ticket, SystemClock.now_ms()))?;
    } else {
        writeln!(stdout(), "{}", told(&ticket))?;
    }
    Ok(Verdict::Yes)
}
