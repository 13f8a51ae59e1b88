//! Folders and marks of a test's own, and looking for processes by them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// A name that no other test has.
pub(crate) fn mark() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    format!("mark-{}-{}-x", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

/// An empty folder of this user's.
pub(crate) fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(mark());
    fs::create_dir_all(&folder).unwrap();
    folder.canonicalize().unwrap()
}

/// The processes whose arguments hold the mark, but not those of this test.
pub(crate) fn running(mark: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let Ok(line) = fs::read(entry.path().join("cmdline")) else { continue };
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        if line.contains(mark) {
            found.push(format!("{}: {line}", entry.file_name().display()));
        }
    }
    found
}

/// Waits for something that happens sooner or later.
pub(crate) fn eventually(what: &str, mut happens: impl FnMut() -> bool) {
    let until = Instant::now() + Duration::from_secs(30);
    while !happens() {
        assert!(Instant::now() < until, "this never happened: {what}");
        thread::sleep(Duration::from_millis(10));
    }
}
