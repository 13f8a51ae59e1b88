//! One call's whole story in plain words: who asked on whose behalf, why it was allowed or refused,
//! what ran, and what became of the world.

use std::io::{self, Write};

use serde_json::Value;
use toolgate_core::clock::format_time;
use toolgate_core::content::ContentRecord;
use toolgate_core::store::{ApprovalRecord, CallRecord, CallStory, CredentialRecord, PreconditionRecord, StoredEvent};
use toolgate_core::taint::Origin;

use super::calls::elapsed;
use super::lines::{put, put_all};
use crate::text::{BOLD, code_style, styled, visible};

/// Characters of a digest that are shown.
const SHORT: usize = 16;

/// Prints the story of a call.
///
/// # Errors
/// As `out` says.
pub fn call_story(out: &mut dyn Write, story: &CallStory) -> io::Result<()> {
    let record = &story.record;
    put(out, "call", &styled(BOLD, &visible(&record.call_id)))?;
    let code = if record.code.is_empty() { &record.state } else { &record.code };
    put(out, "outcome", &format!("{}: {}", styled(code_style(&record.code), &visible(code)), what_became(record)))?;
    who(out, record)?;
    why(out, record)?;
    run(out, record)?;
    answer(out, record)?;
    if let Some(said) = &record.resolution {
        let [verdict, by, why] = [&said.verdict, &said.by, &said.why].map(|text| visible(text));
        put(out, "resolved", &format!("{} by {by}: {verdict}; {why}", format_time(said.at_ms)))?;
    }
    put_all(out, "events", &story.events.iter().map(event).collect::<Vec<_>>())
}

/// The one sentence that an auditor reads first.
fn what_became(record: &CallRecord) -> String {
    let rule = record.rule.as_deref().map(|rule| format!(" by rule `{}`", visible(rule))).unwrap_or_default();
    let stage = visible(&record.stage);
    match record.state.as_str() {
        "SUCCEEDED" | "FAILED" if record.replay_of.is_some() => {
            let first = record.replay_of.as_deref().map(visible).unwrap_or_default();
            format!("nothing ran; the recorded answer of {first} was given again")
        }
        "SUCCEEDED" => format!("the tool ran and succeeded{}", effect(record)),
        "FAILED" => format!("the tool ran and failed{}", effect(record)),
        "TIMED_OUT" => format!("the tool ran longer than anybody waited{}", effect(record)),
        "DENIED" => format!("refused at the {stage} stage{rule}{}", effect(record)),
        "AWAITING_CONFIRMATION" => "nothing has happened yet; a person is asked".to_owned(),
        "RUNNING" => "the tool was entered, and no outcome is recorded yet".to_owned(),
        "UNKNOWN" => format!("it ended without a record{}", effect(record)),
        other => format!("state {}, stage {stage}{rule}{}", visible(other), effect(record)),
    }
}

fn effect(record: &CallRecord) -> String {
    match record.effect.as_str() {
        "none" => "; nothing happened to the world".to_owned(),
        "done" => "; its effect is done".to_owned(),
        "partial" => "; a part of its effect is done".to_owned(),
        "unknown" => "; its effect may or may not have happened".to_owned(),
        _ => String::new(),
    }
}

fn who(out: &mut dyn Write, record: &CallRecord) -> io::Result<()> {
    let behalf = match &record.user {
        Some(user) => format!("on behalf of {}", visible(user)),
        None => "on nobody's behalf".to_owned(),
    };
    let asked = format_time(record.received_ms);
    put(out, "asked", &format!("{asked} by agent {} {behalf}", visible(&record.principal)))?;
    let CallRecord { session, task, task_type, scope, .. } = record;
    let [session, task, task_type, scope] = [session, task, task_type, scope].map(|text| visible(text));
    put(out, "within", &format!("session {session}, task {task} ({task_type}), operation {scope}"))?;
    if let Some(parent) = &record.parent {
        put(out, "made for", &format!("call {}", visible(parent)))?;
    }
    if let Some(id) = &record.provider_call_id {
        put(out, "provider id", &visible(id))?;
    }
    let risk = record.risk.as_deref().map(|risk| format!(", risk {}", visible(risk))).unwrap_or_default();
    let contract = record.contract.as_deref().map(|digest| format!(", contract {}", short(digest))).unwrap_or_default();
    put(out, "tool", &format!("{}{risk}{contract}", visible(&record.tool)))?;
    put_all(out, "arguments", &arguments(&record.arguments))?;
    put_all(out, "repaired", &record.repairs.iter().map(|repair| visible(repair)).collect::<Vec<_>>())?;
    match &record.reason {
        Some(reason) => put(out, "reason", &format!("{} (the model's words)", visible(reason))),
        None => Ok(()),
    }
}

fn why(out: &mut dyn Write, record: &CallRecord) -> io::Result<()> {
    match &record.policy {
        Some(policy) => {
            let said = match policy.decision.as_str() {
                "allow" => "allowed".to_owned(),
                "deny" => "refused".to_owned(),
                "ask" => "a person must be asked".to_owned(),
                other => visible(other),
            };
            let [name, rule, reason] = [&policy.policy, &policy.rule, &policy.reason].map(|text| visible(text));
            put(out, "policy", &format!("{said} by rule `{rule}` of {name}: {reason}"))?;
        }
        None => put(out, "policy", "was not asked")?,
    }
    put_all(out, "from where", &record.provenance.iter().map(origin).collect::<Vec<_>>())?;
    if record.tainted {
        put(out, "taint", "the task had read what strangers may have written")?;
    }
    if record.untrusted {
        put(out, "taint", "strangers may have written what it gave")?;
    }
    if let Some(shadow) = &record.shadow {
        let [said, rule, name, reason] =
            [&shadow.decision, &shadow.rule, &shadow.policy, &shadow.reason].map(|text| visible(text));
        put(out, "shadow", &format!("{name} would have said {said} by rule `{rule}`: {reason}"))?;
    }
    let softened = record.would_refuse.iter().map(|refusal| {
        let [verdict, rule, stage, reason] =
            [&refusal.verdict, &refusal.rule, &refusal.stage, &refusal.reason].map(|text| visible(text));
        format!("{verdict} by rule `{rule}` at the {stage} stage ({}): {reason}", refusal.mode.as_str())
    });
    put_all(out, "would refuse", &softened.collect::<Vec<_>>())?;
    put_all(out, "precondition", &record.preconditions.iter().map(precondition).collect::<Vec<_>>())?;
    match &record.ticket {
        Some(ticket) => put(out, "confirmation", &confirmation(ticket)),
        None => Ok(()),
    }
}

fn origin((pointer, origin): (&String, &Origin)) -> String {
    format!("{}: {}", visible(pointer.trim_start_matches('/')), visible(&origin.to_string()))
}

fn precondition(seen: &PreconditionRecord) -> String {
    let PreconditionRecord { tool, when, seen, holds } = seen;
    let when = when.as_deref().map_or_else(|| "succeeded".to_owned(), |when| format!("`{}`", visible(when)));
    let seen = match seen {
        Some(call) => format!("looked at {}", visible(call)),
        None => "no such call was seen in this task".to_owned(),
    };
    format!("{} by {}: {when}; {seen}", if *holds { "met" } else { "not met" }, visible(tool))
}

fn confirmation(ticket: &ApprovalRecord) -> String {
    let ApprovalRecord { id, state, needed, approvals, by, channel, comment } = ticket;
    let by = match approvals.as_slice() {
        [] => by.as_deref().map(|by| format!(" by {}", visible(by))).unwrap_or_default(),
        given => {
            let names: Vec<String> = given.iter().map(|given| visible(&given.by)).collect();
            format!(", {} of {} people have said yes ({})", given.len(), needed.unwrap_or(1), names.join(", "))
        }
    };
    let channel = channel.as_deref().map(|channel| format!(" through {}", visible(channel))).unwrap_or_default();
    let comment = comment.as_deref().map(|comment| format!(": {}", visible(comment))).unwrap_or_default();
    let (said, used) = match state.as_str() {
        "spent" => ("approved", " (used)"),
        state => (state, ""),
    };
    format!("{} is {}{by}{channel}{comment}{used}", visible(id), visible(said))
}

fn run(out: &mut dyn Write, record: &CallRecord) -> io::Result<()> {
    if let Some(key) = &record.key {
        let replay = match &record.replay_of {
            Some(first) => format!("; the answer of {} was given again", visible(first)),
            None => "; not a replay".to_owned(),
        };
        put(out, "key", &format!("{}{replay}", short(key)))?;
    }
    let ended = record.finished_ms.map(|at| format!(", answered {}", format_time(at))).unwrap_or_default();
    let took = elapsed(record).map(|ms| format!(", {ms} ms from receipt to answer")).unwrap_or_default();
    let runs = match (record.started_ms, record.attempts) {
        (None, _) => "the tool was not entered".to_owned(),
        (Some(at), 0 | 1) => format!("entered {}", format_time(at)),
        (Some(at), attempts) => format!("entered {}, {attempts} times", format_time(at)),
    };
    put(out, "run", &format!("{runs}{ended}{took}"))?;
    put_all(out, "credential", &record.credentials.iter().map(credential).collect::<Vec<_>>())?;
    let effect = if record.effect.is_empty() { "not known yet" } else { &record.effect };
    put(out, "effect", &visible(effect))
}

fn credential(asked: &CredentialRecord) -> String {
    let CredentialRecord { name, broker, expires_ms, refused } = asked;
    let name = visible(name);
    if let Some(rule) = refused {
        return format!("{name} was not given, by rule `{}`", visible(rule));
    }
    let broker = broker.as_deref().map(|broker| format!(" by {}", visible(broker))).unwrap_or_default();
    let until = expires_ms.map(|at| format!(", good until {}", format_time(at))).unwrap_or_default();
    format!("{name} was issued{broker}{until}")
}

fn answer(out: &mut dyn Write, record: &CallRecord) -> io::Result<()> {
    let told: Vec<String> = record.message.lines().map(visible).collect();
    put_all(out, "told", &told)?;
    if let Some(operator) = &record.operator {
        put(out, "operator", &visible(operator))?;
    }
    if let Some(size) = record.result_chars {
        let cut = if record.truncated { ", the model got a part of it" } else { "" };
        let digest = record.result_digest.as_deref().map(|digest| format!(", digest {}", short(digest)));
        put(out, "result", &format!("{size} characters{}{cut}", digest.unwrap_or_default()))?;
    }
    let beside: Vec<String> = record.content.iter().map(block).collect();
    if !beside.is_empty() {
        put_all(out, "beside it", &beside)?;
    }
    match &record.result_preview {
        Some(preview) => put(out, "preview", &visible(&preview.to_string())),
        None => Ok(()),
    }
}

/// One line for each block beside the data.
fn block(block: &ContentRecord) -> String {
    let ContentRecord { kind, media_type, name, uri, bytes, sha256, text, left_out } = block;
    let mut line = visible(kind);
    for part in [name, media_type, uri].into_iter().flatten() {
        line = format!("{line} {}", visible(part));
    }
    if let Some(bytes) = bytes {
        line = format!("{line}, {bytes} bytes");
    }
    if let Some(digest) = sha256 {
        line = format!("{line}, SHA-256 {}", short(digest));
    }
    if let Some(text) = text {
        line = format!("{line}: {}", visible(text));
    }
    match left_out {
        Some(why) => format!("{line}; left out: {}", visible(why)),
        None => line,
    }
}

/// One line for each argument; a call that didn't parse has a text instead.
fn arguments(arguments: &Value) -> Vec<String> {
    match arguments {
        Value::Object(members) if members.is_empty() => vec!["none".to_owned()],
        Value::Object(members) => {
            members.iter().map(|(name, value)| format!("{} = {}", visible(name), visible(&value.to_string()))).collect()
        }
        Value::Null => vec!["none recorded".to_owned()],
        Value::String(text) => vec![format!("as the model wrote them: {}", visible(text))],
        other => vec![visible(&other.to_string())],
    }
}

fn event(event: &StoredEvent) -> String {
    let part = |name: &str| event.body.get(name).and_then(Value::as_str).unwrap_or_default();
    let [state, code] = [part("state"), part("code")].map(visible);
    let kind = visible(&event.kind);
    format!("{} #{} {kind} {state} {code}", format_time(event.at_ms), event.seq).trim_end().to_owned()
}

fn short(digest: &str) -> String {
    let digest = visible(digest);
    if digest.chars().count() <= SHORT { digest } else { digest.chars().take(SHORT).collect::<String>() + ".." }
}
