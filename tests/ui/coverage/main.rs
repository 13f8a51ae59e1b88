//! Whether the UI cases cover what is promised: every message is shown, every rule of the compile-time
//! review has its case, each mistake has one error at its place, every message has a repair that compiles.
//! Not what the compiler says: that is held by `ui.rs` against the `.stderr` files read here.
#![expect(clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests may panic")]
#![expect(clippy::unused_async, reason = "what is right may have nothing to wait for")]

mod cases;
mod catalogue;
mod clauses;
mod examples;
mod headlines;
mod peers;
mod repairs;
#[path = "../repairs/mod.rs"]
mod right;
mod shown;
