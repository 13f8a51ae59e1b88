//! Who runs a call: an id of this process from which any process of the same host can tell whether
//! it still lives. Between hosts, and between containers of one host, which share its boot id but not
//! its process ids, only a lease tells, which is the store's.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

static OWNER: OnceLock<String> = OnceLock::new();

/// The id of this process, `boot:pid:start:namespace`: boot id, process id, start time and the inode
/// of the namespace in which the process id counts, so that neither a restart of the host nor a
/// process id used again, here or in another container, is taken for it. What can't be read is empty.
/// Readers take further fields behind these.
pub fn this_process() -> &'static str {
    OWNER.get_or_init(|| {
        let Here { boot, namespace, .. } = Here::look();
        let start = match started("self") {
            Process::Started(start) => start,
            Process::Ended | Process::Unseen => String::new(),
        };
        format!("{boot}:{}:{start}:{namespace}", std::process::id())
    })
}

/// A new name for one gate of this process: the id of the process and something random. Its calls have
/// it as owner, with a number of their own behind; its lease is under this name.
///
/// # Errors
/// When the operating system gives no randomness.
pub fn new_holder() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes)?;
    Ok(format!("{}:g{}", this_process(), crate::ledger::hex(&bytes)))
}

/// The holder of the lease that an owner lives by: its first five fields.
pub fn holder_of(owner: &str) -> &str {
    let end = owner.match_indices(':').nth(4).map(|(at, _)| at);
    end.and_then(|end| owner.get(..end)).unwrap_or(owner)
}

/// As [`is_alive`], where processes of other hosts may own calls, too: of another boot nothing is known.
pub fn may_live(owner: &str) -> bool {
    let here = Here::look();
    let boot = owner.split(':').next().unwrap_or_default();
    (!here.boot.is_empty() && boot != here.boot) || is_alive(owner)
}

/// Whether that process lives. What can't be seen from here counts as living: an id that can't be
/// read, a process of another namespace, a `/proc` that isn't there or shows another namespace.
/// Naming a running call "in doubt" would be a lie, waiting for a person is not.
///
/// A call of this process whose driver is gone, with its runtime, runs no longer.
pub fn is_alive(owner: &str) -> bool {
    let driver = owner.strip_prefix(this_process()).and_then(|rest| rest.strip_prefix(':'));
    if let Some(driver) = driver.and_then(|rest| rest.rsplit(':').next()).and_then(|driver| driver.parse().ok())
        && !this_process().split(':').any(str::is_empty)
    {
        return drivers().contains(&driver);
    }
    lives(owner, &Here::look(), |pid| started(&pid.to_string()))
}

/// The drivers of this process that have not ended.
static DRIVERS: Mutex<BTreeSet<u64>> = Mutex::new(BTreeSet::new());
static LAST_DRIVER: AtomicU64 = AtomicU64::new(0);

fn drivers() -> MutexGuard<'static, BTreeSet<u64>> {
    DRIVERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What drives one call to its record; it lives until it is dropped, also with its runtime.
#[derive(Debug)]
pub(crate) struct Driver(u64);

impl Driver {
    /// One that lives.
    pub(crate) fn start() -> Self {
        let driver = LAST_DRIVER.fetch_add(1, Ordering::Relaxed);
        drivers().insert(driver);
        Self(driver)
    }

    /// The name of a gate of this process with the driver as a further field.
    pub(crate) fn owner(&self, holder: &str) -> String {
        format!("{holder}:{}", self.0)
    }

    /// Leaves the call to this process, which has still to write it.
    pub(crate) fn leave(self) {
        std::mem::forget(self);
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        drivers().remove(&self.0);
    }
}

/// What this process sees of the host.
#[derive(Debug, Clone)]
struct Here {
    boot: String,
    namespace: String,
    /// Whether `/proc` shows the processes of this namespace.
    sees: bool,
}

impl Here {
    fn look() -> Self {
        let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
        let namespace = std::fs::metadata("/proc/self/ns/pid").map(|about| about.ino().to_string());
        let own = std::fs::read_link("/proc/self")
            .is_ok_and(|pid| pid.as_os_str() == std::process::id().to_string().as_str());
        Self { boot: boot.trim().to_owned(), namespace: namespace.unwrap_or_default(), sees: own }
    }
}

/// What `/proc` says of a process.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Process {
    Started(String),
    /// There is none, or a zombie, which no longer runs.
    Ended,
    Unseen,
}

fn lives(owner: &str, here: &Here, process: impl Fn(u32) -> Process) -> bool {
    let mut parts = owner.split(':');
    let (Some(boot), Some(pid), Some(start)) = (parts.next(), parts.next(), parts.next()) else {
        return true;
    };
    let Ok(pid) = pid.parse() else { return true };
    if boot.is_empty() || here.boot.is_empty() {
        return true;
    }
    if boot != here.boot {
        return false;
    }
    let namespace = parts.next().unwrap_or_default();
    if !here.sees || namespace.is_empty() || namespace != here.namespace {
        return true;
    }
    match process(pid) {
        Process::Started(now) => start.is_empty() || now == start,
        Process::Ended => false,
        Process::Unseen => true,
    }
}

/// Field 22 of `/proc/PID/stat`, counted after the command name, which may hold anything.
fn started(pid: &str) -> Process {
    let stat = match std::fs::read_to_string(format!("/proc/{pid}/stat")) {
        Ok(stat) => stat,
        // ESRCH: it ended between opening and reading.
        Err(error) if error.kind() == ErrorKind::NotFound || error.raw_os_error() == Some(3) => return Process::Ended,
        Err(_) => return Process::Unseen,
    };
    let Some((_, fields)) = stat.rsplit_once(')') else { return Process::Unseen };
    let mut fields = fields.split_whitespace();
    match (fields.next(), fields.nth(18)) {
        (Some("Z" | "X"), _) => Process::Ended,
        (Some(_), Some(start)) => Process::Started(start.to_owned()),
        _ => Process::Unseen,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn here() -> Here {
        Here { boot: "b".to_owned(), namespace: "7".to_owned(), sees: true }
    }

    /// Process 5 started at 100, nothing else runs.
    fn five(pid: u32) -> Process {
        if pid == 5 { Process::Started("100".to_owned()) } else { Process::Ended }
    }

    #[test]
    fn owner_is_dead_only_where_its_death_can_be_seen() {
        let seen = |owner: &str| lives(owner, &here(), five);
        assert!(seen("b:5:100:7"));
        assert!(!seen("b:6:100:7"), "no such process");
        assert!(!seen("b:5:99:7"), "the process id was used again");
        assert!(!seen("other:5:100:7"), "the host was restarted");
        assert!(seen("b:6:100:8"), "another container: its process ids say nothing here");
        assert!(seen("b:6:100:"), "its namespace could not be read");
        assert!(seen(":6:100:7"), "its boot id could not be read");
        for owner in ["", "b", "b:6", "b:6:100", "b:x:100:7", "somebody"] {
            assert!(seen(owner), "{owner:?} says nothing");
        }
    }

    #[test]
    fn a_holder_is_an_owner_without_its_last_field() {
        let holder = new_holder().unwrap();
        let driver = Driver::start();
        let owner = driver.owner(&holder);
        assert_eq!(holder_of(&owner), holder);
        assert_eq!(holder_of(&holder), holder);
        assert_eq!(holder_of("b:5:100:7:12"), "b:5:100:7:12", "an owner of a time without holders");
        assert_ne!(new_holder().unwrap(), holder, "each gate has a name of its own");
        assert!(is_alive(&owner));
        drop(driver);
        if !this_process().split(':').any(str::is_empty) {
            assert!(!is_alive(&owner), "its driver is gone");
        }
        assert!(is_alive(&holder));
    }

    #[test]
    fn of_another_host_nothing_is_known_where_hosts_share_a_store() {
        assert!(may_live("other-boot:5:100:7:g1:2"));
        assert!(may_live(this_process()));
    }

    #[test]
    fn further_fields_change_nothing() {
        assert!(lives("b:5:100:7:gate-1", &here(), five));
        assert!(!lives("b:6:100:7:gate-1:more", &here(), five));
    }

    #[test]
    fn where_nothing_can_be_seen_everybody_lives() {
        assert!(lives("b:6:100:7", &Here { sees: false, ..here() }, five));
        assert!(lives("b:6:100:7", &Here { boot: String::new(), ..here() }, five));
        assert!(lives("b:6:100:7", &here(), |_| Process::Unseen));
    }

    #[test]
    fn this_process_lives_and_one_that_ended_does_not() {
        assert!(is_alive(this_process()));
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let pid = child.id();
        child.wait().unwrap();
        let Here { boot, namespace, sees } = Here::look();
        if sees && !boot.is_empty() {
            assert!(!is_alive(&format!("{boot}:{pid}:1:{namespace}")));
        }
    }

    /// Two containers of one host, as two process-id namespaces: this one's process, asked for from
    /// the other, isn't dead because another or no process has its number there.
    #[test]
    fn process_of_another_namespace_counts_as_living() {
        if let Ok(owner) = std::env::var("TOOLGATE_TEST_OWNER") {
            assert!(is_alive(&owner), "seen from another namespace");
            assert!(is_alive(this_process()), "its own");
            return;
        }
        let own = std::env::current_exe().unwrap();
        let run = std::process::Command::new("unshare")
            .args(["--pid", "--mount-proc", "--fork", "--kill-child"])
            .arg(own)
            .args(["--exact", "owner::tests::process_of_another_namespace_counts_as_living"])
            .env("TOOLGATE_TEST_OWNER", this_process())
            .output();
        match run {
            Ok(output) if output.status.success() => {}
            Ok(output) if String::from_utf8_lossy(&output.stderr).starts_with("unshare:") => {
                eprintln!("skipped: no namespaces here: {}", String::from_utf8_lossy(&output.stderr));
            }
            Ok(output) => panic!("{}", String::from_utf8_lossy(&output.stdout)),
            Err(error) => eprintln!("skipped: no `unshare` here: {error}"),
        }
    }
}
