//! `ctx.command("cargo")`: what a tool says about one run.

use std::time::Duration;

use toolgate_core::resource::DirPath;
use toolgate_core::tool::{Context, ToolError};

use crate::limits::Limits;
use crate::output::Output;
use crate::plan;
use crate::run::{self, Stop};
use crate::sandbox::Sandbox;

/// Most bytes kept of each stream, unless a tool says otherwise.
const OUTPUT_LIMIT: usize = 64 * 1024;

/// Running programs from a tool.
pub trait CommandContext {
    /// A run of `program`: a name that the host's search path knows, or an absolute path. It is run only where the
    /// task's capabilities list it ([`Capabilities::programs`](toolgate_core::session::Capabilities::programs)).
    fn command(&self, program: impl Into<String>) -> Command;
}

impl CommandContext for Context {
    fn command(&self, program: impl Into<String>) -> Command {
        Command {
            context: self.clone(),
            program: program.into(),
            arguments: Vec::new(),
            operands: Vec::new(),
            environment: Vec::new(),
            folder: None,
            stdin: Vec::new(),
            output_limit: OUTPUT_LIMIT,
            time: None,
            sandbox: None,
            limits: None,
        }
    }
}

/// One run under construction. There is no shell: the program gets the arguments as they are.
///
/// An argument that begins with `-` is an option to most programs. What a model says belongs into [`Command::operand`],
/// or behind an option that takes it as its value (`--message=..` in one argument).
#[derive(Debug, Clone)]
#[must_use = "nothing runs before `run`"]
pub struct Command {
    pub(crate) context: Context,
    pub(crate) program: String,
    pub(crate) arguments: Vec<String>,
    pub(crate) operands: Vec<String>,
    pub(crate) environment: Vec<(String, String)>,
    pub(crate) folder: Option<DirPath>,
    pub(crate) stdin: Vec<u8>,
    pub(crate) output_limit: usize,
    pub(crate) time: Option<Duration>,
    pub(crate) sandbox: Option<Sandbox>,
    pub(crate) limits: Option<Limits>,
}

impl Command {
    /// One more argument.
    pub fn arg(mut self, argument: impl Into<String>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// More arguments.
    pub fn args(mut self, arguments: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// One more operand: after all arguments and a `--`, so that a program that knows `--` takes it for no option.
    pub fn operand(mut self, operand: impl Into<String>) -> Self {
        self.operands.push(operand.into());
        self
    }

    /// A variable, beside those that the host gives to every program. Nothing else of the host's environment is passed
    /// on.
    pub fn env(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.environment.push((name.into(), value.into()));
        self
    }

    /// Where it runs; without it the root of the workspace, or its own folder where the session has none. The folder
    /// itself is entered, whatever stands under its name by then.
    pub fn current_dir(mut self, folder: &DirPath) -> Self {
        self.folder = Some(folder.clone());
        self
    }

    /// What it reads, at most 1 MiB; without it, nothing.
    pub fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.stdin = bytes.into();
        self
    }

    /// Most bytes kept of each stream, 64 KiB if not said: half from the beginning, half from the end. The rest is read
    /// and counted.
    pub fn output_limit(mut self, bytes: usize) -> Self {
        self.output_limit = bytes;
        self
    }

    /// How long it may take. It never takes longer than the call has left, less what its end may take.
    pub fn timeout(mut self, time: Duration) -> Self {
        self.time = Some(time);
        self
    }

    /// Whether it needs a sandbox; without it, as the host says for all.
    pub fn sandbox(mut self, sandbox: Sandbox) -> Self {
        self.sandbox = Some(sandbox);
        self
    }

    /// What it may use; without it, as the host says for all.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = Some(limits);
        self
    }

    /// Runs it, and ends everything that it started, when it ends, its time is over, the call is given up, or this
    /// future is dropped. An exit code that isn't 0 is no error: the tool judges it.
    ///
    /// # Errors
    /// The rule of the error says which (`exec.*`). Not allowed, not found, not trusted, not started: no effect. Ended
    /// early: unknown effect.
    pub async fn run(self) -> Result<Output, ToolError> {
        let context = self.context.clone();
        let plan = plan::plan(self)?;
        let (keep, stop) = Stop::pair(&context)?;
        let (answer, answered) = tokio::sync::oneshot::channel();
        let work = move || {
            // Nobody is left to hear it where the future was dropped.
            let _ = answer.send(run::run(&plan, &stop));
        };
        if let Err(error) = std::thread::Builder::new().name("toolgate-exec".to_owned()).spawn(work) {
            return Err(crate::fault::Fault::NotStarted.error(context.has_effect_started(), error.to_string()));
        }
        let mut answered = std::pin::pin!(answered);
        let answer = tokio::select! {
            answer = &mut answered => answer,
            () = context.cancellation().cancelled() => {
                drop(keep);
                answered.await
            }
        };
        answer.unwrap_or_else(|_| Err(crate::fault::Fault::Lost.error(true, "the thread of the run ended early")))
    }

    /// As [`Command::run`], for a sync tool: waits on this thread.
    ///
    /// # Errors
    /// As [`Command::run`].
    pub fn run_blocking(self) -> Result<Output, ToolError> {
        let stop = Stop::polled(&self.context);
        run::run(&plan::plan(self)?, &stop)
    }
}
