//! What a ledger must do when things go wrong, as scenarios: each drives a real gate on the store under test, with
//! tools whose effects are counted where no store knows of them. A store of one's own can run them, too.
//!
//! ```no_run
//! use std::sync::Arc;
//! use toolgate_core::store::{MemoryStore, Store, StoreError};
//! use toolgate_testing::scenarios::{self, Grounds, Place};
//!
//! #[derive(Debug)]
//! struct Mine(Arc<dyn Store>);
//!
//! impl Place for Mine {
//!     fn open(&self) -> Result<Arc<dyn Store>, StoreError> {
//!         Ok(Arc::clone(&self.0)) // or from its file or server, again
//!     }
//! }
//!
//! struct AllMine;
//!
//! impl Grounds for AllMine {
//!     fn fresh(&self) -> Arc<dyn Place> {
//!         Arc::new(Mine(Arc::new(MemoryStore::new().unwrap())))
//!     }
//! }
//!
//! # async fn test() {
//! let report = scenarios::run(&AllMine, None).await;
//! println!("{report}");
//! report.must_hold();
//! # }
//! ```

mod audit;
mod crash;
mod hooks;
mod key;
mod lease;
mod list;
mod panics;
mod place;
mod report;
mod result;
mod retention;
mod scene;
mod storage;
mod timeout;
mod tools;

pub use list::{ALL, Scenario};
pub use place::{Grounds, Harm, Harmed, Place};
pub use report::{Outcome, Report, Row};
pub use scene::child;

use scene::Scene;

/// How a scenario ended that broke no promise; a broken one panics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Held,
    /// It has no meaning for this store, or can't be brought about.
    NotHere(&'static str),
}

/// Runs every scenario, each in a place of its own. `child`: the name of the test, with its modules, that does
/// nothing but call [`child`]; without it, no process dies. Needs a tokio runtime with several threads.
pub async fn run(grounds: &dyn Grounds, child: Option<&str>) -> Report {
    let mut rows = Vec::with_capacity(ALL.len());
    for scenario in ALL {
        rows.push(run_one(grounds, child, scenario).await);
    }
    Report { rows }
}

/// Runs one of them.
pub async fn run_one(grounds: &dyn Grounds, child: Option<&str>, scenario: &'static Scenario) -> Row {
    let scene = Scene::new(grounds.fresh(), child);
    // In a task of its own: what it finds broken is its panic.
    let outcome = match tokio::spawn((scenario.run)(scene)).await {
        Ok(Verdict::Held) => Outcome::Held,
        Ok(Verdict::NotHere(why)) => Outcome::NotHere(why),
        Err(error) => Outcome::Broken(report::panic_text(error)),
    };
    Row { scenario, outcome }
}
