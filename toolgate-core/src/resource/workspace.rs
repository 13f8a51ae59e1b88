//! The workspace: a held root folder, and the two steps that every path takes through it.
//!
//! What a path is used for afterwards is in `read`, `write`, `dir` and `entry`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::error::{Fault, PathError};
use super::handle::{Handle, Place};
use super::names;
use super::pin::Pin;
use super::resolve::{Found, Resolved};
use super::sys::{self, Access, Fd};
use super::text::{PathKind, PathText, Rules};
use super::{dir, entry, read, write};

/// What a workspace allows.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches, each set by name")]
pub struct WorkspaceOptions {
    /// Names that can't be written, deleted or renamed, wherever they stand and however they are spelled.
    pub protected: Vec<String>,
    /// Refuses to read files that have more than one hard link.
    pub deny_multiply_linked: bool,
    /// Refuses to cross mount points.
    pub no_xdev: bool,
    /// Refuses names that other systems read differently (`CON`, `a:b`, a trailing dot).
    pub portable_names: bool,
    /// Refuses absolute paths even when they begin with the root.
    pub refuse_absolute: bool,
    /// Lets a write make the folders that are missing.
    pub create_parents: bool,
    /// Most bytes that one read returns.
    pub max_file_bytes: u64,
}

impl Default for WorkspaceOptions {
    fn default() -> Self {
        let protected = [".git", ".vscode", ".cursor", ".idea", ".claude", ".mcp.json", ".toolgate"];
        Self {
            protected: protected.map(str::to_owned).to_vec(),
            deny_multiply_linked: false,
            no_xdev: false,
            portable_names: false,
            refuse_absolute: false,
            create_parents: false,
            max_file_bytes: 10 * 1024 * 1024,
        }
    }
}

/// A folder that tools may work in, held open from the start.
///
/// Everything is resolved beneath it by the kernel. Clones share the same root.
#[derive(Debug, Clone)]
pub struct Workspace {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    id: String,
    root: Fd,
    roots: Vec<PathBuf>,
    options: WorkspaceOptions,
}

impl Workspace {
    /// Opens `root` with the default options.
    ///
    /// # Errors
    /// The folder is missing or can't be opened, or the system has no `openat2` (`path.unsupported`).
    pub fn open(root: impl AsRef<Path>) -> Result<Self, PathError> {
        Self::open_with(root, WorkspaceOptions::default())
    }

    /// Opens `root` with `options`.
    ///
    /// # Errors
    /// As [`Workspace::open`].
    pub fn open_with(root: impl AsRef<Path>, options: WorkspaceOptions) -> Result<Self, PathError> {
        let given = root.as_ref();
        let held = sys::open_root(given)?;
        let facts = sys::facts(&held)?;
        let id = format!("{:x}-{:x}", facts.device, facts.inode);
        let mut roots = vec![sys::real_path(&held)?];
        if let Ok(absolute) = std::path::absolute(given) {
            roots.insert(0, absolute);
        }
        Ok(Self { inner: Arc::new(Inner { id, root: held, roots, options }) })
    }

    /// The same for the same root folder, in every process of this machine.
    pub fn id(&self) -> &str {
        &self.inner.id
    }

    /// The name under which the host opened it.
    pub(crate) fn root_path(&self) -> Option<&Path> {
        self.inner.roots.first().map(PathBuf::as_path)
    }

    /// The options it was opened with.
    pub fn options(&self) -> &WorkspaceOptions {
        &self.inner.options
    }

    /// Applies the rules that need only the text; nothing is looked up.
    ///
    /// # Errors
    /// The text breaks a rule; see [`PathError::code`].
    pub fn check(&self, kind: PathKind, text: &str) -> Result<PathText, PathError> {
        Rules { id: self.id(), options: self.options(), roots: &self.inner.roots }.check(kind, text)
    }

    /// Looks what the path leads to now; nothing stays open.
    ///
    /// # Errors
    /// The path leads out, or to something that the kind of path doesn't allow.
    pub fn pin(&self, path: &PathText) -> Result<Pin, PathError> {
        self.resolve(path).map(|resolved| resolved.pin)
    }

    /// Resolves the path again and opens it; with a pin, only when it is still what was pinned.
    ///
    /// # Errors
    /// As [`Workspace::pin`], and `path.changed` when the pin differs.
    pub fn open_path(&self, path: &PathText, pin: Option<&Pin>) -> Result<Handle, PathError> {
        let Resolved { pin: now, found } = self.resolve(path)?;
        if let Some(pin) = pin
            && *pin != now
        {
            return Err(PathError::new(Fault::Changed, format!("pinned {pin:?}, found {now:?}")).at(&now.resolved));
        }
        let place = Place { relative: path.relative().to_owned(), resolved: now.resolved };
        Ok(match (path.kind(), found) {
            (PathKind::Read, Found::Object { fd, facts }) => {
                let file = sys::reopen(&fd, Access::Read).map_err(|error| error.at(&place.resolved))?;
                let size = facts.size;
                Handle::Read(read::ReadHandle::new(file, size, self.options().max_file_bytes, place))
            }
            (_, Found::Object { fd, .. }) => Handle::Dir(dir::DirHandle::new(fd, self.clone(), place)),
            (PathKind::Entry, Found::Name { spot, facts: Some(facts) }) => {
                Handle::Entry(entry::EntryHandle::new(spot, facts, self.clone(), place))
            }
            (_, Found::Name { spot, facts }) => {
                Handle::Write(write::WriteHandle::new(spot, facts, self.clone(), place))
            }
        })
    }

    pub(super) fn root(&self) -> &Fd {
        &self.inner.root
    }

    /// Where a held object is now, relative to the root; a refusal when that is outside or can't be shown.
    pub(super) fn location(&self, fd: &Fd) -> Result<String, PathError> {
        let root = sys::real_path(self.root())?;
        let path = sys::real_path(fd)?;
        let inside = path
            .strip_prefix(&root)
            .map_err(|_| PathError::new(Fault::Escape, "the object is no longer beneath the root"))?;
        let Some(inside) = inside.to_str() else {
            return Err(PathError::new(
                Fault::NameNotUtf8,
                format!("resolved to {}", names::quote(inside.as_os_str())),
            ));
        };
        if inside.chars().any(names::is_hidden) {
            return Err(PathError::new(Fault::ControlChar, format!("resolved to {inside:?}")));
        }
        Ok(if inside.is_empty() { ".".to_owned() } else { inside.to_owned() })
    }

    /// Refuses when a held folder has been moved or removed since it was resolved.
    pub(super) fn require_place(&self, folder: &Fd, expected: &str) -> Result<(), PathError> {
        if self.location(folder)? == expected {
            return Ok(());
        }
        Err(PathError::new(Fault::Changed, "the folder was moved or removed").at(expected))
    }
}
