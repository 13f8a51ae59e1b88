//! Policy files without a gate: what is read and refused at which place, what each part says of a call, examples and
//! differences; and any text.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "in a test, a panic is the message"
)]

mod any_text;
mod explained;
mod problems;
mod support;
