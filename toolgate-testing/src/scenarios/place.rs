//! Where a scenario's store comes from, and what may be done to it from outside.

use std::any::Any;
use std::ffi::{OsStr, OsString};
use std::fmt::Debug;
use std::sync::Arc;

use toolgate_core::store::{Store, StoreError};

/// A kind of store under test.
pub trait Grounds: Send + Sync {
    /// A place in which nothing is yet.
    fn fresh(&self) -> Arc<dyn Place>;

    /// The place of that [name](Place::name), in another process; `None` where nothing outlives the process.
    fn at(&self, _name: &OsStr) -> Option<Arc<dyn Place>> {
        None
    }
}

/// A place for one store. Dropping it takes away what is left.
pub trait Place: Send + Sync + Debug {
    /// Opens the store: the first time anew, and then with all that was written.
    ///
    /// # Errors
    /// As the store says; so that it can be seen how one that was harmed is refused.
    fn open(&self) -> Result<Arc<dyn Store>, StoreError>;

    /// What another process finds it by.
    fn name(&self) -> Option<OsString> {
        None
    }

    /// Does harm to what is stored, past the store.
    fn harm(&self, _harm: Harm) -> Harmed {
        Harmed::Not("nothing can be done to it from outside")
    }
}

/// Harm from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Harm {
    /// Another holds what a write needs, until the answer is dropped.
    Hold,
    /// It can be read only, until the answer is dropped. Nobody has it open.
    ReadOnly,
    /// What is stored is overwritten with anything. Nobody has it open.
    Corrupt,
    /// A copy of it is kept beside. Nobody has it open.
    BackUp,
    /// The kept copy is put in its place. Nobody has it open.
    PutBack,
    /// One field of one event is changed.
    EditEvent,
    /// An event in the middle is deleted.
    DeleteEvent,
}

/// What became of it.
#[derive(Debug)]
pub enum Harmed {
    /// It is done, and undone where that is promised when this is dropped.
    Done(Box<dyn Any + Send>),
    /// It can't be done here, for this reason.
    Not(&'static str),
}

impl Harmed {
    /// Harm that stays.
    pub fn for_good() -> Self {
        Self::Done(Box::new(()))
    }
}
