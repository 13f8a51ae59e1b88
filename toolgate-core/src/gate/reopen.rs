//! A session that the host opens by its name may have been open before: the ledger says whose it is, and
//! how far its tasks' counted turns were. Asked once for each task, before its first call.

use super::answer::Answer;
use super::recall::unavailable;
use super::{GateInner, Request, message};
use crate::call::{Code, Stage};
use crate::session::TaskInfo;
use crate::store::Holder;

impl GateInner {
    /// Whether the ledger has nothing to say about the session before this call.
    pub(super) fn is_open(task: &TaskInfo, request: &Request) -> bool {
        let is_counted = request.scope.is_none() && request.call.operation.is_none();
        task.session.is_known() && !task.taint.needs_past() && !(is_counted && task.needs_past())
    }

    /// Ends a call in a session of somebody else. A session has one agent and one user: tickets, stops and
    /// what preconditions have seen are kept under its name.
    pub(super) async fn reopen(&self, task: &TaskInfo) -> Result<(), Answer> {
        let session = &task.session;
        let past = self.store.past(&self.tenant, &session.id, &task.id).await.map_err(|error| unavailable(&error))?;
        let own = Holder { principal: session.principal.clone(), user: session.user.clone() };
        if past.holder.is_some_and(|holder| holder != own) {
            return Err(Answer::refuse(
                Code::PermissionDenied,
                Stage::Policy,
                "session.other_holder",
                message::OTHER_HOLDER,
            ));
        }
        session.set_known();
        task.taint.know_past(past.tainted);
        task.goes_on_after(past.turn.unwrap_or_default());
        Ok(())
    }
}
