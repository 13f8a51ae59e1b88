//! The workspace of the cases with everything hostile in it, and what lies outside of it.
//!
//! A port of `fixture-workspace.sh`; removed when dropped.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::{CWD, FileType, Mode, makedev, mknodat};

/// The folders `ws`, `ws-evil` and `outside`.
pub(crate) struct Fixture {
    base: PathBuf,
    pub(crate) has_device: bool,
}

const LINKS: &[(&str, &str)] = &[
    ("a/b/c.txt", "link_in"),
    ("a/b", "link_in_dir"),
    ("../outside/secret.txt", "link_out"),
    ("../outside", "link_out_dir"),
    ("..", "link_parent"),
    (".", "link_self_dir"),
    ("a/../../outside", "link_dd"),
    ("../ws/readme.txt", "link_leave_return"),
    ("chain2", "chain1"),
    ("chain3", "chain2"),
    ("link_out_dir", "chain3"),
    ("loop_b", "loop_a"),
    ("loop_a", "loop_b"),
    ("self_loop", "self_loop"),
    ("a/new.txt", "dangling_in"),
    ("../outside/new.txt", "dangling_out"),
    ("/proc/self/root", "magic_root"),
    ("/proc/self/cwd", "magic_cwd"),
    ("/proc/self/environ", "proc_env"),
    ("/dev/stdin", "dev_stdin"),
    ("a/b/c.txt/", "link_trailing"),
    ("link_in_dir/../c2", "lk_nonlex"),
];

const FILES: &[(&[u8], &str)] = &[
    (b"readme.txt", "IN\n"),
    (b"a/b/c.txt", "IN\n"),
    (b".git/config", "IN\n"),
    (b"caf\xc3\xa9.txt", "IN"),
    (b"cafe\xcc\x81.txt", "IN2"),
    (b"a\\b.txt", "IN"),
    (b"CON", "IN"),
    (b"x:y.txt", "IN"),
    (b"trail. ", "IN"),
    (b"-rf", "IN"),
    (b"new\nline.txt", "IN"),
    (b"bad\xff.txt", "IN"),
    (b"%2e%2e", "IN"),
    (b"~", "IN"),
    (b".../f.txt", "IN"),
    (b"$HOME", "IN"),
    (b"noperm/f", "IN\n"),
];

impl Fixture {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let base = std::env::temp_dir().join(format!("toolgate-paths-{}-{number}", std::process::id()));
        let _ = fs::remove_dir_all(&base);
        fs::create_dir_all(&base).unwrap();
        let base = base.canonicalize().unwrap();
        for dir in
            ["ws/a/b", "ws/a/c2", "ws/.git/hooks", "ws/emptydir", "ws/...", "ws/noperm", "ws-evil", "outside/dir"]
        {
            fs::create_dir_all(base.join(dir)).unwrap();
        }
        let mut fixture = Self { base, has_device: false };
        fixture.fill();
        fixture
    }

    fn fill(&mut self) {
        fs::write(self.outside("secret.txt"), "SECRET\n").unwrap();
        fs::write(self.outside("dir/secret2.txt"), "SECRET\n").unwrap();
        fs::write(self.base.join("ws-evil/x.txt"), "EVIL\n").unwrap();
        for (name, content) in FILES {
            fs::write(self.ws().join(OsStr::from_bytes(name)), content).unwrap();
        }
        for (target, name) in LINKS {
            symlink(target, self.inside(name)).unwrap();
        }
        symlink(self.outside("secret.txt"), self.inside("link_abs_out")).unwrap();
        symlink(self.inside("readme.txt"), self.inside("link_abs_in")).unwrap();
        fs::hard_link(self.outside("secret.txt"), self.inside("hard_out")).unwrap();
        fs::hard_link(self.inside("readme.txt"), self.inside("hard_in")).unwrap();
        let mode = Mode::from_raw_mode(0o600);
        mknodat(CWD, self.inside("fifo"), FileType::Fifo, mode, 0).unwrap();
        // Only root may make a device.
        self.has_device = mknodat(CWD, self.inside("chr"), FileType::CharacterDevice, mode, makedev(1, 3)).is_ok();
        drop(UnixListener::bind(self.inside("sock")).unwrap());
    }

    pub(crate) fn ws(&self) -> PathBuf {
        self.base.join("ws")
    }

    pub(crate) fn inside(&self, name: &str) -> PathBuf {
        self.ws().join(name)
    }

    pub(crate) fn outside(&self, name: &str) -> PathBuf {
        self.base.join("outside").join(name)
    }

    /// Says what changed outside of the workspace, if anything did.
    pub(crate) fn damage(&self) -> Option<String> {
        let wanted: &[(&str, &str)] =
            &[("outside/secret.txt", "SECRET\n"), ("outside/dir/secret2.txt", "SECRET\n"), ("ws-evil/x.txt", "EVIL\n")];
        for (name, content) in wanted {
            if fs::read_to_string(self.base.join(name)).ok().as_deref() != Some(content) {
                return Some(format!("{name} changed"));
            }
        }
        let names = |dir: &str| {
            let mut names: Vec<_> =
                fs::read_dir(self.base.join(dir)).unwrap().map(|e| e.unwrap().file_name()).collect();
            names.sort();
            names
        };
        let all = [names("."), names("outside"), names("outside/dir"), names("ws-evil")];
        let wanted: [&[&str]; 4] =
            [&["outside", "ws", "ws-evil"], &["dir", "secret.txt"], &["secret2.txt"], &["x.txt"]];
        all.iter().zip(wanted).find(|(is, wanted)| is != wanted).map(|(is, _)| format!("outside holds {is:?}"))
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.base);
    }
}

/// The project's own copy of a case file, or the one in the folder that `TOOLGATE_CASES` names.
pub(crate) fn case_file(name: &str) -> String {
    let folder = std::env::var_os("TOOLGATE_CASES")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/cases"), PathBuf::from);
    fs::read_to_string(folder.join(name)).unwrap()
}
