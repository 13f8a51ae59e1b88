//! The text of a path, checked: the wire form of a resource.
//!
//! Nothing is looked up here; what a text leads to is known only after `Workspace::pin`.

use std::path::Path;

use super::error::{Fault, PathError};
use super::names::{self, Unportable};
use super::workspace::WorkspaceOptions;

/// Most bytes of a path, as the kernel counts without the final NUL.
const MAX_PATH_BYTES: usize = 4095;
/// Most bytes of one name.
const MAX_NAME_BYTES: usize = 255;

/// What a tool wants to do at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PathKind {
    /// Read a regular file.
    Read,
    /// Create or replace a regular file, or append to it.
    Write,
    /// List a folder.
    Dir,
    /// Delete or rename an entry, without looking through a link.
    Entry,
}

impl PathKind {
    /// True when the name itself is changed.
    pub(super) const fn changes(self) -> bool {
        matches!(self, Self::Write | Self::Entry)
    }
}

/// A path text that passed the rules for texts; made by [`Workspace::check`](super::Workspace::check).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathText {
    kind: PathKind,
    given: String,
    relative: String,
    folder_only: bool,
    makes_parents: bool,
    workspace: String,
}

impl PathText {
    /// What the path is for.
    pub const fn kind(&self) -> PathKind {
        self.kind
    }

    /// The text as the model gave it.
    pub fn given(&self) -> &str {
        &self.given
    }

    /// The text relative to the root, without empty and `.` parts (`.` for the root).
    ///
    /// Links aren't resolved and `..` is kept, so a prefix rule must also ask [`Pin::is_beneath`](super::Pin::is_beneath).
    pub fn relative(&self) -> &str {
        &self.relative
    }

    /// True when the text lies beneath `prefix` by whole names and holds no `..`. Always true of the whole
    /// workspace, `.`: what leads out of it is told by [`Workspace::pin`](super::Workspace::pin).
    pub fn is_beneath(&self, prefix: &str) -> bool {
        names::is_beneath(&self.relative, prefix)
    }

    /// The escape that the text alone shows: more `..` than names before them. Links may lead elsewhere,
    /// so this explains a refusal and makes none.
    pub(crate) fn leads_out(&self) -> Option<PathError> {
        let mut depth = 0_usize;
        for part in self.relative.split('/') {
            match part {
                "." => {}
                ".." => match depth.checked_sub(1) {
                    Some(above) => depth = above,
                    None => return Some(PathError::new(Fault::Escape, format!("{:?} leads out by `..`", self.given))),
                },
                _ => depth += 1,
            }
        }
        None
    }

    /// As the path of something to put back: the folders above it are made where they are missing.
    #[must_use]
    pub(crate) fn making_parents(self) -> Self {
        Self { makes_parents: true, ..self }
    }

    pub(super) const fn makes_parents(&self) -> bool {
        self.makes_parents
    }

    /// The id of the workspace whose rules it passed.
    pub(super) fn workspace(&self) -> &str {
        &self.workspace
    }

    /// True when the text ends in a slash or `/.`, which demands a folder.
    pub(super) const fn folder_only(&self) -> bool {
        self.folder_only
    }

    /// The text to resolve, keeping the demand for a folder.
    pub(super) fn to_resolve(&self) -> String {
        if self.folder_only { format!("{}/", self.relative) } else { self.relative.clone() }
    }

    /// The folder part (`.` for the root) and the last name.
    pub(super) fn split(&self) -> (&str, &str) {
        self.relative.rsplit_once('/').unwrap_or((".", &self.relative))
    }
}

/// What the rules need to know of the workspace.
#[derive(Debug)]
pub(super) struct Rules<'a> {
    pub(super) id: &'a str,
    pub(super) options: &'a WorkspaceOptions,
    /// Every absolute name of the root that may be stripped.
    pub(super) roots: &'a [std::path::PathBuf],
}

impl Rules<'_> {
    /// Applies every rule that needs the text alone.
    pub(super) fn check(&self, kind: PathKind, text: &str) -> Result<PathText, PathError> {
        check_characters(text)?;
        if self.options.portable_names {
            check_portable(text)?;
        }
        let inside = self.strip_root(text)?;
        let relative =
            names::parts(inside.as_bytes()).map(|part| String::from_utf8_lossy(part)).collect::<Vec<_>>().join("/");
        let relative = if relative.is_empty() { ".".to_owned() } else { relative };
        if kind.changes() {
            check_last(kind, &inside)?;
            if names::is_protected(&relative, &self.options.protected) {
                return Err(PathError::new(Fault::Protected, format!("{text:?} names something protected")));
            }
        }
        let folder_only = relative != "." && (inside.ends_with('/') || inside.ends_with("/."));
        let text = PathText {
            kind,
            given: text.to_owned(),
            relative,
            folder_only,
            makes_parents: false,
            workspace: self.id.to_owned(),
        };
        // Where links are looked up after `..`, the text alone may lead out.
        let climbs = if self.options.portable_names { text.leads_out() } else { None };
        climbs.map_or(Ok(text), Err)
    }

    /// Takes the root off an absolute path, part by part; a relative one stays.
    fn strip_root(&self, text: &str) -> Result<String, PathError> {
        if !text.starts_with('/') {
            return Ok(text.to_owned());
        }
        let outside = || PathError::new(Fault::Absolute, format!("{text:?} is absolute"));
        if self.options.refuse_absolute {
            return Err(outside());
        }
        self.roots.iter().find_map(|root| strip(text, root)).ok_or_else(outside)
    }
}

/// The rest of `text` after `root`, with its trailing slash or dot, when every part of the root matches.
fn strip(text: &str, root: &Path) -> Option<String> {
    let mut rest = text.split('/').filter(|part| !matches!(*part, "" | "."));
    for wanted in names::parts(root.as_os_str().as_encoded_bytes()) {
        if rest.next()?.as_bytes() != wanted {
            return None;
        }
    }
    let mut inside = rest.collect::<Vec<_>>().join("/");
    if inside.is_empty() {
        return Some(".".to_owned());
    }
    if text.ends_with('/') {
        inside.push('/');
    } else if text.ends_with("/.") {
        inside.push_str("/.");
    }
    Some(inside)
}

fn check_characters(text: &str) -> Result<(), PathError> {
    if text.is_empty() {
        return Err(PathError::new(Fault::Empty, "the text is empty"));
    }
    if text.contains('\0') {
        return Err(PathError::new(Fault::Nul, "the text holds a NUL"));
    }
    if text.len() > MAX_PATH_BYTES {
        return Err(PathError::new(Fault::TooLong, format!("the text has {} bytes", text.len())));
    }
    if let Some(c) = text.chars().find(|c| names::is_hidden(*c)) {
        return Err(PathError::new(Fault::ControlChar, format!("the text holds U+{:04X}", u32::from(c))));
    }
    match text.split('/').find(|part| part.len() > MAX_NAME_BYTES) {
        Some(part) => Err(PathError::new(Fault::TooLong, format!("a name has {} bytes", part.len()))),
        None => Ok(()),
    }
}

fn check_portable(text: &str) -> Result<(), PathError> {
    let fault = match names::unportable(text) {
        None => return Ok(()),
        Some(Unportable::Absolute) => Fault::Absolute,
        Some(Unportable::Stream) => Fault::Stream,
        Some(Unportable::Reserved) => Fault::ReservedName,
    };
    Err(PathError::new(fault, format!("{text:?} isn't portable")))
}

/// What changes a name must end in one; only an entry may carry a trailing slash.
fn check_last(kind: PathKind, inside: &str) -> Result<(), PathError> {
    let trimmed = inside.trim_end_matches('/');
    let last = trimmed.rsplit('/').next().unwrap_or(trimmed);
    let slash = trimmed.len() != inside.len();
    if matches!(last, "" | "." | "..") || (slash && kind == PathKind::Write) {
        return Err(PathError::new(Fault::RootOp, format!("{inside:?} doesn't end in a name")));
    }
    Ok(())
}
