//! Deleting and renaming entries: the name itself, never what a link points to.

use std::ffi::OsStr;

use super::error::{Fault, PathError};
use super::handle::{Place, path_type};
use super::keep::{self, KeptBy, Was};
use super::mark::EffectMark;
use super::names;
use super::resolve::{Spot, require_same};
use super::sys::{self, Facts, Fd, Kind, Links};
use super::workspace::Workspace;
use super::write::WritePath;

/// Most folders within each other that a tree may have to be removed; each holds a handle.
const MAX_DEPTH: usize = 128;
/// Most entries of one folder of a tree to be removed.
const MAX_ENTRIES: usize = 1_000_000;

/// A name in a held folder, to be deleted or renamed.
#[derive(Debug)]
pub struct EntryHandle {
    spot: Spot,
    facts: Facts,
    kept_by: KeptBy,
    mark: EffectMark,
    workspace: Workspace,
    place: Place,
}

impl EntryHandle {
    pub(super) fn new(spot: Spot, facts: Facts, workspace: Workspace, place: Place) -> Self {
        Self { spot, facts, kept_by: KeptBy::default(), mark: EffectMark::default(), workspace, place }
    }

    pub(super) fn kept_by(&self) -> &KeptBy {
        &self.kept_by
    }

    pub(super) fn place(&self) -> &Place {
        &self.place
    }

    pub(super) fn mark(&self) -> &EffectMark {
        &self.mark
    }

    fn name(&self) -> &OsStr {
        OsStr::new(&self.spot.name)
    }

    /// Refuses when the folder was moved or the name holds something else by now.
    fn require_unchanged(&self) -> Result<(), PathError> {
        self.workspace.require_place(&self.spot.folder, &self.spot.folder_at)?;
        require_same(&self.spot.folder, &self.spot.name, Some(&self.facts))
    }

    /// What stands at a name, as it is kept; nothing where nobody keeps it.
    fn holds(&self, folder: &Fd, name: &OsStr, facts: &Facts) -> Option<Was<'static>> {
        let keeper = self.kept_by.get()?;
        if facts.kind == Kind::File && name.to_str().is_none() {
            return Some(Was::Lost("a name wasn't UTF-8"));
        }
        Some(keep::read(folder, name, Some(facts), keeper.limit()))
    }

    /// Keeps what stands at a place before it is removed.
    fn keep(&self, place: &str, holds: Option<Was<'static>>) {
        if let (Some(keeper), Some(holds)) = (self.kept_by.get(), holds) {
            keeper.keep(place, &holds, &Was::Absent);
        }
    }

    /// What stands at the name now.
    pub(super) fn now(&self, limit: u64) -> Result<Was<'static>, PathError> {
        self.require_unchanged()?;
        Ok(keep::read(&self.spot.folder, self.name(), Some(&self.facts), limit))
    }

    /// Removes what a call has put there: a file, or a folder that is empty.
    pub(super) fn put_back(&self, was: &Was<'_>) -> Result<(), PathError> {
        self.require_unchanged()?;
        match was {
            Was::Absent => self.remove_name(),
            _ => {
                Err(PathError::new(Fault::Changed, "something stands in place of what was there")
                    .at(&self.place.resolved))
            }
        }
    }

    fn remove_name(&self) -> Result<(), PathError> {
        self.keep(&self.place.resolved, self.holds(&self.spot.folder, self.name(), &self.facts));
        let opened = sys::open_folder(&self.spot.folder)?;
        sys::remove(&opened, self.name(), self.facts.kind)?;
        sys::sync(&opened)
    }

    fn child(&self, folder: &Fd, name: &OsStr) -> Result<Fd, PathError> {
        sys::resolve(folder, name, Links::Refuse, self.workspace.options().no_xdev)
    }

    /// Refuses before anything is removed when the tree holds something protected or is too deep.
    fn survey(&self, folder: &Fd, depth: usize) -> Result<(), PathError> {
        if depth > MAX_DEPTH {
            return Err(PathError::new(Fault::TooDeep, format!("more than {MAX_DEPTH} folders deep")));
        }
        for name in sys::names(folder, MAX_ENTRIES)? {
            self.refuse_protected(&name)?;
            if sys::facts_at(folder, &name)?.is_some_and(|facts| facts.kind == Kind::Folder) {
                self.survey(&self.child(folder, &name)?, depth + 1)?;
            }
        }
        Ok(())
    }

    fn refuse_protected(&self, name: &OsStr) -> Result<(), PathError> {
        if names::is_protected(&name.to_string_lossy(), &self.workspace.options().protected) {
            return Err(PathError::new(Fault::Protected, format!("the tree holds {}", names::quote(name)))
                .at(&self.place.resolved));
        }
        Ok(())
    }

    /// Removes everything in a held folder; what is a link by now is removed as a link.
    fn empty(&self, folder: &Fd, at: &str, depth: usize) -> Result<(), PathError> {
        if depth > MAX_DEPTH {
            return Err(PathError::new(Fault::TooDeep, format!("more than {MAX_DEPTH} folders deep")));
        }
        for name in sys::names(folder, MAX_ENTRIES)? {
            self.refuse_protected(&name)?;
            let Some(facts) = sys::facts_at(folder, &name)? else {
                continue;
            };
            let place = names::join(at, &name.to_string_lossy()).into_owned();
            if facts.kind == Kind::Folder {
                self.empty(&self.child(folder, &name)?, &place, depth + 1)?;
            }
            self.keep(&place, self.holds(folder, &name, &facts));
            sys::remove(folder, &name, facts.kind)?;
        }
        Ok(())
    }

    fn remove_tree(&self) -> Result<(), PathError> {
        self.require_unchanged()?;
        if self.facts.kind == Kind::Folder {
            let tree = self.child(&self.spot.folder, self.name())?;
            if !sys::facts(&tree)?.is_same(&self.facts) {
                return Err(PathError::new(Fault::Changed, "the folder was replaced").at(&self.place.resolved));
            }
            self.survey(&tree, 1)?;
            self.empty(&tree, &self.place.resolved, 1).map_err(PathError::touched)?;
            return self.remove_name().map_err(PathError::touched);
        }
        self.remove_name()
    }
}

path_type! {
    /// An entry of the workspace (file, folder, link, ..) that a tool may delete or rename.
    EntryPath, Entry, EntryHandle
}

impl EntryPath {
    /// Removes a file, or a link without touching its target.
    ///
    /// # Errors
    /// `path.not_a_file` for a folder, `path.changed` when it isn't what was resolved any more, or removing failed.
    pub fn remove_file(&self) -> Result<(), PathError> {
        let handle = self.handle()?;
        handle.require_unchanged()?;
        if handle.facts.kind == Kind::Folder {
            return Err(
                PathError::new(Fault::NotAFile, "a folder can't be removed as a file").at(&handle.place.resolved)
            );
        }
        handle.mark.acting(|| handle.remove_name())
    }

    /// Removes a folder and everything in it, never looking through a link; anything else like [`Self::remove_file`].
    ///
    /// # Errors
    /// `path.protected` when something in the tree is protected (nothing is removed then), `path.too_deep`,
    /// `path.changed`, or removing failed, in which case a part may be gone.
    pub fn remove_tree(&self) -> Result<(), PathError> {
        let handle = self.handle()?;
        handle.mark.acting(|| handle.remove_tree())
    }

    /// Gives the entry the name that `to` stands for, replacing a file that was there when `to` was resolved.
    ///
    /// # Errors
    /// `path.changed` when either isn't what was resolved any more, `path.xdev` across file systems, or renaming failed.
    pub fn rename_to(&self, to: &WritePath) -> Result<(), PathError> {
        let handle = self.handle()?;
        let target = to.handle()?;
        handle.require_unchanged()?;
        let opened = sys::open_folder(&handle.spot.folder)?;
        let moved = match handle.facts.kind {
            Kind::Folder => Some(Was::Lost("a folder was renamed")),
            _ => handle.holds(&opened, handle.name(), &handle.facts),
        };
        handle.mark.acting(|| {
            handle.keep(&handle.place.resolved, moved.clone());
            target.take((&opened, handle.name()), handle.facts, &moved.unwrap_or(Was::Absent))?;
            sys::sync(&opened)
        })
    }
}
