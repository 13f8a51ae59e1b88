//! Who runs a call: an id of this process from which any process of the same host can tell whether
//! it still lives. Not a lease between hosts.

use std::sync::OnceLock;

static OWNER: OnceLock<String> = OnceLock::new();

/// The id of this process: boot id, process id, start time, so that neither a restart of the host
/// nor a process id used again is taken for it.
pub fn this_process() -> &'static str {
    OWNER.get_or_init(|| {
        let pid = std::process::id();
        format!("{}:{pid}:{}", boot_id(), start_time(pid).unwrap_or_default())
    })
}

/// Whether that process lives. An id that can't be read counts as living: naming a running call
/// "in doubt" would be a lie, waiting for a person is not.
pub fn is_alive(owner: &str) -> bool {
    let mut parts = owner.split(':');
    let (Some(boot), Some(pid), Some(start)) = (parts.next(), parts.next(), parts.next()) else {
        return true;
    };
    let Ok(pid) = pid.parse() else { return true };
    boot == boot_id() && (start.is_empty() || start_time(pid).is_some_and(|now| now == start))
}

fn boot_id() -> String {
    std::fs::read_to_string("/proc/sys/kernel/random/boot_id").map(|id| id.trim().to_owned()).unwrap_or_default()
}

/// Field 22 of `/proc/PID/stat`, counted after the command name, which may hold anything. A zombie
/// no longer runs.
fn start_time(pid: u32) -> Option<String> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_whitespace();
    if matches!(fields.next(), Some("Z" | "X")) {
        return None;
    }
    fields.nth(18).map(str::to_owned)
}
