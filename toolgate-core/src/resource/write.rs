//! Writing one file: a temporary name in the resolved folder, then a rename.
//!
//! What is replaced is handed to who keeps it before the rename. The replaced file's permission bits stay; its owner,
//! extended attributes and hard links don't. A process that may
//! itself write outside can still move the held folder there between the last look and the rename: no kernel call joins the two.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::error::{Fault, PathError};
use super::handle::{Place, path_type};
use super::keep::{self, KeptBy, Was};
use super::mark::EffectMark;
use super::pin::Pin;
use super::resolve::{Spot, require_same};
use super::sys::{self, Access, Facts, Fd, Kind, Links};
use super::workspace::Workspace;

/// A name in a held folder, to be written.
#[derive(Debug)]
pub struct WriteHandle {
    spot: Spot,
    /// What the name held when it was resolved, or what was last written there.
    expected: Mutex<Option<Facts>>,
    /// What this handle put at the name last.
    left: Mutex<Option<Facts>>,
    kept_by: KeptBy,
    mark: EffectMark,
    workspace: Workspace,
    place: Place,
}

impl WriteHandle {
    pub(super) fn new(spot: Spot, facts: Option<Facts>, workspace: Workspace, place: Place) -> Self {
        let (expected, left, kept_by, mark) =
            (Mutex::new(facts), Mutex::default(), KeptBy::default(), EffectMark::default());
        Self { spot, expected, left, kept_by, mark, workspace, place }
    }

    pub(super) fn kept_by(&self) -> &KeptBy {
        &self.kept_by
    }

    pub(super) fn place(&self) -> &Place {
        &self.place
    }

    /// The identity of what was put at the name through this handle, whatever stands there by now.
    pub(super) fn left(&self) -> Option<Pin> {
        let left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let facts = left.as_ref()?;
        Some(self.workspace.pin_of(self.place.resolved.clone(), facts, facts.kind != Kind::Folder))
    }

    fn note_left(&self, facts: Facts) {
        *self.left.lock().unwrap_or_else(PoisonError::into_inner) = Some(facts);
    }

    pub(super) fn mark(&self) -> &EffectMark {
        &self.mark
    }

    fn name(&self) -> &OsStr {
        OsStr::new(&self.spot.name)
    }

    fn expected(&self) -> MutexGuard<'_, Option<Facts>> {
        self.expected.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The folder of the name, opened, with the missing ones made; nothing is made in a folder that was moved.
    fn folder(&self) -> Result<Fd, PathError> {
        self.workspace.require_place(&self.spot.folder, &self.spot.folder_at)?;
        let mut made: Option<Fd> = None;
        for part in &self.spot.missing {
            made = Some(sys::make_folder(made.as_ref().unwrap_or(&self.spot.folder), OsStr::new(part))?);
        }
        sys::open_folder(made.as_ref().unwrap_or(&self.spot.folder))
    }

    /// What stands at the name now; of a file at most `limit` bytes.
    pub(super) fn now(&self, limit: u64) -> Result<Was<'static>, PathError> {
        self.workspace.require_place(&self.spot.folder, &self.spot.folder_at)?;
        let facts = self.spot.facts()?;
        Ok(keep::read(&self.spot.folder, self.name(), facts.as_ref(), limit))
    }

    /// Keeps what stands at the name, as it was resolved, before it becomes something else.
    fn keep(&self, folder: &Fd, before: Option<&Facts>, after: impl FnOnce(&Was<'_>) -> Was<'static>) {
        if let Some(keeper) = self.kept_by.get() {
            let before = keep::read(folder, self.name(), before, keeper.limit());
            let after = after(&before);
            keeper.keep(&self.place.resolved, &before, &after);
        }
    }

    fn write(&self, bytes: &[u8]) -> Result<(), PathError> {
        self.put(&mut self.expected(), bytes, None)
    }

    /// Puts these bytes at the name, with these permission bits, or those that the replaced file has.
    fn put(&self, expected: &mut Option<Facts>, bytes: &[u8], mode: Option<u32>) -> Result<(), PathError> {
        let folder = self.folder()?;
        require_same(&folder, &self.spot.name, expected.as_ref())?;
        if expected.is_some() {
            sys::require_writable(&folder, self.name())?;
        }
        let temporary = temporary_name()?;
        let mode = mode.or_else(|| expected.as_ref().map(|expected| expected.mode));
        let file = sys::create_new(&folder, OsStr::new(&temporary), if mode.is_some() { 0o600 } else { 0o666 })?;
        let written = self.fill_and_rename(&folder, (&file, &temporary), bytes, mode, expected.as_ref());
        match written {
            Ok(facts) => {
                self.note_left(facts);
                *expected = Some(facts);
            }
            Err(error) => {
                // The write failed already; a leftover temporary file is the lesser fault.
                let _ = sys::remove(&folder, OsStr::new(&temporary), Kind::File);
                return Err(error);
            }
        }
        sys::sync(&folder)
    }

    fn fill_and_rename(
        &self,
        folder: &Fd,
        (file, temporary): (&Fd, &str),
        bytes: &[u8],
        mode: Option<u32>,
        expected: Option<&Facts>,
    ) -> Result<Facts, PathError> {
        if let Some(mode) = mode {
            sys::set_mode(file, mode)?;
        }
        sys::write_all(file, bytes)?;
        let mode = sys::facts(file)?.mode;
        self.keep(folder, expected, |_| Was::File { bytes: bytes.to_vec().into(), mode });
        sys::rename((folder, OsStr::new(temporary)), (folder, self.name()), expected.is_none()).map_err(taken)?;
        // Renaming changes the time of the last change; the held file is ours, whatever stands at the name.
        sys::facts(file).map_err(PathError::touched)
    }

    fn append(&self, bytes: &[u8]) -> Result<(), PathError> {
        let mut expected = self.expected();
        let Some(before) = expected.as_ref() else {
            return self.put(&mut expected, bytes, None);
        };
        let folder = self.folder()?;
        let found = sys::resolve(&folder, self.name(), Links::Refuse, self.workspace.options().no_xdev)?;
        let facts = sys::facts(&found)?;
        if facts.kind != Kind::File || !facts.is_same(before) {
            return Err(PathError::new(Fault::Changed, "the file was replaced").at(&self.place.resolved));
        }
        if facts.multiply_linked {
            return Err(PathError::new(Fault::MultiplyLinked, "appending changes every link").at(&self.place.resolved));
        }
        let to_end = sys::reopen(&found, Access::Append)?;
        self.keep(&folder, Some(&facts), |before| match before {
            Was::File { bytes: before, mode } => Was::File { bytes: [before, bytes].concat().into(), mode: *mode },
            _ => Was::Lost("a file was larger than a kept copy may be"),
        });
        sys::write_all(&to_end, bytes)?;
        self.note_left(sys::facts(&found)?);
        Ok(())
    }

    /// Puts back what stood at the name: a file, a folder, or nothing.
    pub(super) fn put_back(&self, was: &Was<'_>) -> Result<(), PathError> {
        let mut expected = self.expected();
        match was {
            Was::File { bytes, mode } => self.put(&mut expected, bytes, Some(*mode)),
            Was::Folder { mode } => self.make(&mut expected, *mode),
            Was::Absent => self.remove(&mut expected),
            Was::Lost(why) => Err(PathError::new(Fault::NotRegular, *why).at(&self.place.resolved)),
        }
    }

    fn make(&self, expected: &mut Option<Facts>, mode: u32) -> Result<(), PathError> {
        let folder = self.folder()?;
        require_same(&folder, &self.spot.name, expected.as_ref())?;
        self.keep(&folder, expected.as_ref(), |_| Was::Folder { mode });
        let made = sys::make_folder(&folder, self.name())?;
        sys::set_mode(&sys::open_folder(&made)?, mode)?;
        *expected = Some(sys::facts(&made)?);
        sys::sync(&folder)
    }

    fn remove(&self, expected: &mut Option<Facts>) -> Result<(), PathError> {
        let folder = self.folder()?;
        require_same(&folder, &self.spot.name, expected.as_ref())?;
        let Some(facts) = expected.take() else {
            return Ok(());
        };
        self.keep(&folder, Some(&facts), |_| Was::Absent);
        sys::remove(&folder, self.name(), facts.kind)?;
        *self.left.lock().unwrap_or_else(PoisonError::into_inner) = None;
        sys::sync(&folder)
    }

    /// Renames an entry to this name; `moved` is what it holds.
    pub(super) fn take(&self, from: (&Fd, &OsStr), facts: Facts, moved: &Was<'static>) -> Result<(), PathError> {
        let mut expected = self.expected();
        let folder = self.folder()?;
        require_same(&folder, &self.spot.name, expected.as_ref())?;
        self.keep(&folder, expected.as_ref(), |_| moved.clone());
        sys::rename(from, (&folder, self.name()), expected.is_none()).map_err(taken)?;
        // As renamed, unless something else stands there already.
        let now = sys::facts_at(&folder, self.name()).map_err(PathError::touched)?;
        let facts = now.filter(|now| now.is_same(&facts)).unwrap_or(facts);
        self.note_left(facts);
        *expected = Some(facts);
        sys::sync(&folder)
    }
}

/// A name that was free when it was resolved isn't any more.
fn taken(error: PathError) -> PathError {
    if error.fault() == Fault::Exists {
        return PathError::new(Fault::Changed, "something has been put at the name");
    }
    error
}

fn temporary_name() -> Result<String, PathError> {
    let mut random = [0; 12];
    getrandom::fill(&mut random).map_err(|error| PathError::new(Fault::Io, format!("no randomness: {error}")))?;
    let mut name = ".toolgate-tmp-".to_owned();
    for byte in random {
        // Writing to a `String` can't fail.
        let _ = write!(name, "{byte:02x}");
    }
    Ok(name)
}

path_type! {
    /// A file of the workspace that a tool may create, replace or append to.
    WritePath, Write, WriteHandle
}

impl WritePath {
    /// Creates the file or replaces it whole: readers see the old content or the new, never a part.
    ///
    /// On disk when this returns. Missing folders are made when the workspace allows it.
    ///
    /// # Errors
    /// `path.changed` when the place isn't what was resolved any more, or writing failed.
    pub fn write(&self, bytes: impl AsRef<[u8]>) -> Result<(), PathError> {
        let handle = self.handle()?;
        handle.mark.acting(|| handle.write(bytes.as_ref()))
    }

    /// Adds to the end in place, creating the file when it doesn't exist; a crash may leave a part.
    ///
    /// # Errors
    /// `path.multiply_linked` when other names would change too, `path.changed`, or writing failed.
    pub fn append(&self, bytes: impl AsRef<[u8]>) -> Result<(), PathError> {
        let handle = self.handle()?;
        handle.mark.acting(|| handle.append(bytes.as_ref()))
    }

    /// True when the file existed when it was resolved, or has been written through this path since.
    ///
    /// # Errors
    /// `path.not_opened` before the gate has opened it.
    pub fn exists(&self) -> Result<bool, PathError> {
        self.handle().map(|handle| handle.expected().is_some())
    }
}
