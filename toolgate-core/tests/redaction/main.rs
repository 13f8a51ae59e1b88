//! Redaction: the shared cases, and properties that no list of cases can show.
//!
//! Not here: clipping (`clip`), except that it comes after.

mod cases;
mod known;
mod ordinary;
mod stable;
