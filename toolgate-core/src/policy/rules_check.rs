//! Rules against the tools they are about, when a gate is built: names and words that don't exist, and arguments
//! that a call may lack. Not the answer to a call.

use std::collections::BTreeSet;
use std::sync::Arc;

use toolgate_expr::{Beside, Expr, Step, Type, nearest};

use super::rule::names;
use super::rules::is_about;
use super::spelled::Spelled;
use super::{Rule, Verdict};
use crate::contract::{SpecFault, either};
use crate::spec::{RegisteredTool, Toolset};

/// Where in a rule something is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Id,
    Reason,
    /// The name at this position of its tools.
    Tool(usize),
    /// So many bytes of its condition, from this one on.
    When(usize, usize),
}

/// What is wrong with a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RuleFault {
    pub(super) place: Place,
    pub(super) word: &'static str,
    pub(super) text: String,
    pub(super) nearest: Option<String>,
}

pub(super) const DUPLICATE: &str = "a second rule of this id; the record could not tell them apart";

/// Everything that is wrong with these rules, rule by rule.
pub(super) fn check(rules: &[Rule], tools: &Toolset) -> Vec<SpecFault> {
    let mut seen = BTreeSet::new();
    let mut faults = Vec::new();
    for rule in rules {
        let told = |word, text: String| SpecFault::new("", &format!("policy rule `{}`", rule.id), word, text);
        if !seen.insert(&rule.id) {
            faults.push(told("policy.duplicate", DUPLICATE.to_owned()));
        }
        faults.extend(check_form(rule).into_iter().chain(check_rule(rule, tools)).map(|fault| {
            let near = fault.nearest.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
            let at = match (fault.place, &rule.when) {
                (Place::When(at, _), Some(when)) if fault.word == "policy.expression" => {
                    format!(", at column {} of `{}`", at + 1, when.text)
                }
                _ => String::new(),
            };
            told(fault.word, format!("{}{near}{at}", fault.text))
        }));
    }
    // An ask is no denial: a person may say yes.
    if rules.iter().all(|rule| rule.verdict == Verdict::Deny) {
        let text = "no rule allows anything, so every call would be denied; add `Rule::allow(..)`, without `tool` and \
                    `when` for all calls that no other rule is stricter about";
        faults.push(SpecFault::new("", "policy", "policy.allows_nothing", text));
    }
    faults
}

fn fault(place: Place, word: &'static str, text: impl Into<String>) -> RuleFault {
    RuleFault { place, word, text: text.into(), nearest: None }
}

/// What is wrong with a rule whatever the tools are.
pub(super) fn check_form(rule: &Rule) -> Vec<RuleFault> {
    let mut faults = Vec::new();
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    if rule.id.is_empty() || rule.id.len() > 64 || !rule.id.bytes().all(legal) {
        let text = "an id must be 1 to 64 of a-z, A-Z, 0-9, `_`, `-` and `.`";
        faults.push(fault(Place::Id, "policy.rule_id", text));
    }
    if rule.reason.trim().is_empty() {
        let text = "no reason; say why, for the operator and the approver";
        faults.push(fault(Place::Reason, "policy.no_reason", text));
    }
    if let Some(Err(error)) = rule.when.as_ref().map(|when| &when.parsed) {
        let place = Place::When(error.at, error.part.len());
        faults.push(fault(place, "policy.expression", error.to_string()));
    }
    faults
}

/// What is wrong with a rule for these tools.
pub(super) fn check_rule(rule: &Rule, tools: &Toolset) -> Vec<RuleFault> {
    let mut faults = Vec::new();
    for (position, name) in rule.tools.iter().enumerate() {
        let mut meant = tools.iter().filter(|tool| names(name, tool.spec.name)).peekable();
        let Some(first) = meant.peek().map(|tool| tool.spec) else {
            let near = nearest(name, tools.iter().map(|tool| tool.spec.name)).map(str::to_owned);
            let text = format!("names the tool `{name}`, which is not in this toolset");
            faults.push(RuleFault { nearest: near, ..fault(Place::Tool(position), "policy.unknown_tool", text) });
            continue;
        };
        if !meant.any(|tool| rule.is_about(tool.spec)) {
            let text = format!("never says anything about `{name}`, whose risk is `{}`", first.risk);
            faults.push(fault(Place::Tool(position), "policy.never", text));
        }
    }
    let about: Vec<&Arc<RegisteredTool>> = tools.iter().filter(|tool| is_about(rule, tool.spec)).collect();
    if let Some(Ok(when)) = rule.when.as_ref().map(|when| &when.parsed)
        && !about.is_empty()
    {
        faults.extend(condition_faults(when, &about));
        faults.extend(absent_faults(when, &about));
        faults.extend(spelling_faults(when, &about));
    }
    faults
}

/// Names and words that none of the tools has.
fn condition_faults(when: &Expr, about: &[&Arc<RegisteredTool>]) -> Vec<RuleFault> {
    let arguments = about.iter().map(|tool| tool.contract.value_type()).reduce(either);
    let text = || Type::Text(None);
    let types = |root: &str| match root {
        "args" => arguments.clone(),
        "task" => {
            let mut fields: Vec<_> = ["id", "type"].map(|name| (name.to_owned(), text())).into();
            fields.push(("tainted".to_owned(), Type::Bool));
            Some(Type::Object(fields, false))
        }
        "session" | "principal" => Some(text()),
        "user" => Some(Type::Nullable(Box::new(text()))),
        _ => None,
    };
    let found = toolgate_expr::check(when, &types).into_iter();
    found.map(|found| fault(Place::When(found.at, found.part.len()), "policy.expression", found.message)).collect()
}

/// Arguments that calls of a tool may lack, or always do: there the rule could not be answered, and would deny.
fn absent_faults(when: &Expr, about: &[&Arc<RegisteredTool>]) -> Vec<RuleFault> {
    let whole = Place::When(0, when.text().len());
    let (read, asked_for) = (when.fields("args"), when.asked_for("args"));
    let is_guarded = |path: &[Step]| asked_for.iter().any(|asked| asked == path);
    let mut faults = Vec::new();
    for path in &read {
        let Some(Step::Field(name)) = path.first() else { continue };
        let has = |tool: &RegisteredTool| tool.contract.names().any(|known| known == name);
        if !about.iter().any(|tool| has(tool)) {
            continue; // told as an unknown name
        }
        for tool in about {
            let named = tool.spec.name;
            if !has(tool) && !is_guarded(path.get(..1).unwrap_or_default()) {
                let text = format!(
                    "`{named}` has no `{name}`, so the rule would deny all of its calls; write \
                     `has(args.{name}) && ..`, or name the tools it is about"
                );
                faults.push(fault(whole, "policy.absent", text));
                continue;
            }
            let Some(lacking) = tool.contract.may_lack(path).and_then(|steps| path.get(..steps)) else { continue };
            if !is_guarded(lacking) {
                let shown = shown(lacking);
                let text = format!(
                    "a call of `{named}` may leave out `{shown}`, and the rule would deny it; write \
                     `has({shown}) && ..` or `!has({shown}) || ..`"
                );
                faults.push(fault(whole, "policy.absent", text));
            }
        }
    }
    faults.dedup();
    faults
}

/// Texts that a path or a URL is compared with and never has: conditions read both in their one spelling.
fn spelling_faults(when: &Expr, about: &[&Arc<RegisteredTool>]) -> Vec<RuleFault> {
    let wrong = |beside: &Beside| {
        let tool = about.iter().find_map(|tool| Spelled::of(tool, &beside.path))?;
        let right = tool.right(&beside.text, beside.is_beginning)?;
        let what = tool.told();
        let text = format!("`{}` is read as {what}, which is never {:?}{right}", shown(&beside.path), beside.text);
        Some(fault(Place::When(beside.at, beside.length), "policy.spelling", text))
    };
    when.texts_beside("args").iter().filter_map(wrong).collect()
}

fn shown(path: &[Step]) -> String {
    path.iter().fold("args".to_owned(), |text, step| match step {
        Step::Field(name) => format!("{text}.{name}"),
        Step::Index(index) => format!("{text}[{index}]"),
    })
}
