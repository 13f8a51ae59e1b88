//! Linux: `openat2` beneath a folder handle, and calls that take a folder handle and one name.
//!
//! No call takes an absolute path, save `/proc/self/fd/N` for a handle that is already held.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::{self, AtFlags, CWD, FileType, Mode, OFlags, RenameFlags, ResolveFlags};
use rustix::io::Errno;

use super::{Access, Facts, Kind, Links};
use crate::resource::error::{Fault, PathError};
use crate::resource::names::quote;

/// A held object.
pub(in crate::resource) type Fd = OwnedFd;

/// How often a resolution that raced with a rename is repeated.
const RETRIES: u32 = 16;

/// Opens the folder that everything else is beneath, and proves that the kernel can do what is needed.
pub(in crate::resource) fn open_root(path: &Path) -> Result<Fd, PathError> {
    let root = fs::open(path, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
        .map_err(|errno| fault(errno, "opening the root"))?;
    openat2(&root, OsStr::new("."), ResolveFlags::BENEATH).map_err(|errno| match errno {
        // Old kernels answer the first, some sandboxes the others.
        Errno::NOSYS | Errno::PERM | Errno::INVAL => {
            PathError::new(Fault::Unsupported, format!("openat2 can't be used: {errno}"))
        }
        errno => fault(errno, "searching the root"),
    })?;
    let proc = fs::open("/proc/self/fd", OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
        .and_then(fs::fstatfs)
        .map_err(|errno| PathError::new(Fault::Unsupported, format!("/proc can't be used: {errno}")))?;
    if proc.f_type != fs::PROC_SUPER_MAGIC {
        return Err(PathError::new(Fault::Unsupported, "/proc isn't the kernel's"));
    }
    Ok(root)
}

/// Resolves `path` beneath `root` without opening what it finds.
pub(in crate::resource) fn resolve(root: &Fd, path: &OsStr, links: Links, no_xdev: bool) -> Result<Fd, PathError> {
    let mut flags = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
    if links == Links::Refuse {
        flags |= ResolveFlags::NO_SYMLINKS;
    }
    if !no_xdev {
        return openat2(root, path, flags).map_err(|errno| resolve_fault(errno, links, path));
    }
    openat2(root, path, flags | ResolveFlags::NO_XDEV).map_err(|errno| {
        // The kernel answers EXDEV for an escape and for a mount point; only the first remains without NO_XDEV.
        if errno == Errno::XDEV && openat2(root, path, flags).is_ok() {
            return PathError::new(Fault::Xdev, format!("{} crosses a mount point", quote(path)));
        }
        resolve_fault(errno, links, path)
    })
}

fn openat2(root: &Fd, path: &OsStr, flags: ResolveFlags) -> Result<Fd, Errno> {
    let mut tries = 0;
    loop {
        match fs::openat2(root, path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty(), flags) {
            Err(Errno::AGAIN | Errno::INTR) if tries < RETRIES => tries += 1,
            result => return result,
        }
    }
}

fn resolve_fault(errno: Errno, links: Links, path: &OsStr) -> PathError {
    if errno == Errno::LOOP && links == Links::Refuse {
        return PathError::new(Fault::FinalSymlink, format!("{} holds a link", quote(path)));
    }
    if errno == Errno::XDEV {
        return PathError::new(Fault::Escape, format!("{} leads out of the root", quote(path)));
    }
    fault(errno, &format!("resolving {}", quote(path)))
}

/// Where a held object lives now, as the kernel knows it.
pub(in crate::resource) fn real_path(fd: &Fd) -> Result<PathBuf, PathError> {
    let link = fs::readlink(proc_path(fd), Vec::new()).map_err(|errno| fault(errno, "asking for the real path"))?;
    Ok(PathBuf::from(OsString::from_vec(link.into_bytes())))
}

fn proc_path(fd: &Fd) -> String {
    format!("/proc/self/fd/{}", fd.as_raw_fd())
}

/// The facts of a held object.
pub(in crate::resource) fn facts(fd: &Fd) -> Result<Facts, PathError> {
    fs::fstat(fd).map(|stat| to_facts(&stat)).map_err(|errno| fault(errno, "reading facts"))
}

/// The facts of one name in a folder; `None` when there is no such name.
pub(in crate::resource) fn facts_at(folder: &Fd, name: &OsStr) -> Result<Option<Facts>, PathError> {
    match fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => Ok(Some(to_facts(&stat))),
        Err(Errno::NOENT) => Ok(None),
        Err(errno) => Err(fault(errno, "reading facts of a name")),
    }
}

fn to_facts(stat: &fs::Stat) -> Facts {
    Facts {
        kind: to_kind(FileType::from_raw_mode(stat.st_mode)),
        device: stat.st_dev,
        inode: stat.st_ino,
        size: u64::try_from(stat.st_size).unwrap_or(0),
        modified_ns: i128::from(stat.st_mtime) * 1_000_000_000 + i128::from(stat.st_mtime_nsec),
        changed_ns: i128::from(stat.st_ctime) * 1_000_000_000 + i128::from(stat.st_ctime_nsec),
        mode: stat.st_mode & 0o777,
        multiply_linked: stat.st_nlink > 1,
        unlinked: stat.st_nlink == 0,
    }
}

const fn to_kind(kind: FileType) -> Kind {
    match kind {
        FileType::RegularFile => Kind::File,
        FileType::Directory => Kind::Folder,
        FileType::Symlink => Kind::Link,
        _ => Kind::Other,
    }
}

/// Opens a resolved regular file; never blocks and never takes a terminal.
pub(in crate::resource) fn reopen(fd: &Fd, access: Access) -> Result<Fd, PathError> {
    let wanted = match access {
        Access::Read => OFlags::RDONLY,
        Access::Append => OFlags::WRONLY | OFlags::APPEND,
    };
    fs::openat(CWD, proc_path(fd), wanted | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC, Mode::empty())
        .map_err(|errno| fault(errno, "opening the resolved file"))
}

/// Reads from the start to the end, at most `max` bytes; more is a fault.
pub(in crate::resource) fn read_all(fd: &Fd, max: u64) -> Result<Vec<u8>, PathError> {
    let mut bytes = Vec::new();
    let mut chunk = vec![0; 64 * 1024];
    let mut offset = 0_u64;
    loop {
        let read = match rustix::io::pread(fd, chunk.as_mut_slice(), offset) {
            Ok(read) => read,
            Err(Errno::INTR) => continue,
            Err(errno) => return Err(fault(errno, "reading")),
        };
        let Some(new) = chunk.get(..read).filter(|new| !new.is_empty()) else {
            return Ok(bytes);
        };
        offset += new.len() as u64;
        if offset > max {
            return Err(PathError::new(Fault::TooLarge, format!("more than {max} bytes")));
        }
        bytes.extend_from_slice(new);
    }
}

/// Writes everything and waits until it is on the disk.
pub(in crate::resource) fn write_all(fd: &Fd, bytes: &[u8]) -> Result<(), PathError> {
    use std::io::Write as _;
    let mut file = File::from(fd.try_clone().map_err(|error| io_fault(&error, "sharing the handle"))?);
    file.write_all(bytes).and_then(|()| file.sync_all()).map_err(|error| io_fault(&error, "writing"))
}

/// Creates a regular file that didn't exist, with `mode` less the process's mask.
pub(in crate::resource) fn create_new(folder: &Fd, name: &OsStr, mode: u32) -> Result<Fd, PathError> {
    let flags = OFlags::WRONLY | OFlags::APPEND | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    fs::openat(folder, name, flags, Mode::from_raw_mode(mode)).map_err(|errno| fault(errno, "creating a file"))
}

/// Refuses when the process may not write to a name's file; renaming over it would not ask.
pub(in crate::resource) fn require_writable(folder: &Fd, name: &OsStr) -> Result<(), PathError> {
    fs::accessat(folder, name, fs::Access::WRITE_OK, AtFlags::EACCESS)
        .map_err(|errno| fault(errno, "asking for permission to write"))
}

/// Sets the permission bits of a held file.
pub(in crate::resource) fn set_mode(fd: &Fd, mode: u32) -> Result<(), PathError> {
    fs::fchmod(fd, Mode::from_raw_mode(mode)).map_err(|errno| fault(errno, "setting permissions"))
}

/// Makes a folder and holds it; one that exists already is taken unless it is a link.
pub(in crate::resource) fn make_folder(folder: &Fd, name: &OsStr) -> Result<Fd, PathError> {
    match fs::mkdirat(folder, name, Mode::from_raw_mode(0o777)) {
        Ok(()) | Err(Errno::EXIST) => resolve(folder, name, Links::Refuse, true),
        Err(errno) => Err(fault(errno, "making a folder")),
    }
}

/// Renames one name to another; with `new`, only when the target doesn't exist.
pub(in crate::resource) fn rename(from: (&Fd, &OsStr), to: (&Fd, &OsStr), new: bool) -> Result<(), PathError> {
    let plain = || fs::renameat(from.0, from.1, to.0, to.1);
    let result = if new {
        match fs::renameat_with(from.0, from.1, to.0, to.1, RenameFlags::NOREPLACE) {
            // Some network file systems don't know the flag; the caller has looked a moment ago.
            Err(Errno::INVAL | Errno::NOSYS) => plain(),
            result => result,
        }
    } else {
        plain()
    };
    result.map_err(|errno| match errno {
        Errno::XDEV => PathError::new(Fault::Xdev, "renaming across file systems"),
        errno => fault(errno, "renaming"),
    })
}

/// Removes one name: a file or link, or an empty folder.
pub(in crate::resource) fn remove(folder: &Fd, name: &OsStr, kind: Kind) -> Result<(), PathError> {
    let flags = if kind == Kind::Folder { AtFlags::REMOVEDIR } else { AtFlags::empty() };
    fs::unlinkat(folder, name, flags).map_err(|errno| match errno {
        Errno::ISDIR | Errno::NOTDIR | Errno::NOTEMPTY => {
            PathError::new(Fault::Changed, format!("{} changed while it was removed", quote(name)))
        }
        errno => fault(errno, "removing a name"),
    })
}

/// Opens a held folder for listing or syncing.
pub(in crate::resource) fn open_folder(folder: &Fd) -> Result<Fd, PathError> {
    fs::openat(folder, ".", OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
        .map_err(|errno| fault(errno, "opening a folder"))
}

/// Waits until an opened folder's names are on the disk.
pub(in crate::resource) fn sync(opened: &Fd) -> Result<(), PathError> {
    fs::fsync(opened).map_err(|errno| fault(errno, "syncing a folder"))
}

/// The names in a folder, sorted by bytes, without `.` and `..`; more than `max` is a fault.
pub(in crate::resource) fn names(folder: &Fd, max: usize) -> Result<Vec<OsString>, PathError> {
    let list = |errno| fault(errno, "listing a folder");
    let mut found = Vec::new();
    for entry in fs::Dir::new(open_folder(folder)?).map_err(list)? {
        let entry = entry.map_err(list)?;
        let name = entry.file_name().to_bytes();
        if matches!(name, b"." | b"..") {
            continue;
        }
        if found.len() == max {
            return Err(PathError::new(Fault::TooLarge, format!("more than {max} entries")));
        }
        found.push(OsStr::from_bytes(name).to_os_string());
    }
    found.sort_unstable();
    Ok(found)
}

/// The fault that an error number means, unless the place that asked knows better.
fn fault(errno: Errno, doing: &str) -> PathError {
    let fault = match errno {
        Errno::NOENT => Fault::NotFound,
        Errno::NOTDIR => Fault::NotADirectory,
        Errno::ISDIR => Fault::NotAFile,
        Errno::LOOP => Fault::SymlinkLoop,
        Errno::NAMETOOLONG => Fault::TooLong,
        Errno::ACCESS | Errno::PERM | Errno::ROFS => Fault::Permission,
        Errno::AGAIN => Fault::Unstable,
        Errno::NXIO | Errno::NODEV => Fault::NotRegular,
        Errno::EXIST | Errno::NOTEMPTY => Fault::Exists,
        _ => Fault::Io,
    };
    PathError::new(fault, format!("{doing}: {errno}"))
}

fn io_fault(error: &std::io::Error, doing: &str) -> PathError {
    match Errno::from_io_error(error) {
        Some(errno) => fault(errno, doing),
        None => PathError::new(Fault::Io, format!("{doing}: {error}")),
    }
}
