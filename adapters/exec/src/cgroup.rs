//! A group of the kernel (cgroup v2) for one run, where this user may make one: it ends all that is in it at once, also
//! what starts the next process faster than it could be killed. Not there on many systems; then `tree.rs` is alone.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use rustix::process::Pid;

/// The group of one run; removed when it is dropped, which succeeds only when nobody is in it.
#[derive(Debug)]
pub(crate) struct Cgroup {
    folder: PathBuf,
    /// Held open: a program may take from this process the right to open files.
    end: File,
}

impl Cgroup {
    /// A group beneath this process's own, with this process of it that has not begun.
    ///
    /// # Errors
    /// There is no cgroup v2, none that this user may write, or one that can't end what is in it (Linux 5.14).
    pub(crate) fn with(process: Pid) -> io::Result<Self> {
        let folder = own()?.join(format!("toolgate-run-{}", std::process::id()));
        fs::create_dir(&folder)?;
        let made = Self::in_folder(folder.clone(), process);
        if made.is_err() {
            // It is empty.
            let _ = fs::remove_dir(&folder);
        }
        made
    }

    fn in_folder(folder: PathBuf, process: Pid) -> io::Result<Self> {
        let end = OpenOptions::new().write(true).open(folder.join("cgroup.kill"))?;
        fs::write(folder.join("cgroup.procs"), process.as_raw_nonzero().get().to_string())?;
        Ok(Self { folder, end })
    }

    /// Ends all that is in it.
    pub(crate) fn end(&self) {
        // What is left is found and killed one by one.
        let _ = (&self.end).write_all(b"1");
    }
}

impl Drop for Cgroup {
    fn drop(&mut self) {
        // Without a process in it, or it stays, empty but for what can't be ended.
        let _ = fs::remove_dir(&self.folder);
    }
}

/// The folder of this process's own group.
fn own() -> io::Result<PathBuf> {
    let (groups, mounts) = (fs::read_to_string("/proc/self/cgroup")?, fs::read_to_string("/proc/self/mountinfo")?);
    place(&groups, &mounts).ok_or_else(|| io::ErrorKind::NotFound.into())
}

fn place(groups: &str, mounts: &str) -> Option<PathBuf> {
    let own = groups.lines().find_map(|line| line.strip_prefix("0::"))?;
    let (root, mount) = mounts.lines().find_map(|line| {
        let (place, kind) = line.split_once(" - ")?;
        let mut place = place.split(' ').skip(3);
        let (root, mount) = (place.next()?, place.next()?);
        // A place with escapes is none of a system that was set up as usual.
        (kind.starts_with("cgroup2 ") && !mount.contains('\\')).then_some((root, mount))
    })?;
    let beneath = Path::new(own).strip_prefix(root).ok()?;
    Some(Path::new(mount).join(beneath))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_own_group_is_found_beneath_where_its_kind_is_mounted() {
        let mounts =
            "25 1 0:21 / /proc rw - proc proc rw\n30 24 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw\n";
        let at = |groups: &str, mounts: &str| place(groups, mounts).map(|place| place.display().to_string());
        assert_eq!(at("0::/user.slice/a\n", mounts).as_deref(), Some("/sys/fs/cgroup/user.slice/a"));
        assert_eq!(at("5:cpu:/x\n0::/\n", mounts).as_deref(), Some("/sys/fs/cgroup/"));
        let part = mounts.replace("0:26 /", "0:26 /box");
        assert_eq!(at("0::/box/a\n", &part).as_deref(), Some("/sys/fs/cgroup/a"));
        assert_eq!(at("0::/other\n", &part), None, "mounted elsewhere");
        assert_eq!(at("5:cpu:/x\n", mounts), None, "only groups of version 1");
        assert_eq!(at("0::/\n", "25 1 0:21 / /proc rw - proc proc rw\n"), None);
    }
}
