//! The scenarios of `toolgate-testing` on every store, and that each case has its scenario.

#![expect(clippy::unwrap_used, reason = "tests may panic")]

mod ids;
mod memory;
mod sqlite;

use toolgate_testing::scenarios::{self, ALL, Grounds, Outcome, Report};

/// Prints what became of each, and panics where a promise is broken.
async fn run(grounds: &dyn Grounds, child: Option<&str>) -> Report {
    let report = scenarios::run(grounds, child).await;
    println!("{report}");
    report.must_hold();
    report
}

/// Those that say nothing of a store, by number.
fn not_here(report: &Report) -> Vec<String> {
    let not_here = report.rows.iter().filter(|row| matches!(row.outcome, Outcome::NotHere(_)));
    not_here.map(|row| row.scenario.id()).collect()
}

#[test]
fn every_case_has_its_scenario_and_every_scenario_its_case() {
    let named: Vec<String> = ALL.iter().map(scenarios::Scenario::id).collect();
    let mut once = named.clone();
    once.sort();
    once.dedup();
    assert_eq!(once.len(), named.len(), "no case has two");
    assert_eq!(once, ids::CASES);
}
