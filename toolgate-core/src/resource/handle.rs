//! Handles and the slots that carry them into a tool's arguments.
//!
//! Who fills a slot, and when, is the gate's business.

use std::sync::{Arc, OnceLock};

use super::dir::DirHandle;
use super::entry::EntryHandle;
use super::error::{Fault, PathError};
use super::keep::{Keeper, Was};
use super::mark::EffectMark;
use super::pin::Pin;
use super::read::ReadHandle;
use super::write::WriteHandle;

/// Something opened beneath a workspace root, for one kind of use.
#[derive(Debug)]
pub enum Handle {
    /// A file to read.
    Read(ReadHandle),
    /// A file to write.
    Write(WriteHandle),
    /// A folder to list.
    Dir(DirHandle),
    /// An entry to delete or rename.
    Entry(EntryHandle),
}

/// Where the gate puts the handle of one argument, once.
pub type Slot = Arc<OnceLock<Handle>>;

/// The two names of an opened path.
#[derive(Debug, Clone)]
pub(super) struct Place {
    /// As the model said it, relative to the root.
    pub(super) relative: String,
    /// Where it really is, relative to the root.
    pub(super) resolved: String,
}

impl Handle {
    /// Where it really is, relative to the root.
    pub fn resolved(&self) -> &str {
        &self.place().resolved
    }

    /// The identity of what was written through it, as it was just then; `None` where nothing was.
    pub fn left(&self) -> Option<Pin> {
        match self {
            Self::Write(handle) => handle.left(),
            Self::Read(_) | Self::Dir(_) | Self::Entry(_) => None,
        }
    }

    /// What it replaces or removes is kept there first.
    pub(crate) fn kept_by(self, keeper: &Arc<dyn Keeper>) -> Self {
        match &self {
            Self::Write(handle) => handle.kept_by().set(keeper),
            Self::Entry(handle) => handle.kept_by().set(keeper),
            Self::Read(_) | Self::Dir(_) => {}
        }
        self
    }

    /// What stands at the name now; of a file at most `limit` bytes.
    pub(crate) fn now(&self, limit: u64) -> Result<Was<'static>, PathError> {
        match self {
            Self::Write(handle) => handle.now(limit),
            Self::Entry(handle) => handle.now(limit),
            Self::Read(_) | Self::Dir(_) => Err(Self::changes_nothing()),
        }
    }

    /// Puts back what stood at the name, unless something else than was resolved stands there by now.
    pub(crate) fn put_back(&self, was: &Was<'_>) -> Result<(), PathError> {
        match self {
            Self::Write(handle) => handle.mark().acting(|| handle.put_back(was)),
            Self::Entry(handle) => handle.mark().acting(|| handle.put_back(was)),
            Self::Read(_) | Self::Dir(_) => Err(Self::changes_nothing()),
        }
    }

    fn changes_nothing() -> PathError {
        PathError::new(Fault::NotOpened, "a path to read has no earlier content")
    }

    /// Whether something was changed through it; `None` for what changes nothing.
    pub(crate) fn mark(&self) -> Option<&EffectMark> {
        match self {
            Self::Write(handle) => Some(handle.mark()),
            Self::Entry(handle) => Some(handle.mark()),
            Self::Read(_) | Self::Dir(_) => None,
        }
    }

    pub(super) fn place(&self) -> &Place {
        match self {
            Self::Read(handle) => handle.place(),
            Self::Write(handle) => handle.place(),
            Self::Dir(handle) => handle.place(),
            Self::Entry(handle) => handle.place(),
        }
    }
}

/// Declares one of the path types that a tool receives, with what all of them share.
macro_rules! path_type {
    ($(#[$doc:meta])* $name:ident, $kind:ident, $handle:ty) => {
        $(#[$doc])*
        #[derive(Debug, Clone)]
        pub struct $name {
            text: String,
            slot: $crate::resource::Slot,
        }

        impl $name {
            /// The kind of path it is.
            pub const KIND: $crate::resource::PathKind = $crate::resource::PathKind::$kind;

            /// A path whose handle is still to come, and the slot for it.
            #[doc(hidden)]
            pub fn pending(text: String) -> (Self, $crate::resource::Slot) {
                let slot = $crate::resource::Slot::default();
                (Self { text, slot: slot.clone() }, slot)
            }

            /// A path beneath `root`, for unit tests of a tool; all rules apply.
            ///
            /// # Errors
            /// The workspace can't be opened, or the path breaks a rule.
            pub fn in_dir(root: impl AsRef<std::path::Path>, text: &str) -> Result<Self, $crate::resource::PathError> {
                let workspace = $crate::resource::Workspace::open(root)?;
                let handle = workspace.open_path(&workspace.check(Self::KIND, text)?, None)?;
                Ok(Self { text: text.to_owned(), slot: std::sync::Arc::new(handle.into()) })
            }

            /// The path relative to the workspace root, as the caller named it.
            pub fn relative(&self) -> &str {
                self.slot.get().map_or(&self.text, |handle| &handle.place().relative)
            }

            /// Where it really is, relative to the workspace root.
            ///
            /// # Errors
            /// `path.not_opened` before the gate has opened it.
            pub fn resolved(&self) -> Result<&str, $crate::resource::PathError> {
                self.handle().map(|handle| handle.place().resolved.as_str())
            }

            pub(in crate::resource) fn handle(&self) -> Result<&$handle, $crate::resource::PathError> {
                match self.slot.get() {
                    Some($crate::resource::Handle::$kind(handle)) => Ok(handle),
                    _ => Err($crate::resource::PathError::new(
                        $crate::resource::error::Fault::NotOpened,
                        format!("{:?} was never opened as a {}", self.text, stringify!($name)),
                    )),
                }
            }
        }
    };
}
pub(super) use path_type;
