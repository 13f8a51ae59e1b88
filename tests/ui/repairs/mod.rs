//! For each message of the compiler a module of its name with what is right instead, so that what the
//! documents advise compiles. Each names the case that shows what is wrong. Not what the macros accept in
//! all: that is `pass/`.
#![expect(dead_code, reason = "nothing calls an example")]

mod bounds;
mod constraints;
mod effects;
mod functions;
mod needs;
mod parameters;
mod toolsets;
mod types;
mod whole;
mod written;
