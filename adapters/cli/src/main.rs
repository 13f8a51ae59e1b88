//! The command `toolgate`, for the database of any agent. It holds no tools: an agent's own binary
//! runs the same commands with its tools through [`toolgate_cli::run`].

use std::process::ExitCode;

fn main() -> ExitCode {
    match tokio::runtime::Builder::new_current_thread().enable_time().build() {
        Ok(runtime) => runtime.block_on(toolgate_cli::run(None, std::env::args_os())),
        Err(error) => toolgate_cli::cannot(&format!("the program can't start: {error}")),
    }
}
