//! The few calls to the operating system that everything else here is built from.
//!
//! No rules: which fault a refusal by the kernel means is decided here, whether to ask is decided elsewhere.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
pub(super) use linux::*;

#[cfg(not(target_os = "linux"))]
mod unsupported;
#[cfg(not(target_os = "linux"))]
pub(super) use unsupported::*;

/// What stands at a place.
#[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only the Linux calls make all of them"))]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    File,
    Folder,
    Link,
    Other,
}

/// The facts of an open or named object; a link's own, never its target's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Facts {
    pub(super) kind: Kind,
    pub(super) device: u64,
    pub(super) inode: u64,
    pub(super) size: u64,
    pub(super) modified_ns: i128,
    pub(super) changed_ns: i128,
    /// Permission bits, without set-id and sticky bits.
    pub(super) mode: u32,
    pub(super) multiply_linked: bool,
    /// No name is left.
    pub(super) unlinked: bool,
}

impl Facts {
    /// True when both are the same object, changed or not.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        (self.device, self.inode) == (other.device, other.inode)
    }
}

/// Whether resolution follows symbolic links.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Links {
    /// Follow those that stay beneath.
    Beneath,
    /// Any link is a refusal.
    Refuse,
}

/// What a handle is opened for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    Append,
}
