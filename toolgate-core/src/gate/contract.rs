//! Stage 2, JSON to arguments: the tool is known and shown to this session, and every argument is
//! what it must be. At its end stands one canonical text; digest, approval and execution come from it.

use std::sync::Arc;

use serde_json::{Value, json};
use toolgate_expr::nearest;

use super::answer::Answer;
use super::panics::caught;
use super::parse::Parsed;
use super::put_back::Undoing;
use super::stops::stops_if_lost;
use super::trail::{MAX_TEXT, Trail, cut};
use super::{GateInner, Request, message};
use crate::call::{Code, Stage};
use crate::clip::{Clipped, clip, surely_fits};
use crate::contract::{Problem, Repair, Repaired, Repairs};
use crate::json::{Limits, Node, canonical, parse, sort};
use crate::ledger::CallEvent;
use crate::redact::Redactor;
use crate::session::TaskInfo;
use crate::spec::{KeyRule, Prepared, RegisteredTool};
use crate::tool::{PathSlot, UrlSlot};

/// Most characters of redacted arguments in the audit record and its events.
const RECORDED: usize = 16_000;

/// Most repairs that are told one by one.
const REPAIRS: usize = 20;

/// Proof that the arguments keep the tool's contract, and what was made of them.
#[derive(Debug)]
pub(super) struct Checked {
    pub(super) tool: Arc<RegisteredTool>,
    /// RFC 8785 text of the completed arguments; what is executed.
    pub(super) canonical: String,
    /// The same without the reason, where there is one.
    pub(super) without_reason: Option<String>,
    /// Keyed digest of [`Self::bound`].
    pub(super) digest: String,
    /// What the idempotency key is about, where that isn't [`Self::bound`].
    pub(super) named: Option<String>,
    pub(super) prepared: Prepared,
    /// The call that this one undoes.
    pub(super) undoes: Option<Arc<Undoing>>,
}

impl Checked {
    /// The arguments as a value, for texts and expressions. Made anew: most calls need none.
    pub(super) fn value(&self) -> Value {
        // INVARIANT: the text was parsed under the same limits before, when the arguments were decoded.
        parse(self.canonical.as_bytes(), &Limits::MAX).map(|node| node.to_value()).unwrap_or_default()
    }

    /// What digest, key and ticket are about: a reworded reason is the same call.
    pub(super) fn bound(&self) -> &str {
        self.without_reason.as_deref().unwrap_or(&self.canonical)
    }

    /// What the idempotency key is about.
    pub(super) fn subject(&self) -> &str {
        self.named.as_deref().unwrap_or_else(|| self.bound())
    }

    pub(super) fn paths(&self) -> &[PathSlot] {
        &self.prepared.met.slots
    }

    pub(super) fn urls(&self) -> &[UrlSlot] {
        &self.prepared.met.urls
    }
}

impl GateInner {
    pub(super) fn check_contract(
        &self,
        trail: &mut Trail,
        task: &TaskInfo,
        request: &Request,
        parsed: Parsed<'_>,
    ) -> Result<Checked, Answer> {
        let Parsed { mut arguments, allowed, refusal } = parsed;
        // A tool nobody may see still has sensitive arguments.
        let known = self.tools.get(&request.call.tool);
        let sensitive = known.map(|tool| tool.sensitive.as_slice()).unwrap_or_default();
        let note = |trail: &mut Trail, arguments: &Node<'_>| {
            trail.record.arguments = self.redacted(arguments.to_value(), sensitive);
        };
        let tool = match self.visible_tool(task, known, &request.call.tool) {
            Ok(tool) => tool,
            Err(answer) => {
                note(trail, &arguments);
                return Err(refusal.unwrap_or(answer));
            }
        };
        trail.record.contract = Some(tool.digest.clone());
        trail.record.risk = Some(tool.spec.risk.as_str().to_owned());
        trail.record.stops_if_lost = stops_if_lost(tool.spec);

        let problems = tool.contract.check(&arguments);
        let mut repairs = Vec::new();
        if refusal.is_some() {
            repairs.push(Repaired { pointer: String::new(), repair: Repair::DoubleEncoded });
        }
        if !problems.is_empty() {
            // What takes too much work to check isn't worked on once more.
            let workable = !problems.iter().any(|problem| problem.rule == "schema.too_complex");
            let repair = || tool.contract.repair(&arguments, allowed, &self.limits);
            let Some((repaired, made)) = workable.then(repair).flatten() else {
                note(trail, &arguments);
                return Err(refusal.unwrap_or_else(|| message::invalid(Stage::Contract, &problems)));
            };
            arguments = repaired;
            repairs.extend(made);
        }
        self.note_repairs(trail, request.call.repairs, &repairs);
        if let Some(problem) = tool.contract.fill(&mut arguments) {
            note(trail, &arguments);
            return Err(message::invalid(Stage::Contract, &[problem]));
        }
        let value = arguments.to_value();
        self.note_reason(trail, &tool, &value);
        trail.record.arguments = self.redacted(value, &tool.sensitive);
        sort(&mut arguments);
        let text = canonical(&arguments);
        let without_reason = without_reason(&arguments, tool.contract.reason());
        let prepared = self.decode_sorted(&tool, &arguments, &text)?;
        let bound = without_reason.as_deref().unwrap_or(&text);
        let digest = self.key.digest("toolgate.args.v1", &[bound.as_bytes()]);
        trail.record.digest = Some(digest.clone());
        let named = subject(&tool, request, &arguments)?;
        trail.step(CallEvent::Validate);
        Ok(Checked { tool, canonical: text, without_reason, digest, named, prepared, undoes: None })
    }

    /// What was repaired: where and how, never the value. For the record, and for the model to learn from: but
    /// not what the call itself allows, as the model had no other way to say it.
    fn note_repairs(&self, trail: &mut Trail, asked_for: Repairs, repairs: &[Repaired]) {
        let mut told = Vec::new();
        for Repaired { pointer, repair } in repairs.iter().take(REPAIRS) {
            let place = self.redactor.text(pointer);
            if !asked_for.contains(*repair) {
                told.push(json!({"pointer": place, "repair": repair.as_str(), "hint": repair.hint()}));
            }
            let place = if place.is_empty() { "the arguments" } else { &place };
            trail.record.repairs.push(format!("{repair} at {place}"));
        }
        if let Some(more) = repairs.len().checked_sub(REPAIRS + 1) {
            trail.record.repairs.push(format!("and {} more", more + 1));
        }
        let to_tell = |made: &&Repaired| !asked_for.contains(made.repair);
        let more = repairs.iter().skip(REPAIRS).filter(to_tell).count();
        if more > 0 {
            told.push(json!({"more": more}));
        }
        trail.repairs = told;
    }

    /// The tool of that name, where this task may name it at all. One that it may not name gets the
    /// same answer as one that doesn't exist.
    fn visible_tool(
        &self,
        task: &TaskInfo,
        known: Option<&Arc<RegisteredTool>>,
        name: &str,
    ) -> Result<Arc<RegisteredTool>, Answer> {
        if let Some(tool) = known.filter(|tool| self.may_name(task, tool)) {
            return Ok(Arc::clone(tool));
        }
        let names = self.tools.iter().filter(|tool| self.may_see(task, tool)).map(|tool| tool.spec.name);
        let near = nearest(name, names);
        let message = match near {
            Some(near) => format!("there is no tool of this name here; did you mean `{near}`?"),
            None => "there is no tool of this name here".to_owned(),
        };
        let answer = Answer::refuse(Code::ToolNotFound, Stage::Contract, "tool.unknown", message);
        Err(match near {
            Some(near) => answer.retryable().detail("nearest", near),
            None => answer,
        })
    }

    /// Typed decoding, from what the canonical text says and nothing else.
    pub(super) fn decode(&self, tool: &RegisteredTool, canonical: &str) -> Result<Prepared, Answer> {
        let node = parse(canonical.as_bytes(), &Limits::MAX)
            .map_err(|error| Answer::refuse(Code::MalformedCall, Stage::Contract, error.code(), error.for_model()))?;
        self.decode_node(tool, &node)
    }

    /// As [`Self::decode`], of arguments that are sorted as their canonical text is: reading it would give
    /// them again.
    fn decode_sorted(&self, tool: &RegisteredTool, sorted: &Node<'_>, text: &str) -> Result<Prepared, Answer> {
        if text.len() > Limits::MAX.bytes {
            return self.decode(tool, text);
        }
        debug_assert_eq!(parse(text.as_bytes(), &Limits::MAX).as_ref(), Ok(sorted), "the text says something else");
        self.decode_node(tool, sorted)
    }

    fn decode_node(&self, tool: &RegisteredTool, node: &Node<'_>) -> Result<Prepared, Answer> {
        let undecoded = || {
            let problem = Problem::decode("", "set of arguments that the types accept");
            message::invalid(Stage::Contract, &[problem])
        };
        let prepared =
            caught(|| tool.prepare(node)).map_err(|panic| undecoded().operator(self.redactor.text(&panic)))?;
        if prepared.is_decoded() {
            return Ok(prepared);
        }
        let problems = &prepared.met.problems;
        Err(if problems.is_empty() { undecoded() } else { message::invalid(Stage::Contract, problems) })
    }

    pub(super) fn note_reason(&self, trail: &mut Trail, tool: &RegisteredTool, value: &Value) {
        let Some(reason) = tool.contract.reason().and_then(|name| value.get(name)).and_then(Value::as_str) else {
            return;
        };
        trail.record.reason = Some(cut(&self.redactor.text(reason), MAX_TEXT));
    }

    /// Arguments as an auditor reads them.
    pub(super) fn redacted(&self, mut value: Value, sensitive: &[String]) -> Value {
        Redactor::mask_pointers(&mut value, sensitive);
        bounded(self.redactor.redacted(value))
    }
}

/// What fits into the record: the beginning of what is larger, and how large it was.
fn bounded(redacted: Value) -> Value {
    if surely_fits(&redacted, RECORDED) {
        return redacted;
    }
    let Clipped { value, truncated, total_chars, notes, .. } = clip(&redacted, RECORDED);
    if truncated { json!({"clipped": value, "total_chars": total_chars, "cut": notes}) } else { redacted }
}

/// The canonical text without the model's stated reason, where the tool has one.
fn without_reason(arguments: &Node<'_>, reason: Option<&str>) -> Option<String> {
    match (arguments, reason) {
        (Node::Object(entries), Some(reason)) => {
            let rest = entries.iter().filter(|(name, _)| name != reason).cloned().collect();
            Some(canonical(&Node::Object(rest)))
        }
        _ => None,
    }
}

/// What the idempotency key is about, where that isn't all arguments: the named ones, or the host's own key.
fn subject(tool: &RegisteredTool, request: &Request, arguments: &Node<'_>) -> Result<Option<String>, Answer> {
    match tool.spec.key {
        KeyRule::Arguments => Ok(None),
        KeyRule::Named(names) => {
            let Node::Object(entries) = arguments else {
                return Ok(None);
            };
            let named = entries.iter().filter(|(name, _)| names.contains(&&**name)).cloned().collect();
            Ok(Some(canonical(&Node::Object(named))))
        }
        KeyRule::Host => {
            let refuse = |rule, text: &str| Err(Answer::refuse(Code::InvalidArgument, Stage::Contract, rule, text));
            match &request.call.key {
                None => refuse("idem.no_key", "the host must give this call an idempotency key; nothing was done"),
                Some(key) if !is_key(key) => refuse(
                    "idem.bad_key",
                    "the host's key must be 1 to 255 printable ASCII characters; nothing was done",
                ),
                Some(key) => Ok(Some(key.clone())),
            }
        }
    }
}

fn is_key(key: &str) -> bool {
    (1..=255).contains(&key.len()) && key.bytes().all(|byte| matches!(byte, b' '..=b'~'))
}
