//! Arbitrary text never panics and never resolves outside.
//!
//! The fixture is shared, since nothing here writes.

use std::os::unix::fs::MetadataExt as _;

use proptest::prelude::*;
use toolgate_core::resource::{PathKind, Workspace, WorkspaceOptions};

use crate::fixture::Fixture;

const KINDS: [PathKind; 4] = [PathKind::Read, PathKind::Write, PathKind::Dir, PathKind::Entry];

/// Names of the fixture and steps, so that random paths lead somewhere.
const PARTS: &[&str] = &[
    "",
    ".",
    "..",
    "a",
    "b",
    "c.txt",
    "c2",
    "readme.txt",
    "link_in",
    "link_in_dir",
    "link_out",
    "link_out_dir",
    "link_abs_out",
    "link_abs_in",
    "link_parent",
    "link_self_dir",
    "link_dd",
    "link_leave_return",
    "chain1",
    "loop_a",
    "self_loop",
    "dangling_in",
    "dangling_out",
    "magic_root",
    "magic_cwd",
    "proc_env",
    "dev_stdin",
    "link_trailing",
    "fifo",
    "sock",
    "hard_out",
    "ws",
    "ws-evil",
    "outside",
    "secret.txt",
    "dir",
    "etc",
    "passwd",
    ".git",
    "GIT~1",
    "CON",
    "...",
    "new",
];

fn texts() -> impl Strategy<Value = String> {
    let part = prop_oneof![8 => proptest::sample::select(PARTS).prop_map(str::to_owned), 1 => "\\PC{0,6}", 1 => any::<String>()];
    prop_oneof![4 => proptest::collection::vec(part, 0..8).prop_map(|parts| parts.join("/")), 1 => any::<String>()]
}

/// Checks one text in every way; what resolves must be inside, free of links, and the very object that was pinned.
fn check(fixture: &Fixture, workspace: &Workspace, text: &str) {
    for kind in KINDS {
        let Ok(path) = workspace.check(kind, text) else {
            continue;
        };
        let Ok(pin) = workspace.pin(&path) else {
            continue;
        };
        assert!(!pin.resolved.starts_with('/') && !pin.resolved.split('/').any(|part| part == ".."));
        let place = fixture.inside(&pin.resolved);
        let parent = if pin.resolved == "." { fixture.ws() } else { place.parent().unwrap().to_path_buf() };
        if !pin.new {
            assert_eq!(parent.canonicalize().unwrap(), parent);
            let facts = place.symlink_metadata().unwrap();
            assert_eq!((facts.dev(), facts.ino()), (pin.device, pin.inode));
            assert!(kind == PathKind::Entry || !facts.is_symlink());
        }
        match workspace.open_path(&path, Some(&pin)) {
            Ok(handle) => assert_eq!(handle.resolved(), pin.resolved),
            Err(error) => assert!(!error.for_model().is_empty()),
        }
    }
}

#[test]
fn arbitrary_text_never_resolves_outside() {
    let fixture = Fixture::new();
    let plain = Workspace::open(fixture.ws()).unwrap();
    let making = WorkspaceOptions { create_parents: true, ..WorkspaceOptions::default() };
    let making = Workspace::open_with(fixture.ws(), making).unwrap();
    let absolute = fixture.ws().to_str().unwrap().to_owned();
    proptest!(ProptestConfig::with_cases(2_000), |(text in texts())| {
        check(&fixture, &plain, &text);
        check(&fixture, &making, &text);
        check(&fixture, &plain, &format!("{absolute}/{text}"));
        check(&fixture, &plain, &format!("/{text}"));
    });
    assert_eq!(fixture.damage(), None);
}
