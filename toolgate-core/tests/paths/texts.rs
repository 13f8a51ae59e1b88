//! Rules that need the text alone.
//!
//! What a text leads to is tested in `files` and `cases`.

use std::os::unix::fs::symlink;

use toolgate_core::resource::{PathKind, Workspace, WorkspaceOptions};

use crate::fixture::Fixture;

fn code(workspace: &Workspace, kind: PathKind, text: &str) -> &'static str {
    workspace.check(kind, text).map_or_else(|error| error.code(), |_| "ok")
}

#[test]
fn portable_names_refuse_what_windows_would_read_differently() {
    let fixture = Fixture::new();
    let options = WorkspaceOptions { portable_names: true, ..WorkspaceOptions::default() };
    let workspace = Workspace::open_with(fixture.ws(), options).unwrap();
    for (text, wanted) in [
        ("nul", "path.reserved_name"),
        ("a/Com1.tar.gz", "path.reserved_name"),
        ("con .txt", "path.reserved_name"),
        ("a/b.", "path.reserved_name"),
        ("a?b", "path.reserved_name"),
        ("C:x", "path.absolute"),
        ("ab:c:d", "path.stream"),
        ("link/../../x", "path.escape"),
        ("a/b/../../x", "ok"),
        ("common/console.txt", "ok"),
        ("com10", "ok"),
        ("a/../b~c.txt", "ok"),
        ("./a", "ok"),
    ] {
        assert_eq!(code(&workspace, PathKind::Read, text), wanted, "{text:?}");
    }
}

#[test]
fn protected_names_are_known_in_every_spelling() {
    let fixture = Fixture::new();
    let workspace = Workspace::open(fixture.ws()).unwrap();
    for text in [
        ".git",
        ".Git/x",
        ".git./x",
        ".git .. /x",
        ".git:x",
        "git~1",
        "GIT~12/x",
        "a\\.git\\config",
        "a/.VSCODE/tasks.json",
        "VSCODE~1/x",
        ".CUR\u{17f}OR/x",
        ".idea",
        ".mcp.json",
        ".TOOLGATE/db",
        "TOOLGA~1",
        ".cursor::$DATA",
    ] {
        assert_eq!(code(&workspace, PathKind::Write, text), "path.protected", "{text:?}");
        assert_eq!(code(&workspace, PathKind::Entry, text), "path.protected", "{text:?}");
        assert_eq!(code(&workspace, PathKind::Read, text), "ok", "{text:?}");
    }
    for text in [".gitignore", "git", ".github/x", "a.git", "git~", "git~x"] {
        assert_eq!(code(&workspace, PathKind::Write, text), "ok", "{text:?}");
    }
}

#[test]
fn an_absolute_path_loses_the_root_by_whole_names() {
    let fixture = Fixture::new();
    let workspace = Workspace::open(fixture.inside("a/..")).unwrap();
    let root = fixture.ws().to_str().unwrap().to_owned();
    for (text, relative) in [
        (format!("{root}/a/b"), "a/b"),
        (format!("{root}//./a/"), "a"),
        (format!("/.{root}/"), "."),
        (format!("{root}/../x"), "../x"),
    ] {
        assert_eq!(workspace.check(PathKind::Dir, &text).unwrap().relative(), relative, "{text:?}");
    }
    for text in [format!("{root}x"), format!("{root}-evil/x.txt"), "/".to_owned(), format!("/x/..{root}/a")] {
        assert_eq!(code(&workspace, PathKind::Dir, &text), "path.absolute", "{text:?}");
    }
    assert_eq!(code(&workspace, PathKind::Entry, &root), "path.root_op");
    let strict = WorkspaceOptions { refuse_absolute: true, ..WorkspaceOptions::default() };
    let strict = Workspace::open_with(fixture.ws(), strict).unwrap();
    assert_eq!(code(&strict, PathKind::Dir, &format!("{root}/a")), "path.absolute");
}

#[test]
fn a_root_opened_through_a_link_is_known_by_both_names() {
    let fixture = Fixture::new();
    let link = fixture.outside("to_ws");
    symlink(fixture.ws(), &link).unwrap();
    let workspace = Workspace::open(&link).unwrap();
    for root in [link, fixture.ws()] {
        let text = root.join("a/b").to_str().unwrap().to_owned();
        let path = workspace.check(PathKind::Dir, &text).unwrap();
        assert_eq!(path.relative(), "a/b");
        assert_eq!(workspace.pin(&path).unwrap().resolved, "a/b");
    }
    assert_eq!(workspace.id(), Workspace::open(fixture.ws()).unwrap().id());
}

#[test]
fn what_changes_a_name_must_end_in_one() {
    let fixture = Fixture::new();
    let workspace = Workspace::open(fixture.ws()).unwrap();
    for text in [".", "..", "a/.", "a/..", "a/./", "a/../", "./", "//a"] {
        assert_ne!(code(&workspace, PathKind::Write, text), "ok", "{text:?}");
        assert_ne!(code(&workspace, PathKind::Entry, text), "ok", "{text:?}");
    }
    assert_eq!(code(&workspace, PathKind::Write, "a/new/"), "path.root_op");
    assert_eq!(code(&workspace, PathKind::Entry, "a/"), "ok");
}

#[test]
fn hidden_characters_are_refused_and_visible_ones_kept() {
    let fixture = Fixture::new();
    let workspace = Workspace::open(fixture.ws()).unwrap();
    for c in "\u{1}\u{7f}\u{85}\u{ad}\u{61c}\u{200b}\u{200d}\u{200e}\u{2028}\u{202e}\u{2060}\u{2066}\u{feff}\u{e0041}"
        .chars()
    {
        assert_eq!(code(&workspace, PathKind::Read, &format!("a{c}b")), "path.control_char", "{c:?}");
    }
    for text in ["na\u{ef}ve", "e\u{301}", "\u{65e5}\u{672c}", "\u{fffd}", " ", "\u{2215}"] {
        let path = workspace.check(PathKind::Read, text).unwrap();
        assert_eq!((path.relative(), path.given()), (text, text));
    }
}

#[test]
fn a_prefix_rule_on_a_text_is_by_whole_names_and_never_through_a_climb() {
    let fixture = Fixture::new();
    let workspace = Workspace::open(fixture.ws()).unwrap();
    let text = |text: &str| workspace.check(PathKind::Read, text).unwrap();
    assert!(text("./a//b/c.txt").is_beneath("a/b"));
    assert!(text("a/b").is_beneath(".") && text("a/b").is_beneath("a/b/"));
    assert!(!text("a/bc").is_beneath("a/b") && !text("a/../b").is_beneath("a"));
    assert!(text("a/../b").is_beneath("."), "where it leads is told by resolving it");
}
