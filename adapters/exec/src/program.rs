//! From the name of a program to the file that is run: looked up in the host's search path, held, and judged by who could
//! change it. Nothing here depends on the environment, the current folder or the workspace.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, accessat, fstat, openat, readlink};
use rustix::io::Errno;

/// Most links on the way to a program, as the kernel has it.
const MAX_LINKS: usize = 40;

/// A program that was found, and that can be run.
#[derive(Debug)]
pub(crate) struct Program {
    /// Where it was found.
    pub(crate) path: String,
    /// Where that leads.
    pub(crate) real: PathBuf,
    pub(crate) handle: OwnedFd,
    /// Whether it is run by an interpreter, which opens it by its name.
    pub(crate) is_script: bool,
}

impl Program {
    /// Whether the file, or the link that was found, is in that folder or below it.
    pub(crate) fn is_beneath(&self, folder: &Path) -> bool {
        let link = Path::new(&self.path).parent().and_then(|parent| parent.canonicalize().ok());
        self.real.starts_with(folder) || link.is_some_and(|link| link.starts_with(folder))
    }
}

/// Whether this is a name for the search path, and no path.
pub(crate) fn is_name(asked: &str) -> bool {
    !asked.is_empty() && !asked.contains(['/', '\0']) && asked != "." && asked != ".."
}

/// Whether this is an absolute path, written in one way only.
pub(crate) fn is_absolute(asked: &str) -> bool {
    let is_part = |part: &str| !matches!(part, "" | "." | "..") && !part.contains('\0');
    asked.strip_prefix('/').is_some_and(|rest| rest.split('/').all(is_part))
}

/// Where the search path has a program of that name, or the path itself.
pub(crate) fn locate(asked: &str, search: &[String]) -> Option<String> {
    if is_absolute(asked) {
        return can_run(asked).then(|| asked.to_owned());
    }
    if !is_name(asked) {
        return None;
    }
    search.iter().map(|folder| format!("{}/{asked}", folder.trim_end_matches('/'))).find(|path| can_run(path))
}

fn can_run(path: &str) -> bool {
    let is_file = std::fs::metadata(path).is_ok_and(|facts| facts.is_file());
    is_file && accessat(CWD, path, rustix::fs::Access::EXEC_OK, AtFlags::EACCESS).is_ok()
}

/// Holds the file at `path`.
pub(crate) fn hold(path: String) -> io::Result<Program> {
    let handle = openat(CWD, &path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
    if FileType::from_raw_mode(fstat(&handle)?.st_mode) != FileType::RegularFile {
        return Err(io::Error::other("it is no regular file"));
    }
    let real = real_path(&handle)?;
    let is_script = is_script(&handle)?;
    Ok(Program { path, real, handle, is_script })
}

/// Where a held file is.
pub(crate) fn real_path(handle: &OwnedFd) -> io::Result<PathBuf> {
    Ok(Path::new(std::ffi::OsStr::from_bytes(readlink(proc_path(handle), Vec::new())?.to_bytes())).to_path_buf())
}

fn proc_path(handle: &OwnedFd) -> String {
    use std::os::fd::AsRawFd as _;
    format!("/proc/self/fd/{}", handle.as_raw_fd())
}

/// Whether the kernel runs it by an interpreter, which opens it by its name. What the kernel can't run at all is refused here:
/// the C library would hand it to a shell.
fn is_script(handle: &OwnedFd) -> io::Result<bool> {
    let mut begin = [0; 128];
    let opened = openat(CWD, proc_path(handle), OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty());
    let read = match opened {
        Ok(file) => rustix::io::read(&file, &mut begin)?,
        // A program that may be run and not read is no script.
        Err(Errno::ACCESS) => return Ok(false),
        Err(error) => return Err(error.into()),
    };
    let begin = begin.get(..read).unwrap_or_default();
    match begin.strip_prefix(b"#!") {
        Some(line) if line.trim_ascii_start().starts_with(b"/") => Ok(true),
        None if begin.starts_with(b"\x7fELF") => Ok(false),
        _ => Err(io::Error::other("it is neither an ELF program nor a script with an absolute interpreter")),
    }
}

/// Says who else could change what is run: every file, link and folder on the way must belong to root or to this user,
/// and be writable by those and their group at most.
pub(crate) fn who_else(program: &Program) -> Result<(), String> {
    let own = rustix::process::geteuid().as_raw();
    let mut path = PathBuf::from(&program.path);
    for _ in 0..MAX_LINKS {
        let folder = path.parent().unwrap_or(Path::new("/"));
        let folder = folder.canonicalize().map_err(|error| format!("{}: {error}", folder.display()))?;
        for part in folder.ancestors() {
            judge(part, own)?;
        }
        match std::fs::read_link(&path) {
            Ok(target) => path = folder.join(target),
            Err(_) => return judge(&path, own),
        }
    }
    Err("too many links".to_owned())
}

fn judge(path: &Path, own: u32) -> Result<(), String> {
    let facts = std::fs::symlink_metadata(path).map_err(|error| format!("{}: {error}", path.display()))?;
    if facts.uid() != 0 && facts.uid() != own {
        return Err(format!("{} belongs to user {}, who is neither root nor this one", path.display(), facts.uid()));
    }
    if facts.mode() & 0o002 != 0 && !facts.file_type().is_symlink() {
        return Err(format!("everybody may write to {}", path.display()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_absolute_and_written_in_one_way_or_refused() {
        assert!(is_absolute("/usr/bin/git") && is_name("git") && is_name("g++") && is_name("..."));
        for wrong in ["usr/bin/git", "./git", "../git", "/usr/../bin/git", "/usr//bin/git", "/usr/bin/", "/", "", "."] {
            assert!(!is_absolute(wrong), "{wrong}");
        }
        for wrong in ["", ".", "..", "a/b", "a\0b"] {
            assert!(!is_name(wrong) && locate(wrong, &["/usr/bin".into()]).is_none(), "{wrong:?}");
        }
    }

    #[test]
    fn the_shell_is_found_in_the_search_path_and_only_there() {
        let search = ["/nowhere".to_owned(), "/usr/bin/".to_owned()];
        assert_eq!(locate("sh", &search).as_deref(), Some("/usr/bin/sh"));
        assert_eq!(locate("sh", &search[..1]), None);
        assert_eq!(locate("share", &["/usr".to_owned()]), None, "a folder is no program");
        assert_eq!(locate("passwd", &["/etc".to_owned()]), None, "nor is a file that can't be run");
        let program = hold("/usr/bin/sh".to_owned()).unwrap();
        assert!(!program.is_script && program.real.is_absolute());
        assert_eq!(who_else(&program), Ok(()));
    }
}
