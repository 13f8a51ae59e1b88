//! Rows P160, P161, P162, P164, P165 and P167, and in the same race proof that it beats a check before the open.
//!
//! Each attacker swaps or moves as fast as it can; nothing outside may be read or changed.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::fs::{CWD, RenameFlags, renameat_with};
use toolgate_core::resource::{
    DirPath, EntryKind, EntryPath, Handle, PathError, PathKind, ReadPath, Workspace, WorkspaceOptions, WritePath,
};

use crate::fixture::Fixture;

const LEAST: Duration = Duration::from_secs(1);
const MOST: Duration = Duration::from_secs(10);

/// A thread that repeats one step until dropped.
struct Attacker {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Attacker {
    fn new(mut attack: impl FnMut() + Send + 'static) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&stop);
        let thread = std::thread::spawn(move || {
            while !told.load(Ordering::Relaxed) {
                attack();
            }
        });
        Self { stop, thread: Some(thread) }
    }

    fn swapping(one: PathBuf, other: PathBuf) -> Self {
        Self::new(move || {
            let _ = renameat_with(CWD, &one, CWD, &other, RenameFlags::EXCHANGE);
        })
    }
}

impl Drop for Attacker {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.take().unwrap().join().unwrap();
    }
}

/// Repeats for a second, and then until both an answer and a refusal were seen.
fn repeat(mut step: impl FnMut() -> Result<(), PathError>) {
    let start = Instant::now();
    let (mut passed, mut refused) = (0, 0);
    while start.elapsed() < LEAST || (start.elapsed() < MOST && (passed == 0 || refused == 0)) {
        match step() {
            Ok(()) => passed += 1,
            Err(_) => refused += 1,
        }
    }
    assert!(passed > 0 && refused > 0, "no race: {passed} passed, {refused} refused");
}

fn open(workspace: &Workspace, kind: PathKind, text: &str) -> Result<Handle, PathError> {
    let path = workspace.check(kind, text)?;
    workspace.open_path(&path, None)
}

fn read(workspace: &Workspace, text: &str) -> Result<String, PathError> {
    let (path, slot) = ReadPath::pending(text.to_owned());
    slot.set(open(workspace, PathKind::Read, text)?).unwrap();
    path.read_to_string()
}

/// `race/secret2.txt` inside, and beside it a link to the folder outside with the same name in it.
fn with_race() -> (Fixture, Workspace) {
    let fixture = Fixture::new();
    fs::create_dir(fixture.inside("race")).unwrap();
    fs::write(fixture.inside("race/secret2.txt"), "IN").unwrap();
    symlink(fixture.outside("dir"), fixture.inside("swap")).unwrap();
    let workspace = Workspace::open(fixture.ws()).unwrap();
    (fixture, workspace)
}

/// What became of the tries of one race.
#[derive(Debug, Default)]
struct Tally {
    read: u64,
    written: u64,
    refused: u64,
    escaped: u64,
    /// Tries of the control, and how many of them read what lies outside.
    checked_then_opened: u64,
    leaked: u64,
}

/// Reads and writes through the workspace, and beside it as those do who look at the path and open it then,
/// while a folder and a link are swapped as fast as can be. At least so long, and until both the workspace
/// has refused and the control has leaked.
fn race(least: Duration) -> Tally {
    let (fixture, workspace) = with_race();
    let (root, path) = (fixture.ws(), fixture.inside("race/secret2.txt"));
    let naive = |path: &Path| -> Option<String> {
        path.canonicalize().ok().filter(|real| real.starts_with(&root))?;
        fs::read_to_string(path).ok()
    };
    let attacker = Attacker::swapping(fixture.inside("race"), fixture.inside("swap"));
    let (start, mut tally) = (Instant::now(), Tally::default());
    let is_no_race = |tally: &Tally| tally.read == 0 || tally.written == 0 || tally.refused == 0 || tally.leaked == 0;
    while start.elapsed() < least || (start.elapsed() < least + 3 * MOST && is_no_race(&tally)) {
        match read(&workspace, "race/secret2.txt") {
            Ok(text) if text == "IN" => tally.read += 1,
            Ok(_) => tally.escaped += 1,
            Err(_) => tally.refused += 1,
        }
        let write = || {
            let (path, slot) = WritePath::pending(String::new());
            slot.set(open(&workspace, PathKind::Write, "race/secret2.txt")?).unwrap();
            path.write("IN")
        };
        match write() {
            Ok(()) => tally.written += 1,
            Err(_) => tally.refused += 1,
        }
        tally.escaped += u64::from(fs::read_to_string(fixture.outside("dir/secret2.txt")).unwrap() != "SECRET\n");
        tally.checked_then_opened += 1;
        tally.leaked += u64::from(naive(&path).is_some_and(|text| text.starts_with("SECRET")));
    }
    drop(attacker);
    println!("{tally:?} in {} s", start.elapsed().as_secs());
    assert_eq!((tally.escaped, fixture.damage()), (0, None), "{tally:?}");
    assert!(tally.read > 0 && tally.written > 0 && tally.refused > 0, "no race: {tally:?}");
    assert!(tally.leaked > 0, "the attacker never won against the control, so this proves nothing: {tally:?}");
    tally
}

#[test]
fn p160_a_race_that_breaks_check_then_open_never_leads_outside() {
    race(LEAST);
}

/// `cargo test -p toolgate-core --test paths -- --ignored --nocapture races::for_half_a_minute`
#[test]
#[ignore = "takes half a minute; the same race runs for a second beside it"]
fn for_half_a_minute_a_race_that_breaks_check_then_open_never_leads_outside() {
    race(Duration::from_secs(30));
}

#[test]
fn p161_writing_while_a_folder_and_a_link_are_swapped_changes_nothing_outside() {
    let (fixture, workspace) = with_race();
    let attacker = Attacker::swapping(fixture.inside("race"), fixture.inside("swap"));
    repeat(|| {
        let (path, slot) = WritePath::pending(String::new());
        slot.set(open(&workspace, PathKind::Write, "race/secret2.txt")?).unwrap();
        path.write("NEW")
    });
    drop(attacker);
    assert_eq!(fixture.damage(), None);
}

#[test]
fn a_new_file_is_made_by_exactly_one_of_two() {
    let fixture = Fixture::new();
    let workspace = Workspace::open(fixture.ws()).unwrap();
    let file = fixture.inside("a/new.txt");
    for _ in 0..500 {
        let (path, slot) = WritePath::pending(String::new());
        slot.set(open(&workspace, PathKind::Write, "a/new.txt").unwrap()).unwrap();
        let (theirs, ours) = std::thread::scope(|scope| {
            let other = scope.spawn(|| {
                let start = Instant::now();
                while start.elapsed() < Duration::from_millis(1) {
                    if fs::File::create_new(&file).is_ok() {
                        return true;
                    }
                }
                false
            });
            let ours = path.write("OURS").is_ok();
            (other.join().unwrap(), ours)
        });
        assert!(theirs != ours, "both or none made it");
        fs::remove_file(&file).unwrap();
    }
}

#[test]
fn p162_climbing_while_the_folder_is_moved_out_never_leaks() {
    let fixture = Fixture::new();
    let workspace = Workspace::open(fixture.ws()).unwrap();
    // Where `a/b/../../readme.txt` leads while `b` is outside.
    let bait = fixture.outside("../readme.txt");
    fs::write(&bait, "SECRET").unwrap();
    let (home, away) = (fixture.inside("a/b"), fixture.outside("b"));
    let (from, to) = (home.clone(), away.clone());
    let attacker = Attacker::new(move || {
        let _ = fs::rename(&from, &to);
        let _ = fs::rename(&to, &from);
    });
    repeat(|| read(&workspace, "a/b/../../readme.txt").map(|text| assert_eq!(text, "IN\n")));
    repeat(|| read(&workspace, "a/b/../b/c.txt").map(|text| assert_eq!(text, "IN\n")));
    drop(attacker);
    let _ = fs::rename(away, home);
    fs::remove_file(bait).unwrap();
    assert_eq!(fixture.damage(), None);
}

#[test]
fn p164_listing_never_describes_what_a_link_points_to() {
    let fixture = Fixture::new();
    let workspace = Workspace::open(fixture.ws()).unwrap();
    symlink(fixture.outside("secret.txt"), fixture.inside("swap")).unwrap();
    let attacker = Attacker::swapping(fixture.inside("a/b"), fixture.inside("swap"));
    let start = Instant::now();
    while start.elapsed() < LEAST {
        let (path, slot) = DirPath::pending(String::new());
        slot.set(open(&workspace, PathKind::Dir, "a").unwrap()).unwrap();
        let entries = path.entries().unwrap();
        assert!(entries.iter().all(|entry| matches!(entry.kind, EntryKind::Dir | EntryKind::Link)));
        assert!(path.walk(100, 5).unwrap().entries.iter().all(|entry| !entry.relative.contains("secret")));
    }
    drop(attacker);
}

/// Puts back whatever the deletion or the swaps have taken away: a folder with a folder in it, and the links.
fn restore(fixture: &Fixture) {
    let next = fixture.inside("emptydir/next");
    let _ = fs::create_dir_all(next.join("d"));
    let _ = fs::write(next.join("d/secret2.txt"), "IN");
    // By rename, so that the preparation itself can't write through a link.
    let put = |name: &str| renameat_with(CWD, &next, CWD, fixture.inside(name), RenameFlags::NOREPLACE);
    let _ = put("race").or_else(|_| put("swap"));
    for name in ["race", "swap", "inner"] {
        let _ = symlink(fixture.outside("dir"), fixture.inside(name));
    }
}

#[test]
fn p165_deleting_a_tree_while_it_is_swapped_for_a_link_leaves_the_outside_intact() {
    let (fixture, workspace) = with_race();
    restore(&fixture);
    let outer = Attacker::swapping(fixture.inside("race"), fixture.inside("swap"));
    let inner = Attacker::swapping(fixture.inside("race/d"), fixture.inside("inner"));
    repeat(|| {
        restore(&fixture);
        let (path, slot) = EntryPath::pending(String::new());
        slot.set(open(&workspace, PathKind::Entry, "race")?).unwrap();
        path.remove_tree()
    });
    drop((outer, inner));
    assert_eq!(fixture.damage(), None);
}

/// `/proc` is a mount point everywhere, so this needs no privilege.
#[test]
fn p167_a_mount_point_is_refused_only_when_asked() {
    let strict = WorkspaceOptions { no_xdev: true, ..WorkspaceOptions::default() };
    let error = read(&Workspace::open_with("/", strict).unwrap(), "proc/version").unwrap_err();
    assert_eq!((error.code(), error.refused()), ("path.xdev", true));
    assert!(read(&Workspace::open("/").unwrap(), "proc/version").is_ok());
}
