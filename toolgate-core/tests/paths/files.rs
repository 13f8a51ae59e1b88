//! Reading and writing one file.
//!
//! Races are in `races`, what may change before opening in `pins`.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use toolgate_core::resource::{PathError, PathKind, Pin, ReadPath, Workspace, WorkspaceOptions, WritePath};

use crate::fixture::Fixture;

fn pin(workspace: &Workspace, kind: PathKind, text: &str) -> Result<Pin, PathError> {
    workspace.pin(&workspace.check(kind, text)?)
}

fn code<T: std::fmt::Debug>(result: Result<T, PathError>) -> &'static str {
    result.unwrap_err().code()
}

fn writing(workspace: &Workspace, text: &str) -> Result<WritePath, PathError> {
    let (path, slot) = WritePath::pending(text.to_owned());
    slot.set(workspace.open_path(&workspace.check(PathKind::Write, text)?, None)?).unwrap();
    Ok(path)
}

#[test]
fn reading_gives_text_bytes_and_size() {
    let fixture = Fixture::new();
    let path = ReadPath::in_dir(fixture.ws(), "./link_in").unwrap();
    assert_eq!(path.read_to_string().unwrap(), "IN\n");
    assert_eq!(path.read_bytes().unwrap(), b"IN\n");
    assert_eq!((path.file_size().unwrap(), path.relative(), path.resolved().unwrap()), (3, "link_in", "a/b/c.txt"));
}

#[test]
fn bytes_that_are_not_utf8_are_an_error_and_never_replaced() {
    let fixture = Fixture::new();
    fs::write(fixture.inside("binary"), b"a\xff").unwrap();
    let path = ReadPath::in_dir(fixture.ws(), "binary").unwrap();
    assert_eq!(code(path.read_to_string()), "path.not_utf8");
    assert_eq!(path.read_bytes().unwrap(), b"a\xff");
}

#[test]
fn a_file_over_the_limit_is_an_error() {
    let fixture = Fixture::new();
    let options = WorkspaceOptions { max_file_bytes: 2, ..WorkspaceOptions::default() };
    let workspace = Workspace::open_with(fixture.ws(), options).unwrap();
    let (path, slot) = ReadPath::pending("readme.txt".to_owned());
    assert_eq!(code(path.read_bytes()), "path.not_opened");
    slot.set(workspace.open_path(&workspace.check(PathKind::Read, "readme.txt").unwrap(), None).unwrap()).unwrap();
    assert_eq!(code(path.read_bytes()), "path.too_large");
}

#[test]
fn writing_replaces_whole_keeps_the_mode_and_leaves_no_temporary_file() {
    let fixture = Fixture::new();
    let file = fixture.inside("a/b/c.txt");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    let path = WritePath::in_dir(fixture.ws(), "link_in_dir/c.txt").unwrap();
    assert!(path.exists().unwrap());
    path.write("one").unwrap();
    path.write("two").unwrap();
    path.append(" three").unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), "two three");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(fs::read_dir(fixture.inside("a/b")).unwrap().count(), 1);
}

/// Says more without root's rights: root may write to everything.
#[test]
fn a_file_that_may_not_be_written_is_not_replaced_either() {
    let fixture = Fixture::new();
    let file = fixture.inside("a/b/c.txt");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).unwrap();
    let may = fs::File::options().append(true).open(&file).is_ok();
    let path = WritePath::in_dir(fixture.ws(), "a/b/c.txt").unwrap();
    match path.write("NEW") {
        Ok(()) => assert!(may),
        Err(error) => assert_eq!((error.code(), may), ("path.permission", false)),
    }
}

#[test]
fn a_new_file_can_be_written_appended_and_written_again() {
    let fixture = Fixture::new();
    let path = WritePath::in_dir(fixture.ws(), "a/new.txt").unwrap();
    assert!(!path.exists().unwrap());
    path.append("one").unwrap();
    assert!(path.exists().unwrap());
    path.append("two").unwrap();
    assert_eq!(fs::read_to_string(fixture.inside("a/new.txt")).unwrap(), "onetwo");
    path.write("three").unwrap();
    assert_eq!(fs::read_to_string(fixture.inside("a/new.txt")).unwrap(), "three");
}

#[test]
fn what_appears_at_the_name_after_opening_is_not_overwritten() {
    let fixture = Fixture::new();
    let new = WritePath::in_dir(fixture.ws(), "a/new.txt").unwrap();
    symlink(fixture.outside("secret.txt"), fixture.inside("a/new.txt")).unwrap();
    let old = WritePath::in_dir(fixture.ws(), "readme.txt").unwrap();
    fs::remove_file(fixture.inside("readme.txt")).unwrap();
    symlink(fixture.outside("secret.txt"), fixture.inside("readme.txt")).unwrap();
    for path in [new, old] {
        assert_eq!(code(path.write("NEW")), "path.changed");
        assert!(path.append("NEW").is_err());
    }
    assert_eq!(fixture.damage(), None);
}

#[test]
fn a_folder_moved_out_after_opening_is_not_written_to() {
    let fixture = Fixture::new();
    let path = WritePath::in_dir(fixture.ws(), "a/b/c.txt").unwrap();
    fs::rename(fixture.inside("a/b"), fixture.outside("b")).unwrap();
    assert_eq!(code(path.write("NEW")), "path.escape");
    assert_eq!(fs::read_to_string(fixture.outside("b/c.txt")).unwrap(), "IN\n");
}

#[test]
fn appending_is_refused_when_a_second_link_appears() {
    let fixture = Fixture::new();
    let path = WritePath::in_dir(fixture.ws(), "a/b/c.txt").unwrap();
    fs::hard_link(fixture.inside("a/b/c.txt"), fixture.outside("linked")).unwrap();
    assert_eq!(code(path.append("NEW")), "path.multiply_linked");
}

#[test]
fn missing_folders_are_made_only_on_writing_and_only_when_allowed() {
    let fixture = Fixture::new();
    let options = WorkspaceOptions { create_parents: true, ..WorkspaceOptions::default() };
    let workspace = Workspace::open_with(fixture.ws(), options).unwrap();
    let before = pin(&workspace, PathKind::Write, "link_in_dir/x/y/f").unwrap();
    assert_eq!((before.resolved.as_str(), before.new), ("a/b/x/y/f", true));
    assert!(!fixture.inside("a/b/x").exists());
    let path = writing(&workspace, "link_in_dir/x/y/f").unwrap();
    path.write("NEW").unwrap();
    path.write("AGAIN").unwrap();
    assert_eq!(fs::read_to_string(fixture.inside("a/b/x/y/f")).unwrap(), "AGAIN");
    assert_eq!(code(pin(&workspace, PathKind::Write, "dangling_out/f")), "path.escape");
    assert_eq!(code(pin(&workspace, PathKind::Write, "dangling_in/f")), "path.final_symlink");
    assert_eq!(code(pin(&workspace, PathKind::Write, "missing/../f")), "path.not_found");
    assert_eq!(code(pin(&workspace, PathKind::Write, "../outside/x/f")), "path.escape");
    let path = writing(&workspace, "late/f").unwrap();
    symlink(fixture.outside("dir"), fixture.inside("late")).unwrap();
    assert!(path.write("NEW").is_err());
    assert_eq!(fixture.damage(), None);
}

#[test]
fn protected_names_are_protected_behind_links_too() {
    let fixture = Fixture::new();
    symlink(".git", fixture.inside("innocent")).unwrap();
    let workspace = Workspace::open(fixture.ws()).unwrap();
    assert_eq!(code(pin(&workspace, PathKind::Write, "innocent/config")), "path.protected");
    assert_eq!(code(pin(&workspace, PathKind::Entry, "innocent/config")), "path.protected");
    assert!(pin(&workspace, PathKind::Read, "innocent/config").is_ok());
    assert!(pin(&workspace, PathKind::Entry, "innocent").is_ok());
}

#[test]
fn a_link_to_a_name_that_cannot_be_shown_is_refused() {
    let fixture = Fixture::new();
    symlink(OsStr::from_bytes(b"bad\xff.txt"), fixture.inside("to_bytes")).unwrap();
    symlink("new\nline.txt", fixture.inside("to_line")).unwrap();
    let workspace = Workspace::open(fixture.ws()).unwrap();
    assert_eq!(code(pin(&workspace, PathKind::Read, "to_bytes")), "path.name_not_utf8");
    assert_eq!(code(pin(&workspace, PathKind::Read, "to_line")), "path.control_char");
}

#[test]
fn devices_and_second_links_are_refused() {
    let fixture = Fixture::new();
    let strict = WorkspaceOptions { deny_multiply_linked: true, ..WorkspaceOptions::default() };
    let workspace = Workspace::open_with(fixture.ws(), strict).unwrap();
    assert_eq!(code(pin(&workspace, PathKind::Read, "hard_in")), "path.multiply_linked");
    if fixture.has_device {
        assert_eq!(code(pin(&workspace, PathKind::Read, "chr")), "path.not_regular");
        assert_eq!(code(pin(&workspace, PathKind::Write, "chr")), "path.not_regular");
    }
}

#[test]
fn the_model_reads_a_fixed_text_and_the_operator_the_rest() {
    let fixture = Fixture::new();
    let workspace = Workspace::open(fixture.ws()).unwrap();
    let error = pin(&workspace, PathKind::Write, "link_in").unwrap_err();
    assert!(!error.for_model().contains("link_in"));
    assert_eq!(error.resolved(), Some("link_in"));
    assert!(error.to_string().starts_with("path.final_symlink: "));
    assert_eq!(code(Workspace::open(fixture.inside("missing"))), "path.not_found");
}
