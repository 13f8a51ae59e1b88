//! The ledger held against the world: many processes call the same operations on one store, are killed and paused at
//! random, and start again. What the tools did is written into a file that no store knows of; in the end both are
//! read, and whatever was done twice, lost or misnamed is told.
//!
//! ```text
//! history --store sqlite --seed 1 --keys 20000 --processes 8
//! ```
//!
//! Ends with 0 where nothing was found, and with 1 otherwise. Not a measurement of speed.

mod broken;
mod chance;
mod check;
mod driver;
mod log;
mod plan;
mod worker;

use std::process::ExitCode;

use plan::{Error, Plan, Role};

#[tokio::main]
async fn main() -> ExitCode {
    match run().await {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("history: {error}");
            ExitCode::from(2)
        }
    }
}

/// Whether all was well.
async fn run() -> Result<bool, Error> {
    let plan = Plan::read(std::env::args().skip(1))?;
    match plan.role {
        Role::Worker(number) => worker::work(&plan, number).await.map(|()| true),
        Role::Driver => {
            let disturbed = driver::drive(&plan)?;
            let found = check::check(&plan).await?;
            println!("seed {}: {disturbed}; {found}", plan.seed);
            for fault in found.faults.iter().take(20) {
                println!("FAULT {fault}");
            }
            Ok(found.faults.is_empty())
        }
    }
}
