//! Stage 5, what must have been seen first: recorded outcomes of other tools in the same task. What a
//! model says it saw doesn't count, and neither does what another task saw.

use serde_json::{Value, json};
use toolgate_expr::Value as Fact;

use super::answer::Answer;
use super::contract::Checked;
use super::policy::Permit;
use super::recall::unavailable;
use super::trail::Trail;
use super::{GateInner, message};
use crate::call::{Code, Stage};
use crate::clock::format_time;
use crate::policy::{Control, Mode, Verdict, WouldRefuse};
use crate::session::TaskInfo;
use crate::spec::{CompiledPrecondition, with_the_same};
use crate::store::{OutcomeRecord, PreconditionRecord};

/// How many outcomes of a tool are looked through for the one that is about the same arguments.
const LOOK_BACK: usize = 100;

/// Proof that the preconditions hold.
#[derive(Debug)]
#[must_use = "a stage that is not used is a stage that was skipped"]
pub(super) struct Ready {
    _made_by_precondition: (),
}

/// What an outcome shows, unsealed.
struct Seen {
    call_id: String,
    at_ms: i64,
    ok: bool,
    arguments: Value,
    result: Value,
}

impl GateInner {
    pub(super) async fn check_preconditions(
        &self,
        trail: &mut Trail,
        task: &TaskInfo,
        checked: &Checked,
        permit: &Permit,
    ) -> Result<Ready, Answer> {
        self.check_world(task, checked, permit)?;
        trail.record.preconditions.clear();
        for precondition in &checked.tool.preconditions {
            let seen = self.newest_match(task, checked, precondition).await?;
            let verdict = self.judge_outcome(task, checked, precondition, seen.as_ref());
            trail.record.preconditions.push(PreconditionRecord {
                tool: precondition.declared.tool.to_owned(),
                when: precondition.declared.when.map(str::to_owned),
                seen: seen.as_ref().map(|seen| seen.call_id.clone()),
                holds: verdict.is_ok(),
            });
            let mode = permit.mode(Control::Preconditions, task, checked);
            match verdict {
                Err(answer) if mode != Mode::Enforce => {
                    let told = answer.rule().unwrap_or_default().to_owned();
                    let reason = format!("`{}` was not seen as it must be", precondition.declared.tool);
                    self.note_soft(
                        trail,
                        [WouldRefuse::new(Verdict::Deny, told, mode, reason).at(Stage::Precondition)],
                    );
                }
                verdict => verdict?,
            }
        }
        Ok(Ready { _made_by_precondition: () })
    }

    /// The newest outcome that is about the same arguments.
    async fn newest_match(
        &self,
        task: &TaskInfo,
        checked: &Checked,
        precondition: &CompiledPrecondition,
    ) -> Result<Option<Seen>, Answer> {
        let tool = precondition.declared.tool;
        let found = self.store.outcomes(&task.session.bound, &task.id, tool, LOOK_BACK).await;
        let now = checked.value();
        for outcome in found.map_err(|error| unavailable(&error))? {
            let seen = self.open_outcome(&outcome)?;
            let bound = precondition.bindings.iter().all(|(prior, argument)| {
                matches!((seen.arguments.get(prior), now.get(argument)), (Some(prior), Some(now)) if prior == now)
            });
            if bound {
                return Ok(Some(seen));
            }
        }
        Ok(None)
    }

    fn open_outcome(&self, outcome: &OutcomeRecord) -> Result<Seen, Answer> {
        let broken = || {
            Answer::refuse(Code::AuditUnavailable, Stage::Precondition, "store.sealed", message::AUDIT_BEFORE)
                .operator(format!("the outcome of {} can't be opened with this key", outcome.call_id))
        };
        let text = self.key.open(&outcome_context(&outcome.call_id), &outcome.facts).map_err(|_| broken())?;
        let facts: Value = crate::json::value_of(&text).map_err(|_| broken())?;
        Ok(Seen {
            call_id: outcome.call_id.clone(),
            at_ms: outcome.at_ms,
            ok: outcome.ok,
            arguments: facts.get("arguments").cloned().unwrap_or_default(),
            result: facts.get("result").cloned().unwrap_or_default(),
        })
    }

    fn judge_outcome(
        &self,
        task: &TaskInfo,
        checked: &Checked,
        precondition: &CompiledPrecondition,
        seen: Option<&Seen>,
    ) -> Result<(), Answer> {
        let declared = &precondition.declared;
        let refuse = |rule: &str, message: String| {
            Answer::refuse(Code::PreconditionFailed, Stage::Precondition, rule, message)
                .retryable()
                .detail("needs", json!({"tool": declared.tool, "when": declared.when}))
        };
        let same = with_the_same(&precondition.bindings);
        let Some(seen) = seen else {
            return Err(refuse("precondition.not_seen", format!("call `{}`{same} in this task first", declared.tool)));
        };
        if !seen.ok {
            let message = format!("the last call of `{}`{same} did not succeed; call it again first", declared.tool);
            return Err(refuse("precondition.failed_before", message));
        }
        if let Some(max_age) = declared.max_age {
            let age = self.clock.now_ms().saturating_sub(seen.at_ms);
            if u128::from(age.max(0).unsigned_abs()) > max_age.as_millis() {
                let message = format!(
                    "the last call of `{}`{same} is older than {} s; call it again first",
                    declared.tool,
                    max_age.as_secs_f64()
                );
                return Err(refuse("precondition.too_old", message));
            }
        }
        let Some(when) = &precondition.when else {
            return Ok(());
        };
        let asked = match when.beyond_bindings("prior", "args") {
            parts if parts.is_empty() => when.text().to_owned(),
            parts => parts.join(" && "),
        };
        let task_facts = json!({"id": task.id, "type": task.task_type});
        let held = when.holds(&|root| match root {
            "result" => Some(fact(&seen.result)),
            "prior" => Some(fact(&seen.arguments)),
            "args" => Some(fact(&checked.value())),
            "task" => Some(fact(&task_facts)),
            _ => None,
        });
        match held {
            Ok(true) => Ok(()),
            Ok(false) => {
                let message =
                    format!("what `{}`{same} showed last does not allow this: it must show `{asked}`", declared.tool);
                Err(refuse("precondition.not_met", message).detail("seen_at", format_time(seen.at_ms)))
            }
            // What can't be answered doesn't hold.
            Err(error) => {
                let message = format!(
                    "`{}`{same} must show `{asked}`, which can't be told from what it showed last; the same call again \
                     can't help, tell the user",
                    declared.tool
                );
                let refused = refuse("precondition.unanswered", message).operator(error.to_string());
                Err(Answer { retryable: false, ..refused })
            }
        }
    }
}

pub(super) fn outcome_context(call_id: &str) -> String {
    format!("toolgate.outcome.v1/{call_id}")
}

/// A JSON value for the expression language.
fn fact(value: &Value) -> Fact {
    match value {
        Value::Null => Fact::Null,
        Value::Bool(value) => Fact::Bool(*value),
        Value::Number(number) => {
            number.as_i64().map_or_else(|| Fact::Double(number.as_f64().unwrap_or(f64::NAN)), Fact::Int)
        }
        Value::String(text) => Fact::Text(text.clone()),
        Value::Array(items) => Fact::List(items.iter().map(fact).collect()),
        Value::Object(entries) => Fact::Map(entries.iter().map(|(name, value)| (name.clone(), fact(value))).collect()),
    }
}
