//! Limits of one run, and setting them on the process that becomes the program.

use std::time::Duration;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde::{Deserialize, Serialize};

/// What one run may use; `None` is no limit of its own. All but [`Self::processes`] are per process, as the kernel
/// counts them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Time on a processor; the kernel kills a process that takes more.
    pub cpu: Option<Duration>,
    /// Bytes of address space. Runtimes that reserve a lot (Go, Java, Node) don't start with little.
    pub address_space: Option<u64>,
    /// Bytes of the largest file that it writes.
    pub file_size: Option<u64>,
    /// Open files.
    pub open_files: Option<u64>,
    /// Processes of the whole run at once, threads not counted. What has more is ended. Looked at several times
    /// a second; where the host isn't root, the kernel also refuses new processes and threads from about then on.
    pub processes: Option<u32>,
}

impl Default for Limits {
    /// Files of 1 GiB, 1,024 of them open, 256 processes.
    fn default() -> Self {
        Self { cpu: None, address_space: None, file_size: Some(1 << 30), open_files: Some(1024), processes: Some(256) }
    }
}

impl Limits {
    /// Sets them on the calling process, together with no core dumps. `tasks` is the kernel's limit of all
    /// processes and threads of this user.
    pub(crate) fn apply(&self, tasks: Option<u64>) -> Result<(), String> {
        let cpu = self.cpu.map(|cpu| cpu.as_secs().max(1));
        let limits = [
            (Resource::Core, Some(0)),
            (Resource::Cpu, cpu),
            (Resource::As, self.address_space),
            (Resource::Fsize, self.file_size),
            (Resource::Nofile, self.open_files),
            (Resource::Nproc, tasks),
        ];
        for (resource, limit) in limits {
            let Some(limit) = limit else { continue };
            // Only root may raise what is set already.
            let limit = getrlimit(resource).maximum.map_or(limit, |most| limit.min(most));
            let both = Rlimit { current: Some(limit), maximum: Some(limit) };
            setrlimit(resource, both).map_err(|error| format!("setting {resource:?} to {limit}: {error}"))?;
        }
        Ok(())
    }
}
