//! A setup and a context for a run.

use std::path::Path;
use std::time::Duration;

use toolgate_core::resource::Workspace;
use toolgate_core::session::Capabilities;
use toolgate_core::tool::Context;
use toolgate_exec::{Processes, ProcessesBuilder};
use toolgate_testing::TestContext;

pub(crate) use crate::look::{eventually, folder, mark, running};

pub(crate) fn processes() -> ProcessesBuilder {
    Processes::builder().supervisor(env!("CARGO_BIN_EXE_toolgate-supervisor")).grace(Duration::from_millis(300))
}

/// May run the shell and a few more, and use all of the workspace.
pub(crate) fn may() -> Capabilities {
    Capabilities::none().programs(["sh", "env", "pwd", "cat", "/usr/bin/printf"]).readable(["."]).writable(["."])
}

pub(crate) fn context_of(setup: ProcessesBuilder, may: Capabilities, workspace: &Path) -> TestContext {
    TestContext::default()
        .state(setup.build().unwrap())
        .capabilities(may)
        .workspace(Workspace::open(workspace).unwrap())
}

pub(crate) fn context() -> Context {
    context_of(processes(), may(), &folder()).build()
}
