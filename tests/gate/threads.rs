//! Small inputs that other people's tools met, from public threads: each with the outcome it should have
//! had. A test is named by its number in the collection and by what happens; the thread is above it.

use std::sync::Arc;
use std::time::Duration;

use toolgate::spec::RegisteredTool;
use toolgate::{
    Capabilities, Code, Effect, Gate, MemoryStore, Risk, SessionOptions, Task, ToolCall, ToolError, ToolResult,
    serde_json, tool, tool_type, toolset,
};

use super::support::{Bench, KINDS, Watch, World};

/// Finds what belongs to a name.
#[tool(risk = "read")]
fn sem_context(
    /// Where to look.
    #[arg(not_a_resource = "a key of the index")]
    file_path: String,
    /// Whose context.
    entity_name: String,
    /// At most so many tokens.
    token_budget: Option<u32>,
    #[state] world: &World,
) -> Result<String, ToolError> {
    world.act(format!("{file_path} {entity_name} {token_budget:?}"));
    Ok("found".to_owned())
}

/// Fetches pages.
#[tool(risk = "read")]
async fn crawl(
    /// Where to begin.
    #[arg(not_a_resource = "nothing is fetched here")]
    url: String,
    /// How deep.
    depth: Option<u32>,
    /// At most so many.
    max_results: Option<usize>,
    #[state] world: &World,
) -> Result<String, ToolError> {
    world.act(url);
    Ok(format!("{depth:?} {max_results:?}"))
}

/// Counts, from one to the other.
#[tool(risk = "read")]
fn count(
    /// From.
    from: Option<u32>,
    /// To.
    to: Option<String>,
) -> Result<String, ToolError> {
    Ok(format!("{from:?} {to:?}"))
}

/// What is being worked on.
#[tool_type]
struct WorkingContext {
    /// A number.
    a: u32,
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
    #[state] world: &World,
) -> Result<u32, ToolError> {
    world.act("save");
    Ok(working.a)
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

/// Takes a list.
#[tool(risk = "read")]
fn listed(
    /// It.
    numbers: Vec<i32>,
) -> Result<usize, ToolError> {
    Ok(numbers.len())
}

/// Takes a choice.
#[tool(risk = "read")]
fn open(
    /// It.
    target: Target,
) -> Result<String, ToolError> {
    Ok(match target {
        Target::All => "all".to_owned(),
        Target::One(name) => name,
    })
}

/// Breaks.
#[tool(risk = "read")]
fn breaks() -> Result<(), ToolError> {
    panic!("/home/x/secret.txt")
}

/// Pays money back.
#[tool(risk = "write", once)]
async fn refund(
    /// The order.
    order_id: u64,
    /// How much.
    amount: u32,
    #[state] world: &World,
) -> Result<String, ToolError> {
    world.act(format!("refund {order_id} {amount}"));
    Ok(format!("refunded {amount}"))
}

/// Deletes a note.
#[tool(risk = "dangerous", once, confirm = "Delete {path}?", timeout = 5)]
async fn delete_file(
    /// Which.
    #[arg(not_a_resource = "the name of a note")]
    path: String,
    /// Also where it is in use.
    force: bool,
    #[state] world: &World,
) -> Result<(), ToolError> {
    world.act(format!("delete {path} {force}"));
    Ok(())
}

/// Sets limits.
#[tool(risk = "external", idempotent, confirm = "Set {values}?")]
async fn set_limits(
    /// Of all of them.
    #[arg(max_items = 3)]
    values: Vec<u32>,
    #[state] world: &World,
) -> Result<usize, ToolError> {
    world.act("set");
    Ok(values.len())
}

/// Looks things up with a key.
#[tool(risk = "read")]
fn look_up(
    /// The key.
    #[arg(sensitive)]
    api_key: String,
    /// What.
    what: u8,
) -> Result<u8, ToolError> {
    drop(api_key);
    Ok(what)
}

/// Is in no toolset.
#[tool(risk = "read")]
fn unlisted() -> Result<(), ToolError> {
    Ok(())
}

const NAMES: [&str; 12] = [
    "sem_context",
    "crawl",
    "count",
    "save",
    "sizes",
    "listed",
    "open",
    "breaks",
    "refund",
    "delete_file",
    "set_limits",
    "look_up",
];

struct Desk {
    gate: Gate,
    task: Task,
    world: World,
}

impl Desk {
    async fn new() -> Self {
        let (store, world) = (Arc::new(MemoryStore::new().unwrap()), World::default());
        let tools = toolset![
            sem_context,
            crawl,
            count,
            save,
            sizes,
            listed,
            open,
            breaks,
            refund,
            delete_file,
            set_limits,
            look_up,
        ];
        let gate = Gate::builder(store).tools(tools).state(world.clone()).build().await.unwrap();
        let may = Capabilities::none().allow_tools(NAMES).allow_risks(Risk::ALL).permissions(["*"]);
        let task = gate.session(SessionOptions::new("agent").user("ann").capabilities(may)).unwrap().task("demo", "T");
        Self { gate, task, world }
    }

    async fn call(&self, tool: &str, arguments: &str) -> ToolResult {
        self.task.call(ToolCall::new(tool, arguments)).await
    }

    fn tool(&self, name: &str) -> Arc<RegisteredTool> {
        self.task.tools().into_iter().find(|tool| tool.spec.name == name).unwrap()
    }

    fn schema(&self, name: &str) -> serde_json::Value {
        serde_json::from_str(&self.tool(name).schema).unwrap()
    }
}

/// `Ataraxy-Labs/sem#202`.
#[tokio::test]
async fn n1_misspelt_argument_is_refused_with_the_right_name_and_nothing_runs() {
    let desk = Desk::new().await;
    let result = desk.call("sem_context", r#"{"file_path":"a.py","entity_name":"common","tokenBudget":1}"#).await;
    assert_eq!((result.code, result.rule()), (Code::InvalidArgument, Some("schema.additional")), "{result:?}");
    assert!(result.message.contains("/tokenBudget") && result.message.contains("token_budget"), "{result:?}");
    assert_eq!((desk.world.effects(), result.effect), (0, Effect::None));
}

/// `0xMassi/webclaw#58`.
#[tokio::test]
async fn n2_text_for_an_optional_number_is_refused_and_never_none() {
    let desk = Desk::new().await;
    let result = desk.call("crawl", r#"{"url":"https://quotes.toscrape.com","depth":"1"}"#).await;
    assert_eq!((result.code, result.rule()), (Code::InvalidArgument, Some("schema.type")), "{result:?}");
    let problem = &result.details["problems"][0];
    assert_eq!(problem["pointer"], "/depth");
    assert!(problem["expected"].as_str().unwrap().contains("integer"), "{problem}");
    assert_eq!(desk.world.effects(), 0);
}

/// `dmtrKovalenko/fff#339`.
#[tokio::test]
async fn n3_whole_number_may_be_written_with_a_point_and_a_fraction_may_not() {
    let desk = Desk::new().await;
    let whole = desk.call("crawl", r#"{"url":"a","max_results":30.0}"#).await;
    assert_eq!((whole.code, whole.data.clone().unwrap()), (Code::Ok, "None Some(30)".into()), "{whole:?}");
    let part = desk.call("crawl", r#"{"url":"a","max_results":30.5}"#).await;
    assert_eq!(part.code, Code::InvalidArgument, "{part:?}");
    assert_eq!(part.details["problems"][0]["pointer"], "/max_results");
}

/// `0xPlaygrounds/rig#1814`.
#[tokio::test]
async fn n4_no_arguments_and_null_are_an_empty_object() {
    let desk = Desk::new().await;
    for call in [
        ToolCall::without_arguments("count"),
        ToolCall::new("count", "null"),
        ToolCall::new("count", "{}"),
        ToolCall::new("count", r#"{"from":null,"to":null}"#),
    ] {
        let result = desk.task.call(call).await;
        assert_eq!((result.code, result.data.clone().unwrap()), (Code::Ok, "None None".into()), "{result:?}");
    }
}

/// `cyberlife-coder/VelesDB#1575`.
#[tokio::test]
async fn n5_object_written_as_a_text_is_refused_and_its_schema_is_a_plain_object() {
    let desk = Desk::new().await;
    let schema = &desk.schema("save")["properties"]["working"];
    assert_eq!((&schema["type"], schema.get("$ref")), (&"object".into(), None), "{schema}");
    let result = desk.call("save", r#"{"working":"{\"a\":1}"}"#).await;
    assert_eq!((result.code, result.rule()), (Code::InvalidArgument, Some("schema.type")), "{result:?}");
    assert!(result.details["problems"][0]["expected"].as_str().unwrap().contains("object"), "{result:?}");
    assert_eq!(desk.world.effects(), 0);
}

/// `GaloyMoney/drua#48`.
#[tokio::test]
async fn n6_arguments_written_as_a_text_are_refused_as_no_object() {
    let desk = Desk::new().await;
    let result = desk.call("count", r#""{\"from\":1}""#).await;
    assert_eq!((result.code, result.rule()), (Code::MalformedCall, Some("json.not_object")), "{result:?}");
    assert!(result.message.contains("object"), "{result:?}");
}

/// `anomalyco/opencode#31002`.
#[tokio::test]
async fn n8_unsigned_numbers_have_their_range_in_the_schema_and_it_is_kept() {
    let desk = Desk::new().await;
    let schema = desk.schema("sizes");
    for name in ["a", "b", "c"] {
        let property = &schema["properties"][name];
        assert_eq!((&property["minimum"], property.get("format")), (&0.into(), None), "{name}: {property}");
    }
    let result = desk.call("sizes", r#"{"a":4294967296,"b":1,"c":1}"#).await;
    assert_eq!((result.code, result.rule()), (Code::InvalidArgument, Some("schema.range")), "{result:?}");
    assert!(result.message.contains("4294967295"), "{result:?}");
    assert_eq!(desk.call("sizes", r#"{"a":4294967295,"b":1,"c":1}"#).await.code, Code::Ok);
}

/// `vinhnx/VTCode#710`.
#[tokio::test]
async fn n10_any_argument_stands_in_an_object() {
    let desk = Desk::new().await;
    for name in NAMES {
        let schema = desk.schema(name);
        assert_eq!((&schema["type"], &schema["additionalProperties"]), (&"object".into(), &false.into()), "{name}");
        for word in ["oneOf", "anyOf", "allOf", "$ref", "not"] {
            assert!(schema.get(word).is_none(), "{name}: {schema}");
        }
    }
    assert_eq!(desk.call("open", r#"{"target":{"one":"a"}}"#).await.data.unwrap(), "a");
    assert_eq!(desk.call("open", r#"{"target":"all"}"#).await.data.unwrap(), "all");
    assert_eq!(desk.call("listed", r#"{"numbers":[1,2]}"#).await.data.unwrap(), 2);
    assert_eq!(desk.call("listed", "[1,2]").await.code, Code::MalformedCall);
}

/// `embedded-society/altium-designer-mcp#418`.
#[tokio::test]
async fn n11_panic_is_an_answer_without_its_text_and_the_next_call_is_served() {
    let desk = Desk::new().await;
    let result = desk.call("breaks", "{}").await;
    assert_eq!((result.code, result.rule()), (Code::ExecutionError, Some("execute.panic")), "{result:?}");
    assert!(!result.to_json().to_string().contains("secret"), "{result:?}");
    let record = desk.gate.store().call(&result.call_id).await.unwrap().unwrap().record;
    assert!(record.operator.unwrap().contains("panicked"));
    assert_eq!(desk.call("count", "{}").await.code, Code::Ok);
}

/// `cq27-dev/rag-rat#451`.
#[tokio::test(flavor = "multi_thread")]
async fn n12_blocking_write_past_its_timeout_is_unknown_and_not_tried_again() {
    for kind in KINDS {
        let bench = Bench::new(kind).await;
        let result = bench.call("act_blocking", r#"{"what":"a"}"#).await;
        assert_eq!(
            (result.code, result.effect, result.retryable),
            (Code::Timeout, Effect::Unknown, false),
            "{result:?}"
        );
        let again = bench.call("act_blocking", r#"{"what":"a"}"#).await;
        assert_ne!(again.code, Code::Ok, "{again:?}");
        super::support::until("the late result", async || bench.world.effects() > 0).await;
        tokio::time::sleep(Duration::from_millis(500)).await;
        assert_eq!(bench.world.effects(), 1, "it ran once");
        let later = bench.call("act_blocking", r#"{"what":"a"}"#).await;
        assert_eq!((later.code, later.data.unwrap()), (Code::IdempotentReplay, "did a".into()));
    }
}

/// `openai/openai-agents-python#4254`.
#[tokio::test]
async fn n13_same_refund_under_another_call_id_gives_the_recorded_result() {
    let desk = Desk::new().await;
    let call = |id: &str| ToolCall::new("refund", r#"{"order_id":7,"amount":5}"#).with_provider_id(id);
    let first = desk.task.call(call("call_1")).await;
    let second = desk.task.call(call("call_2")).await;
    assert_eq!((first.code, second.code), (Code::Ok, Code::IdempotentReplay), "{second:?}");
    assert_eq!((first.data, desk.world.effects()), (second.data, 1));
    let other = desk.call("refund", r#"{"order_id":7,"amount":6}"#).await;
    assert_eq!((other.code, desk.world.effects()), (Code::Ok, 2), "another amount is another refund");
}

/// `zavora-ai/adk-rust#469`.
#[tokio::test]
async fn n14_approval_is_for_the_same_arguments_in_any_order_and_once() {
    let desk = Desk::new().await;
    let asked = desk.call("delete_file", r#"{"path":"notes/a","force":true}"#).await;
    let ticket = asked.ticket().unwrap().to_owned();
    approve(&desk, &ticket).await;
    let other = desk.call("delete_file", r#"{"path":"/etc/passwd","force":true}"#).await;
    assert_eq!((other.code, desk.world.effects()), (Code::ConfirmationRequired, 0), "{other:?}");
    assert_ne!(other.ticket(), Some(ticket.as_str()));
    let done = desk.call("delete_file", r#"{ "force": true, "path": "notes/a" }"#).await;
    assert_eq!((done.code, desk.world.effects()), (Code::Ok, 1), "{done:?}");
    let again = desk.call("delete_file", r#"{"path":"notes/a","force":true}"#).await;
    assert_eq!((again.code, desk.world.effects()), (Code::IdempotentReplay, 1), "nothing is deleted twice");
    desk.task.begin_turn();
    let next = desk.call("delete_file", r#"{"path":"notes/a","force":true}"#).await;
    assert_eq!((next.code, desk.world.effects()), (Code::ConfirmationRequired, 1), "another turn asks anew");
}

async fn approve(desk: &Desk, ticket: &str) {
    let decision = toolgate::approval::Decision { approve: true, by: "bob".to_owned(), comment: None };
    let (store, now) = (desk.gate.store(), toolgate::clock::Clock::now_ms(&Watch::default()));
    let _ = toolgate::approval::decide(&**store, desk.gate.redactor(), now, ticket, &decision, "test").await.unwrap();
}

/// `openai/openai-agents-js#1335`.
#[tokio::test]
async fn n15_arguments_beyond_the_schema_are_refused_before_anybody_is_asked() {
    let desk = Desk::new().await;
    let result = desk.call("set_limits", r#"{"values":[1,2,3,4]}"#).await;
    assert_eq!((result.code, result.rule()), (Code::InvalidArgument, Some("schema.items")), "{result:?}");
    let tickets = desk.gate.store().tickets(&toolgate::store::TicketFilter::default()).await.unwrap();
    assert!(tickets.is_empty() && desk.world.effects() == 0, "{tickets:?}");
    assert_eq!(desk.call("set_limits", r#"{"values":[1,2,3]}"#).await.code, Code::ConfirmationRequired);
}

/// `MikkoParkkola/nab#61`.
#[tokio::test]
async fn n17_optional_text_has_no_nullable_in_its_schema() {
    let desk = Desk::new().await;
    for name in NAMES {
        let text = desk.tool(name).schema.clone();
        assert!(!text.contains("nullable") && !text.contains("$defs"), "{name}: {text}");
    }
    assert!(!desk.schema("count")["required"].as_array().is_some_and(|names| names.contains(&"to".into())));
}

/// `ujeenet/rustango#1097`, `srelens/srelens#625`.
#[tokio::test]
async fn n19_secret_argument_is_masked_in_the_record_also_of_a_refused_call() {
    let desk = Desk::new().await;
    for (arguments, code) in [
        (r#"{"api_key":"sk-CANARY-0001","what":1}"#, Code::Ok),
        (r#"{"api_key":"sk-CANARY-0002","what":"x"}"#, Code::InvalidArgument),
        (r#"{"api_key":"sk-CANARY-0003","what":1,"password":"CANARY"}"#, Code::InvalidArgument),
        (r#"{"api_key":"sk-CANARY-0004""#, Code::MalformedCall),
    ] {
        let result = desk.call("look_up", arguments).await;
        assert_eq!(result.code, code, "{result:?}");
        let story = desk.gate.store().call(&result.call_id).await.unwrap().unwrap();
        let stored = format!("{story:?}");
        assert!(!stored.contains("CANARY"), "{stored}");
    }
}

/// `modelcontextprotocol/rust-sdk#665`.
#[tokio::test]
async fn n21_tools_are_listed_in_the_order_of_the_toolset() {
    for _ in 0..3 {
        let desk = Desk::new().await;
        let listed: Vec<&str> = desk.task.tools().iter().map(|tool| tool.spec.name).collect();
        assert_eq!(listed.iter().filter(|name| NAMES.contains(name)).copied().collect::<Vec<_>>(), NAMES);
    }
}

#[tokio::test]
async fn a_tool_outside_of_the_toolset_is_not_there() {
    let desk = Desk::new().await;
    assert!(unlisted().is_ok());
    assert_eq!(desk.call("unlisted", "{}").await.code, Code::ToolNotFound);
}

#[tokio::test]
async fn what_the_schema_says_is_what_is_read() {
    let desk = Desk::new().await;
    let schema = desk.schema("open");
    let text = schema["properties"]["target"].to_string();
    assert!(text.contains("\"all\"") && text.contains("\"one\""), "{text}");
    for (target, code) in [
        (r#""all""#, Code::Ok),
        (r#"{"one":"a"}"#, Code::Ok),
        (r#""All""#, Code::InvalidArgument),
        (r#"{"one":"a","two":"b"}"#, Code::InvalidArgument),
        (r#"{"One":"a"}"#, Code::InvalidArgument),
        (r#"["one","a"]"#, Code::InvalidArgument),
    ] {
        let result = desk.call("open", &format!(r#"{{"target":{target}}}"#)).await;
        assert_eq!(result.code, code, "{target}: {result:?}");
    }
}
