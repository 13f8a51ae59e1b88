//! Redaction: the shared cases, and properties that no list of cases can show.
//!
//! Not here: clipping (`clip`), except that it comes after.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::format_collect,
    reason = "a test may fail loudly"
)]

mod cases;
mod known;
mod ordinary;
mod stable;
