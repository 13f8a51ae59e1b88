//! A call through the whole gate, on the memory store, against what checking the same arguments costs
//! alone: serde and a JSON Schema validator, with nobody asked and nothing written down.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a bench may fail loudly")]

#[expect(dead_code, reason = "the fields of decoded arguments are not looked at")]
mod tools;

use std::hint::black_box;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::runtime::Runtime;
use toolgate::{Capabilities, Code, Gate, MemoryStore, Risk, SessionOptions, Task, ToolCall};
use toolgate_benches::{Case, Clock, print_ratios};

const ROUNDS: usize = 61;
const CALLS: u32 = 20;

async fn task() -> (Gate, Task) {
    let gate = Gate::builder(Arc::new(MemoryStore::new().unwrap())).tools(tools::TOOLS).build().await.unwrap();
    let capabilities = Capabilities::none().allow_tools(tools::NAMES).allow_risks(Risk::ALL).permissions(["*"]);
    let task = gate.session(SessionOptions::new("agent").capabilities(capabilities)).unwrap().task("bench", "T-1");
    (gate, task)
}

fn calls<'a>(runtime: &'a Runtime, task: &'a Task, tool: &'a str, arguments: &'a str, due: Code) -> impl FnMut() + 'a {
    let mut number = 0_u64;
    move || {
        for _ in 0..CALLS {
            number += 1;
            let call = ToolCall::new(tool, arguments).in_operation(number.to_string());
            let answer = runtime.block_on(task.call(call));
            assert_eq!(answer.code, due, "{answer:?}");
        }
    }
}

fn table<T: DeserializeOwned>(runtime: &Runtime, sample: &tools::Sample) {
    let (gate, task) = runtime.block_on(task());
    let schema = gate.tools().get(sample.reads).expect("a tool of the set").contract.schema_text();
    let validator = jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap();
    let alone = || {
        for _ in 0..CALLS {
            let value: Value = serde_json::from_slice(black_box(sample.valid.as_bytes())).unwrap();
            assert!(validator.is_valid(&value));
            black_box(serde_json::from_value::<T>(value).unwrap());
        }
    };
    let faults = || {
        for _ in 0..CALLS {
            let value: Value = serde_json::from_slice(black_box(sample.invalid.as_bytes())).unwrap();
            let problems: Vec<String> = validator.iter_errors(&value).map(|error| error.to_string()).collect();
            assert!(black_box(problems).len() > 1);
        }
    };
    let (reads, writes) = (sample.reads, sample.writes);
    let mut cases = vec![
        Case::new("serde_json, jsonschema, serde; nothing else", CALLS, alone),
        Case::new("gate, a read", CALLS, calls(runtime, &task, reads, sample.valid, Code::Ok)),
        Case::new("gate, an effect", CALLS, calls(runtime, &task, writes, sample.valid, Code::Ok)),
        Case::new(
            "gate, refused with every problem",
            CALLS,
            calls(runtime, &task, reads, sample.invalid, Code::InvalidArgument),
        ),
        Case::new("serde_json, jsonschema; every problem as text", CALLS, faults),
    ];
    print_ratios(&format!("arguments of {} bytes", sample.valid.len()), Clock::ThreadCpu, ROUNDS, &mut cases);
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let [small, middle, large] = tools::SAMPLES;
    table::<tools::Lines>(&runtime, &small);
    table::<tools::Restart>(&runtime, &middle);
    table::<tools::Opened>(&runtime, &large);
}
