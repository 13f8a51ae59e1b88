//! Resolution: from a checked text to a held object and its identity, in one step by the kernel.
//!
//! Not the opening for use, which follows in `Workspace::open_path` and only on what was found here.

use std::ffi::OsStr;

use super::error::{Fault, PathError};
use super::names;
use super::pin::Pin;
use super::sys::{self, Facts, Fd, Kind, Links};
use super::text::{PathKind, PathText};
use super::workspace::Workspace;

/// A name in a held folder.
#[derive(Debug)]
pub(super) struct Spot {
    /// The deepest folder of the path that exists.
    pub(super) folder: Fd,
    /// Where that folder is, relative to the root.
    pub(super) folder_at: String,
    /// Folders to make below it first; empty unless parents may be made.
    pub(super) missing: Vec<String>,
    /// The last name.
    pub(super) name: String,
}

/// What a path led to.
#[derive(Debug)]
pub(super) enum Found {
    /// An object, held but not opened.
    Object { fd: Fd, facts: Facts },
    /// A name, with what stands there.
    Name { spot: Spot, facts: Option<Facts> },
}

/// What a path led to, and its identity.
#[derive(Debug)]
pub(super) struct Resolved {
    pub(super) pin: Pin,
    pub(super) found: Found,
}

impl Workspace {
    /// Resolves a checked text now.
    pub(super) fn resolve(&self, path: &PathText) -> Result<Resolved, PathError> {
        if path.workspace() != self.id() {
            return Err(PathError::new(Fault::Changed, "the text was checked by another workspace"));
        }
        match path.kind() {
            PathKind::Read | PathKind::Dir => self.resolve_object(path),
            PathKind::Write => self.resolve_write(path),
            PathKind::Entry => self.resolve_entry(path),
        }
    }

    fn beneath(&self, path: &str) -> Result<Fd, PathError> {
        sys::resolve(self.root(), OsStr::new(path), Links::Beneath, self.options().no_xdev)
    }

    fn resolve_object(&self, path: &PathText) -> Result<Resolved, PathError> {
        let fd = self.beneath(&path.to_resolve())?;
        let facts = sys::facts(&fd)?;
        if facts.unlinked {
            return Err(PathError::new(Fault::Changed, "removed while it was resolved"));
        }
        let resolved = self.location(&fd)?;
        let fault = match (path.kind(), facts.kind) {
            (PathKind::Read, Kind::File) if facts.multiply_linked && self.options().deny_multiply_linked => {
                Some(Fault::MultiplyLinked)
            }
            (PathKind::Read, Kind::File) | (PathKind::Dir, Kind::Folder) => None,
            (PathKind::Read, Kind::Folder) => Some(Fault::NotAFile),
            (PathKind::Dir, _) => Some(Fault::NotADirectory),
            _ => Some(Fault::NotRegular),
        };
        if let Some(fault) = fault {
            return Err(PathError::new(fault, format!("{:?} is a {:?}", path.given(), facts.kind)).at(&resolved));
        }
        let pin = self.pin_of(resolved, &facts, facts.kind != Kind::Folder);
        Ok(Resolved { pin, found: Found::Object { fd, facts } })
    }

    fn resolve_write(&self, path: &PathText) -> Result<Resolved, PathError> {
        let spot = self.resolve_spot(path)?;
        let resolved = self.place_of(&spot)?;
        let Some(facts) = spot.facts()? else {
            let mut pin = self.pin_of(resolved, &sys::facts(&spot.folder)?, false);
            pin.new = true;
            return Ok(Resolved { pin, found: Found::Name { spot, facts: None } });
        };
        let fault = match facts.kind {
            Kind::File => {
                let pin = self.pin_of(resolved, &facts, true);
                return Ok(Resolved { pin, found: Found::Name { spot, facts: Some(facts) } });
            }
            Kind::Folder => Fault::NotAFile,
            Kind::Link => Fault::FinalSymlink,
            Kind::Other => Fault::NotRegular,
        };
        Err(PathError::new(fault, format!("{:?} is a {:?}", path.given(), facts.kind)).at(&resolved))
    }

    fn resolve_entry(&self, path: &PathText) -> Result<Resolved, PathError> {
        if path.folder_only() {
            // The slash demands a folder and looks through a link: first whether that stays inside.
            self.beneath(&path.to_resolve())?;
        }
        let spot = self.resolve_spot(path)?;
        let resolved = self.place_of(&spot)?;
        let Some(facts) = spot.facts()? else {
            return Err(PathError::new(Fault::NotFound, format!("{:?} doesn't exist", path.given())).at(&resolved));
        };
        if path.folder_only() && facts.kind != Kind::Folder {
            return Err(PathError::new(Fault::FinalSymlink, format!("{:?} is a link", path.given())).at(&resolved));
        }
        let pin = self.pin_of(resolved, &facts, facts.kind != Kind::Folder);
        Ok(Resolved { pin, found: Found::Name { spot, facts: Some(facts) } })
    }

    /// Holds the parent of the last name, or with `create_parents` the deepest folder that exists.
    fn resolve_spot(&self, path: &PathText) -> Result<Spot, PathError> {
        let (parent, name) = path.split();
        let mut existing = parent;
        let mut missing = Vec::new();
        let may_make = (self.options().create_parents || path.makes_parents()) && path.kind() == PathKind::Write;
        let folder = loop {
            match self.beneath(&format!("{existing}/")) {
                Err(error) if error.fault() == Fault::NotFound && may_make && existing != "." => {
                    let (above, part) = existing.rsplit_once('/').unwrap_or((".", existing));
                    if part == ".." {
                        return Err(no_folder(&error, path));
                    }
                    missing.insert(0, part.to_owned());
                    existing = above;
                }
                Err(error) if error.fault() == Fault::NotFound => return Err(no_folder(&error, path)),
                other => break other?,
            }
        };
        if let Some(first) = missing.first()
            && sys::facts_at(&folder, OsStr::new(first))?.is_some()
        {
            return Err(PathError::new(Fault::FinalSymlink, format!("{first:?} is a link that leads nowhere")));
        }
        let folder_at = self.location(&folder)?;
        Ok(Spot { folder, folder_at, missing, name: name.to_owned() })
    }

    /// Where a spot is, refused when something protected is on the way.
    fn place_of(&self, spot: &Spot) -> Result<String, PathError> {
        let mut place = spot.folder_at.clone();
        for part in spot.missing.iter().chain([&spot.name]) {
            place = names::join(&place, part).into_owned();
        }
        if names::is_protected(&place, &self.options().protected) {
            return Err(PathError::new(Fault::Protected, "leads to something protected").at(&place));
        }
        Ok(place)
    }

    /// The identity; of folders without size and time, which change with what is in them.
    pub(super) fn pin_of(&self, resolved: String, facts: &Facts, content: bool) -> Pin {
        Pin {
            workspace: self.id().to_owned(),
            resolved,
            device: facts.device,
            inode: facts.inode,
            size: if content { facts.size } else { 0 },
            modified_ns: if content { facts.modified_ns } else { 0 },
            changed_ns: if content { facts.changed_ns } else { 0 },
            new: false,
        }
    }
}

/// It isn't the name that is missing but the folder it should stand in.
fn no_folder(error: &PathError, path: &PathText) -> PathError {
    PathError::new(Fault::NoFolder, format!("the folder of {:?}: {error}", path.given()))
}

impl Spot {
    /// What stands at the name now; nothing when its folder is yet to be made.
    pub(super) fn facts(&self) -> Result<Option<Facts>, PathError> {
        if self.missing.is_empty() { sys::facts_at(&self.folder, OsStr::new(&self.name)) } else { Ok(None) }
    }
}

/// Refuses when a name no longer holds the object that was resolved.
pub(super) fn require_same(folder: &Fd, name: &str, expected: Option<&Facts>) -> Result<(), PathError> {
    let now = sys::facts_at(folder, OsStr::new(name))?;
    let same = match (&now, expected) {
        (None, None) => true,
        (Some(now), Some(expected)) => now.is_same(expected) && now.kind == expected.kind,
        _ => false,
    };
    if same {
        return Ok(());
    }
    Err(PathError::new(Fault::Changed, format!("{name:?} is no longer what was resolved")))
}
