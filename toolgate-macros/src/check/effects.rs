//! The rules about risk, repeats, confirmation and failure, and between them.

use syn::{Ident, LitStr};

use super::Arguments;
use crate::errors::Errors;
use crate::messages;
use crate::model::{Confirm, Effects, Failure, Key, Repeat, Risk};
use crate::signature::Function;
use crate::syntax::{Keyed, RawKey, RawOptions, RawPolicy, ToolName};
use crate::template::{self, Fault};

/// What the tool does to the world.
pub(super) fn check(
    options: &RawOptions,
    name: &str,
    function: &Function,
    arguments: &Arguments,
    errors: &mut Errors,
) -> Option<Effects> {
    let risk = risk(options, name, function, errors);
    let key = key(options, arguments, errors);
    if let Some(text) = &options.confirm {
        confirm_text(&text.value, arguments, errors);
    }
    let risk = risk?;
    if risk == Risk::Read {
        on_read(options, name, errors);
        return Some(Effects::Reads);
    }
    failure_fits(options, name, risk, errors);
    let confirm = confirm(options, name, risk, errors);
    let repeat = repeat(options, name, key, errors)?;
    Some(Effects::Writes { risk, repeat, confirm })
}

fn risk(options: &RawOptions, name: &str, function: &Function, errors: &mut Errors) -> Option<Risk> {
    let Some(given) = &options.risk else {
        if !options.gave("risk") {
            errors.at(function.item.sig.ident.span(), messages::risk_missing(name));
        }
        return None;
    };
    let risk = Risk::parse(&given.value.value());
    if risk.is_none() {
        errors.at(given.value.span(), messages::risk_unknown(given.value.value()));
    }
    risk
}

/// What has no effect on a tool that only reads.
fn on_read(options: &RawOptions, name: &str, errors: &mut Errors) {
    let repeats: [Option<&Ident>; 4] = [
        options.idempotent.as_ref().map(|found| &found.key),
        options.once.as_ref().map(|found| &found.key),
        options.repeatable.as_ref().map(|found| &found.key),
        options.key.as_ref().map(|found| &found.key),
    ];
    for key in repeats.into_iter().flatten() {
        errors.at(key.span(), messages::repeat_on_read(key, name));
    }
    if let Some(Keyed { key, value: RawPolicy::Abort }) = &options.failure_policy {
        errors.at(key.span(), messages::abort_on_read(name));
    }
    for key in [options.confirm.as_ref(), options.unconfirmed.as_ref()].into_iter().flatten().map(|found| &found.key) {
        errors.at(key.span(), messages::confirm_on_read(key, name));
    }
}

fn repeat(options: &RawOptions, name: &str, key: Key, errors: &mut Errors) -> Option<Repeat> {
    let given: Vec<&Ident> = [
        options.idempotent.as_ref().map(|found| &found.key),
        options.once.as_ref().map(|found| &found.key),
        options.repeatable.as_ref().map(|found| &found.key),
    ]
    .into_iter()
    .flatten()
    .collect();
    if let [first, second, ..] = given.as_slice() {
        errors.at(second.span(), messages::repeat_conflict(first, second));
        return None;
    }
    if let Some(why) = &options.repeatable {
        if let Some(key) = &options.key {
            errors.at(key.key.span(), messages::key_on_repeatable(name));
        }
        return Some(Repeat::Repeatable(why.value.value()));
    }
    if options.idempotent.is_some() {
        return Some(Repeat::Idempotent(key));
    }
    if options.once.is_some() {
        return Some(Repeat::Once(key));
    }
    if !["idempotent", "once", "repeatable"].iter().any(|key| options.gave(key)) {
        let span = options.risk.as_ref().map(|risk| risk.key.span());
        errors.at(span.unwrap_or_else(proc_macro2::Span::call_site), messages::repeat_missing(name));
    }
    None
}

fn key(options: &RawOptions, arguments: &Arguments, errors: &mut Errors) -> Key {
    match options.key.as_ref().map(|found| &found.value) {
        None => Key::Arguments,
        Some(RawKey::Host) => Key::Host,
        Some(RawKey::Named(names)) => {
            for literal in names {
                let name = literal.value();
                if arguments.reason.as_ref() == Some(&name) {
                    errors.at(literal.span(), messages::key_of_reason(name));
                } else if !arguments.has(&name) {
                    errors.at(
                        literal.span(),
                        match arguments.nearest(&name) {
                            Some(near) => messages::key_unknown_near(&name, near),
                            None => messages::key_unknown(&name, arguments.listed()),
                        },
                    );
                }
            }
            Key::Named(names.iter().map(LitStr::value).collect())
        }
    }
}

fn confirm(options: &RawOptions, name: &str, risk: Risk, errors: &mut Errors) -> Confirm {
    match (&options.confirm, &options.unconfirmed) {
        (Some(_), Some(unconfirmed)) => errors.at(unconfirmed.key.span(), messages::confirm_conflict()),
        (None, Some(unconfirmed)) if risk == Risk::Write => {
            errors.at(unconfirmed.key.span(), messages::unconfirmed_idle(name));
        }
        (None, None) if risk > Risk::Write && !options.gave("confirm") && !options.gave("unconfirmed") => {
            let span = options.risk.as_ref().map_or_else(proc_macro2::Span::call_site, |risk| risk.key.span());
            errors.at(span, messages::confirm_missing(name, risk.word()));
        }
        _ => {}
    }
    let said = |text: &Keyed<LitStr>| text.value.value();
    match (&options.confirm, &options.unconfirmed) {
        (Some(text), _) => Confirm::Ask(said(text)),
        (None, Some(why)) => Confirm::Unconfirmed(said(why)),
        (None, None) => Confirm::NotNeeded,
    }
}

fn confirm_text(text: &LitStr, arguments: &Arguments, errors: &mut Errors) {
    let names = match template::placeholders(&text.value()) {
        Ok(names) => names,
        Err(fault) => {
            let message = match fault {
                Fault::Unclosed(column) => messages::brace_unclosed(column),
                Fault::Unopened(column) => messages::brace_unopened(column),
                Fault::NotAName(column) => messages::brace_no_name(column),
            };
            return errors.at(text.span(), message);
        }
    };
    for name in names {
        if arguments.sensitive.contains(&name) {
            errors.at(text.span(), messages::placeholder_sensitive(name));
        } else if !arguments.has(&name) {
            errors.at(
                text.span(),
                match arguments.nearest(&name) {
                    Some(near) => messages::placeholder_unknown_near(&name, near),
                    None => messages::placeholder_unknown(&name, arguments.listed()),
                },
            );
        }
    }
}

/// The failure policy, whatever the risk.
pub(super) fn failure(options: &RawOptions, name: &str, errors: &mut Errors) -> Failure {
    match options.failure_policy.as_ref().map(|found| &found.value) {
        None => Failure::Default,
        Some(RawPolicy::Abort) => Failure::Abort,
        Some(RawPolicy::AbortAndAlert) => Failure::AbortAndAlert,
        Some(RawPolicy::Retry { max, backoff }) => Failure::Retry { max: *max, backoff: *backoff },
        Some(RawPolicy::Fallback(tool)) => {
            if let ToolName::Text(text) = tool
                && text.value() == name
            {
                errors.at(text.span(), messages::fallback_on_itself(name));
            }
            Failure::Fallback(tool.clone())
        }
    }
}

/// Whether the failure policy fits a tool that writes.
fn failure_fits(options: &RawOptions, name: &str, risk: Risk, errors: &mut Errors) {
    let Some(Keyed { key, value }) = &options.failure_policy else { return };
    if risk == Risk::Dangerous {
        if !matches!(value, RawPolicy::AbortAndAlert) {
            errors.at(key.span(), messages::policy_dangerous(name));
        }
    } else if matches!(value, RawPolicy::Retry { .. }) && !options.gave("idempotent") {
        errors.at(key.span(), messages::retry_unsafe(name));
    }
}
