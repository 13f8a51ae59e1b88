//! Reading one regular file.

use super::error::{Fault, PathError};
use super::handle::{Place, path_type};
use super::sys::{self, Fd};

/// A regular file, opened for reading.
#[derive(Debug)]
pub struct ReadHandle {
    file: Fd,
    size: u64,
    max_bytes: u64,
    place: Place,
}

impl ReadHandle {
    pub(super) fn new(file: Fd, size: u64, max_bytes: u64, place: Place) -> Self {
        Self { file, size, max_bytes, place }
    }

    pub(super) fn place(&self) -> &Place {
        &self.place
    }

    fn read(&self) -> Result<Vec<u8>, PathError> {
        sys::read_all(&self.file, self.max_bytes).map_err(|error| error.at(&self.place.resolved))
    }
}

path_type! {
    /// A regular file of the workspace that a tool may read.
    ReadPath, Read, ReadHandle
}

impl ReadPath {
    pub(super) fn opened(handle: ReadHandle) -> Self {
        Self { text: handle.place.relative.clone(), slot: std::sync::Arc::new(super::Handle::Read(handle).into()) }
    }

    /// The whole file as text.
    ///
    /// # Errors
    /// `path.not_utf8`, `path.too_large`, or reading failed.
    pub fn read_to_string(&self) -> Result<String, PathError> {
        to_text(self.read_bytes()?)
    }

    /// The whole file, from its beginning, at most `max_file_bytes` of the workspace.
    ///
    /// # Errors
    /// `path.too_large`, or reading failed.
    pub fn read_bytes(&self) -> Result<Vec<u8>, PathError> {
        self.handle()?.read()
    }

    /// Size in bytes when it was opened.
    ///
    /// # Errors
    /// `path.not_opened` before the gate has opened it.
    pub fn file_size(&self) -> Result<u64, PathError> {
        self.handle().map(|handle| handle.size)
    }
}

/// Bytes as text, never with replacement characters.
pub(super) fn to_text(bytes: Vec<u8>) -> Result<String, PathError> {
    String::from_utf8(bytes).map_err(|error| {
        PathError::new(Fault::NotUtf8, format!("not UTF-8 at byte {}", error.utf8_error().valid_up_to()))
    })
}
