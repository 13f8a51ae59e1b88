//! What a path led to when it was looked at: an identity to compare later.
//!
//! Nothing is held open here, so a pin can wait for an approval and cross processes.

use serde::{Deserialize, Serialize};

use super::names;

/// The identity of what a path led to; two are equal when nothing that was approved has changed.
///
/// The numbers are written as decimal strings, since JSON numbers lose digits above 2^53.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pin {
    /// Id of the workspace.
    pub workspace: String,
    /// Where links really lead, relative to the root; `.` for the root.
    pub resolved: String,
    /// Device number.
    #[serde(with = "decimal")]
    pub device: u64,
    /// Inode number; for a new file that of the deepest folder that exists.
    #[serde(with = "decimal")]
    pub inode: u64,
    /// Size in bytes; 0 for folders and new files.
    #[serde(with = "decimal")]
    pub size: u64,
    /// Time of the last write in nanoseconds since 1970; 0 for folders and new files.
    #[serde(with = "decimal")]
    pub modified_ns: i128,
    /// Time of the last change of content or facts, which no program sets; 0 for folders and new files.
    #[serde(with = "decimal")]
    pub changed_ns: i128,
    /// True when the file doesn't exist yet.
    pub new: bool,
}

impl Pin {
    /// True when the place lies beneath `prefix` (or is it), by whole names.
    pub fn is_beneath(&self, prefix: &str) -> bool {
        names::is_beneath(&self.resolved, prefix)
    }
}

/// Integers as decimal strings.
mod decimal {
    use std::fmt::Display;
    use std::str::FromStr;

    use serde::de::Error as _;
    use serde::{Deserialize as _, Deserializer, Serializer};

    pub(super) fn serialize<T: Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub(super) fn deserialize<'de, T: FromStr, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|_| D::Error::custom("not a decimal integer"))
    }
}
