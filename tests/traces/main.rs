//! Calls that real models made, through a gate. The data is third-party and stays outside the
//! project: its folder comes from `TOOLGATE_TRACES`, and where it is absent the tests say that they
//! are skipped. Not here: models; what they said was recorded elsewhere.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "tests may panic"
)]

mod agentdojo;
mod airline;
mod contracts;
mod data;
mod desk;
mod dialects;
mod expected;
mod malformed;
mod oracle;
mod review;
mod taint;
mod throughput;
