//! What can be wrong with a path, as one closed table.
//!
//! Not the rules themselves: those are in `names`, `text` and `resolve`.

use std::fmt;

/// Declares the faults with their code, whether policy refused, and the model's text.
macro_rules! faults {
    ($($name:ident, $code:literal, $refused:literal, $text:literal;)+) => {
        /// The reason a path was turned down.
#[cfg_attr(
    not(target_os = "linux"),
    expect(dead_code, reason = "only the Linux calls make all of them")
)]
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum Fault { $($name,)+ }

        impl Fault {
            const fn code(self) -> &'static str {
                match self { $(Self::$name => $code,)+ }
            }

            const fn refused(self) -> bool {
                match self { $(Self::$name => $refused,)+ }
            }

            const fn for_model(self) -> &'static str {
                match self { $(Self::$name => $text,)+ }
            }
        }
    };
}

faults! {
    Empty, "path.empty", true, "the path is empty; name a file or folder of the workspace, or `.` for the workspace itself";
    Nul, "path.nul", true, "the path holds a NUL character; remove it";
    ControlChar, "path.control_char", true, "the path, or the place it leads to, holds control, bidirectional or invisible characters; use names without them";
    TooLong, "path.too_long", true, "the path is too long; at most 4,095 bytes, and 255 in one name";
    Absolute, "path.absolute", true, "the path is absolute and outside the workspace; use a path relative to the workspace root";
    Escape, "path.escape", true, "the path leads out of the workspace; use a path that stays inside, without absolute links";
    RootOp, "path.root_op", true, "the path doesn't end in a name; end it with the name of the file or folder to change";
    Protected, "path.protected", true, "the path is protected and can't be changed; choose another place";
    ReservedName, "path.reserved_name", true, "the path holds a name that isn't portable; use letters, digits, `-`, `_` and inner dots";
    Stream, "path.stream", true, "the path holds a colon; use names without one";
    FinalSymlink, "path.final_symlink", true, "the path names a symbolic link; use the path of the file it points to";
    NotRegular, "path.not_regular", true, "the path is neither a regular file nor a folder; use a regular file";
    MultiplyLinked, "path.multiply_linked", true, "the file has several hard links and can't be used in place; write the whole file instead";
    NameNotUtf8, "path.name_not_utf8", true, "the path leads to a name that isn't valid UTF-8; use another file";
    Changed, "path.changed", false, "the file or folder changed since it was checked; look again, then repeat the call";
    Unstable, "path.unstable", true, "the path kept changing while it was resolved; try again later";
    Xdev, "path.xdev", true, "the path crosses into another file system; use a path on the workspace's own";
    NotFound, "path.not_found", false, "there is no such file or folder; list the folder to see what exists";
    NoFolder, "path.not_found", false, "the folder of this path doesn't exist; create it first, or choose a folder that exists";
    NotAFile, "path.not_a_file", false, "the path is a folder; use the path of a file";
    NotADirectory, "path.not_a_directory", false, "a part of the path is used as a folder but isn't one; use the path of a folder";
    SymlinkLoop, "path.symlink_loop", false, "the path runs in a circle of symbolic links; use the path of the file itself";
    Permission, "path.permission", false, "the operating system doesn't permit this; choose another file or folder";
    NotUtf8, "path.not_utf8", false, "the file isn't UTF-8 text; use a text file";
    TooLarge, "path.too_large", false, "the file or folder is larger than the limit; use a smaller one";
    TooDeep, "path.too_deep", false, "the folders are nested too deeply; use a folder further down";
    Exists, "path.exists", false, "something of that name exists already; choose another name";
    NotOpened, "path.not_opened", false, "the path was used before it was opened; this is a fault of the tool";
    Io, "path.io", false, "the operating system reported an error; try again later";
    GivenUp, "path.given_up", false, "nobody waits for this call any more, so nothing was changed";
    Unsupported, "path.unsupported", false, "workspace paths aren't available on this system";
}

/// Why a path was turned down, for two readers: [`PathError::for_model`] and `Display` for the operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathError {
    fault: Fault,
    detail: String,
    resolved: Option<String>,
    touched: bool,
}

impl PathError {
    pub(super) fn new(fault: Fault, detail: impl Into<String>) -> Self {
        Self { fault, detail: detail.into(), resolved: None, touched: false }
    }

    /// Adds where the path really leads.
    pub(super) fn at(mut self, resolved: &str) -> Self {
        self.resolved = Some(resolved.to_owned());
        self
    }

    /// Says that something may have been changed before this error.
    pub(super) fn touched(mut self) -> Self {
        self.touched = true;
        self
    }

    /// Whether nothing was changed for sure: everything but a failure of input or output is found
    /// before the first change, unless a part was done already.
    pub fn is_without_effect(&self) -> bool {
        !self.touched && self.fault != Fault::Io
    }

    pub(super) const fn fault(&self) -> Fault {
        self.fault
    }

    /// The stable code, such as `path.escape`.
    pub const fn code(&self) -> &'static str {
        self.fault.code()
    }

    /// True when policy refused the path, false when the path is merely wrong (missing, a folder, ..).
    pub const fn refused(&self) -> bool {
        self.fault.refused()
    }

    /// The text for the model: one of a closed set, without any value in it.
    pub const fn for_model(&self) -> &'static str {
        self.fault.for_model()
    }

    /// Where the path leads, relative to the root, when resolution came that far; for the operator.
    pub fn resolved(&self) -> Option<&str> {
        self.resolved.as_deref()
    }
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code(), self.detail)?;
        match &self.resolved {
            Some(resolved) => write!(f, " (leads to {resolved:?})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for PathError {}
