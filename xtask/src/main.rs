//! Chores of this repository, by name. Nothing that a user of toolgate needs, nothing that a test runs.

mod bench_compile;

use std::process::ExitCode;

const USAGE: &str = "usage: cargo run -p xtask -- bench-compile [--repeats N] [--only toolgate|rmcp|by-hand]

  bench-compile   what 100 tools cost the compiler, beside rmcp's macros and beside serde and schemars by hand
    --repeats N     how often each time is taken; the median counts (1)
    --only STYLE    only tools of one style";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let names: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match names.as_slice() {
        ["bench-compile", options @ ..] => bench_compile::Options::read(options)
            .ok_or_else(|| USAGE.to_owned())
            .and_then(|options| bench_compile::run(&options)),
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
