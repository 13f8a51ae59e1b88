//! The file that holds a gate's key, for stores that keep it in one: 64 hex digits, for its user only.
//! Not the key's use.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read as _, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use crate::keys::GateKey;
use crate::ledger::hex;
use crate::store::{StoreError, StoreFault};

const WHAT: &str = "key file";
const LENGTH: u64 = 64;

/// Reads the key of a database that has one.
///
/// # Errors
/// [`StoreFault::Gone`] where the file is missing, [`StoreFault::Io`] where others may read it,
/// [`StoreFault::Corrupt`] where it holds no key.
pub fn load(path: &Path) -> Result<GateKey, StoreError> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Err(missing(path)),
        Err(error) => return Err(StoreError::of_file(WHAT, &error)),
    };
    let about = file.metadata().map_err(|error| StoreError::of_file(WHAT, &error))?;
    if let Some(problem) = exposed(about.mode()) {
        return Err(StoreError::new(StoreFault::Io, problem));
    }
    let mut text = String::new();
    file.take(LENGTH + 2).read_to_string(&mut text).map_err(|error| StoreError::of_file(WHAT, &error))?;
    parse(text.trim_end())
        .ok_or_else(|| StoreError::new(StoreFault::Corrupt, "the key file doesn't hold 64 hex digits"))
}

fn missing(path: &Path) -> StoreError {
    let text = format!(
        "the database was written with a key, but its key file `{}` is missing; put it back, what is sealed can't be \
         opened without it",
        path.display()
    );
    StoreError::new(StoreFault::Gone, text)
}

/// What is wrong with a key file of this mode, if others may read it.
pub fn exposed(mode: u32) -> Option<String> {
    (mode & 0o077 != 0)
        .then(|| format!("the key file has mode {:03o}, others than its user may use it; set it to 600", mode & 0o777))
}

/// The key of 64 hex digits.
pub fn parse(text: &str) -> Option<GateKey> {
    let digits = text.as_bytes();
    if digits.len() as u64 != LENGTH {
        return None;
    }
    let mut bytes = [0; 32];
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks(2)) {
        let pair = std::str::from_utf8(pair).ok().filter(|pair| pair.bytes().all(|digit| digit.is_ascii_hexdigit()))?;
        *byte = u8::from_str_radix(pair, 16).ok()?;
    }
    Some(GateKey::from_bytes(bytes))
}

/// Reads the key for a new database, and makes one where there is none. Of two that make one at the
/// same time, both read the same afterwards.
///
/// # Errors
/// As [`load`], and those of making it.
pub fn load_or_create(path: &Path) -> Result<GateKey, StoreError> {
    if !path.try_exists().map_err(|error| StoreError::of_file(WHAT, &error))? {
        let key =
            GateKey::generate().map_err(|error| StoreError::new(StoreFault::Io, format!("no randomness: {error}")))?;
        create(path, &key).map_err(|error| StoreError::of_file(WHAT, &error))?;
    }
    load(path)
}

/// Writes the whole file under another name, then gives it its name unless that is taken.
fn create(path: &Path, key: &GateKey) -> std::io::Result<()> {
    let mut draft = path.as_os_str().to_owned();
    draft.push(format!(".{}", key.digest("toolgate.key-draft.v1", &[])));
    let draft = PathBuf::from(draft);
    let written = write_draft(&draft, key).and_then(|()| match fs::hard_link(&draft, path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        linked => linked,
    });
    let removed = fs::remove_file(&draft);
    written?;
    removed?;
    match path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        Some(parent) => File::open(parent)?.sync_all(),
        None => File::open(".")?.sync_all(),
    }
}

fn write_draft(draft: &Path, key: &GateKey) -> std::io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(draft)?;
    file.write_all(hex(key.expose_bytes()).as_bytes())?;
    file.write_all(b"\n")?;
    file.sync_all()
}
