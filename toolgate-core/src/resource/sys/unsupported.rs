//! Systems without `openat2`: no workspace can be opened, so nothing else here can be reached.
//!
//! Not a weaker fallback: a check by text would be one.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::{Access, Facts, Kind, Links};
use crate::resource::error::{Fault, PathError};

/// Never made.
#[derive(Debug)]
pub(in crate::resource) enum Fd {}

/// Always a fault.
pub(in crate::resource) fn open_root(_: &Path) -> Result<Fd, PathError> {
    Err(PathError::new(Fault::Unsupported, "workspace paths need openat2, which only Linux has"))
}

/// Declares functions that can't be called, since their first argument can't exist.
macro_rules! unreachable_calls {
    ($($name:ident($($extra:ty),*) -> $result:ty;)+) => {
        $(pub(in crate::resource) fn $name(fd: &Fd $(, _: $extra)*) -> Result<$result, PathError> {
            match *fd {}
        })+
    };
}

unreachable_calls! {
    resolve(&OsStr, Links, bool) -> Fd;
    real_path() -> PathBuf;
    facts() -> Facts;
    facts_at(&OsStr) -> Option<Facts>;
    reopen(Access) -> Fd;
    read_all(u64) -> Vec<u8>;
    write_all(&[u8]) -> ();
    create_new(&OsStr, u32) -> Fd;
    require_writable(&OsStr) -> ();
    set_mode(u32) -> ();
    make_folder(&OsStr) -> Fd;
    remove(&OsStr, Kind) -> ();
    open_folder() -> Fd;
    sync() -> ();
    names(usize) -> Vec<OsString>;
}

/// Can't be called either.
pub(in crate::resource) fn rename(from: (&Fd, &OsStr), _: (&Fd, &OsStr), _: bool) -> Result<(), PathError> {
    match *from.0 {}
}
