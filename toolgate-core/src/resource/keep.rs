//! What stood at a name before a change, handed to who keeps it for undoing, before the change is made. Not where
//! it is kept, which is `undo`'s.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fmt::Debug;
use std::sync::{Arc, OnceLock};

use super::error::{Fault, PathError};
use super::sys::{self, Access, Facts, Fd, Kind, Links};

/// What stands at a name, as far as it can be brought back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Was<'b> {
    /// Nothing.
    Absent,
    /// A regular file with these bytes and permission bits.
    File { bytes: Cow<'b, [u8]>, mode: u32 },
    /// A folder with these permission bits; what is in it has names of its own.
    Folder { mode: u32 },
    /// Something that can't be brought back, and why.
    Lost(&'static str),
}

/// Who keeps what changes replace. What can't be kept is noted there, and the change is made all the same.
pub(crate) trait Keeper: Debug + Send + Sync {
    /// Most bytes of one file that are kept.
    fn limit(&self) -> u64;

    /// A change that is about to be made at a place, relative to the root. On disk when this returns.
    fn keep(&self, place: &str, before: &Was<'_>, after: &Was<'_>);
}

/// The keeper of one handle, where it has one.
#[derive(Debug, Default)]
pub(super) struct KeptBy(OnceLock<Arc<dyn Keeper>>);

impl KeptBy {
    pub(super) fn set(&self, keeper: &Arc<dyn Keeper>) {
        // A handle is made for one call.
        let _ = self.0.set(Arc::clone(keeper));
    }

    pub(super) fn get(&self) -> Option<&dyn Keeper> {
        self.0.get().map(|keeper| &**keeper)
    }
}

/// What stands at a name that held `facts`; of a file at most `limit` bytes.
pub(super) fn read(folder: &Fd, name: &OsStr, facts: Option<&Facts>, limit: u64) -> Was<'static> {
    let Some(facts) = facts else {
        return Was::Absent;
    };
    match facts.kind {
        Kind::Folder => Was::Folder { mode: facts.mode },
        Kind::Link => Was::Lost("a symbolic link was replaced or removed"),
        Kind::Other => Was::Lost("something that is no regular file was replaced or removed"),
        Kind::File if facts.size > limit => Was::Lost("a file was larger than a kept copy may be"),
        Kind::File => match read_file(folder, name, facts, limit) {
            Ok(bytes) => Was::File { bytes: bytes.into(), mode: facts.mode },
            Err(error) if error.fault() == Fault::TooLarge => Was::Lost("a file was larger than a kept copy may be"),
            Err(error) => {
                tracing::warn!(%error, "a file that is replaced can't be read, so it isn't kept");
                Was::Lost("a file could not be read before it was replaced")
            }
        },
    }
}

fn read_file(folder: &Fd, name: &OsStr, facts: &Facts, limit: u64) -> Result<Vec<u8>, PathError> {
    let found = sys::resolve(folder, name, Links::Refuse, false)?;
    if !sys::facts(&found)?.is_same(facts) {
        return Err(PathError::new(Fault::Changed, "the file was replaced while it was read"));
    }
    sys::read_all(&sys::reopen(&found, Access::Read)?, limit)
}
