//! The supervisor as a program of its own, for hosts that can't call `toolgate_exec::init()` first thing in `main`.

use std::process::ExitCode;

fn main() -> ExitCode {
    toolgate_exec::supervise()
}
