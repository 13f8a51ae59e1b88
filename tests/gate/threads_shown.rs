//! Small inputs of public threads, continued: what providers are shown, and repairs that a host allows. The
//! first part is `threads.rs`.

use std::sync::Arc;

use toolgate::dialect::{Dialect, ToolsForModel};
use toolgate::serde_json::{Value, json};
use toolgate::spec::RegisteredTool;
use toolgate::{
    Capabilities, Code, DynamicTool, Gate, MemoryStore, Risk, SessionOptions, StaticToolset, Task, ToolCall, ToolError,
    tool, tool_type, toolset,
};

/// What is being worked on.
#[tool_type]
struct WorkingContext {
    /// A number.
    a: u32,
}

/// Who somebody is.
#[tool_type]
enum CharacterClass {
    /// Strong.
    Warrior,
    /// Wise.
    Wizard,
}

/// Where it goes.
#[tool_type]
enum Target {
    /// Everywhere.
    All,
    /// To one.
    One(String),
}

/// Saves what is being worked on.
#[tool(risk = "write", idempotent)]
fn save(
    /// It.
    working: WorkingContext,
) -> Result<u32, ToolError> {
    Ok(working.a)
}

/// Takes anything.
#[tool(risk = "read")]
fn anything(
    /// Any value.
    v: Value,
    /// Any values.
    l: Vec<Value>,
) -> Result<usize, ToolError> {
    drop(v);
    Ok(l.len())
}

/// Adds numbers of every size.
#[tool(risk = "read")]
fn sizes(
    /// Small.
    a: u32,
    /// Large.
    b: u64,
    /// As large as a pointer.
    c: usize,
) -> Result<u64, ToolError> {
    Ok(u64::from(a) + b + c as u64)
}

/// Makes somebody.
#[tool(risk = "write", once)]
fn create(
    /// The class of the character.
    class: CharacterClass,
    /// What it is called.
    name: Option<String>,
) -> Result<Option<String>, ToolError> {
    let _ = class;
    Ok(name)
}

/// Takes a choice.
#[tool(risk = "read")]
fn open(
    /// It.
    target: Target,
) -> Result<(), ToolError> {
    drop(target);
    Ok(())
}

/// Fetches pages.
#[tool(risk = "read", coerce = ["string-number", "double-encoded"])]
async fn crawl(
    /// Where to begin.
    #[arg(not_a_resource = "nothing is fetched here")]
    url: String,
    /// How deep.
    depth: Option<u32>,
) -> Result<String, ToolError> {
    Ok(format!("{url} {depth:?}"))
}

fn shown(set: StaticToolset, dialect: Dialect) -> (Vec<RegisteredTool>, Value) {
    let tools: Vec<RegisteredTool> = set.entries.iter().map(|entry| RegisteredTool::of_entry(entry).unwrap()).collect();
    let shown = ToolsForModel::new(dialect, &tools);
    assert!(shown.refused().is_empty(), "{dialect}: {:?}", shown.refused());
    let json = shown.to_json();
    (tools, json)
}

/// Every object in the JSON that is a schema's, and others; with its place.
fn walk(json: &Value, place: &str, see: &mut impl FnMut(&str, &Value)) {
    see(place, json);
    match json {
        Value::Object(members) => members.iter().for_each(|(name, value)| walk(value, &format!("{place}/{name}"), see)),
        Value::Array(items) => items.iter().for_each(|value| walk(value, place, see)),
        _ => {}
    }
}

/// The schema of a parameter, wherever the dialect has it.
fn parameter(json: &Value, name: &str) -> Value {
    let mut found = None;
    walk(json, "", &mut |place, value| {
        if place.ends_with(&format!("/properties/{name}")) {
            found = Some(value.clone());
        }
    });
    found.unwrap_or_else(|| panic!("no parameter `{name}` in {json}"))
}

async fn task(tools: StaticToolset) -> (Gate, Task) {
    let names: Vec<&str> = tools.entries.iter().map(|entry| entry.spec.name).collect();
    let may = Capabilities::none().allow_tools(names).allow_risks(Risk::ALL).permissions(["*"]);
    let gate = Gate::builder(Arc::new(MemoryStore::new().unwrap())).tools(tools).build().await.unwrap();
    let session = gate.session(SessionOptions::new("agent").user("ann").capabilities(may)).unwrap();
    (gate, session.task("demo", "T"))
}

/// `0xMassi/webclaw#58`.
#[tokio::test]
async fn n2_text_for_a_number_is_repaired_where_the_tool_allows_it_and_that_is_recorded() {
    let (gate, task) = task(toolset![crawl]).await;
    let result = task.call(ToolCall::new("crawl", r#"{"url":"a","depth":"1"}"#)).await;
    assert_eq!((result.code, result.data.clone().unwrap()), (Code::Ok, "a Some(1)".into()), "{result:?}");
    let record = gate.store().call(&result.call_id).await.unwrap().unwrap().record;
    assert_eq!(record.repairs.len(), 1, "{:?}", record.repairs);
    let never = task.call(ToolCall::new("crawl", r#"{"url":"a","depth":"one"}"#)).await;
    assert_eq!(never.code, Code::InvalidArgument, "{never:?}");
}

/// `GaloyMoney/drua#48`.
#[tokio::test]
async fn n6_arguments_written_as_a_text_are_read_where_the_tool_allows_it_and_that_is_recorded() {
    let (gate, task) = task(toolset![crawl]).await;
    let result = task.call(ToolCall::new("crawl", r#""{\"url\":\"a\"}""#)).await;
    assert_eq!((result.code, result.data.clone().unwrap()), (Code::Ok, "a None".into()), "{result:?}");
    let record = gate.store().call(&result.call_id).await.unwrap().unwrap().record;
    assert_eq!(record.repairs, ["double-encoded at the arguments"]);
}

/// `cyberlife-coder/VelesDB#1575`.
#[test]
fn n5_struct_is_a_plain_object_in_every_dialect() {
    for dialect in Dialect::ALL {
        let (_, json) = shown(toolset![save], *dialect);
        let working = parameter(&json, "working");
        assert!(
            working["type"].as_str().is_some_and(|kind| kind.eq_ignore_ascii_case("object")),
            "{dialect}: {working}"
        );
        assert!(working.get("$ref").is_none(), "{dialect}: {working}");
    }
}

/// `7xuanlu/wenlan#360`.
#[test]
fn n7_no_schema_is_a_boolean_in_what_providers_are_shown() {
    for dialect in Dialect::ALL {
        let (_, json) = shown(toolset![anything], *dialect);
        for name in ["v", "l"] {
            assert!(parameter(&json, name).is_object(), "{dialect}: {json}");
        }
        assert!(!parameter(&json, "l")["items"].is_boolean(), "{dialect}: {json}");
    }
}

/// `anomalyco/opencode#31002`.
#[test]
fn n8_no_format_of_unsigned_numbers_is_shown_and_their_least_value_is_kept() {
    for dialect in Dialect::ALL {
        let (_, json) = shown(toolset![sizes], *dialect);
        assert!(!json.to_string().contains("uint"), "{dialect}: {json}");
        for name in ["a", "b", "c"] {
            let number = parameter(&json, name);
            let told = number["minimum"] == 0 || number["description"].as_str().is_some_and(|text| text.contains('0'));
            assert!(told, "{dialect}: {number}");
        }
    }
}

/// `GREsau/schemars#473`.
#[test]
fn n9_description_of_a_parameter_stands_beside_no_reference() {
    for dialect in [Dialect::OpenAi, Dialect::OpenAiStrict] {
        let (_, json) = shown(toolset![create], dialect);
        let class = parameter(&json, "class");
        assert!(class.get("$ref").is_none(), "{dialect}: {class}");
        assert!(class["description"].as_str().unwrap().contains("The class of the character"), "{dialect}: {class}");
        walk(&json, "", &mut |place, value| {
            let siblings = value.as_object().is_some_and(|members| members.contains_key("$ref") && members.len() > 1);
            assert!(!siblings, "{dialect}: {place} in {json}");
        });
    }
}

/// `vinhnx/VTCode#710`.
#[test]
fn n10_root_of_a_tool_with_a_choice_is_an_object_in_every_dialect() {
    for dialect in Dialect::ALL {
        let (tools, _) = shown(toolset![open], *dialect);
        let schema: Value = toolgate::serde_json::from_str(&dialect.schema(&tools[0].contract).unwrap().text).unwrap();
        assert!(schema["type"].as_str().is_some_and(|kind| kind.eq_ignore_ascii_case("object")), "{dialect}: {schema}");
        for word in ["oneOf", "anyOf", "allOf"] {
            assert!(schema.get(word).is_none(), "{dialect}: {schema}");
        }
    }
}

/// `MikkoParkkola/nab#61`.
#[test]
fn n17_optional_text_has_no_nullable_outside_of_gemini() {
    for dialect in Dialect::ALL.iter().filter(|dialect| **dialect != Dialect::Gemini) {
        let (_, json) = shown(toolset![create], *dialect);
        walk(&json, "", &mut |place, value| assert!(value.get("nullable").is_none(), "{dialect}: {place} in {json}"));
    }
}

/// `openai/codex#15519`.
#[test]
fn n18_tool_of_which_nothing_is_known_is_shown_as_destructive() {
    let tool = DynamicTool::new("do_it", "Does it.", json!({"type": "object"}));
    let tool = tool.handler(|_context, _arguments| async { Ok(json!(null)) }).unwrap();
    let shown = ToolsForModel::new(Dialect::Mcp, [&tool]).to_json();
    let hints = &shown[0]["annotations"];
    assert_eq!((&hints["destructiveHint"], &hints["readOnlyHint"]), (&json!(true), &json!(false)), "{shown}");
}

/// `openai/codex#8174`.
#[test]
fn n20_name_with_a_dot_is_mapped_for_providers_that_refuse_it_and_found_again() {
    let tool = DynamicTool::new("calendar.respondToEvent", "Answers.", json!({"type": "object"}));
    let Ok(tool) = tool.reads().handler(|_context, _arguments| async { Ok(json!(null)) }) else {
        panic!("a name that MCP allows is a tool's name");
    };
    let mcp = ToolsForModel::new(Dialect::Mcp, [&tool]);
    assert_eq!(mcp.tools()[0].name, "calendar.respondToEvent");
    let openai = ToolsForModel::new(Dialect::OpenAi, [&tool]);
    let name = &openai.tools()[0].name;
    assert!(name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'), "{name}");
    assert_eq!(openai.named(name).unwrap().tool, "calendar.respondToEvent");
}
