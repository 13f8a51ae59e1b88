//! Where effectful calls are stopped, and the person who lets them go on. Not the stopping, which is
//! a failure policy's and part of transaction B.

use super::Gate;
use crate::store::{Resume, Stop, StoreError, StoreFault, Write, Written, bound_session, write_one};

impl Gate {
    /// Where effectful calls are stopped, oldest first.
    ///
    /// # Errors
    /// As the store says.
    pub async fn stops(&self) -> Result<Vec<Stop>, StoreError> {
        self.inner.store.stops().await
    }

    /// Lets a session of this gate's tenant go on: one task's stops, or all of them. `by` is the person who decided it.
    /// Returns how many stops ended.
    ///
    /// # Errors
    /// As the store says.
    pub async fn resume_stopped(&self, session: &str, task: Option<&str>, by: &str) -> Result<u64, StoreError> {
        let resume = Resume {
            session: bound_session(&self.inner.tenant, session),
            task: task.map(str::to_owned),
            by: by.to_owned(),
            now_ms: self.inner.clock.now_ms(),
        };
        match write_one(&*self.inner.store, Write::Resume(resume)).await? {
            Written::Resumed(ended) => Ok(ended),
            _ => Err(StoreError::new(StoreFault::Io, "the store gave another answer than asked for")),
        }
    }
}
