//! How far the database had come, in the file `<path>.head` beside it: a database that hasn't come so far,
//! or came another way, was restored from a backup. Written after commits that wait for the medium, at
//! most once a second, and at a clean end. Not a proof against who can write both files.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read as _};
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::Connection;
use toolgate_core::store::chain::Head;
use toolgate_core::store::{StoreError, StoreFault};

use crate::place::beside;
use crate::{fault, frame, read};

const WHAT: &str = "head file";
const OFTEN: Duration = Duration::from_secs(1);
/// `seq`, a space, `link` and a line break: one small write.
const LENGTH: u64 = 20 + 1 + 64 + 1;

/// Where the head of a database stands.
pub(crate) fn path_for(database: &Path) -> PathBuf {
    beside(database, ".head")
}

fn text_of(head: &Head) -> String {
    format!("{:020} {:>64}\n", head.seq, head.link)
}

fn parse(text: &str) -> Option<Head> {
    let (seq, link) = text.strip_suffix('\n').filter(|_| text.len() as u64 == LENGTH)?.split_once(' ')?;
    Some(Head { seq: seq.parse().ok()?, link: link.trim_start().to_owned() })
}

/// What the file says; `None` where there is none yet.
pub(crate) fn load(database: &Path) -> Result<Option<Head>, StoreError> {
    let mut text = String::new();
    match File::open(path_for(database)) {
        Ok(file) => {
            file.take(LENGTH + 1).read_to_string(&mut text).map_err(|error| StoreError::of_file(WHAT, &error))?
        }
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(StoreError::of_file(WHAT, &error)),
    };
    if text.is_empty() {
        return Ok(None);
    }
    parse(&text).map(Some).ok_or_else(|| refused("the head file beside the database can't be read"))
}

fn refused(why: &str) -> StoreError {
    let text = format!(
        "{why}; if the database was restored from a backup on purpose, take it on with `toolgate ledger accept-restore`: \
         what was done after the backup isn't known any more, and may be done again"
    );
    fault::error(StoreFault::Restored, text)
}

/// Refuses a database that hasn't come as far as the file says.
pub(crate) fn check(conn: &Connection, database: &Path) -> Result<(), StoreError> {
    // In this order: others may go on meanwhile.
    let Some(known) = load(database)? else {
        return Ok(());
    };
    if known.seq == 0 {
        return Ok(());
    }
    let now = frame::head(conn)?;
    if now.seq < known.seq {
        let text = format!("the database ends at event {} and had come to event {} before", now.seq, known.seq);
        return Err(refused(&text));
    }
    let sql = "SELECT link FROM events WHERE seq = ?1";
    let link = read::one(conn, sql, [i64::try_from(known.seq).unwrap_or(i64::MAX)], |row| row.get::<_, String>(0))?;
    if link.as_ref() == Some(&known.link) {
        return Ok(());
    }
    Err(refused(&format!("event {} of the database isn't the one that it had before", known.seq)))
}

/// The file while the database is written.
#[derive(Debug)]
pub(crate) struct HeadFile {
    path: PathBuf,
    file: Option<File>,
    written: Option<Instant>,
}

impl HeadFile {
    pub(crate) fn of(database: &Path) -> Self {
        Self { path: path_for(database), file: None, written: None }
    }

    /// After a commit that waited for the medium. What the file misses only makes it forget; a commit that
    /// stands is no failure for it.
    pub(crate) fn note(&mut self, head: &Head) {
        if self.written.is_some_and(|written| written.elapsed() < OFTEN) {
            return;
        }
        self.written = Some(Instant::now());
        // Where it can't be written, the next one tries again.
        let _ = self.put(head);
    }

    /// Writes it now.
    pub(crate) fn put(&mut self, head: &Head) -> Result<(), StoreError> {
        if self.file.is_none() {
            let opened = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(&self.path);
            self.file = Some(opened.map_err(|error| StoreError::of_file(WHAT, &error))?);
        }
        let Some(file) = &self.file else { return Ok(()) };
        file.write_all_at(text_of(head).as_bytes(), 0).map_err(|error| StoreError::of_file(WHAT, &error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_reads_back_as_it_was_written() {
        for head in [Head { seq: u64::MAX, link: "a".repeat(64) }, Head::default()] {
            let text = text_of(&head);
            assert_eq!((text.len() as u64, parse(&text)), (LENGTH, Some(head)));
        }
        for text in ["", "\n", "1 a\n", &"0".repeat(86)] {
            assert_eq!(parse(text), None, "{text:?}");
        }
    }
}
