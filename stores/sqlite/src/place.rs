//! Where the database stands, and whether it is still that file. Not its content.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use toolgate_core::store::{StoreError, StoreFault};

use crate::fault;

/// A path and the file that stood there when the store was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    path: PathBuf,
    device: u64,
    inode: u64,
}

impl Place {
    /// The file that stands there now.
    pub(crate) fn of(path: &Path) -> Result<Self, StoreError> {
        let path = std::path::absolute(path).map_err(|error| StoreError::of_file("database", &error))?;
        let about = fs::metadata(&path).map_err(|error| StoreError::of_file("database", &error))?;
        Ok(Self { path, device: about.dev(), inode: about.ino() })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the same file still stands there: SQLite would go on writing to a deleted one.
    pub(crate) fn check(&self) -> Result<(), StoreError> {
        let about = fs::metadata(&self.path).map_err(|error| StoreError::of_file("database", &error))?;
        if (about.dev(), about.ino()) == (self.device, self.inode) {
            return Ok(());
        }
        Err(fault::error(StoreFault::Gone, "the database file was replaced by another while it was open"))
    }
}

/// The path of a file beside the database, such as `-wal` or `.key`.
pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Where the key of a database stands.
pub(crate) fn key_path(database: &Path) -> PathBuf {
    beside(database, ".key")
}
