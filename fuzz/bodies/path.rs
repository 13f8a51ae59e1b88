//! Any text as a path: no panic, the checked text is in a normal form that checks to itself, and what
//! resolves lies in the workspace, which has links that lead out, around and in circles.

use std::os::unix::fs::{MetadataExt as _, symlink};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use toolgate_core::resource::{PathKind, Workspace, WorkspaceOptions};

const KINDS: [PathKind; 4] = [PathKind::Read, PathKind::Write, PathKind::Dir, PathKind::Entry];

/// One for all runs of a process: nothing is written to it.
fn fixture() -> &'static Path {
    static FIXTURE: OnceLock<PathBuf> = OnceLock::new();
    FIXTURE.get_or_init(|| {
        let base = std::env::temp_dir().join(format!("toolgate-fuzz-path-{}", std::process::id()));
        let root = base.join("ws");
        std::fs::create_dir_all(root.join("a/b")).expect("a folder");
        std::fs::create_dir_all(root.join(".git")).expect("a folder");
        std::fs::write(root.join("a/b/c.txt"), "IN").expect("a file");
        std::fs::write(base.join("secret.txt"), "SECRET").expect("a file");
        for (target, name) in [
            ("..", "up"),
            ("../secret.txt", "out"),
            ("a/b", "in"),
            ("loop", "loop"),
            ("/etc", "etc"),
            ("a/../..", "dd"),
        ] {
            // It is there already where a process of the same number left it.
            let _ = symlink(target, root.join(name));
        }
        root.canonicalize().expect("the root")
    })
}

pub fn run(text: &str) {
    let root = fixture();
    for portable_names in [false, true] {
        let options = WorkspaceOptions { portable_names, ..WorkspaceOptions::default() };
        let workspace = Workspace::open_with(root, options).expect("a workspace");
        KINDS.into_iter().for_each(|kind| check(&workspace, root, kind, text));
    }
}

fn check(workspace: &Workspace, root: &Path, kind: PathKind, text: &str) {
    let path = match workspace.check(kind, text) {
        Ok(path) => path,
        Err(error) => {
            assert!(error.code().starts_with("path.") && !error.for_model().is_empty());
            return;
        }
    };
    let relative = path.relative();
    assert!(!relative.is_empty() && !relative.starts_with('/') && !relative.contains('\0'));
    assert!(relative == "." || relative.split('/').all(|part| !matches!(part, "" | ".")));
    let again = workspace.check(kind, relative).expect("a checked text passes again");
    assert_eq!(again.relative(), relative);
    let Ok(pin) = workspace.pin(&path) else {
        return;
    };
    let place = root.join(&pin.resolved);
    assert!(!pin.resolved.split('/').any(|part| part == ".."), "{}", pin.resolved);
    let parent = if pin.resolved == "." { root } else { place.parent().expect("a parent") };
    assert_eq!(parent.canonicalize().expect("a folder"), parent);
    if !pin.new {
        let facts = place.symlink_metadata().expect("what was pinned");
        assert_eq!((facts.dev(), facts.ino()), (pin.device, pin.inode));
        assert!(kind == PathKind::Entry || !facts.is_symlink());
    }
}
