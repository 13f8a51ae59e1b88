//! What a person is shown who is asked, made from the arguments that will be executed. Not who is asked, and not when.

use std::fmt::Write as _;

use serde_json::Value;

use super::GateInner;
use super::answer::Answer;
use super::confirmation::unavailable_text;
use super::contract::Checked;
use super::policy::Permit;
use super::put_back::{Planned, Undoing};
use super::taint::shown_origin;
use super::trail::Trail;
use crate::approval::{MAX_VIEW, Template, show_said, show_value};
use crate::call::{Code, Stage};
use crate::clock::format_time;
use crate::redact::{MASK, Redactor};
use crate::spec::Confirm;
use crate::store::{CallRecord, TicketView};
use crate::tool::push_pointer;
use crate::undo::State;

impl GateInner {
    /// What the person sees, made from the arguments that will be executed.
    pub(super) fn view(&self, trail: &Trail, checked: &Checked, permit: &Permit) -> Result<TicketView, Answer> {
        if let Some(undoing) = &checked.undoes {
            return within_size(undo_view(trail, checked, permit, undoing));
        }
        let spec = checked.tool.spec;
        let mut shown = checked.value();
        Redactor::mask_pointers(&mut shown, &checked.tool.sensitive);
        self.redactor.mask_known(&mut shown);
        let what = match spec.confirm {
            Confirm::Ask(text) => match Template::parse(text, &checked.tool.contract) {
                Ok(template) => template.fill(&shown),
                Err(error) => return Err(unavailable_text(&error)),
            },
            Confirm::Unconfirmed(_) | Confirm::NotNeeded => format!("Call {}.", spec.name),
        };
        let line = |name: &str| {
            let value = shown.get(name).unwrap_or(&Value::Null);
            let masked = matches!(value, Value::String(text) if text == MASK);
            let value = if masked { MASK.to_owned() } else { show_value(value) };
            std::iter::once(format!("{} = {value}", show_said(name)))
                .chain(led_elsewhere(permit, name))
                .chain(shown_origin(&permit.origins, name))
        };
        let reason = checked.tool.contract.reason();
        let names = checked.tool.contract.names().filter(|name| Some(*name) != reason && shown.get(*name).is_some());
        within_size(TicketView {
            what,
            why: trail.record.reason.as_deref().map(show_said),
            impact: spec.impact.map(str::to_owned),
            alternatives: spec.alternatives.map(str::to_owned),
            arguments: names.flat_map(line).collect(),
            risk: spec.risk.as_str().to_owned(),
            policy_reason: permit.ask.as_deref().map(show_said),
            called_by: None,
        })
    }
}

/// What can't be shown whole is refused.
fn within_size(view: TicketView) -> Result<TicketView, Answer> {
    let said = [&view.why, &view.policy_reason].into_iter().flatten();
    let size = view.what.len() + view.arguments.iter().chain(said).map(String::len).sum::<usize>();
    if size > MAX_VIEW {
        let message = "the call is too large to be shown to a person whole; nothing was done. Make it smaller";
        return Err(
            Answer::refuse(Code::PermissionDenied, Stage::Confirmation, "confirm.too_large", message).retryable()
        );
    }
    Ok(view)
}

/// Where the paths of an argument lead, each on its line, where links make that another place.
fn led_elsewhere<'p>(permit: &'p Permit, name: &str) -> impl Iterator<Item = String> + use<'p> {
    let mut whole = String::new();
    push_pointer(&mut whole, name);
    let inside = format!("{whole}/");
    let of_it = move |pointer: &str| pointer == whole || pointer.starts_with(&inside);
    let led = permit.paths.iter().filter(move |path| of_it(&path.pointer));
    led.filter(|path| path.pin.resolved != path.text.relative()).map(|path| {
        let pointer = show_said(&path.pointer);
        format!("{pointer} really is {}", show_value(&Value::from(path.pin.resolved.as_str())))
    })
}

fn told(state: &State) -> String {
    match state {
        State::Absent => "nothing".to_owned(),
        State::Folder { .. } => "a folder".to_owned(),
        State::Lost { why } => why.clone(),
        State::File { digest, size, mode } => {
            let digest: String = digest.chars().take(12).collect();
            format!("{size} bytes, mode {mode:03o}, digest {digest}")
        }
    }
}

/// The same, of an undoing.
fn undo_view(trail: &Trail, checked: &Checked, permit: &Permit, undoing: &Undoing) -> TicketView {
    let CallRecord { call_id, tool, .. } = &undoing.of;
    let at = format_time(undoing.of.started_ms.unwrap_or(undoing.of.received_ms));
    let mut what = format!("Undo {} of {}", show_said(call_id), show_said(tool));
    // Writing to a `String` can't fail.
    let _ = write!(what, ", made at {at}.");
    let line = |planned: &Planned| {
        let path = show_value(&Value::from(planned.path.as_str()));
        format!("{path} is {}: now {}, then {}", planned.word(), told(&planned.now), told(&planned.then))
    };
    TicketView {
        what,
        why: trail.record.reason.as_deref().map(show_said),
        impact: None,
        alternatives: None,
        arguments: undoing.planned().iter().map(line).collect(),
        risk: checked.tool.spec.risk.as_str().to_owned(),
        policy_reason: permit.ask.as_deref().map(show_said),
        called_by: None,
    }
}
