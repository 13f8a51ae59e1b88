//! Directories for the tests of this crate, removed when they are dropped.

#![expect(unreachable_pub, clippy::unwrap_used, reason = "part of a test")]

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

static COUNT: AtomicU32 = AtomicU32::new(0);

/// A new directory under the system's one for temporary files.
#[derive(Debug)]
pub struct Dir(PathBuf);

impl Dir {
    pub fn new() -> Self {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("toolgate-sqlite-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// A file in it; the directory itself for no name.
    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
