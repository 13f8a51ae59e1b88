//! Where kept bytes lie: a folder that only the gate's user may read, or the memory of this process. Names and
//! sealed bytes only; what they mean is `keep`'s.

use std::collections::BTreeMap;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::random;

/// What a file that isn't whole yet is called.
const DRAFT: &str = "draft-";

/// Where kept bytes lie.
#[derive(Debug)]
pub(crate) enum Place {
    /// A folder; made at the first use.
    Folder(PathBuf),
    /// Gone with the process.
    Memory(Mutex<Memory>),
}

/// Bytes by name, with the turn of their last use.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    turn: u128,
    files: BTreeMap<String, (u128, Vec<u8>)>,
}

/// One of the names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) bytes: u64,
    /// Grows with the time of the last use.
    pub(super) used: u128,
}

impl Place {
    /// The memory of this process.
    pub(crate) fn memory() -> Self {
        Self::Memory(Mutex::default())
    }

    /// Writes new files, each whole or not at all, and waits until they are on the disk.
    pub(super) fn put(&self, files: &[(&str, &[u8])]) -> io::Result<()> {
        match self {
            Self::Memory(memory) => {
                let mut memory = lock(memory);
                for (name, bytes) in files {
                    memory.turn += 1;
                    let turn = memory.turn;
                    memory.files.insert((*name).to_owned(), (turn, bytes.to_vec()));
                }
                Ok(())
            }
            Self::Folder(folder) => put_files(folder, files),
        }
    }

    /// The bytes of a name, where there is one.
    pub(super) fn get(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        match self {
            Self::Memory(memory) => Ok(lock(memory).files.get(name).map(|(_, bytes)| bytes.clone())),
            Self::Folder(folder) => missing_is_none(fs::read(folder.join(name))),
        }
    }

    /// Whether there is this name; where there is, it counts as used just now.
    pub(super) fn touch(&self, name: &str) -> io::Result<bool> {
        match self {
            Self::Memory(memory) => {
                let mut memory = lock(memory);
                memory.turn += 1;
                let turn = memory.turn;
                Ok(memory.files.get_mut(name).map(|file| file.0 = turn).is_some())
            }
            Self::Folder(folder) => {
                let Some(file) = missing_is_none(OpenOptions::new().append(true).open(folder.join(name)))? else {
                    return Ok(false);
                };
                file.set_modified(SystemTime::now()).map(|()| true)
            }
        }
    }

    pub(super) fn remove(&self, name: &str) -> io::Result<()> {
        match self {
            Self::Memory(memory) => {
                lock(memory).files.remove(name);
                Ok(())
            }
            Self::Folder(folder) => missing_is_none(fs::remove_file(folder.join(name))).map(drop),
        }
    }

    /// All names, in no order.
    pub(super) fn list(&self) -> io::Result<Vec<Entry>> {
        match self {
            Self::Memory(memory) => {
                let memory = lock(memory);
                let entry = |(name, (used, bytes)): (&String, &(u128, Vec<u8>))| Entry {
                    name: name.clone(),
                    bytes: bytes.len() as u64,
                    used: *used,
                };
                Ok(memory.files.iter().map(entry).collect())
            }
            Self::Folder(folder) => {
                let Some(entries) = missing_is_none(fs::read_dir(folder))? else {
                    return Ok(Vec::new());
                };
                let mut found = Vec::new();
                for entry in entries {
                    let entry = entry?;
                    // Another gate may have removed it meanwhile.
                    if let Some(facts) = missing_is_none(entry.metadata())? {
                        let name = entry.file_name().to_string_lossy().into_owned();
                        let modified = facts.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
                        found.push(Entry { name, bytes: facts.len(), used: modified.as_nanos() });
                    }
                }
                Ok(found)
            }
        }
    }
}

fn lock(memory: &Mutex<Memory>) -> MutexGuard<'_, Memory> {
    memory.lock().unwrap_or_else(PoisonError::into_inner)
}

fn missing_is_none<T>(found: io::Result<T>) -> io::Result<Option<T>> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Each under another name first; the names are on the disk together.
fn put_files(folder: &Path, files: &[(&str, &[u8])]) -> io::Result<()> {
    make_folder(folder)?;
    let mut drafts = Vec::new();
    let written = files.iter().try_for_each(|(name, bytes)| {
        let random = u64::from_ne_bytes(random::bytes::<8>().map_err(io::Error::other)?);
        let draft = folder.join(format!("{DRAFT}{random:016x}"));
        drafts.push((draft.clone(), folder.join(name)));
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&draft)?;
        file.write_all(bytes)?;
        file.sync_all()
    });
    let renamed = written.and_then(|()| drafts.iter().try_for_each(|(draft, name)| fs::rename(draft, name)));
    if let Err(error) = renamed {
        for (draft, _) in &drafts {
            // The fault is told; what is left over goes with the budget.
            let _ = fs::remove_file(draft);
        }
        return Err(error);
    }
    File::open(folder)?.sync_all()
}

/// The folder, for its user only.
fn make_folder(folder: &Path) -> io::Result<()> {
    match DirBuilder::new().mode(0o700).create(folder) {
        Ok(()) => match folder.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            Some(parent) => File::open(parent)?.sync_all(),
            None => File::open(".")?.sync_all(),
        },
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            let mode = fs::symlink_metadata(folder)?.mode();
            // A link has all bits.
            if mode.trailing_zeros() >= 6 {
                return Ok(());
            }
            let text = format!("others may use the folder of undo copies (mode {:03o}); set it to 700", mode & 0o777);
            Err(io::Error::new(ErrorKind::PermissionDenied, text))
        }
        Err(error) => Err(error),
    }
}
