//! A call through the whole gate, on the memory store, beside what a host would otherwise do with the
//! same bytes: rmcp's router and rig's tool set, which check types only and write nothing down, and
//! serde with a JSON Schema validator. Ratios of times, and counts that don't depend on the machine's
//! mood: instructions and allocations of one operation. Not a judge: nothing here fails for being slow.

mod cases;
mod count;
mod rig;
mod router;
#[path = "../../benches/call/tools.rs"]
#[expect(dead_code, reason = "the fields of decoded arguments are not looked at")]
mod tools;

use std::alloc::System;

use cases::{BASE, Operation, operations};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use toolgate_benches::{Case, Clock, medians};
use tools::SAMPLES;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const ROUNDS: usize = 61;
/// Operations of each case in each round.
const OPERATIONS: u32 = 20;

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    if let Some(only) = count::asked() {
        for Operation { mut work, .. } in operations(&runtime, only.sample).into_iter().skip(only.case).take(1) {
            (0..only.operations).for_each(|_| work());
        }
        return;
    }
    let counts = !std::env::args().any(|argument| argument == "--no-counts") && count::is_possible();
    for (index, sample) in SAMPLES.iter().enumerate() {
        table(&runtime, index, sample.valid.len(), counts);
    }
}

fn table(runtime: &tokio::runtime::Runtime, index: usize, bytes: usize, counts: bool) {
    let mut operations = operations(runtime, index);
    let allocations: Vec<usize> =
        operations.iter_mut().map(|operation| count::allocations(&mut operation.work)).collect();
    let mut cases: Vec<Case<'_>> = operations
        .iter_mut()
        .map(|Operation { name, work }| Case::new(*name, OPERATIONS, || (0..OPERATIONS).for_each(|_| work())))
        .collect();
    let times = medians(Clock::ThreadCpu, ROUNDS, &mut cases);
    drop(cases);
    let base = times.get(BASE).copied().unwrap_or_default().as_secs_f64();
    println!("\narguments of {bytes} bytes (medians of {ROUNDS} rounds; x: of rmcp's router)");
    println!("  {:<52}{:>10}{:>9}{:>14}{:>13}", "", "us", "x", "instructions", "allocations");
    for (case, ((operation, time), allocations)) in operations.iter().zip(times).zip(allocations).enumerate() {
        let instructions = if counts { count::instructions(index, case) } else { None };
        let instructions = instructions.map_or_else(|| "-".to_owned(), |count| count.to_string());
        let time = time.as_secs_f64();
        println!("  {:<52}{:>10.2}{:>9.2}{instructions:>14}{allocations:>13}", operation.name, time * 1e6, time / base);
    }
}
