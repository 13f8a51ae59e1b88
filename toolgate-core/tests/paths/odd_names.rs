//! Names at the edge of what the kernel takes, and names that only look like another: length, depth, normal forms,
//! trailing dots and spaces; and what is no file at all.

use std::fs;
use std::os::unix::fs::{FileTypeExt as _, symlink};

use toolgate_core::resource::{EntryPath, PathError, PathKind, ReadPath, Workspace, WritePath};

use crate::fixture::Fixture;

fn pinned(workspace: &Workspace, kind: PathKind, text: &str) -> Result<String, PathError> {
    workspace.pin(&workspace.check(kind, text)?).map(|pin| pin.resolved)
}

fn code(workspace: &Workspace, kind: PathKind, text: &str) -> &'static str {
    pinned(workspace, kind, text).map_or_else(|error| error.code(), |_| "ok")
}

#[test]
fn a_name_of_255_bytes_is_written_and_read_and_one_more_is_told() {
    let fixture = Fixture::new();
    let longest = ["n".repeat(255), "\u{e9}".repeat(127) + "n"];
    for name in longest {
        assert_eq!(name.len(), 255);
        WritePath::in_dir(fixture.ws(), &name).unwrap().write("one").unwrap();
        WritePath::in_dir(fixture.ws(), &name).unwrap().write("two").unwrap();
        assert_eq!(ReadPath::in_dir(fixture.ws(), &name).unwrap().read_to_string().unwrap(), "two");
        for longer in [format!("{name}x"), format!("a/{name}x/b"), format!("../{name}x")] {
            for kind in [PathKind::Read, PathKind::Write, PathKind::Dir, PathKind::Entry] {
                let workspace = Workspace::open(fixture.ws()).unwrap();
                assert_eq!(code(&workspace, kind, &longer), "path.too_long");
            }
        }
        EntryPath::in_dir(fixture.ws(), &name).unwrap().remove_file().unwrap();
        assert!(!fixture.inside(&name).exists());
    }
}

#[test]
fn a_path_of_4095_bytes_is_looked_up_and_one_of_4096_is_told() {
    let fixture = Fixture::new();
    let workspace = Workspace::open(fixture.ws()).unwrap();
    let last = "/readme.txt";
    // Parts that say nothing count as bytes, too.
    let long = |bytes: usize| format!(".{}{last}", "/".repeat(bytes - 1 - last.len()));
    assert_eq!(long(4095).len(), 4095);
    assert_eq!(pinned(&workspace, PathKind::Read, &long(4095)).unwrap(), "readme.txt");
    assert_eq!(code(&workspace, PathKind::Read, &long(4096)), "path.too_long");
    assert_eq!(
        code(&workspace, PathKind::Read, &format!("{}../outside/secret.txt", "./".repeat(2_000))),
        "path.escape"
    );
    let missing = "d/".repeat(2_000);
    assert_eq!(code(&workspace, PathKind::Write, &format!("{missing}f")), "path.not_found");
}

#[test]
fn a_deep_folder_is_reached_by_its_names_and_never_by_a_link_out_at_its_bottom() {
    let fixture = Fixture::new();
    let workspace = Workspace::open(fixture.ws()).unwrap();
    let deep = "d/".repeat(300);
    fs::create_dir_all(fixture.inside(&deep)).unwrap();
    fs::write(fixture.inside(&format!("{deep}f")), "DEEP").unwrap();
    symlink(fixture.outside("secret.txt"), fixture.inside(&format!("{deep}out"))).unwrap();
    symlink("../".repeat(301) + "outside/secret.txt", fixture.inside(&format!("{deep}up"))).unwrap();
    symlink("../".repeat(300) + "readme.txt", fixture.inside(&format!("{deep}in"))).unwrap();
    assert_eq!(pinned(&workspace, PathKind::Read, &format!("{deep}f")).unwrap(), format!("{deep}f"));
    assert_eq!(pinned(&workspace, PathKind::Read, &format!("{deep}in")).unwrap(), "readme.txt");
    for leaving in ["out", "up"] {
        assert_eq!(code(&workspace, PathKind::Read, &format!("{deep}{leaving}")), "path.escape", "{leaving}");
    }
    WritePath::in_dir(fixture.ws(), &format!("{deep}g")).unwrap().write("NEW").unwrap();
    assert_eq!(fs::read_to_string(fixture.inside(&format!("{deep}g"))).unwrap(), "NEW");
    assert_eq!(fixture.damage(), None);
}

/// No form is turned into another: what a person was shown is what is opened.
#[test]
fn letters_that_look_like_a_dot_a_slash_or_another_letter_are_letters() {
    let fixture = Fixture::new();
    let workspace = Workspace::open(fixture.ws()).unwrap();
    for name in [
        "\u{ff0e}\u{ff0e}",
        "\u{2024}\u{2024}",
        "\u{2025}",
        "..\u{ff0f}outside\u{ff0f}secret.txt",
        "..\u{2215}outside",
        "..\u{29f8}x",
        "\u{212b}",
        "\u{c5}",
        "A\u{30a}",
        "\u{fb01}le",
        "re\u{430}dme.txt",
        "\u{1d4ea}",
        "%2e%2e%2foutside",
        "..%c0%af",
    ] {
        assert_eq!(code(&workspace, PathKind::Read, name), "path.not_found", "{name:?}");
        WritePath::in_dir(fixture.ws(), name).unwrap().write(name).unwrap();
        assert_eq!(fs::read_to_string(fixture.inside(name)).unwrap(), name, "{name:?}");
        assert_eq!(pinned(&workspace, PathKind::Read, name).unwrap(), name);
    }
    assert_eq!(fs::read_to_string(fixture.inside("readme.txt")).unwrap(), "IN\n");
    assert_eq!(fixture.damage(), None);
}

#[test]
fn trailing_dots_and_spaces_belong_to_the_name() {
    let fixture = Fixture::new();
    let workspace = Workspace::open(fixture.ws()).unwrap();
    for name in ["readme.txt ", "readme.txt.", " readme.txt", ".. ", " ..", ". ", "... .", "a. "] {
        assert_eq!(code(&workspace, PathKind::Read, name), "path.not_found", "{name:?}");
        WritePath::in_dir(fixture.ws(), name).unwrap().write(name).unwrap();
        assert_eq!(fs::read_to_string(fixture.inside(name)).unwrap(), name, "{name:?}");
    }
    for text in [".. /outside/secret.txt", "a/.. /../readme.txt"] {
        assert_ne!(code(&workspace, PathKind::Read, text), "ok", "{text:?}");
    }
    assert_eq!(fs::read_to_string(fixture.inside("readme.txt")).unwrap(), "IN\n");
    assert_eq!(fixture.damage(), None);
}

#[test]
fn a_socket_is_not_read_and_not_replaced_by_a_file() {
    let fixture = Fixture::new();
    let workspace = Workspace::open(fixture.ws()).unwrap();
    symlink("sock", fixture.inside("to_sock")).unwrap();
    for (kind, text) in [(PathKind::Read, "sock"), (PathKind::Write, "sock"), (PathKind::Read, "to_sock")] {
        assert_eq!(code(&workspace, kind, text), "path.not_regular", "{kind:?} {text}");
    }
    for text in ["sock/x", "fifo/x", "readme.txt/x"] {
        assert_eq!(code(&workspace, PathKind::Read, text), "path.not_a_directory", "{text}");
    }
    assert!(fs::symlink_metadata(fixture.inside("sock")).unwrap().file_type().is_socket());
}

/// The kernel's own mounts, behind a link: outside of the workspace whatever they are.
#[test]
fn mount_points_of_the_system_are_not_reached_through_links() {
    let fixture = Fixture::new();
    let workspace = Workspace::open(fixture.ws()).unwrap();
    for (target, rest) in [("/proc", "/self/environ"), ("/sys", "/kernel"), ("/dev", "/null"), ("/proc/self/fd", "/0")]
    {
        let name = format!("to{}", target.replace('/', "_"));
        symlink(target, fixture.inside(&name)).unwrap();
        for kind in [PathKind::Read, PathKind::Write, PathKind::Dir, PathKind::Entry] {
            assert_eq!(code(&workspace, kind, &format!("{name}{rest}")), "path.escape", "{kind:?} {target}{rest}");
        }
    }
}
