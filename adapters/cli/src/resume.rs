//! `resume TICKET`: dispatches the stored call of a ticket that a person has answered, in the task that
//! asked. Not the answer, which is `approvals`'.

use crate::args::ResumeArgs;
use crate::call::tell;
use crate::decide::no_ticket;
use crate::host::{Host, Wanted};
use crate::out::{Failure, Verdict};
use crate::text::visible;
use crate::tools::need_host;

pub(crate) async fn run(args: &ResumeArgs, host: Option<&Host>) -> Result<Verdict, Failure> {
    let host = need_host(host, &args.within)?;
    let id = &args.ticket;
    let ticket = host.gate().store().ticket(id).await?.ok_or_else(|| no_ticket(id))?;
    let wanted = Wanted {
        session: Some(args.within.session.clone().unwrap_or_else(|| ticket.session.clone())),
        task: Some(args.within.task.clone().unwrap_or_else(|| ticket.task.clone())),
    };
    let asked_in = format!("session `{}`, task `{}`", visible(&ticket.session), visible(&ticket.task));
    let cannot = |error| format!("ticket `{}` was asked for in {asked_in}: {error}", visible(id));
    let task = host.task(&wanted).map_err(|error| Failure::Cannot(cannot(error)))?;
    tell(&task.resume(id).await, args.within.common.json)
}
