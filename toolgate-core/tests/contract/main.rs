//! Contracts: what is shown is what is checked, what is decoded is what is canonical, and schemas that
//! can't be enforced are refused.

mod cases;
mod complete;
mod differential;
mod refused;
