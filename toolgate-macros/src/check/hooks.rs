//! The rules about what a tool says of its earlier calls, and of when its effect begins.

use crate::errors::Errors;
use crate::messages;
use crate::model::{Hooks, Risk};
use crate::syntax::{Keyed, RawOptions};

fn only_reads(options: &RawOptions) -> bool {
    options.risk.as_ref().is_some_and(|risk| Risk::parse(&risk.value.value()) == Some(Risk::Read))
}

/// How repeats are treated, where that is said and not contradicted.
fn repeats_by(options: &RawOptions) -> Option<&'static str> {
    let mut given = ["idempotent", "once", "repeatable"].into_iter().filter(|word| options.gave(word));
    let first = given.next();
    first.filter(|_| given.next().is_none())
}

/// What it says about its earlier calls.
pub(super) fn check(options: &RawOptions, name: &str, errors: &mut Errors) -> Hooks {
    let keys = [
        options.verify.as_ref().map(|found| &found.key),
        options.reconcile.as_ref().map(|found| &found.key),
        options.settle.as_ref().map(|found| &found.key),
    ];
    if only_reads(options) {
        for key in keys.into_iter().flatten() {
            errors.at(key.span(), messages::repeat_on_read(key, name));
        }
        return Hooks::default();
    }
    let repeats = repeats_by(options);
    if let Some(Keyed { key, .. }) = &options.verify
        && repeats.is_some_and(|word| word != "idempotent")
    {
        errors.at(key.span(), messages::verify_idle(name));
    }
    if let Some(Keyed { key, .. }) = &options.reconcile
        && repeats.is_some_and(|word| word != "once")
    {
        errors.at(key.span(), messages::reconcile_idle(name));
    }
    if let Some(Keyed { key, .. }) = &options.settle
        && !options.gave("reconcile")
    {
        errors.at(key.span(), messages::settle_alone());
    }
    Hooks {
        verify: options.verify.as_ref().map(|found| found.value.clone()),
        reconcile: options.reconcile.as_ref().map(|found| found.value.clone()),
        settle: options.settle.as_ref().map(|found| found.value),
    }
}

/// Whether it says when its effect begins.
pub(super) fn marked(options: &RawOptions, name: &str, errors: &mut Errors) -> bool {
    let Some(Keyed { key, value }) = &options.effects else { return false };
    if value.value() != "marked" {
        errors.at(value.span(), messages::effects_unknown(value.value()));
    } else if only_reads(options) {
        errors.at(key.span(), messages::effects_on_read(name));
    }
    true
}
