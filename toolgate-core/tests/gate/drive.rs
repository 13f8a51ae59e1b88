//! Callers that stop waiting, at every place where a call may have to wait, and what runs the call then.

use std::pin::pin;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context as Poller, Poll, Waker};
use std::time::Duration;

use serde_json::json;
use toolgate_core::call::{Code, ToolCall};
use toolgate_core::gate::{FaultPoint, Faults};
use toolgate_core::spec::{DynamicTool, RegisteredTool, Repeat, Risk};
use toolgate_core::tool::BoxFuture;

use crate::support::{Bench, Runs, echo, texts};

/// Waits at one place, and remembers where the call passed.
#[derive(Debug, Clone)]
struct Waits {
    at: FaultPoint,
    passed: Arc<Mutex<Vec<FaultPoint>>>,
}

impl Faults for Waits {
    fn at<'a>(&'a self, point: FaultPoint, _: &'a str) -> BoxFuture<'a, ()> {
        self.passed.lock().unwrap().push(point);
        let waits = point == self.at;
        Box::pin(async move {
            if waits {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        })
    }
}

fn tools(runs: &Runs) -> Vec<RegisteredTool> {
    let read = DynamicTool::new("look", "Looks.", texts(["name"])).reads();
    let write = DynamicTool::new("set", "Sets.", texts(["name"])).risk(Risk::Write, Repeat::Once).unconfirmed("a test");
    vec![echo(read, runs), echo(write, runs)]
}

/// Takes the first step of a call, and stops waiting for it.
fn give_up_after_one_step(bench: &Bench, tool: &str) -> bool {
    let mut call = pin!(bench.call(tool, r#"{"name":"a"}"#));
    call.as_mut().poll(&mut Poller::from_waker(Waker::noop())).is_pending()
}

#[tokio::test]
async fn a_caller_who_stops_waiting_anywhere_leaves_one_finished_call() {
    for tool in ["look", "set"] {
        for at in FaultPoint::ALL {
            let (runs, waits) = (Runs::default(), Waits { at, passed: Arc::default() });
            let bench = Bench::with(tools(&runs), |builder| builder.faults(waits.clone())).await;
            let waited = give_up_after_one_step(&bench, tool);
            while bench.calls().await.iter().all(|call| call.finished_ms.is_none()) {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            assert_eq!(bench.gate.drain(Duration::from_secs(5)).await, 0);
            assert_eq!(waited, waits.passed.lock().unwrap().contains(&at), "{tool} at {at:?}");
            let calls = bench.calls().await;
            let states: Vec<&str> = calls.iter().map(|call| call.state.as_ref()).collect();
            assert_eq!((states, runs.count()), (vec!["SUCCEEDED"], 1), "{tool} at {at:?}");
            assert_eq!(bench.store.report().await.unwrap().faults, Vec::<String>::new());
        }
    }
}

#[tokio::test]
async fn a_call_that_need_not_wait_is_over_with_its_first_step() {
    let runs = Runs::default();
    let bench = Bench::new(tools(&runs)).await;
    for tool in ["look", "set"] {
        let mut call = pin!(bench.call(tool, r#"{"name":"a"}"#));
        match call.as_mut().poll(&mut Poller::from_waker(Waker::noop())) {
            Poll::Ready(result) => assert_eq!(result.code, Code::Ok, "{result:?}"),
            Poll::Pending => panic!("`{tool}` waits for nothing"),
        }
    }
    assert_eq!(runs.count(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_body_that_waits_after_its_first_step_is_given_up_in_time() {
    let (runs, ended) = (Runs::default(), Arc::new(AtomicU32::new(0)));
    let count = Arc::clone(&ended);
    let waits = DynamicTool::new("wait", "Waits.", texts([])).reads().timeout(Duration::from_secs(3));
    let waits = waits.handler(move |context, _| {
        let count = Arc::clone(&count);
        async move {
            context.cancellation().cancelled().await;
            count.fetch_add(1, Ordering::SeqCst);
            Ok(json!("given up"))
        }
    });
    let mut tools = tools(&runs);
    tools.push(waits.unwrap());
    let bench = Bench::new(tools).await;
    let began = tokio::time::Instant::now();
    let result = bench.call("wait", "{}").await;
    assert_eq!(result.code, Code::Timeout, "{result:?}");
    assert_eq!(began.elapsed().as_secs(), 3);
    assert_eq!(ended.load(Ordering::SeqCst), 0, "a read that is given up is dropped");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn calls_of_many_callers_have_names_of_their_own() {
    let runs = Runs::default();
    let bench = Arc::new(Bench::new(tools(&runs)).await);
    let callers: Vec<_> = (0..8)
        .map(|_| {
            let bench = Arc::clone(&bench);
            tokio::spawn(async move {
                for _ in 0..50 {
                    let result = bench.task.call(ToolCall::new("look", r#"{"name":"a"}"#)).await;
                    assert_eq!(result.code, Code::Ok, "{result:?}");
                }
            })
        })
        .collect();
    for caller in callers {
        caller.await.unwrap();
    }
    assert_eq!((bench.calls().await.len(), runs.count()), (400, 400));
    assert_eq!(bench.store.report().await.unwrap().faults, Vec::<String>::new());
}
