//! The macros with anything as input, and what they keep of it. Not what the compiler says to their output,
//! which is in `tests/ui`.

mod corpus;
mod half_typed;
mod nonsense;
mod size;
mod typed;
