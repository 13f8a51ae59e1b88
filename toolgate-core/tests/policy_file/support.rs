//! The tools that the files of these tests are about.

use serde_json::json;
use toolgate_core::policy::file::{LoadError, PolicyFile};
use toolgate_core::spec::{DynamicTool, Repeat, Risk, Toolset};
use toolgate_core::tool::ToolError;

/// `look` reads, `scale` writes, `wipe` is dangerous and asks.
pub(crate) fn tools() -> Toolset {
    let service = json!({"type": "string", "minLength": 1, "maxLength": 40});
    let look = DynamicTool::new(
        "look",
        "Looks.",
        json!({"type": "object", "additionalProperties": false,
        "properties": {"service": service}, "required": ["service"]}),
    )
    .reads()
    .permissions(["read:service"]);
    let scale = DynamicTool::new(
        "scale",
        "Scales.",
        json!({"type": "object", "additionalProperties": false,
        "properties": {
            "service": service,
            "count": {"type": "integer", "minimum": 0, "maximum": 100},
            "zone": {"type": "string", "enum": ["east", "west"]},
            "to": {"type": "array", "maxItems": 5, "items": {"type": "object", "additionalProperties": false,
                "properties": {"id": {"type": "integer", "minimum": 0, "maximum": 9}, "on": {"type": "boolean"}},
                "required": ["id"]}},
        }, "required": ["service", "count"]}),
    )
    .risk(Risk::Write, Repeat::Idempotent)
    .unconfirmed("a policy says who is asked")
    .permissions(["write:service"]);
    let wipe = DynamicTool::new("wipe", "Wipes.", json!({"type": "object", "additionalProperties": false}))
        .risk(Risk::Dangerous, Repeat::Once)
        .confirm("Wipe everything.");
    let ready = [look, scale, wipe].map(|tool| tool.handler(|_, _| async { Ok::<_, ToolError>(json!(true)) }).unwrap());
    Toolset::new([], ready).unwrap()
}

/// What the file says, which these tools fit.
pub(crate) fn file(text: &str) -> PolicyFile {
    let file = PolicyFile::parse(text).unwrap_or_else(|error| panic!("{error}"));
    file.check_against(&tools()).unwrap_or_else(|error| panic!("{error}"));
    file
}

/// What is wrong with the text, by itself or with these tools.
pub(crate) fn wrong(text: &str) -> LoadError {
    match PolicyFile::parse(text) {
        Err(error) => error,
        Ok(file) => file.check_against(&tools()).expect_err(text),
    }
}
