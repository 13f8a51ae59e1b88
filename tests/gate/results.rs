//! Results of annotated functions against their types: what serde writes is what schemars says, and a
//! test can ask for it. Not here: declared schemas; the core's own tests.

use std::collections::BTreeMap;
use std::sync::Arc;

use toolgate::{
    Capabilities, Code, Gate, MemoryStore, Risk, SessionOptions, Store, ToolCall, ToolError, ToolResult, schemars,
    serde, tool, tool_type, toolset,
};
use toolgate_testing::assert_results_declared;

#[derive(serde::Serialize, schemars::JsonSchema)]
#[serde(crate = "toolgate::serde")]
#[schemars(crate = "toolgate::schemars")]
struct Journal {
    lines: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    level: Level,
    #[serde(flatten)]
    more: BTreeMap<String, u64>,
}

#[derive(serde::Serialize, schemars::JsonSchema)]
#[serde(crate = "toolgate::serde", tag = "kind")]
#[schemars(crate = "toolgate::schemars")]
enum Level {
    Plain { of: f64 },
}

#[derive(schemars::JsonSchema)]
#[schemars(crate = "toolgate::schemars")]
#[expect(dead_code, reason = "it is told otherwise")]
struct Odd {
    count: u32,
}

impl serde::Serialize for Odd {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str("secretly a text")
    }
}

/// At most ten.
#[tool_type(range = 0..=10)]
struct Small(u32);

/// Reads the journal.
#[tool(risk = "read")]
fn journal(
    /// How its level is.
    level: f64,
) -> Result<Journal, ToolError> {
    let more = BTreeMap::from([("bytes".to_owned(), 7)]);
    Ok(Journal { lines: vec!["x".repeat(20); 2_000], note: None, level: Level::Plain { of: level }, more })
}

/// Reads maps.
#[tool(risk = "read")]
fn maps() -> Result<BTreeMap<String, Option<u8>>, ToolError> {
    Ok((0..3_000_u32).map(|number| (number.to_string(), u8::try_from(number).ok())).collect())
}

/// Counts.
#[tool(risk = "write", once)]
fn count() -> Result<Odd, ToolError> {
    Ok(Odd { count: 1 })
}

/// Says how small.
#[tool(risk = "read")]
fn small() -> Result<Small, ToolError> {
    Ok(Small(11))
}

async fn call(store: &Arc<dyn Store>, tool: &str, arguments: &str) -> ToolResult {
    let builder = Gate::builder(Arc::clone(store)).tools(toolset![journal, maps, count, small]);
    let may = Capabilities::none()
        .allow_tools(["journal", "maps", "count", "small"])
        .allow_risks(Risk::ALL)
        .permissions(["*"]);
    let gate = builder.build().await.unwrap();
    let task = gate.session(SessionOptions::new("agent").capabilities(may)).unwrap().task("demo", "T");
    task.call(ToolCall::new(tool, arguments)).await
}

fn store() -> Arc<dyn Store> {
    Arc::new(MemoryStore::new().unwrap())
}

#[tokio::test]
async fn what_serde_writes_is_what_schemars_says() {
    let store = store();
    for (tool, arguments) in [("journal", r#"{"level":1.5}"#), ("maps", "{}")] {
        let result = call(&store, tool, arguments).await;
        assert_eq!((result.code, result.rule()), (Code::Ok, None), "{result:?}");
    }
    assert_results_declared(&*store).await;
}

#[tokio::test]
async fn a_type_whose_derives_disagree_and_one_past_its_bounds_are_found() {
    let store = store();
    for (tool, told) in [
        ("count", "the result isn't what the tool declares; the result: expected an object, got a string"),
        ("small", "the result isn't what the tool declares; the result: expected an integer from 0 to 10"),
    ] {
        let result = call(&store, tool, "{}").await;
        assert_eq!((result.code, result.rule()), (Code::Ok, Some("execute.undeclared")), "{result:?}");
        let record = store.call(&result.call_id).await.unwrap().unwrap().record;
        assert_eq!(record.operator.as_deref(), Some(told));
    }
}

#[tokio::test]
#[should_panic(expected = "1 results are not what their tools declare")]
async fn a_test_that_asks_is_told() {
    let store = store();
    drop(call(&store, "count", "{}").await);
    assert_results_declared(&*store).await;
}
