//! The file beside the database that holds the gate's key: 64 hex digits, for its user only. Not the
//! key's use.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read as _, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use toolgate_core::keys::GateKey;
use toolgate_core::ledger::hex;
use toolgate_core::store::{StoreError, StoreFault};

use crate::fault;
use crate::place::beside;

const WHAT: &str = "key file";
const LENGTH: u64 = 64;

/// Where the key of a database stands.
pub(crate) fn path_for(database: &Path) -> PathBuf {
    beside(database, ".key")
}

/// Reads the key of a database that has one.
pub(crate) fn load(database: &Path) -> Result<GateKey, StoreError> {
    let path = path_for(database);
    let file = match File::open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Err(missing(&path)),
        Err(error) => return Err(fault::of_file(WHAT, &error)),
    };
    let about = file.metadata().map_err(|error| fault::of_file(WHAT, &error))?;
    if let Some(problem) = exposed(about.mode()) {
        return Err(fault::error(StoreFault::Io, problem));
    }
    let mut text = String::new();
    file.take(LENGTH + 2).read_to_string(&mut text).map_err(|error| fault::of_file(WHAT, &error))?;
    parse(text.trim_end()).ok_or_else(|| fault::error(StoreFault::Corrupt, "the key file doesn't hold 64 hex digits"))
}

fn missing(path: &Path) -> StoreError {
    let text = format!(
        "the database was written with a key, but its key file `{}` is missing; put it back, what is sealed can't be \
         opened without it",
        path.display()
    );
    fault::error(StoreFault::Gone, text)
}

/// What is wrong with a key file that others may read.
pub(crate) fn exposed(mode: u32) -> Option<String> {
    (mode & 0o077 != 0)
        .then(|| format!("the key file has mode {:03o}, others than its user may use it; set it to 600", mode & 0o777))
}

fn parse(text: &str) -> Option<GateKey> {
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
pub(crate) fn load_or_create(database: &Path) -> Result<GateKey, StoreError> {
    let path = path_for(database);
    if !path.try_exists().map_err(|error| fault::of_file(WHAT, &error))? {
        let key =
            GateKey::generate().map_err(|error| fault::error(StoreFault::Io, format!("no randomness: {error}")))?;
        create(&path, &key).map_err(|error| fault::of_file(WHAT, &error))?;
    }
    load(database)
}

/// Writes the whole file under another name, then gives it its name unless that is taken.
fn create(path: &Path, key: &GateKey) -> std::io::Result<()> {
    let draft = beside(path, &format!(".{}", key.digest("toolgate.key-draft.v1", &[])));
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
