//! Why a store could not do what it was asked, sorted by what the gate must do about it.

/// What kind of trouble a store has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoreFault {
    /// Held by another process for longer than the wait allows; may pass.
    Busy,
    /// No room left.
    Full,
    /// May not be written.
    ReadOnly,
    /// Deleted, unmounted or unreachable.
    Gone,
    /// The content is damaged or from a newer version.
    Corrupt,
    /// Another failure of input or output.
    Io,
    /// Older than what it was when it was last open: restored from a backup. A person must take it on.
    Restored,
    /// The request contradicts what is stored: an illegal transition, a lost fence.
    Conflict,
}

impl StoreFault {
    /// The word used in operator texts.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Busy => "busy",
            Self::Full => "full",
            Self::ReadOnly => "read_only",
            Self::Gone => "gone",
            Self::Corrupt => "corrupt",
            Self::Io => "io",
            Self::Restored => "restored",
            Self::Conflict => "conflict",
        }
    }
}

/// A store could not do what it was asked. Nothing of the failed write is kept.
#[derive(Debug, Clone)]
pub struct StoreError {
    fault: StoreFault,
    detail: String,
}

impl StoreError {
    /// An error with a text for the operator.
    pub fn new(fault: StoreFault, detail: impl Into<String>) -> Self {
        Self { fault, detail: detail.into() }
    }

    /// A file's error as a store's; `what` says which file.
    pub fn of_file(what: &str, error: &std::io::Error) -> Self {
        use std::io::ErrorKind;
        let fault = match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::StaleNetworkFileHandle => StoreFault::Gone,
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => StoreFault::ReadOnly,
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => StoreFault::Full,
            _ => StoreFault::Io,
        };
        Self::new(fault, format!("{what}: {error}"))
    }

    /// What kind of trouble.
    pub fn fault(&self) -> StoreFault {
        self.fault
    }
}

impl std::fmt::Display for StoreError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "store {}: {}", self.fault.as_str(), self.detail)
    }
}

impl std::error::Error for StoreError {}
