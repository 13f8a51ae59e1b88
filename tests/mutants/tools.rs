//! The tools that the mutants call: made by the macro and declared at run time, on paths and on
//! nested types. Each tells the arguments that it was entered with.

use serde_json::{Value, json};
use toolgate::spec::{RegisteredTool, Repeat};
use toolgate::{DirPath, DynamicTool, ReadPath, ToolError, WritePath, tool, tool_type, toolset};

/// How urgent it is.
#[tool_type]
#[derive(Clone, Copy)]
pub(crate) enum Priority {
    /// It can wait.
    Low,
    /// It can't.
    Urgent,
}

/// Where somebody lives.
#[tool_type]
pub(crate) struct Address {
    /// Street and number.
    #[arg(max_length = 60)]
    street: String,
    /// Postal code.
    #[arg(pattern = "^[0-9]{5}$")]
    code: Option<String>,
    #[arg(default = "XX")]
    /// The land.
    land: String,
}

/// Whom it reaches.
#[tool_type]
pub(crate) enum Target {
    /// Everybody.
    All,
    /// One.
    One(String),
    /// Some of them.
    Some {
        /// Who.
        names: Vec<String>,
        #[arg(range = 1..)]
        /// The limit.
        limit: Option<u32>,
    },
}

/// A part with parts.
#[tool_type]
pub(crate) struct Part {
    /// What it is called.
    #[arg(max_length = 20)]
    name: String,
    /// The parts.
    parts: Vec<Part>,
}

/// What was entered.
#[tool_type(result)]
pub(crate) struct Ticket {
    title: String,
    priority: Priority,
    tags: Vec<String>,
    address: Option<Address>,
    target: Target,
    part: Part,
    count: u32,
    ratio: f64,
}

/// Opens a ticket.
#[tool(risk = "write", once, result_limit = 200_000)]
#[expect(clippy::too_many_arguments, reason = "one of each kind")]
pub(crate) async fn open_ticket(
    /// What it is about.
    #[arg(min_length = 1, max_length = 80)]
    title: String,
    /// How urgent.
    priority: Priority,
    /// Words to find it by.
    #[arg(max_items = 5)]
    tags: Vec<String>,
    /// Where.
    address: Option<Address>,
    /// For whom.
    target: Target,
    /// Of what.
    part: Part,
    /// How many.
    #[arg(range = 0..=1000, default = 3)]
    count: u32,
    /// How much of it.
    ratio: f64,
) -> Result<Ticket, ToolError> {
    Ok(Ticket { title, priority, tags, address, target, part, count, ratio })
}

/// A file that was touched.
#[tool_type(result)]
pub(crate) struct Touched {
    path: String,
    text: Option<String>,
}

/// Reads a text.
#[tool(risk = "read")]
pub(crate) fn read_text(
    /// Which.
    path: ReadPath,
) -> Result<Touched, ToolError> {
    path.read_to_string()?;
    Ok(Touched { path: path.relative().to_owned(), text: None })
}

/// Writes a text.
#[tool(risk = "write", idempotent, result_limit = 200_000)]
pub(crate) fn write_text(
    /// Where.
    path: WritePath,
    /// What.
    text: String,
) -> Result<Touched, ToolError> {
    path.write(&text)?;
    Ok(Touched { path: path.relative().to_owned(), text: Some(text) })
}

/// Lists a folder.
#[tool(risk = "read")]
pub(crate) fn list_folder(
    /// Which.
    path: DirPath,
) -> Result<Touched, ToolError> {
    path.entries()?;
    Ok(Touched { path: path.relative().to_owned(), text: None })
}

toolset! { pub(crate) static TOOLS = [open_ticket, read_text, write_text, list_folder]; }

/// A tool of somebody else's schema.
pub(crate) fn plan() -> RegisteredTool {
    let schema = json!({
        "type": "object",
        "$defs": {"step": {"type": "object", "properties": {
            "do": {"enum": ["look", "wait", 3]},
            "then": {"anyOf": [{"$ref": "#/$defs/step"}, {"type": "null"}]},
        }, "required": ["do"]}},
        "properties": {
            "first": {"$ref": "#/$defs/step"},
            "at": {"type": "string", "pattern": "^[a-z]+(-[a-z]+)*$", "maxLength": 40},
            "every": {"type": ["integer", "string"], "minimum": 1, "maximum": 60},
            "weights": {"type": "array", "items": {"type": "number", "exclusiveMinimum": 0}, "minItems": 1},
            "labels": {"type": "object", "additionalProperties": {"type": "string"}},
            "dry": {"type": "boolean", "default": true},
        },
        "required": ["first", "weights"],
    });
    DynamicTool::new("plan", "Plans.", schema)
        .writes(Repeat::Repeatable("each plan is another one"))
        .result_limit(200_000)
        .handler(|_, arguments| async move { Ok(arguments) })
        .unwrap()
}

/// A valid call of each tool, by name.
pub(crate) fn seeds() -> Vec<(&'static str, Value)> {
    vec![
        (
            "open_ticket",
            json!({"title": "the door", "priority": "urgent", "tags": ["door", "lock"], "ratio": 0.5, "count": 7,
                "address": {"street": "High Street 1", "code": "01234"}, "target": {"some": {"names": ["ann"], "limit": 2}},
                "part": {"name": "door", "parts": [{"name": "lock", "parts": []}, {"name": "key", "parts": []}]}}),
        ),
        (
            "open_ticket",
            json!({"title": "x", "priority": "low", "tags": [], "ratio": 1, "target": "all",
                "part": {"name": "", "parts": []}}),
        ),
        ("read_text", json!({"path": "notes.txt"})),
        ("read_text", json!({"path": "deep/leaf.txt"})),
        ("write_text", json!({"path": "out.txt", "text": "a line\n"})),
        ("list_folder", json!({"path": "deep"})),
        (
            "plan",
            json!({"first": {"do": "look", "then": {"do": 3, "then": null}}, "at": "the-gate", "every": 5,
                "weights": [1, 0.25], "labels": {"a": "b"}}),
        ),
        ("plan", json!({"first": {"do": "wait"}, "weights": [2], "every": "day", "dry": false})),
    ]
}
