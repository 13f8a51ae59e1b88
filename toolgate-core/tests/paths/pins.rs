//! A pin holds while nothing changes, and not a moment longer.
//!
//! What happens after opening is in `files`.

use std::fs;
use std::os::unix::fs::symlink;

use toolgate_core::resource::{PathError, PathKind, Pin, Workspace};

use crate::fixture::Fixture;

fn pin(workspace: &Workspace, kind: PathKind, text: &str) -> Result<Pin, PathError> {
    workspace.pin(&workspace.check(kind, text)?)
}

fn open_pinned(workspace: &Workspace, kind: PathKind, text: &str, pin: &Pin) -> Result<(), PathError> {
    workspace.open_path(&workspace.check(kind, text)?, Some(pin)).map(drop)
}

fn code<T: std::fmt::Debug>(result: Result<T, PathError>) -> &'static str {
    result.unwrap_err().code()
}

#[test]
fn a_pin_survives_json_and_holds_while_nothing_changes() {
    let fixture = Fixture::new();
    let workspace = Workspace::open(fixture.ws()).unwrap();
    for (kind, text) in [
        (PathKind::Read, "link_in"),
        (PathKind::Write, "a/new.txt"),
        (PathKind::Write, "readme.txt"),
        (PathKind::Dir, "link_in_dir"),
        (PathKind::Entry, "link_out"),
    ] {
        let before = pin(&workspace, kind, text).unwrap();
        let json = serde_json::to_value(&before).unwrap();
        assert!(json["inode"].is_string() && json["modified_ns"].is_string());
        let back: Pin = serde_json::from_value(json).unwrap();
        // Another process, another handle on the root.
        open_pinned(&Workspace::open(fixture.ws()).unwrap(), kind, text, &back).unwrap();
    }
}

#[test]
fn a_replaced_or_edited_file_is_changed() {
    let fixture = Fixture::new();
    let workspace = Workspace::open(fixture.ws()).unwrap();
    let before = pin(&workspace, PathKind::Read, "a/b/c.txt").unwrap();
    fs::write(fixture.inside("other"), "IN\n").unwrap();
    fs::rename(fixture.inside("other"), fixture.inside("a/b/c.txt")).unwrap();
    assert_eq!(code(open_pinned(&workspace, PathKind::Read, "a/b/c.txt", &before)), "path.changed");
    let before = pin(&workspace, PathKind::Write, "a/b/c.txt").unwrap();
    fs::write(fixture.inside("a/b/c.txt"), "longer").unwrap();
    assert_eq!(code(open_pinned(&workspace, PathKind::Write, "a/b/c.txt", &before)), "path.changed");
}

#[test]
fn a_file_edited_in_place_is_changed_though_its_size_and_time_are_put_back() {
    let fixture = Fixture::new();
    let workspace = Workspace::open(fixture.ws()).unwrap();
    let file = fixture.inside("a/b/c.txt");
    let before = pin(&workspace, PathKind::Read, "a/b/c.txt").unwrap();
    let (old, modified) = (fs::read(&file).unwrap(), fs::metadata(&file).unwrap().modified().unwrap());
    // Longer than a tick of the kernel's clock for files.
    std::thread::sleep(std::time::Duration::from_millis(50));
    fs::write(&file, old.iter().map(|byte| byte.wrapping_add(1)).collect::<Vec<_>>()).unwrap();
    fs::File::options().write(true).open(&file).unwrap().set_modified(modified).unwrap();
    let after = pin(&workspace, PathKind::Read, "a/b/c.txt").unwrap();
    assert_eq!((after.size, after.modified_ns, after.inode), (before.size, before.modified_ns, before.inode));
    assert_eq!(code(open_pinned(&workspace, PathKind::Read, "a/b/c.txt", &before)), "path.changed");
}

#[test]
fn a_link_that_leads_elsewhere_by_now_is_changed() {
    let fixture = Fixture::new();
    let workspace = Workspace::open(fixture.ws()).unwrap();
    let before = pin(&workspace, PathKind::Read, "link_in").unwrap();
    assert_eq!(before.resolved, "a/b/c.txt");
    assert!(before.is_beneath("a/b") && before.is_beneath("a/b/c.txt") && !before.is_beneath("a/b/c"));
    fs::remove_file(fixture.inside("link_in")).unwrap();
    symlink("readme.txt", fixture.inside("link_in")).unwrap();
    assert_eq!(code(open_pinned(&workspace, PathKind::Read, "link_in", &before)), "path.changed");
}

#[test]
fn a_new_file_pins_its_parent() {
    let fixture = Fixture::new();
    let workspace = Workspace::open(fixture.ws()).unwrap();
    let before = pin(&workspace, PathKind::Write, "a/new.txt").unwrap();
    assert!(before.new);
    fs::write(fixture.inside("a/beside.txt"), "").unwrap();
    open_pinned(&workspace, PathKind::Write, "a/new.txt", &before).unwrap();
    fs::rename(fixture.inside("a"), fixture.inside("old")).unwrap();
    fs::create_dir(fixture.inside("a")).unwrap();
    assert_eq!(code(open_pinned(&workspace, PathKind::Write, "a/new.txt", &before)), "path.changed");
    let before = pin(&workspace, PathKind::Write, "a/new.txt").unwrap();
    fs::write(fixture.inside("a/new.txt"), "").unwrap();
    assert_eq!(code(open_pinned(&workspace, PathKind::Write, "a/new.txt", &before)), "path.changed");
}

#[test]
fn a_pin_or_text_of_another_workspace_is_changed() {
    let (one, other) = (Fixture::new(), Fixture::new());
    let (one, other) = (Workspace::open(one.ws()).unwrap(), Workspace::open(other.ws()).unwrap());
    let text = one.check(PathKind::Read, "readme.txt").unwrap();
    assert_eq!(code(other.pin(&text)), "path.changed");
    let pinned = pin(&one, PathKind::Read, "readme.txt").unwrap();
    assert_eq!(code(open_pinned(&other, PathKind::Read, "readme.txt", &pinned)), "path.changed");
}
