//! Chores of this repository, by name. Nothing that a user of toolgate needs, nothing that a test runs.

mod bench_compile;

use std::process::ExitCode;

const USAGE: &str = "usage: cargo run -p xtask -- bench-compile

  bench-compile   what 100 tools cost the compiler, beside rmcp's macros and beside serde and schemars by hand";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let names: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match names.as_slice() {
        ["bench-compile"] => bench_compile::run(),
        _ => Err(USAGE.to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
