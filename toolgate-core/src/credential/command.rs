//! Credentials from a command that the host names, such as one that makes a token for an hour. Not a way
//! for a tool to run anything: the words of the command are fixed.

use std::collections::BTreeMap;
use std::io::Read;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::broker::{BrokerError, CredentialBroker, CredentialRequest, Issued};
use super::{MAX_BYTES, secret_of, wipe};
use crate::tool::BoxFuture;

/// Most bytes of what a failed command said that the operator reads.
const MAX_SAID: usize = 2_000;
/// How often a running command is looked at.
const LOOK: Duration = Duration::from_millis(5);

/// Runs a program each time it is asked: without a shell, with a clean environment, at most 10 s, and what it
/// writes, at most 16 KiB without the line end behind it, is the credential. The program and all that it
/// started in its process group are ended when the time is over.
///
/// The program reads in its environment for what it is asked: `TOOLGATE_CREDENTIAL`, `TOOLGATE_TOOL`,
/// `TOOLGATE_CALL`, `TOOLGATE_SESSION`, `TOOLGATE_TASK`, `TOOLGATE_TASK_TYPE`, `TOOLGATE_PRINCIPAL`,
/// `TOOLGATE_USER` (not set without a user) and `TOOLGATE_LIFETIME_SECONDS`.
#[derive(Debug, Clone)]
pub struct CommandCredentials {
    program: PathBuf,
    arguments: Vec<String>,
    environment: BTreeMap<String, String>,
    lifetime: Option<Duration>,
    timeout: Duration,
}

impl CommandCredentials {
    /// This program, by its absolute path, with these arguments.
    pub fn new(program: impl Into<PathBuf>, arguments: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self {
            program: program.into(),
            arguments: arguments.into_iter().map(Into::into).collect(),
            environment: BTreeMap::new(),
            lifetime: None,
            timeout: Duration::from_secs(10),
        }
    }

    /// With one more variable in its environment, such as `HOME`.
    #[must_use]
    pub fn env(mut self, variable: impl Into<String>, value: impl Into<String>) -> Self {
        self.environment.insert(variable.into(), value.into());
        self
    }

    /// What it gives is good for so long.
    #[must_use]
    pub fn expires_in(mut self, lifetime: Duration) -> Self {
        self.lifetime = Some(lifetime);
        self
    }

    /// How long it may take; 10 s by default.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    fn run(&self, request: &CredentialRequest) -> Result<Issued, BrokerError> {
        if !self.program.is_absolute() {
            return Err(BrokerError::new(format!("`{}` is no absolute path", self.program.display())));
        }
        let mut command = self.command(request);
        let child = command.spawn().map_err(|error| self.told(&format!("can't be started: {error}")))?;
        let written = Running { child, reaped: false }.end(self.timeout).map_err(|what| self.told(&what))?;
        let secret = secret_of(written).map_err(|error| self.told(&format!("wrote what can't be used: {error}")))?;
        let name = self.program.file_name().unwrap_or(self.program.as_os_str()).to_string_lossy();
        let issued = Issued::new(format!("command:{name}"), secret);
        Ok(match self.lifetime {
            Some(lifetime) => issued.expires_in(lifetime),
            None => issued,
        })
    }

    fn command(&self, request: &CredentialRequest) -> Command {
        let CredentialRequest { name, tool, call_id, session, task, task_type, principal, user, lifetime } = request;
        let seconds = lifetime.as_secs().to_string();
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).env_clear().envs(&self.environment);
        for (variable, value) in [
            ("TOOLGATE_CREDENTIAL", name),
            ("TOOLGATE_TOOL", tool),
            ("TOOLGATE_CALL", call_id),
            ("TOOLGATE_SESSION", session),
            ("TOOLGATE_TASK", task),
            ("TOOLGATE_TASK_TYPE", task_type),
            ("TOOLGATE_PRINCIPAL", principal),
            ("TOOLGATE_LIFETIME_SECONDS", &seconds),
        ] {
            command.env(variable, value);
        }
        if let Some(user) = user {
            command.env("TOOLGATE_USER", user);
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.current_dir(Path::new("/")).process_group(0);
        command
    }

    fn told(&self, what: &str) -> BrokerError {
        BrokerError::new(format!("`{}` {what}", self.program.display())).retryable()
    }
}

impl CredentialBroker for CommandCredentials {
    fn issue<'a>(&'a self, request: &'a CredentialRequest) -> BoxFuture<'a, Result<Issued, BrokerError>> {
        let (broker, request) = (self.clone(), request.clone());
        Box::pin(async move {
            let run = tokio::task::spawn_blocking(move || broker.run(&request));
            run.await.map_err(|_| BrokerError::new("the command was not run to its end"))?
        })
    }
}

/// A command under way; its whole group ends with it.
struct Running {
    child: Child,
    reaped: bool,
}

impl Running {
    /// What it wrote, once it ended well.
    fn end(mut self, timeout: Duration) -> Result<Vec<u8>, String> {
        let ends = Instant::now() + timeout;
        let rest = || ends.saturating_duration_since(Instant::now());
        let late = || format!("took longer than {} ms", timeout.as_millis());
        let written = read(self.child.stdout.take(), MAX_BYTES + 1);
        let said = read(self.child.stderr.take(), MAX_SAID);
        // What it started may hold the pipe open when it has ended; it may go on when it has closed the pipe.
        let bytes = written.recv_timeout(rest()).map_err(|_| late())?;
        if bytes.len() > MAX_BYTES {
            wipe(bytes);
            return Err(format!("wrote more than {MAX_BYTES} bytes"));
        }
        while !self.has_ended()? {
            if rest().is_zero() {
                return Err(late());
            }
            std::thread::sleep(LOOK);
        }
        let status = self.reap()?;
        if status.success() {
            return Ok(bytes);
        }
        wipe(bytes);
        let said = said.recv_timeout(LOOK * 20).unwrap_or_default();
        Err(format!("ended with {status}: {}", String::from_utf8_lossy(&said).trim()))
    }

    fn group(&self) -> Option<Pid> {
        i32::try_from(self.child.id()).ok().and_then(Pid::from_raw)
    }

    /// Looks without reaping: until then nobody else can have its id, nor that of its group.
    fn has_ended(&self) -> Result<bool, String> {
        let Some(pid) = self.group() else {
            return Err("has no process id".to_owned());
        };
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let seen = waitid(WaitId::Pid(pid), look).map_err(|error| format!("can't be waited for: {error}"))?;
        Ok(seen.is_some())
    }

    fn reap(&mut self) -> Result<ExitStatus, String> {
        if let Some(group) = self.group().filter(|_| !self.reaped) {
            // Nobody may be left in it.
            let _ = kill_process_group(group, Signal::KILL);
        }
        self.reaped = true;
        self.child.wait().map_err(|error| format!("can't be waited for: {error}"))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.reaped {
            // An ended program is what was wanted, however it ended.
            let _ = self.reap();
        }
    }
}

/// Reads a pipe on a thread of its own, at most so many bytes; the rest is not waited for.
fn read(pipe: Option<impl Read + Send + 'static>, most: usize) -> Receiver<Vec<u8>> {
    let (sender, receiver) = sync_channel(1);
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(pipe) = pipe {
            // What was read before an error is judged like the rest.
            let _ = pipe.take(u64::try_from(most).unwrap_or(u64::MAX)).read_to_end(&mut bytes);
        }
        let _ = sender.send(bytes);
    });
    receiver
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request() -> CredentialRequest {
        CredentialRequest {
            name: "crm".to_owned(),
            tool: "look".to_owned(),
            call_id: "call_1".to_owned(),
            session: "S".to_owned(),
            task: "T".to_owned(),
            task_type: "demo".to_owned(),
            principal: "agent".to_owned(),
            user: None,
            lifetime: Duration::from_mins(10),
        }
    }

    fn run(script: &str, timeout: Duration) -> Result<String, String> {
        let broker = CommandCredentials::new("/bin/sh", ["-c", script]).timeout(timeout);
        broker.run(&request()).map(|issued| issued.secret.expose().to_owned()).map_err(|error| error.to_string())
    }

    const LONG: Duration = Duration::from_mins(1);

    #[test]
    fn a_command_has_a_clean_environment_and_knows_what_is_asked() {
        let seen = run("/usr/bin/env | /usr/bin/sort", LONG).unwrap();
        assert!(seen.contains("TOOLGATE_TOOL=look") && seen.contains("TOOLGATE_LIFETIME_SECONDS=600"), "{seen}");
        assert!(!seen.contains("TOOLGATE_USER") && !seen.contains("CARGO") && !seen.contains("HOME="), "{seen}");
        assert_eq!(run("printf 'tok-1\\n'", LONG).unwrap(), "tok-1");
    }

    #[test]
    fn a_command_that_fails_writes_too_much_or_never_ends_gives_nothing() {
        let error = run("echo tok-secret; echo why >&2; exit 3", LONG).unwrap_err();
        assert!(error.contains("exit status: 3: why") && !error.contains("tok-secret"), "{error}");
        assert!(run("while :; do echo 0123456789abcdef; done", LONG).unwrap_err().contains("more than"));
        let start = Instant::now();
        for script in ["sleep 600", "sleep 600 & exit 0", "exec >&-; sleep 600"] {
            assert!(run(script, Duration::from_millis(200)).unwrap_err().contains("took longer"), "{script}");
        }
        assert!(start.elapsed() < LONG, "nobody waited for them");
        let relative = CommandCredentials::new("sh", ["-c", "true"]).run(&request()).unwrap_err();
        assert!(relative.to_string().contains("no absolute path"));
    }

    #[test]
    fn what_a_command_started_ends_with_its_time() {
        let place = std::env::temp_dir().join(format!("toolgate-broker-{}", std::process::id()));
        let script = format!("(sleep 600 & echo $! > {0}; wait) & wait", place.display());
        run(&script, Duration::from_millis(400)).unwrap_err();
        let pid = std::fs::read_to_string(&place).unwrap();
        std::fs::remove_file(&place).unwrap();
        // A process that was ended and not yet reaped is still listed, as a zombie.
        let gone = || {
            let state = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
            state.is_empty() || state.contains(") Z ")
        };
        let start = Instant::now();
        while !gone() && start.elapsed() < LONG {
            std::thread::sleep(LOOK);
        }
        assert!(gone(), "{pid}");
    }
}
