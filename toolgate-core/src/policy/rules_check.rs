//! Rules against the tools they are about, when a gate is built: names and words that don't exist, and arguments
//! that a call may lack. Not the answer to a call.

use std::collections::BTreeSet;
use std::sync::Arc;

use toolgate_expr::{Expr, Step, Type, nearest};

use super::rules::is_about;
use super::{Rule, Verdict};
use crate::contract::{SpecFault, either};
use crate::spec::{RegisteredTool, Toolset};

/// Everything that is wrong with these rules, rule by rule.
pub(super) fn check(rules: &[Rule], tools: &Toolset) -> Vec<SpecFault> {
    let mut seen = BTreeSet::new();
    let mut faults = Vec::new();
    for rule in rules {
        if !seen.insert(&rule.id) {
            faults.push(fault(
                rule,
                "policy.duplicate",
                "a second rule of this id; the record could not tell them apart",
            ));
        }
        faults.extend(check_rule(rule, tools));
    }
    // An ask is no denial: a person may say yes.
    if rules.iter().all(|rule| rule.verdict == Verdict::Deny) {
        let text = "no rule allows anything, so every call would be denied; add `Rule::allow(..)`, without `tool` and \
                    `when` for all calls that no other rule is stricter about";
        faults.push(SpecFault::new("", "policy", "policy.allows_nothing", text));
    }
    faults
}

fn fault(rule: &Rule, word: &'static str, text: impl Into<String>) -> SpecFault {
    SpecFault::new("", &format!("policy rule `{}`", rule.id), word, text)
}

fn check_rule(rule: &Rule, tools: &Toolset) -> Vec<SpecFault> {
    let mut faults = Vec::new();
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    if rule.id.is_empty() || rule.id.len() > 64 || !rule.id.bytes().all(legal) {
        faults.push(fault(rule, "policy.rule_id", "an id must be 1 to 64 of a-z, A-Z, 0-9, `_`, `-` and `.`"));
    }
    if rule.reason.trim().is_empty() {
        faults.push(fault(rule, "policy.no_reason", "no reason; say why, for the operator and the approver"));
    }
    for name in &rule.tools {
        match tools.get(name) {
            None => {
                let near = nearest(name, tools.iter().map(|tool| tool.spec.name));
                let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
                let text = format!("names the tool `{name}`, which is not in this toolset{near}");
                faults.push(fault(rule, "policy.unknown_tool", text));
            }
            Some(tool) if !rule.is_about(tool.spec) => {
                let text = format!("never says anything about `{name}`, whose risk is `{}`", tool.spec.risk);
                faults.push(fault(rule, "policy.never", text));
            }
            Some(_) => {}
        }
    }
    let about: Vec<&Arc<RegisteredTool>> = tools.iter().filter(|tool| is_about(rule, tool.spec)).collect();
    match rule.when.as_ref().map(|when| (&when.text, &when.parsed)) {
        Some((text, Err(error))) => {
            let text = format!("{error}, at column {} of `{text}`", error.at + 1);
            faults.push(fault(rule, "policy.expression", text));
        }
        Some((_, Ok(when))) if !about.is_empty() => {
            faults.extend(condition_faults(rule, when, &about));
            faults.extend(absent_faults(rule, when, &about));
        }
        _ => {}
    }
    faults
}

/// Names and words that none of the tools has.
fn condition_faults(rule: &Rule, when: &Expr, about: &[&Arc<RegisteredTool>]) -> Vec<SpecFault> {
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
    let found = toolgate_expr::check(when, &types);
    let told = |found: &toolgate_expr::TypeFault| {
        format!("{}, at column {} of `{}`", found.message, found.at + 1, when.text())
    };
    found.iter().map(|found| fault(rule, "policy.expression", told(found))).collect()
}

/// Arguments that calls of a tool may lack, or always do: there the rule could not be answered, and would deny.
fn absent_faults(rule: &Rule, when: &Expr, about: &[&Arc<RegisteredTool>]) -> Vec<SpecFault> {
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
                faults.push(fault(rule, "policy.absent", text));
                continue;
            }
            let Some(lacking) = tool.contract.may_lack(path).and_then(|steps| path.get(..steps)) else { continue };
            if !is_guarded(lacking) {
                let shown = shown(lacking);
                let text = format!(
                    "a call of `{named}` may leave out `{shown}`, and the rule would deny it; write \
                     `has({shown}) && ..` or `!has({shown}) || ..`"
                );
                faults.push(fault(rule, "policy.absent", text));
            }
        }
    }
    faults.dedup();
    faults
}

fn shown(path: &[Step]) -> String {
    path.iter().fold("args".to_owned(), |text, step| match step {
        Step::Field(name) => format!("{text}.{name}"),
        Step::Index(index) => format!("{text}[{index}]"),
    })
}
