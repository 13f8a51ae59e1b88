//! A session that the host opens by its name may have been open before: the ledger says whose it is, and
//! how far its tasks' counted turns were. Asked once for each task, before its first call.

use super::answer::Answer;
use super::recall::unavailable;
use super::{GateInner, Request, message};
use crate::call::{Code, Stage};
use crate::session::TaskInfo;
use crate::store::Holder;

impl GateInner {
    /// Ends a call in a session of somebody else. A session has one agent and one user: tickets, stops and
    /// what preconditions have seen are kept under its name.
    pub(super) async fn reopen(&self, task: &TaskInfo, request: &Request) -> Result<(), Answer> {
        self.recall_taint(task).await?;
        let session = &task.session;
        let is_counted = request.scope.is_none() && request.call.operation.is_none();
        if session.is_known() && !(is_counted && task.needs_past()) {
            return Ok(());
        }
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
        task.goes_on_after(past.turn.unwrap_or_default());
        Ok(())
    }
}
