//! Listing a folder and walking what is beneath it, without following links.

use std::ffi::{OsStr, OsString};
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use super::error::{Fault, PathError};
use super::handle::{Place, path_type};
use super::names;
use super::read::{ReadHandle, ReadPath, to_text};
use super::sys::{self, Access, Facts, Fd, Kind, Links};
use super::workspace::Workspace;

/// Most entries that one listing returns.
const MAX_ENTRIES: usize = 100_000;

/// A folder, held for listing.
#[derive(Debug)]
pub struct DirHandle {
    base: Arc<Base>,
    place: Place,
}

/// What entries of a walk share.
#[derive(Debug)]
struct Base {
    folder: Fd,
    workspace: Workspace,
}

/// What an entry of a listing is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A folder.
    Dir,
    /// A symbolic link, wherever it points.
    Link,
    /// A device, pipe or socket.
    Other,
}

/// One entry of a listing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DirEntry {
    /// The name, with hidden characters and bytes that aren't UTF-8 escaped.
    pub name_escaped: String,
    /// True when `name_escaped` isn't the name itself, so that it can't be used as a path.
    pub escaped: bool,
    /// True when the name isn't UTF-8.
    pub non_utf8: bool,
    /// What it is.
    pub kind: EntryKind,
    /// Size in bytes, of a link its own; 0 for folders.
    pub size: u64,
}

/// What a walk found.
#[derive(Debug)]
pub struct Walk {
    /// Folders before what is in them, sorted by bytes within each.
    pub entries: Vec<WalkEntry>,
    /// True when a limit or an unreadable folder kept something out.
    pub truncated: bool,
}

/// One entry of a walk; a regular file can be read.
#[derive(Debug, Clone)]
pub struct WalkEntry {
    /// The path relative to the folder walked, escaped as in [`DirEntry`]; depth 1 is the folder's own entry.
    pub relative: String,
    /// The entry itself.
    pub entry: DirEntry,
    path: OsString,
    base: Arc<Base>,
}

impl DirHandle {
    pub(super) fn new(folder: Fd, workspace: Workspace, place: Place) -> Self {
        Self { base: Arc::new(Base { folder, workspace }), place }
    }

    pub(super) fn place(&self) -> &Place {
        &self.place
    }

    /// The folder itself (`O_PATH`), for libraries that hand it to the system instead of a name: what it is renamed
    /// to, or what stands at its name by then, is no matter.
    ///
    /// # Errors
    /// `path.changed` when the folder was moved or removed since it was resolved; no handle is left.
    #[cfg(target_os = "linux")]
    pub fn folder(&self) -> Result<std::os::fd::OwnedFd, PathError> {
        self.base.workspace.require_place(&self.base.folder, &self.place.resolved)?;
        let shared = self.base.folder.try_clone();
        shared.map_err(|error| PathError::new(Fault::Io, format!("sharing a handle: {error}")))
    }
}

impl Base {
    /// Holds what is at `path` beneath the folder; a link anywhere on it is refused.
    fn resolve(&self, path: &OsStr) -> Result<Fd, PathError> {
        sys::resolve(&self.folder, path, Links::Refuse, self.workspace.options().no_xdev)
    }

    /// Opens a regular file beneath the folder.
    fn open_file(&self, path: &OsStr) -> Result<(Fd, Facts), PathError> {
        let found = self.resolve(path)?;
        let facts = sys::facts(&found)?;
        let fault = match facts.kind {
            Kind::File if facts.multiply_linked && self.workspace.options().deny_multiply_linked => {
                Fault::MultiplyLinked
            }
            Kind::File => return Ok((sys::reopen(&found, Access::Read)?, facts)),
            Kind::Folder => Fault::NotAFile,
            Kind::Link => Fault::FinalSymlink,
            Kind::Other => Fault::NotRegular,
        };
        Err(PathError::new(fault, format!("{} is a {:?}", names::quote(path), facts.kind)))
    }

    /// Names and facts of one folder; what vanishes meanwhile is left out.
    fn list(folder: &Fd) -> Result<Vec<(OsString, DirEntry)>, PathError> {
        let mut list = Vec::new();
        for name in sys::names(folder, MAX_ENTRIES)? {
            if let Some(facts) = sys::facts_at(folder, &name)? {
                let entry = to_entry(&name, &facts);
                list.push((name, entry));
            }
        }
        Ok(list)
    }
}

fn to_entry(name: &OsStr, facts: &Facts) -> DirEntry {
    let names::Shown { text, escaped, non_utf8 } = names::show(name);
    let kind = match facts.kind {
        Kind::File => EntryKind::File,
        Kind::Folder => EntryKind::Dir,
        Kind::Link => EntryKind::Link,
        Kind::Other => EntryKind::Other,
    };
    let size = if kind == EntryKind::Dir { 0 } else { facts.size };
    DirEntry { name_escaped: text, escaped, non_utf8, kind, size }
}

fn join(folder: &OsStr, name: &OsStr) -> OsString {
    let mut path = folder.to_os_string();
    if !path.is_empty() {
        path.push("/");
    }
    path.push(name);
    path
}

/// A walk under way.
struct Walker<'a> {
    base: &'a Arc<Base>,
    max_entries: usize,
    max_depth: usize,
    walk: Walk,
}

impl Walker<'_> {
    /// Adds what is in `folder`, then what is in its folders; `depth` is that of the entries.
    fn visit(&mut self, folder: &Fd, path: &OsStr, depth: usize) {
        let Ok(list) = Base::list(folder) else {
            self.walk.truncated = true;
            return;
        };
        for (name, entry) in list {
            if self.walk.entries.len() >= self.max_entries {
                self.walk.truncated = true;
                return;
            }
            let path = join(path, &name);
            let is_folder = entry.kind == EntryKind::Dir;
            let relative = names::show(&path).text;
            self.walk.entries.push(WalkEntry { relative, entry, path: path.clone(), base: Arc::clone(self.base) });
            if is_folder && depth >= self.max_depth {
                self.walk.truncated = true;
            } else if is_folder {
                match sys::resolve(folder, &name, Links::Refuse, self.base.workspace.options().no_xdev) {
                    Ok(child) => self.visit(&child, &path, depth + 1),
                    Err(_) => self.walk.truncated = true,
                }
            }
        }
    }
}

/// Most folders within each other that a walk enters, whatever was asked; each holds a handle.
const MAX_DEPTH: usize = 128;

path_type! {
    /// A folder of the workspace that a tool may list.
    DirPath, Dir, DirHandle
}

impl DirPath {
    /// The folder itself; see [`DirHandle::folder`].
    ///
    /// # Errors
    /// `path.not_opened` before the gate has opened it, and as there.
    #[cfg(target_os = "linux")]
    pub fn folder(&self) -> Result<std::os::fd::OwnedFd, PathError> {
        self.handle()?.folder()
    }

    /// The entries, sorted by bytes.
    ///
    /// # Errors
    /// `path.too_large` above 100,000 entries, `path.changed` when the folder was moved, or listing failed.
    pub fn entries(&self) -> Result<Vec<DirEntry>, PathError> {
        let handle = self.handle()?;
        handle.base.workspace.require_place(&handle.base.folder, &handle.place.resolved)?;
        Ok(Base::list(&handle.base.folder)?.into_iter().map(|(_, entry)| entry).collect())
    }

    /// Opens one regular file of the folder by its name, never through a link.
    ///
    /// # Errors
    /// `path.escape` when `name` isn't a plain name, `path.final_symlink`, `path.not_a_file`, or opening failed.
    pub fn open_child(&self, name: &str) -> Result<ReadPath, PathError> {
        let handle = self.handle()?;
        if matches!(name, "" | "." | "..") || name.contains(['/', '\0']) {
            return Err(PathError::new(Fault::Escape, format!("{name:?} isn't the name of an entry")));
        }
        let place = &handle.place;
        let (file, facts) = handle.base.open_file(OsStr::new(name)).map_err(|error| error.at(&place.resolved))?;
        let place = Place {
            relative: names::join(&place.relative, name).into_owned(),
            resolved: names::join(&place.resolved, name).into_owned(),
        };
        Ok(ReadPath::opened(ReadHandle::new(file, facts.size, handle.base.workspace.options().max_file_bytes, place)))
    }

    /// Everything beneath the folder, at most `max_entries` and `max_depth` folders deep, never through a link.
    ///
    /// # Errors
    /// `path.not_opened`, or `path.changed` when the folder was moved; an unreadable folder only truncates.
    pub fn walk(&self, max_entries: usize, max_depth: usize) -> Result<Walk, PathError> {
        let handle = self.handle()?;
        handle.base.workspace.require_place(&handle.base.folder, &handle.place.resolved)?;
        let walk = Walk { entries: Vec::new(), truncated: false };
        let mut walker = Walker { base: &handle.base, max_entries, max_depth: max_depth.min(MAX_DEPTH), walk };
        walker.visit(&handle.base.folder, OsStr::new(""), 1);
        Ok(walker.walk)
    }
}

impl WalkEntry {
    /// The whole file, opened now.
    ///
    /// # Errors
    /// It isn't a regular file, a link stands on the way by now, `path.too_large`, or reading failed.
    pub fn read_bytes(&self) -> Result<Vec<u8>, PathError> {
        let (file, _) = self.base.open_file(&self.path)?;
        sys::read_all(&file, self.base.workspace.options().max_file_bytes)
    }

    /// The whole file as text, opened now.
    ///
    /// # Errors
    /// As [`Self::read_bytes`], and `path.not_utf8`.
    pub fn read_to_string(&self) -> Result<String, PathError> {
        to_text(self.read_bytes()?)
    }
}
