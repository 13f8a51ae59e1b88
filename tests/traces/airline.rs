//! An airline's desk as recorded: every call of the runs goes through a gate whose tools answer what was
//! recorded and whose rules are those of the example `airline_desk`. What the rules stop is counted against
//! what the benchmark says was right; no rule knows what it says.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use serde::Deserialize;
use serde_json::{Value, json};
use toolgate_core::approval::{Decision, decide};
use toolgate_core::call::{Code, ToolCall, ToolResult};
use toolgate_core::clock::{Clock, SystemClock};
use toolgate_core::gate::Gate;
use toolgate_core::session::{Capabilities, SessionOptions, Task};
use toolgate_core::spec::{DynamicTool, Risk};
use toolgate_core::store::{MemoryStore, Store};
use toolgate_core::tool::Effect;

use crate::data::{folder, lines, read_json, text_of};

#[path = "../../examples/airline_desk/rules.rs"]
mod rules;

/// When the recorded runs took place.
const DESK: rules::Desk = rules::Desk { today: "2024-05-15", a_day_ago: "2024-05-14T15:00:00" };
const TRANSFER: &str = "transfer_to_human_agents";

/// One call of a recorded run.
#[derive(Debug, Clone, Deserialize)]
struct Call {
    task: u32,
    trial: u32,
    i: usize,
    tool: String,
    arguments: Value,
    is_write: bool,
    in_ground_truth: bool,
    result: Option<String>,
}

impl Call {
    fn run(&self) -> String {
        format!("task-{}-{}", self.task, self.trial)
    }
}

/// What the tools answer next, by session.
type Recorded = Arc<Mutex<HashMap<String, Value>>>;

struct Airline {
    gate: Gate,
    store: Arc<dyn Store>,
    recorded: Recorded,
    texts: HashMap<String, String>,
}

impl Airline {
    async fn open(folder: &Path) -> Self {
        let recorded = Recorded::default();
        let store: Arc<dyn Store> = Arc::new(MemoryStore::new().unwrap());
        let mut builder = Gate::builder(Arc::clone(&store)).policy(rules::policy());
        for tool in read_json(folder, "tau-airline-tools.json").as_array().expect("a list of tools") {
            let name = text_of(tool, "name");
            let declared = DynamicTool::new(name, text_of(tool, "description"), tool["parameters"].clone());
            let recorded = Arc::clone(&recorded);
            let handler = move |context: toolgate_core::tool::Context, _| {
                let answer = recorded.lock().unwrap_or_else(PoisonError::into_inner).remove(context.session());
                async move { Ok(answer.expect("an answer was laid ready")) }
            };
            builder = builder.tool(DESK.guard(declared, name).handler(handler).expect("a tool of the desk"));
        }
        let results: Vec<Value> = lines(folder, "tau-airline-results.jsonl");
        let texts = results.iter().map(|row| (text_of(row, "id").to_owned(), text_of(row, "text").to_owned()));
        Self { gate: builder.build().await.expect("a gate"), store, recorded, texts: texts.collect() }
    }

    fn task(&self, call: &Call) -> Task {
        let tools = self.gate.tools().iter().map(|tool| tool.spec.name);
        let may = Capabilities::none().allow_tools(tools).allow_risks(Risk::ALL).permissions(["*"]);
        let session = self.gate.session(SessionOptions::new("desk-agent").id(call.run()).capabilities(may));
        session.expect("a session").task("airline", "T")
    }

    /// What the tool answered, as data where it was data.
    fn answer(&self, call: &Call) -> Value {
        let text = call.result.as_ref().and_then(|id| self.texts.get(id)).cloned().unwrap_or_default();
        serde_json::from_str(&text).unwrap_or(Value::String(text))
    }

    fn lay(&self, call: &Call, answer: Value) {
        self.recorded.lock().unwrap_or_else(PoisonError::into_inner).insert(call.run(), answer);
    }

    fn is_laid(&self, call: &Call) -> bool {
        self.recorded.lock().unwrap_or_else(PoisonError::into_inner).contains_key(&call.run())
    }

    async fn make(&self, task: &Task, call: &Call) -> ToolResult {
        let operation = format!("{}/{}", call.run(), call.i);
        task.call(ToolCall::new(&call.tool, call.arguments.to_string()).in_operation(operation)).await
    }

    /// A person says yes to what a write waits for. Until then nothing is done, and then only this.
    async fn confirm(&self, task: &Task, call: &Call, asked: &ToolResult) {
        assert_eq!(asked.code, Code::ConfirmationRequired, "{call:?}: {asked:?}");
        assert!(self.is_laid(call), "nothing ran before the yes");
        let ticket = asked.ticket().expect("a ticket").to_owned();
        let yes = Decision { approve: true, by: "ann".to_owned(), comment: None };
        let now = SystemClock.now_ms();
        let _ = decide(&*self.store, self.gate.redactor(), now, &ticket, &yes, "test").await.expect("a decision");
        // The same tool with other words has no use of it.
        let other = Call { arguments: altered(&call.arguments), i: call.i + 1_000, ..call.clone() };
        let refused = self.make(task, &other).await;
        assert!(!refused.ok && refused.effect == Effect::None && self.is_laid(call), "{other:?}: {refused:?}");
        let done = task.resume(&ticket).await;
        assert!(done.ok && !self.is_laid(call), "{call:?}: {done:?}");
        let again = task.resume(&ticket).await;
        assert!(!again.ok || again.code == Code::IdempotentReplay, "a ticket is used once: {again:?}");
    }
}

/// The arguments with another way to pay where there is one, which no rule minds, or another text.
fn altered(arguments: &Value) -> Value {
    let mut other = arguments.clone();
    let texts = other.as_object_mut().expect("an object");
    let paid = texts.contains_key("payment_id");
    let text = texts.iter_mut().find(|(name, value)| value.is_string() && (!paid || *name == "payment_id"));
    *text.expect("a text among the arguments").1 = json!("gift_card_0000000");
    other
}

#[derive(Debug, Default)]
struct Count {
    right: u32,
    wrong: u32,
}

impl Count {
    fn add(&mut self, right: bool) {
        if right { self.right += 1 } else { self.wrong += 1 }
    }
}

#[derive(Default)]
struct Figures {
    writes: Count,
    stopped: Count,
    by_rule: BTreeMap<String, Count>,
    /// Stopped by the tools' contracts, before any rule is asked.
    malformed: Count,
    transfers: u32,
}

/// The rule that stopped a write, for the table.
fn broken(result: &ToolResult, asked: &str) -> String {
    let rule = result.rule().unwrap_or("-");
    let when = result.details.get("needs").and_then(|needs| needs["when"].as_str()).unwrap_or(asked);
    format!("{rule} {when}")
}

async fn replay(airline: &Airline, calls: &[Call]) -> Figures {
    let mut figures = Figures::default();
    let mut known: HashMap<(String, Value), Value> = HashMap::new();
    for call in calls {
        let task = airline.task(call);
        airline.lay(call, airline.answer(call));
        let result = airline.make(&task, call).await;
        let reservation = (call.run(), call.arguments["reservation_id"].clone());
        if !call.is_write {
            assert!(result.ok, "{call:?}: {result:?}");
            known.insert(reservation, airline.answer(call));
            continue;
        }
        if call.tool == TRANSFER {
            figures.transfers += 1;
            airline.confirm(&task, call, &result).await;
            continue;
        }
        figures.writes.add(call.in_ground_truth);
        if result.code == Code::ConfirmationRequired {
            airline.confirm(&task, call, &result).await;
            if airline.answer(call).is_object() {
                known.insert(reservation, airline.answer(call));
            }
            continue;
        }
        let by_rules = matches!(result.code, Code::PreconditionFailed | Code::PermissionDenied);
        assert!(by_rules || result.code == Code::InvalidArgument, "{call:?}: {result:?}");
        assert!(airline.is_laid(call), "a stopped write has run");
        figures.stopped.add(call.in_ground_truth);
        figures.by_rule.entry(broken(&result, &call.tool)).or_default().add(call.in_ground_truth);
        if !by_rules {
            // Arguments that the tool does not have.
            figures.malformed.add(call.in_ground_truth);
        } else if call.in_ground_truth {
            // What the benchmark calls right and the desk's rule forbids, also as its own last change left it.
            let state = known.get(&reservation).expect("a reservation that was read");
            assert_eq!((&call.tool[..], &state["insurance"]), ("cancel_reservation", &json!("no")), "{call:?}");
            assert!(state["cabin"] != "business" && state["created_at"].as_str() < Some(DESK.a_day_ago), "{state}");
        }
    }
    figures
}

fn percent(part: u32, whole: u32) -> f64 {
    100.0 * f64::from(part) / f64::from(whole)
}

#[tokio::test]
async fn the_rules_of_a_desk_stop_wrong_writes_and_let_right_ones_through() {
    let Some(folder) = folder() else { return };
    let airline = Airline::open(&folder).await;
    let calls: Vec<Call> = lines(&folder, "tau-airline-calls.jsonl");
    let Figures { writes, stopped, by_rule, malformed, transfers } = replay(&airline, &calls).await;
    let allowed = writes.right - stopped.right;
    println!(
        "right writes allowed: {allowed} of {} ({:.1} %; 84 of 88, 95.5 %, elsewhere); the others break a rule of the desk",
        writes.right,
        percent(allowed, writes.right)
    );
    println!(
        "wrong writes stopped: {} of {} ({:.1} %; 35 of 162, 21.6 %, elsewhere); {transfers} transfers were confirmed too",
        stopped.wrong,
        writes.wrong,
        percent(stopped.wrong, writes.wrong)
    );
    println!("of the stopped ones, by their contract: {} wrong, {} right", malformed.wrong, malformed.right);
    for (rule, Count { right, wrong }) in &by_rule {
        println!("{wrong:3} wrong, {right} right: {rule}");
    }
    assert!(percent(allowed, writes.right) >= 93.0, "{allowed} of {}", writes.right);
    assert!(stopped.wrong * 162 >= 35 * writes.wrong, "{} of {}", stopped.wrong, writes.wrong);
}
