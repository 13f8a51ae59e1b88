//! Listing, walking, deleting and renaming.
//!
//! Races are in `races`.

use std::fs;
use std::os::unix::fs::symlink;

use toolgate_core::resource::{DirPath, EntryKind, EntryPath, WritePath};

use crate::fixture::Fixture;

#[test]
fn a_listing_is_sorted_escaped_and_says_what_links_are() {
    let fixture = Fixture::new();
    let entries = DirPath::in_dir(fixture.ws(), "link_self_dir").unwrap().entries().unwrap();
    let find = |name: &str| entries.iter().find(|entry| entry.name_escaped == name).unwrap();
    assert_eq!((find("a").kind, find("fifo").kind), (EntryKind::Dir, EntryKind::Other));
    assert_eq!((find("link_out").kind, find("readme.txt").size), (EntryKind::Link, 3));
    assert!(find("new\\nline.txt").escaped && !find("new\\nline.txt").non_utf8);
    assert!(find("bad\\xff.txt").escaped && find("bad\\xff.txt").non_utf8);
    assert!(!find("a\\b.txt").escaped);
    let plain: Vec<_> = entries.iter().filter(|e| !e.escaped).map(|e| &e.name_escaped).collect();
    assert!(plain.is_sorted());
}

#[test]
fn a_child_is_opened_by_its_own_name_only() {
    let fixture = Fixture::new();
    let dir = DirPath::in_dir(fixture.ws(), "link_self_dir").unwrap();
    let child = dir.open_child("readme.txt").unwrap();
    assert_eq!(child.read_to_string().unwrap(), "IN\n");
    assert_eq!((child.relative(), child.resolved().unwrap()), ("link_self_dir/readme.txt", "readme.txt"));
    for (name, code) in [
        ("link_in", "path.final_symlink"),
        ("link_out", "path.final_symlink"),
        ("a", "path.not_a_file"),
        ("fifo", "path.not_regular"),
        ("..", "path.escape"),
        ("a/b/c.txt", "path.escape"),
        ("", "path.escape"),
        ("missing", "path.not_found"),
    ] {
        assert_eq!(dir.open_child(name).unwrap_err().code(), code, "{name:?}");
    }
}

#[test]
fn a_walk_reads_files_and_never_follows_links() {
    let fixture = Fixture::new();
    let walk = DirPath::in_dir(fixture.ws(), ".").unwrap().walk(1_000, 10).unwrap();
    assert!(!walk.truncated);
    let names: Vec<_> = walk.entries.iter().map(|entry| entry.relative.as_str()).collect();
    assert!(names.contains(&"a/b/c.txt") && names.contains(&"link_out_dir"));
    assert!(!names.iter().any(|name| name.starts_with("link_out_dir/") || name.contains("secret")));
    for entry in &walk.entries {
        assert_eq!(entry.read_bytes().is_ok(), entry.entry.kind == EntryKind::File, "{}", entry.relative);
    }
    let file = walk.entries.iter().find(|entry| entry.relative == "a/b/c.txt").unwrap();
    fs::rename(fixture.inside("a/b"), fixture.inside("a/old")).unwrap();
    symlink("old", fixture.inside("a/b")).unwrap();
    assert_eq!(file.read_to_string().unwrap_err().code(), "path.final_symlink");
}

#[test]
fn a_walk_says_when_a_limit_kept_something_out() {
    let fixture = Fixture::new();
    let dir = DirPath::in_dir(fixture.ws(), "a").unwrap();
    let all = dir.walk(3, 2).unwrap();
    assert_eq!((all.entries.len(), all.truncated), (3, false));
    let few = dir.walk(2, 9).unwrap();
    assert_eq!((few.entries.len(), few.truncated), (2, true));
    let flat = dir.walk(100, 1).unwrap();
    assert_eq!((flat.entries.len(), flat.truncated), (2, true));
}

#[test]
fn a_tree_is_removed_with_its_links_and_without_their_targets() {
    let fixture = Fixture::new();
    symlink(fixture.outside("dir"), fixture.inside("a/b/out")).unwrap();
    symlink("../../../outside/secret.txt", fixture.inside("a/b/file")).unwrap();
    let path = EntryPath::in_dir(fixture.ws(), "a").unwrap();
    assert_eq!(path.remove_file().unwrap_err().code(), "path.not_a_file");
    path.remove_tree().unwrap();
    assert!(!fixture.inside("a").exists());
    assert_eq!(path.remove_tree().unwrap_err().code(), "path.changed");
    assert_eq!(fixture.damage(), None);
}

#[test]
fn a_tree_with_something_protected_in_it_stays_whole() {
    let fixture = Fixture::new();
    fs::create_dir_all(fixture.inside("a/z/.Git/hooks")).unwrap();
    let error = EntryPath::in_dir(fixture.ws(), "a").unwrap().remove_tree().unwrap_err();
    assert_eq!(error.code(), "path.protected");
    assert!(fixture.inside("a/b/c.txt").exists());
}

#[test]
fn a_tree_that_is_too_deep_stays_whole() {
    let fixture = Fixture::new();
    fs::create_dir_all(fixture.inside(&format!("deep/{}", "d/".repeat(200)))).unwrap();
    let error = EntryPath::in_dir(fixture.ws(), "deep").unwrap().remove_tree().unwrap_err();
    assert_eq!(error.code(), "path.too_deep");
    assert!(DirPath::in_dir(fixture.ws(), "deep").unwrap().walk(1_000, usize::MAX).unwrap().truncated);
}

#[test]
fn an_entry_replaced_after_opening_is_not_removed() {
    let fixture = Fixture::new();
    let path = EntryPath::in_dir(fixture.ws(), "readme.txt").unwrap();
    fs::rename(fixture.inside("a/b/c.txt"), fixture.inside("readme.txt")).unwrap();
    assert_eq!(path.remove_file().unwrap_err().code(), "path.changed");
    assert!(fixture.inside("readme.txt").exists());
}

#[test]
fn renaming_moves_the_entry_itself() {
    let fixture = Fixture::new();
    let link = EntryPath::in_dir(fixture.ws(), "link_out").unwrap();
    let target = WritePath::in_dir(fixture.ws(), "a/moved").unwrap();
    link.rename_to(&target).unwrap();
    assert!(fixture.inside("a/moved").symlink_metadata().unwrap().is_symlink());
    assert!(fixture.inside("link_out").symlink_metadata().is_err());
    assert_eq!(fixture.damage(), None);
}

#[test]
fn renaming_replaces_only_what_was_there_when_resolved() {
    let fixture = Fixture::new();
    let from = EntryPath::in_dir(fixture.ws(), "a/b/c.txt").unwrap();
    let new = WritePath::in_dir(fixture.ws(), "a/new.txt").unwrap();
    fs::write(fixture.inside("a/new.txt"), "LATE").unwrap();
    assert_eq!(from.rename_to(&new).unwrap_err().code(), "path.changed");
    from.rename_to(&WritePath::in_dir(fixture.ws(), "readme.txt").unwrap()).unwrap();
    assert!(!fixture.inside("a/b/c.txt").exists());
    assert!(EntryPath::in_dir(fixture.ws(), "emptydir/").is_ok());
    assert_eq!(EntryPath::in_dir(fixture.ws(), "link_in_dir/").unwrap_err().code(), "path.final_symlink");
    assert_eq!(EntryPath::in_dir(fixture.ws(), "missing").unwrap_err().code(), "path.not_found");
}
