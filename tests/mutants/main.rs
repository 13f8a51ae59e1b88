//! Mutants of valid calls through the whole gate: no panic, always a code, and what a tool is entered
//! with is what the text says. Not a fuzzer: seeded, the same mutants on every machine.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests may panic")]

mod random;
mod tools;
mod tree;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;
use toolgate::store::CallFilter;
use toolgate::{
    Capabilities, Code, Effect, Gate, MemoryStore, Risk, Session, SessionOptions, Stage, Store, ToolCall, ToolResult,
    Workspace,
};

use random::Random;
use tree::{Tree, mutate_bytes};

/// Mutants through one gate and store.
const BATCH: u64 = 2_500;
const WORKERS: u64 = 2;

static PANICS: AtomicUsize = AtomicUsize::new(0);

type Histogram = BTreeMap<(&'static str, &'static str), u64>;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mutants_always_get_a_code_and_never_other_arguments() {
    let wanted = std::env::var("TOOLGATE_MUTANTS").ok().and_then(|text| text.parse().ok()).unwrap_or(100_000);
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        PANICS.fetch_add(1, Ordering::Relaxed);
        usual(panic);
    }));
    // A workspace each: a file that another writes meanwhile is refused, as it should be.
    let places: Vec<Place> = (0..WORKERS).map(Place::new).collect();
    let work = |(worker, place): (u64, &Place)| tokio::spawn(work(place.0.clone(), worker, wanted));
    let workers: Vec<_> = (0..WORKERS).zip(&places).map(work).collect();
    let mut histogram = Histogram::new();
    for worker in workers {
        for (answer, count) in worker.await.unwrap() {
            *histogram.entry(answer).or_default() += count;
        }
    }
    let total: u64 = histogram.values().sum();
    let share = |count: u64| count * 100 / total.max(1);
    println!("{total} mutants");
    histogram
        .iter()
        .for_each(|((stage, code), count)| println!("  {stage:<12} {code:<24} {count:>7} {:>3} %", share(*count)));
    let sum = |wanted: &dyn Fn(&str, &str) -> bool| {
        histogram.iter().filter(|((stage, code), _)| wanted(stage, code)).map(|(_, count)| count).sum::<u64>()
    };
    assert_eq!(total, wanted);
    assert_eq!(PANICS.load(Ordering::Relaxed), 0, "nothing panics");
    assert!(share(sum(&|stage, _| stage != "parse")) >= 30, "past parse");
    assert!(share(sum(&|_, code| code == "OK")) >= 5, "executed");
}

/// Every `WORKERS`-th batch.
async fn work(place: PathBuf, worker: u64, wanted: u64) -> Histogram {
    let mut histogram = Histogram::new();
    for batch in (0..wanted.div_ceil(BATCH)).filter(|batch| batch % WORKERS == worker) {
        let (first, last) = (batch * BATCH, wanted.min((batch + 1) * BATCH));
        let store: Arc<dyn Store> = Arc::new(MemoryStore::new().unwrap());
        let session = session(Arc::clone(&store), &place).await;
        for number in first..last {
            let result = one(&session, number, &place).await;
            *histogram.entry((result.stage.as_str(), result.code.as_str())).or_default() += 1;
        }
        let records = store.calls(&CallFilter::default()).await.unwrap();
        assert_eq!(records.len() as u64, last - first, "each mutant has its record");
    }
    histogram
}

async fn session(store: Arc<dyn Store>, place: &Path) -> Session {
    let gate = Gate::builder(store).tools(tools::TOOLS).tool(tools::plan()).build().await.unwrap();
    let capabilities = Capabilities::none()
        .allow_tools(gate.tools().iter().map(|tool| tool.spec.name))
        .allow_risks(Risk::ALL)
        .permissions(["*"])
        .readable(["."])
        .writable(["."]);
    let options = SessionOptions::new("agent").capabilities(capabilities).workspace(Workspace::open(place).unwrap());
    gate.session(options).unwrap()
}

async fn one(session: &Session, number: u64, place: &Path) -> ToolResult {
    let mut random = Random::new(number);
    let seeds = tools::seeds();
    let (tool, arguments) = random.pick(&seeds);
    let mut tree = Tree::of(arguments);
    // Some are the same business operation as one before, word for word.
    let repeated = random.percent(2);
    for _ in 0..if repeated { 0 } else { *random.pick(&[1, 1, 1, 2, 2, 3, 5]) } {
        tree.mutate(&mut random);
    }
    let mut text = String::new();
    tree.write(&mut text);
    let mut bytes = text.into_bytes();
    if !repeated && random.percent(30) && !bytes.is_empty() {
        mutate_bytes(&mut bytes, &mut random);
    }
    let tool = if random.percent(1) { "open_tickets" } else { tool };
    let operation = if repeated { 0 } else { number + 1 };
    let call = ToolCall::new(tool, bytes.clone()).in_operation(operation.to_string());
    // A task each: a tool that fails is closed for its task.
    let result = session.task("mutant", number.to_string()).call(call).await;
    let fault = check(&result, &bytes, place).err();
    assert_eq!(fault, None, "mutant {number} of {tool}: {result:?}\n{}", String::from_utf8_lossy(&bytes));
    result
}

fn check(result: &ToolResult, bytes: &[u8], place: &Path) -> Result<(), &'static str> {
    let said = |wanted: bool, fault: &'static str| if wanted { Ok(()) } else { Err(fault) };
    said(!result.call_id.is_empty(), "the gate broke off")?;
    said(result.ok == result.code.is_ok(), "ok and code differ")?;
    said(!result.to_json().to_string().contains(&*place.to_string_lossy()), "a host path")?;
    said(result.ok || result.data.is_none(), "a refusal with data")?;
    let ran = matches!(result.stage, Stage::Execute | Stage::Clip) || result.code == Code::IdempotentReplay;
    said(ran || result.effect == Effect::None, "an effect before the run")?;
    if result.code == Code::Ok {
        let written: Value = serde_json::from_slice(bytes).map_err(|_| "no JSON and executed")?;
        said(!result.truncated, "a result cut short")?;
        said(agrees(result.data.as_ref().ok_or("no data")?, &written), "other arguments than written")?;
    }
    Ok(())
}

/// Whether a tool was entered with what was written: more only where it is a default or nothing.
fn agrees(entered: &Value, written: &Value) -> bool {
    match (entered, written) {
        (Value::Object(entered), Value::Object(written)) => {
            let kept = written.iter().all(|(name, written)| match entered.get(name) {
                Some(Value::String(path)) if name == "path" => {
                    written.as_str().is_some_and(|text| same_path(path, text))
                }
                Some(value) => agrees(value, written),
                None => written.is_null(),
            });
            let added = entered.iter().filter(|(name, _)| !written.contains_key(*name));
            kept && added.into_iter().all(|(name, value)| value.is_null() || is_default(name, value))
        }
        (Value::Array(entered), Value::Array(written)) => {
            entered.len() == written.len() && entered.iter().zip(written).all(|(left, right)| agrees(left, right))
        }
        (Value::Number(entered), Value::Number(written)) => entered.as_f64() == written.as_f64(),
        _ => entered == written,
    }
}

/// Equal but for `.` and doubled slashes, which the gate leaves out.
fn same_path(entered: &str, written: &str) -> bool {
    let parts = written.split('/').filter(|part| !matches!(*part, "" | "."));
    let plain = parts.collect::<Vec<_>>().join("/");
    entered == plain || (entered == "." && plain.is_empty())
}

fn is_default(name: &str, value: &Value) -> bool {
    match name {
        "count" => value == 3,
        "land" => value == "XX",
        "dry" => value == true,
        _ => false,
    }
}

/// A workspace that goes when the test ends.
struct Place(PathBuf);

impl Place {
    fn new(worker: u64) -> Self {
        let place = std::env::temp_dir().join(format!("toolgate-mutants-{}-{worker}", std::process::id()));
        std::fs::create_dir_all(place.join("deep")).unwrap();
        std::fs::write(place.join("notes.txt"), "notes").unwrap();
        std::fs::write(place.join("deep/leaf.txt"), "leaf").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("/etc/hostname", place.join("link.txt")).unwrap();
        Self(place)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
