//! What an operation costs whatever else the machine does: instructions, counted by Valgrind in a
//! process of their own, and allocations. Not times.
//!
//! Valgrind knows no SHA instructions, so digests count as they are computed without them.

use std::process::Command;

use stats_alloc::Region;

use crate::ALLOCATOR;

/// Operations before those that are counted, which fill what is filled once.
const FIRST: u32 = 100;
const COUNTED: u32 = 500;

/// The operation that a process under Valgrind runs, and how often.
pub struct Only {
    pub sample: usize,
    pub case: usize,
    pub operations: u32,
}

/// What `--only SAMPLE CASE OPERATIONS` on the command line says.
pub fn asked() -> Option<Only> {
    let mut arguments = std::env::args().skip_while(|argument| argument != "--only").skip(1);
    let mut next = || arguments.next()?.parse::<u32>().ok();
    let (sample, case, operations) = (next()?, next()?, next()?);
    Some(Only { sample: sample as usize, case: case as usize, operations })
}

/// Whether Valgrind is here; says so where it isn't.
pub fn is_possible() -> bool {
    let found = Command::new("valgrind").arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        println!("instructions are skipped: there is no `valgrind` here");
    }
    found
}

/// Instructions of one operation.
pub fn instructions(sample: usize, case: usize) -> Option<u64> {
    let (few, many) = (run(sample, case, FIRST)?, run(sample, case, FIRST + COUNTED)?);
    Some(many.saturating_sub(few) / u64::from(COUNTED))
}

fn run(sample: usize, case: usize, operations: u32) -> Option<u64> {
    let own = std::env::current_exe().ok()?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(own)
        .args(["--only", &sample.to_string(), &case.to_string(), &operations.to_string()])
        .output()
        .ok()?;
    let said = String::from_utf8_lossy(&output.stderr);
    let collected = said.lines().find_map(|line| line.split_once("Collected :"))?.1;
    collected.trim().parse().ok()
}

/// Allocations of one operation, growing ones among them.
pub fn allocations(work: &mut dyn FnMut()) -> usize {
    (0..FIRST).for_each(|_| work());
    let region = Region::new(ALLOCATOR);
    (0..COUNTED).for_each(|_| work());
    let change = region.change();
    (change.allocations + change.reallocations) / COUNTED as usize
}
