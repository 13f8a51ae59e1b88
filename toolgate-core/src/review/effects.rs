//! Rules on what a tool does to the world: its risk against its name, its impact, repeats, time. Not on what a
//! person is asked, which is `asking.rs`.

use std::time::Duration;

use super::rule::{Look, Rule};
use super::subject::Subject;
use super::words;
use crate::spec::{Confirm, FailurePolicy, Repeat, Risk};

pub(super) const RULES: &[Rule] = &[
    Rule::warning("effect.read_acts", "a `read` tool whose name says that it does something", Look::Tool(read_acts)),
    Rule::warning(
        "effect.act_reads",
        "a tool that changes something, whose name says that it looks",
        Look::Tool(act_reads),
    ),
    Rule::warning(
        "effect.destroys",
        "a name that says destroy, grant or execute, on a tool that isn't `dangerous`",
        Look::Tool(destroys),
    ),
    Rule::warning("effect.leaves", "a name that says send or publish, on a `write` tool", Look::Tool(leaves)),
    Rule::warning(
        "effect.no_destination",
        "an `external` tool none of whose parameters says where it goes",
        Look::Tool(no_destination),
    ),
    Rule::warning("effect.no_impact", "a `dangerous` tool without `impact`", Look::Tool(no_impact)),
    Rule::warning("effect.money_repeats", "money that is moved by a `repeatable` tool", Look::Tool(money_repeats)),
    Rule::warning("effect.money_unasked", "money that is moved, and nobody is asked", Look::Tool(money_unasked)),
    Rule::note(
        "effect.thin_reason",
        "a reason for `unconfirmed`, `repeatable` or `unbound` of one word",
        Look::Tool(thin_reason),
    ),
    Rule::note("effect.slow", "a caller that waits longer than five minutes, retries included", Look::Tool(slow)),
    Rule::note("effect.large_result", "a `result_limit` over 40,000 characters", Look::Tool(large_result)),
];

const ACTS: &[&str] = &[
    "add", "apply", "approve", "cancel", "charge", "clear", "close", "create", "delete", "deploy", "destroy",
    "disable", "drop", "edit", "email", "enable", "execute", "grant", "insert", "invite", "kill", "merge", "move",
    "notify", "patch", "pay", "post", "publish", "purge", "push", "refund", "remove", "rename", "reset", "restart",
    "revoke", "run", "save", "send", "set", "start", "stop", "submit", "transfer", "update", "upload", "wipe", "write",
];
const LOOKS: &[&str] = &[
    "count", "describe", "fetch", "find", "get", "inspect", "list", "look", "query", "read", "search", "show", "view",
];
const DESTROYS: &[&str] =
    &["delete", "destroy", "drop", "erase", "exec", "execute", "grant", "kill", "purge", "revoke", "truncate", "wipe"];
const LEAVES: &[&str] = &["email", "invite", "mail", "post", "publish", "send", "share", "sms", "tweet"];
const MOVES_MONEY: &[&str] = &["buy", "charge", "pay", "purchase", "refund", "sell", "withdraw"];
const MONEY: &[&str] = &["cash", "funds", "money", "payment", "payout"];

/// Longest that a caller should wait.
const SLOW: Duration = Duration::from_mins(5);
const LARGE: u32 = 40_000;

fn named(verb: &str, subject: &Subject<'_>, repair: &str) -> Vec<String> {
    let spec = subject.tool.spec;
    vec![format!("the name of `{}` says `{verb}`, and its risk is `{}`; {repair}", spec.name, spec.risk)]
}

fn read_acts(subject: &Subject<'_>) -> Vec<String> {
    let spec = subject.tool.spec;
    match words::verb(spec.name, ACTS) {
        Some(verb) if spec.risk == Risk::Read => named(
            &verb,
            subject,
            "a read is retried and never deduplicated: state the risk it has, or give it another name",
        ),
        _ => Vec::new(),
    }
}

fn act_reads(subject: &Subject<'_>) -> Vec<String> {
    match words::verb(subject.tool.spec.name, LOOKS) {
        Some(verb) if subject.is_effectful() => {
            named(&verb, subject, "a model takes it for a look: name it by what it changes, or make it a read")
        }
        _ => Vec::new(),
    }
}

fn destroys(subject: &Subject<'_>) -> Vec<String> {
    let spec = subject.tool.spec;
    match words::verb(spec.name, DESTROYS) {
        Some(verb) if matches!(spec.risk, Risk::Write | Risk::External) => {
            named(&verb, subject, "what destroys, changes permissions or runs code is `dangerous`")
        }
        _ => Vec::new(),
    }
}

fn leaves(subject: &Subject<'_>) -> Vec<String> {
    let spec = subject.tool.spec;
    match words::verb(spec.name, LEAVES) {
        Some(verb) if spec.risk == Risk::Write => named(&verb, subject, "what a third party sees is `external`"),
        _ => Vec::new(),
    }
}

fn no_destination(subject: &Subject<'_>) -> Vec<String> {
    let spec = subject.tool.spec;
    let told = subject.parts.iter().any(|part| words::is_destination(part.name, part.doc));
    let text = || {
        format!(
            "`{}` leaves the organisation, and no parameter says where to (recipient, address, channel, host, ..), so neither \
             an approver nor the record can tell; take it as a parameter, or allow this with the one place it goes to",
            spec.name
        )
    };
    (spec.risk == Risk::External && !told).then(text).into_iter().collect()
}

fn no_impact(subject: &Subject<'_>) -> Vec<String> {
    let spec = subject.tool.spec;
    let text = || {
        format!(
            "`{}` is dangerous and has no `impact`, so an approver must guess; say what stops, what is lost and for how long",
            spec.name
        )
    };
    (spec.risk == Risk::Dangerous && spec.impact.is_none()).then(text).into_iter().collect()
}

/// Whether a call moves money, by its name or by an amount among its parameters.
fn moves_money(subject: &Subject<'_>) -> bool {
    let name = subject.tool.spec.name;
    let amount = |part: &crate::contract::Part<'_>| words::of_name(part.name).iter().any(|word| word == "amount");
    subject.is_effectful()
        && (words::verb(name, MOVES_MONEY).is_some()
            || words::of_name(name).iter().any(|word| MONEY.contains(&word.as_str()))
            || subject.parts.iter().any(amount))
}

fn money_repeats(subject: &Subject<'_>) -> Vec<String> {
    let spec = subject.tool.spec;
    let text = || {
        format!(
            "`{}` moves money and is `repeatable`: a call that is made again after a timeout pays twice; make it `once`, \
             with the order or invoice as its `key`",
            spec.name
        )
    };
    (matches!(spec.repeat, Repeat::Repeatable(_)) && moves_money(subject)).then(text).into_iter().collect()
}

fn money_unasked(subject: &Subject<'_>) -> Vec<String> {
    let spec = subject.tool.spec;
    let text = || {
        format!("`{}` moves money and asks nobody; say `confirm = \"..\"` with the amount and who gets it", spec.name)
    };
    (spec.confirm == Confirm::NotNeeded && moves_money(subject)).then(text).into_iter().collect()
}

fn thin_reason(subject: &Subject<'_>) -> Vec<String> {
    let spec = subject.tool.spec;
    let mut reasons = Vec::new();
    if let Confirm::Unconfirmed(reason) = spec.confirm {
        reasons.push(("unconfirmed", reason));
    }
    if let Repeat::Repeatable(reason) = spec.repeat {
        reasons.push(("repeatable", reason));
    }
    reasons.extend(spec.preconditions.iter().filter_map(|precondition| Some(("unbound", precondition.unbound?))));
    let thin = reasons.into_iter().filter(|(_, reason)| words::is_thin(reason));
    thin.map(|(option, reason)| {
        format!(
            "`{option} = \"{reason}\"` of `{}` gives no reason that could be checked; say what makes it right",
            spec.name
        )
    })
    .collect()
}

fn slow(subject: &Subject<'_>) -> Vec<String> {
    let spec = subject.tool.spec;
    let runs = match spec.failure_policy {
        FailurePolicy::Retry { max, .. } => max.saturating_add(1),
        _ => 1,
    };
    let longest = spec.timeout.saturating_mul(runs);
    let times = if runs > 1 { format!(" in {runs} runs") } else { String::new() };
    let text = || {
        format!(
            "a caller of `{}` may wait {} s{times}, longer than most hosts do; lower `timeout` or the retries, or answer \
             at once and let another tool look how it went",
            spec.name,
            longest.as_secs()
        )
    };
    (longest > SLOW).then(text).into_iter().collect()
}

fn large_result(subject: &Subject<'_>) -> Vec<String> {
    let spec = subject.tool.spec;
    let text = || {
        format!(
            "one result of `{}` may put {} characters before the model; lower `result_limit`: what is cut can be read on",
            spec.name, spec.result_limit
        )
    };
    (spec.result_limit > LARGE).then(text).into_iter().collect()
}
