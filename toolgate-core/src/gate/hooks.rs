//! Asks a tool's own hook about an earlier call: with its panics caught, its time bounded, and nothing that it may
//! change. Not what its answer means, which is `recall`'s and `reconcile`'s.

use std::sync::Arc;

use super::claim::Entry;
use super::inner::{Caller, Closing, Outer};
use super::panics::{Caught, caught};
use super::policy::Permit;
use super::run_end::Failure;
use super::trail::Trail;
use super::{GateInner, Request};
use crate::resource::EffectMark;
use crate::session::Task;
use crate::spec::{RegisteredTool, Risk};
use crate::store::CallRecord;
use crate::tool::hooks::Asked;
use crate::tool::{About, Cancellation, Context, ContextParts, CredentialSource, InnerCalls, Recorded};

/// Who asks, and within what.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asking<'a> {
    pub(super) task: &'a Task,
    pub(super) request: &'a Request,
    pub(super) permit: &'a Permit,
}

/// A hook that gave no answer.
#[derive(Debug)]
pub(super) struct Silent {
    /// Whether asking again can help.
    pub(super) retryable: bool,
    /// For the operator.
    pub(super) why: String,
}

impl GateInner {
    /// Asks it about the call of `record`, which is the call that its context tells of.
    pub(super) async fn ask_hook<T>(
        &self,
        trail: &mut Trail,
        asking: Asking<'_>,
        tool: &RegisteredTool,
        hook: &Asked<T>,
        (record, recorded): (Arc<CallRecord>, Recorded),
    ) -> Result<T, Silent> {
        let within = asking.request.within.as_deref();
        let allowed = within.map_or(tool.spec.timeout, |outer| outer.left().min(tool.spec.timeout));
        let ends = tokio::time::Instant::now() + allowed;
        let mut outer = Outer::new(&trail.record, tool.spec, within, None, ends);
        // It looks, so it may call only what looks.
        outer.risk = Risk::Read;
        outer.strangers = Arc::clone(&trail.strangers);
        outer.governed_by(asking.permit);
        let outer = Arc::new(outer);
        let closing = Closing(Arc::clone(&outer));
        let (cancel, cancellation) = Cancellation::channel();
        let context = self.hook_context(asking, record, cancellation, &outer);
        let answer = match caught(|| hook(&context, &recorded)) {
            Ok(run) => match tokio::time::timeout_at(ends, Caught::new(run)).await {
                Ok(answer) => answer,
                Err(_) => Ok(Err(crate::tool::ToolError::new("took longer than the tool's timeout").retryable())),
            },
            Err(panic) => Err(panic),
        };
        cancel.cancel();
        drop(closing);
        trail.record.credentials.extend(outer.asked.records());
        self.note_soft(trail, outer.noted.take());
        match answer {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(error)) => {
                let Failure { retryable, for_operator, .. } = Failure::of(error);
                Err(Silent { retryable, why: self.redactor.text(&for_operator) })
            }
            Err(panic) => Err(Silent { retryable: false, why: self.redactor.text(&panic) }),
        }
    }

    fn hook_context(
        &self,
        asking: Asking<'_>,
        record: Arc<CallRecord>,
        cancellation: Cancellation,
        outer: &Arc<Outer>,
    ) -> Context {
        let Asking { task, permit, .. } = asking;
        let services = Arc::new(Caller { task: task.clone(), outer: Arc::clone(outer), runtime: None });
        let context = Context::from_parts(ContextParts {
            about: About::Call(record),
            cancellation,
            state: Arc::clone(&self.state),
            workspace: task.info.session.workspace.clone(),
            progress: None,
            calls: Some(Arc::clone(&services) as Arc<dyn InnerCalls>),
            credentials: Some(Arc::clone(&services) as Arc<dyn CredentialSource>),
            notes: Some(services),
            capabilities: permit.capabilities.as_ref().unwrap_or(&task.info.capabilities).clone(),
            ends: Some(outer.ends),
        });
        // Nothing has begun in it, and nothing may.
        context.close_effect();
        context
    }
}

impl Entry {
    /// Whether the run may have changed something, as far as what acts for it says so.
    pub(super) fn has_effect_started(&self) -> bool {
        let mut handles = self.checked.paths().iter().filter_map(|path| path.slot.get()?.mark());
        self.run.context.as_ref().is_some_and(Context::has_effect_started) || handles.any(EffectMark::has_started)
    }

    /// From now on the run may change nothing; false where it may have changed something.
    pub(super) fn close_effect(&self) -> bool {
        if self.has_effect_started() {
            return false;
        }
        let mut handles = self.checked.paths().iter().filter_map(|path| path.slot.get()?.mark());
        self.run.context.as_ref().is_some_and(Context::close_effect) && handles.all(EffectMark::close)
    }
}
