//! The operations that are compared, each ready to run.

use std::hint::black_box;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::runtime::Runtime;
use toolgate::{Capabilities, Code, Gate, MemoryStore, Risk, SessionOptions, Task, ToolCall};

use crate::tools::{Lines, NAMES, Opened, Restart, SAMPLES, Sample, TOOLS};
use crate::{rig, router};

/// The operation that the others are set against.
pub const BASE: usize = 1;

/// One line of a table.
pub struct Operation<'a> {
    pub name: &'static str,
    pub work: Box<dyn FnMut() + 'a>,
}

/// All operations on the tools of one size, accepted ones first.
pub fn operations(runtime: &Runtime, index: usize) -> Vec<Operation<'_>> {
    match index {
        0 => with::<Lines>(runtime, &SAMPLES[0]),
        1 => with::<Restart>(runtime, &SAMPLES[1]),
        _ => with::<Opened>(runtime, &SAMPLES[2]),
    }
}

fn with<'a, T: DeserializeOwned>(runtime: &'a Runtime, sample: &'static Sample) -> Vec<Operation<'a>> {
    let (gate, task) = runtime.block_on(task());
    let schema = gate.tools().get(sample.reads).expect("a tool of the set").contract.schema_text();
    let validator = Arc::new(jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap());
    let checker = Arc::clone(&validator);
    let (router, toolset) = (Arc::new(router::Router::new(runtime)), Arc::new(rig::toolset()));
    let through_rmcp = |bytes: &'static str, accepted: bool| {
        let router = Arc::clone(&router);
        move || router.call(runtime, sample.reads, bytes, accepted)
    };
    let through_rig = |bytes: &'static str, accepted: bool| {
        let toolset = Arc::clone(&toolset);
        move || rig::call(&toolset, runtime, sample.reads, bytes, accepted)
    };
    let through_gate = |tool: &'static str, bytes: &'static str, due: Code| {
        let task = task.clone();
        let mut number = 0_u64;
        move || {
            number += 1;
            let call = ToolCall::new(tool, bytes).in_operation(number.to_string());
            let answer = runtime.block_on(task.call(call));
            assert_eq!(answer.code, due, "{answer:?}");
        }
    };
    let alone = move || {
        let value: Value = serde_json::from_slice(black_box(sample.valid.as_bytes())).unwrap();
        assert!(validator.is_valid(&value));
        black_box(serde_json::from_value::<T>(value).unwrap());
    };
    let faults = move || {
        let value: Value = serde_json::from_slice(black_box(sample.invalid.as_bytes())).unwrap();
        let problems: Vec<String> = checker.iter_errors(&value).map(|error| error.to_string()).collect();
        assert!(black_box(problems).len() > 1);
    };
    let (valid, invalid) = (sample.valid, sample.invalid);
    vec![
        operation("serde_json, jsonschema, serde; nothing else", alone),
        operation("rmcp's router, unchecked", through_rmcp(valid, true)),
        operation("rig's tool set, unchecked", through_rig(valid, true)),
        operation("gate, a read", through_gate(sample.reads, valid, Code::Ok)),
        operation("gate, an effect", through_gate(sample.writes, valid, Code::Ok)),
        operation("refused: serde_json, jsonschema; every problem", faults),
        operation("refused: rmcp's router; the first problem", through_rmcp(invalid, false)),
        operation("refused: rig's tool set; the first problem", through_rig(invalid, false)),
        operation("refused: gate; every problem", through_gate(sample.reads, invalid, Code::InvalidArgument)),
    ]
}

fn operation<'a>(name: &'static str, work: impl FnMut() + 'a) -> Operation<'a> {
    Operation { name, work: Box::new(work) }
}

async fn task() -> (Gate, Task) {
    let gate = Gate::builder(Arc::new(MemoryStore::new().unwrap())).tools(TOOLS).build().await.unwrap();
    let capabilities = Capabilities::none().allow_tools(NAMES).allow_risks(Risk::ALL).permissions(["*"]);
    let task = gate.session(SessionOptions::new("agent").capabilities(capabilities)).unwrap().task("bench", "T-1");
    (gate, task)
}

/// What a rival's tool does with its arguments.
pub fn done<T>(arguments: &T) -> String {
    black_box(arguments);
    "done".to_owned()
}
