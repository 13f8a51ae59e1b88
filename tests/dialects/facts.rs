//! Tools as hosts have them: with risks, confirmations, results and a long description.

use toolgate::{ToolError, tool, tool_type, toolset};

/// How a service is.
#[tool_type]
#[derive(Debug)]
pub(crate) struct Status {
    /// Its name.
    service: String,
    /// Requests in a second.
    #[arg(range = 0.0..=100_000.0)]
    load: f64,
    /// What opens it.
    #[arg(sensitive)]
    key: Option<String>,
}

/// Says how a service is.
#[tool(risk = "read", title = "Look")]
fn look(
    /// The service
    #[arg(pattern = "^[a-z-]+$", max_length = 40, example = "orders")]
    service: String,
) -> Result<Status, ToolError> {
    Ok(Status { service, load: 0.5, key: None })
}

/// Lists all services.
#[tool(risk = "read")]
fn list_services() -> Result<Vec<String>, ToolError> {
    Ok(vec!["orders".to_owned()])
}

/// Restarts a service.
#[tool(
    risk = "dangerous",
    idempotent,
    confirm = "Restart {service}?",
    precondition(tool = look, when = "prior.service == args.service")
)]
fn restart(
    /// The service.
    service: String,
    /// How long to wait for it
    #[arg(range = 1..=600, default = 30)]
    seconds: u32,
    /// How often to try.
    attempts: Option<u8>,
    /// Why.
    #[arg(reason, max_length = 200)]
    why: String,
) -> Result<String, ToolError> {
    let _ = (seconds, attempts, why);
    Ok(service)
}

/// Sends a message.
#[tool(risk = "external", once, confirm = "Send it to {to}?")]
fn send(
    /// Who gets it.
    #[arg(one_of = ["ops", "sales"])]
    to: String,
    /// Lines of it
    #[arg(min_items = 1, max_items = 20)]
    lines: Vec<String>,
) -> Result<(), ToolError> {
    let _ = (to, lines);
    Ok(())
}

/// Keeps a note, and this text is long on purpose: the description of a function may have 1,024 characters in one
/// of the dialects, and what is beyond them has to stand somewhere else. A note is a short text about one thing, such
/// as a service, a person or a day. It has a name, by which it is found again, and words, by which it is sorted. Names
/// are short and plain. Words are few. A note that is kept under a name that there is already takes the place of the
/// older one; nothing of the older one is left, so look at it first if it may matter to somebody. Notes are seen by all
/// agents of the desk and by the people who work at it. They are not for secrets, and not for what belongs into a
/// ticket: who wants something done opens one there, with a date, a person and a reason. Old notes are thrown away
/// after a year, on the first of the month, in the night; who wants to keep one for longer says so in the note, in its
/// first line, with the date until which it is kept. A note may be up to ten thousand characters long, but should not
/// be: long texts belong into the handbook, with a link to them in the note.
#[tool(risk = "write", idempotent)]
fn keep_note(
    /// Its name.
    name: String,
    /// Its text.
    text: String,
    /// Its words.
    words: Option<Vec<String>>,
) -> Result<u32, ToolError> {
    let _ = (name, words);
    Ok(u32::try_from(text.len()).unwrap_or(u32::MAX))
}

toolset! { pub(crate) static TOOLS = [look, list_services, restart, send, keep_note]; }
