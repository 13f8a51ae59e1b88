//! Whether the UI cases cover what is promised: every message is shown, every rule of the compile-time
//! review has its case, each mistake has one error at its place, every message has a repair that compiles.
//! Not what the compiler says: that is held by `ui.rs` against the `.stderr` files read here.

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
