//! A file to which many processes append at once: a line is one write, so that a process that dies leaves a whole
//! line or none. Not for the death of the machine.

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::PathBuf;

#[derive(Debug, Clone)]
pub(crate) struct Log(PathBuf);

impl Log {
    pub(crate) const fn at(path: PathBuf) -> Self {
        Self(path)
    }

    /// Words without tabs or line breaks.
    pub(crate) fn write(&self, words: &[&str]) -> io::Result<()> {
        let mut file = OpenOptions::new().append(true).create(true).open(&self.0)?;
        file.write_all(format!("{}\n", words.join("\t")).as_bytes())
    }

    /// Bytes so far; none where there is no file.
    pub(crate) fn size(&self) -> Option<u64> {
        fs::metadata(&self.0).ok().map(|about| about.len())
    }

    pub(crate) fn lines(&self) -> io::Result<Vec<Vec<String>>> {
        let text = match fs::read_to_string(&self.0) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error),
        };
        Ok(text.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect())
    }
}
