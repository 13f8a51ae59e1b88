//! The transcript for people: each call, what each stage said, what came back. Everything a model wrote is
//! escaped, so that it can't draw on the terminal.

use std::fmt::Write as _;

use toolgate::store::{CallRecord, TicketRecord};
use toolgate::{Stage, ToolResult};
use toolgate_cli::visible;

use super::event::{Answered, Event};

/// Characters of a text before it is folded, and of what is then shown of its two ends.
const FOLD_AT: usize = 600;
const HEAD: usize = 400;
const TAIL: usize = 160;

/// The stages in order.
const STAGES: [Stage; 9] = [
    Stage::Parse,
    Stage::Contract,
    Stage::Policy,
    Stage::Recall,
    Stage::Precondition,
    Stage::Confirmation,
    Stage::Claim,
    Stage::Execute,
    Stage::Clip,
];

/// How text is set.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Page {
    colours: bool,
}

#[derive(Debug, Clone, Copy)]
enum Ink {
    Bold,
    Dim,
    Green,
    Yellow,
    Red,
}

impl Page {
    pub(crate) fn new(colours: bool) -> Self {
        Self { colours }
    }

    fn ink(self, ink: Ink, text: &str) -> String {
        let code = match ink {
            Ink::Bold => "1",
            Ink::Dim => "2",
            Ink::Green => "32",
            Ink::Yellow => "33",
            Ink::Red => "31",
        };
        if self.colours { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }

    /// The text of one event.
    pub(crate) fn of(self, event: &Event<'_>) -> String {
        match event {
            Event::Begin(places) => places.iter().fold(String::new(), |mut text, (name, path)| {
                let _ = writeln!(text, "{name}: {}", path.display());
                text
            }),
            Event::Note(text) => format!("\n{}\n", self.ink(Ink::Bold, &format!("== {} ==", show_text(text)))),
            Event::User(text) => format!("\nuser: {}\n", show_text(text)),
            Event::Said(text) => format!("\nmodel: {}\n", show_text(text)),
            Event::Task(task) => {
                let tools: Vec<&str> = task.tools().iter().map(|tool| tool.spec.name).collect();
                format!("host: goes on as `{}`; the model sees {}\n", task.task_type(), tools.join(", "))
            }
            Event::Call(answered) => self.call(answered),
            Event::Decided(ticket) => self.decided(ticket),
            Event::Resumed { by, stops } => {
                format!("\n{}: lets the task go on ({stops} stop ended)\n", self.ink(Ink::Bold, &show_text(by)))
            }
            Event::Alert(alert) => {
                let text = alert.operator.as_deref().unwrap_or(&alert.message);
                let line = format!("ALERT: {} in {}: {}", alert.tool, alert.task, show_text(text));
                format!("    {}\n", self.ink(Ink::Red, &line))
            }
            // The table itself is the command's.
            Event::Audit(_) => format!("\n{}\n", self.ink(Ink::Bold, "== The audit trail ==")),
            Event::End { calls, surprises, fate } => self.end(*calls, surprises, fate.as_deref()),
        }
    }

    fn call(self, answered: &Answered<'_>) -> String {
        let Answered { number, tool, arguments, resumed, result, record } = answered;
        let given = match arguments {
            Some(arguments) => show_text(arguments),
            None if *resumed => "goes on with the stored arguments".to_owned(),
            None => "without arguments".to_owned(),
        };
        let mut text = format!("\n[{number}] {} {given}\n", self.ink(Ink::Bold, &show_text(tool)));
        let passed = self.passed(result.stage, *record);
        if !passed.is_empty() {
            let _ = writeln!(text, "    {}", self.ink(Ink::Dim, &passed));
        }
        let _ = writeln!(text, "    {}", self.answer(result));
        for line in result.message.lines() {
            let _ = writeln!(text, "    {}", show_text(line));
        }
        if let Some(data) = &result.data {
            let _ = writeln!(text, "    = {}", show_text(&data.to_string()));
        }
        text
    }

    /// What the stages before the last one said.
    fn passed(self, last: Stage, record: Option<&CallRecord>) -> String {
        let before = STAGES.iter().take_while(|stage| **stage != last);
        before.map(|stage| said(*stage, record)).collect::<Vec<_>>().join(" > ")
    }

    fn answer(self, result: &ToolResult) -> String {
        let ink = match (result.ok, result.retryable) {
            (true, _) => Ink::Green,
            (false, true) => Ink::Yellow,
            (false, false) => Ink::Red,
        };
        let rule = result.details.get("rule").and_then(|rule| rule.as_str()).filter(|rule| !rule.is_empty());
        let rule = rule.map(|rule| format!(" ({rule})")).unwrap_or_default();
        format!("{}: {}{rule}, effect {}", result.stage, self.ink(ink, result.code.as_str()), result.effect.as_str())
    }

    /// What the person saw, and what they said.
    fn decided(self, ticket: &TicketRecord) -> String {
        let by = ticket.decided_by.as_deref().map(show_text).unwrap_or_default();
        let mut text = format!("\n{} reads at another terminal:\n", self.ink(Ink::Bold, &by));
        let view = &ticket.view;
        let parts = [
            ("what", Some(&view.what)),
            ("why", view.why.as_ref()),
            ("impact", view.impact.as_ref()),
            ("instead", view.alternatives.as_ref()),
        ];
        let parts = parts.into_iter().filter_map(|(name, text)| text.map(|text| format!("{name}: {text}")));
        for line in parts.chain(view.arguments.iter().cloned()) {
            let _ = writeln!(text, "    | {line}");
        }
        let comment = ticket.comment.as_deref().map(|comment| format!(": {}", show_text(comment))).unwrap_or_default();
        let _ = writeln!(text, "    {}{comment}", self.ink(Ink::Bold, ticket.state.as_str()));
        text
    }

    fn end(self, calls: usize, surprises: &[String], fate: Option<&str>) -> String {
        let mut text = match surprises {
            [] => format!("\n{}\n", self.ink(Ink::Green, &format!("{calls} calls, all as recorded"))),
            all => format!("\n{}\n", self.ink(Ink::Red, &format!("{calls} calls, {} not as recorded", all.len()))),
        };
        if let Some(fate) = fate {
            let _ = writeln!(text, "{fate}");
        }
        text
    }
}

/// A text on one line, escaped. What this transcript leaves out is marked as its own doing: the gate's cuts are in the
/// text, and the model reads them, too.
fn show_text(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let hidden = letters.len().saturating_sub(HEAD + TAIL);
    if letters.len() <= FOLD_AT {
        return visible(text);
    }
    let head: String = letters.iter().take(HEAD).collect();
    let tail: String = letters.iter().skip(HEAD + hidden).collect();
    format!("{} <<{hidden} more characters, see --json>> {}", visible(&head), visible(&tail))
}

/// What a passed stage said, as far as the record tells.
fn said(stage: Stage, record: Option<&CallRecord>) -> String {
    let said = record.map_or_else(String::new, |record| match stage {
        Stage::Policy => record.policy.as_ref().map(|policy| policy.decision.clone()).unwrap_or_default(),
        Stage::Precondition if record.preconditions.is_empty() => "none".to_owned(),
        Stage::Precondition => {
            let seen: Vec<&str> = record.preconditions.iter().map(|seen| seen.tool.as_str()).collect();
            format!("saw {}", seen.join(", "))
        }
        Stage::Confirmation => match &record.ticket {
            None => "not needed".to_owned(),
            Some(ticket) => format!("yes by {}", ticket.by.as_deref().map(show_text).unwrap_or_default()),
        },
        _ => String::new(),
    });
    format!("{stage} {}", if said.is_empty() { "ok" } else { &said })
}
