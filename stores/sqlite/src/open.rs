//! Opens connections: what they may do, how long they wait, and what they refuse to touch.

use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags};
use toolgate_core::key_file;
use toolgate_core::keys::GateKey;
use toolgate_core::store::{StoreError, StoreFault};

use crate::place::{Place, beside, key_path};
use crate::schema::{self, SCHEMA_VERSION, Standing};
use crate::{fault, network};

/// Before this, two connections could damage a WAL database when they wrote and checkpointed at once.
const OLDEST_SQLITE: i32 = 3_051_003;
const CACHED_STATEMENTS: usize = 64;
const WAL_LIMIT: i64 = 64 * 1024 * 1024;

/// A connection that writes, on a file that is ready for it.
pub(crate) fn writable(path: &Path, wait: Duration) -> Result<(Connection, GateKey, Place), StoreError> {
    check_library(rusqlite::version_number())?;
    network::check(path)?;
    create_private(path)?;
    let mut conn = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE, wait)?;
    let key = match schema::standing(&conn).map_err(|error| unreachable_or_read_only(error, path))? {
        Standing::Empty => key_file::load_or_create(&key_path(path))?,
        Standing::Version(_) => key_file::load(&key_path(path))?,
    };
    if conn.is_readonly("main").map_err(fault::of_sqlite)? {
        return Err(fault::error(StoreFault::ReadOnly, "the database file may not be written"));
    }
    use_wal(&conn, wait).map_err(|error| unreachable_or_read_only(error, path))?;
    schema::migrate(&mut conn, &key)?;
    schema::check_key(&conn, &key)?;
    conn.pragma_update(None, "journal_size_limit", WAL_LIMIT).map_err(fault::of_sqlite)?;
    conn.pragma_update(None, "fullfsync", true).map_err(fault::of_sqlite)?;
    let place = Place::of(path)?;
    Ok((conn, key, place))
}

/// A connection that reads, on a file of this version, and the key to verify it with.
pub(crate) fn read_only(path: &Path, wait: Duration) -> Result<(Connection, GateKey, Place), StoreError> {
    check_library(rusqlite::version_number())?;
    let place = Place::of(path)?;
    let (conn, standing) = match standing_read_only(path, wait) {
        Err(error) if is_unopened(&error) && wal_is_empty(path) => {
            let conn = connect_immutable(place.path(), wait)?;
            let standing = schema::standing(&conn)?;
            (conn, standing)
        }
        found => found?,
    };
    match standing {
        Standing::Version(SCHEMA_VERSION) => {}
        Standing::Version(version) => {
            let text = format!("the database has version {version}; open it for writing once to bring it up to date");
            return Err(fault::error(StoreFault::Corrupt, text));
        }
        Standing::Empty => return Err(fault::error(StoreFault::Gone, "the database is empty")),
    }
    let key = key_file::load(&key_path(path))?;
    schema::check_key(&conn, &key)?;
    Ok((conn, key, place))
}

/// One more connection for reading, beside one that was opened with all checks.
pub(crate) fn reader(path: &Path, wait: Duration) -> Result<Connection, StoreError> {
    connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY, wait)
}

fn standing_read_only(path: &Path, wait: Duration) -> Result<(Connection, Standing), StoreError> {
    let conn = reader(path, wait)?;
    let standing = schema::standing(&conn)?;
    Ok((conn, standing))
}

fn connect(path: &Path, access: OpenFlags, wait: Duration) -> Result<Connection, StoreError> {
    let conn = Connection::open_with_flags(path, access | OpenFlags::SQLITE_OPEN_NO_MUTEX)
        .map_err(|error| unreachable_or_read_only(fault::of_sqlite(error), path))?;
    prepare(conn, wait)
}

fn prepare(conn: Connection, wait: Duration) -> Result<Connection, StoreError> {
    conn.busy_timeout(wait).map_err(fault::of_sqlite)?;
    conn.set_prepared_statement_cache_capacity(CACHED_STATEMENTS);
    conn.pragma_update(None, "trusted_schema", false).map_err(fault::of_sqlite)?;
    conn.pragma_update(None, "cell_size_check", true).map_err(fault::of_sqlite)?;
    Ok(conn)
}

/// Reads a file that nobody writes, where the files that WAL needs beside it can't be made.
fn connect_immutable(path: &Path, wait: Duration) -> Result<Connection, StoreError> {
    let mut uri = String::from("file:");
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => {
                uri.push(char::from(*byte));
            }
            _ => uri.extend(['%', hex_digit(byte >> 4), hex_digit(byte & 15)]),
        }
    }
    uri.push_str("?immutable=1");
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    prepare(Connection::open_with_flags(uri, flags).map_err(fault::of_sqlite)?, wait)
}

fn hex_digit(nibble: u8) -> char {
    char::from_digit(nibble.into(), 16).unwrap_or('0')
}

fn is_unopened(error: &StoreError) -> bool {
    matches!(error.fault(), StoreFault::Gone | StoreFault::ReadOnly)
}

fn wal_is_empty(path: &Path) -> bool {
    std::fs::metadata(beside(path, "-wal")).map_or(true, |about| about.len() == 0)
}

/// Whether this SQLite is one that a WAL database can be trusted to.
fn check_library(version: i32) -> Result<(), StoreError> {
    if version >= OLDEST_SQLITE {
        return Ok(());
    }
    let text = format!("SQLite {version} can damage a database in WAL mode; {OLDEST_SQLITE} is the oldest that serves");
    Err(fault::error(StoreFault::Io, text))
}

/// Makes a file that only its user reads, where there is none. A file that is there isn't opened: to
/// close it again would drop the locks that this process holds on it.
fn create_private(path: &Path) -> Result<(), StoreError> {
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(StoreError::of_file("database", &error)),
    }
}

/// SQLite can't open files in a directory that is gone, nor make them in one it may not write.
fn unreachable_or_read_only(error: StoreError, path: &Path) -> StoreError {
    if error.fault() == StoreFault::Gone && path.try_exists().unwrap_or(false) {
        return fault::error(StoreFault::ReadOnly, format!("{error}; the directory may not be written"));
    }
    error
}

/// The switch to WAL needs the file alone for a moment, and doesn't always wait for it by itself.
fn use_wal(conn: &Connection, wait: Duration) -> Result<(), StoreError> {
    let until = Instant::now() + wait;
    loop {
        let mode = conn.pragma_update_and_check(None, "journal_mode", "wal", |row| row.get::<_, String>(0));
        match mode.map_err(fault::of_sqlite) {
            Ok(mode) if mode == "wal" => return Ok(()),
            Ok(mode) => {
                return Err(fault::error(StoreFault::Io, format!("the file system allows no WAL, only `{mode}`")));
            }
            Err(error) if error.fault() == StoreFault::Busy && Instant::now() < until => {
                std::thread::sleep(Duration::from_millis(10));
            }
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_old_sqlite_is_refused() {
        assert!(check_library(3_051_002).is_err());
        assert!(check_library(3_051_003).is_ok());
    }
}
