//! Runs an example as a process, in a folder of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Output};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use toolgate::serde_json::{self, Value};

/// A folder that is removed with the value.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("scenario-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Names of what is in it.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// How a program ended.
pub(crate) struct Run {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs an example with these arguments; its temporary files go to `folder`.
pub(crate) fn run(example: &str, folder: &Folder, arguments: &[&str]) -> Run {
    let output = Command::new(built(example)).args(arguments).env("TMPDIR", &folder.0).output().unwrap();
    let Output { status, stdout, stderr } = output;
    Run { status, stdout: String::from_utf8(stdout).unwrap(), stderr: String::from_utf8(stderr).unwrap() }
}

/// The program beside this test's. `cargo test` has built it, but `cargo test --test scenario` builds none.
fn built(example: &str) -> PathBuf {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let this = std::env::current_exe().unwrap();
    let profile = this.parent().and_then(Path::parent).unwrap();
    let program = profile.join("examples").join(example);
    if !is_fresh(&program) {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--quiet", "--manifest-path", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")]);
        let cargo = cargo.args(["--example", example]).arg("--target-dir").arg(profile.parent().unwrap());
        assert!(cargo.status().unwrap().success(), "{example} could not be built");
    }
    program
}

/// Whether a program is newer than all sources that the file beside it names, in the way of `make`.
fn is_fresh(program: &Path) -> bool {
    let changed = |path: &Path| fs::metadata(path).and_then(|facts| facts.modified()).ok();
    let (Some(built), Ok(rules)) = (changed(program), fs::read_to_string(program.with_extension("d"))) else {
        return false;
    };
    let sources = rules.split_once(": ").map(|(_, sources)| sources.trim()).unwrap_or_default();
    let sources = sources.replace("\\ ", "\0");
    let mut sources = sources.split(' ').map(|source| PathBuf::from(source.replace('\0', " ")));
    sources.all(|source| changed(&source).is_some_and(|changed| changed <= built))
}

impl Run {
    /// Ended as it should; the output of one that didn't is shown.
    pub(crate) fn succeeded(self) -> Self {
        assert!(self.status.success(), "{}\n{}", self.stdout, self.stderr);
        self
    }

    /// The lines of `--json`, each of which says the same four things.
    pub(crate) fn lines(&self) -> Vec<Value> {
        let lines: Vec<Value> = self.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        for line in &lines {
            for name in ["kind", "stage", "code", "effect", "call"] {
                assert!(line.get(name).is_some(), "{name} is missing in {line}");
            }
        }
        lines
    }

    pub(crate) fn of_kind(&self, kind: &str) -> Vec<Value> {
        self.lines().into_iter().filter(|line| line["kind"] == kind).collect()
    }

    /// `tool STAGE CODE effect` of every call, in order.
    pub(crate) fn calls(&self) -> Vec<String> {
        let word = |value: &Value| value.as_str().unwrap().to_owned();
        self.of_kind("call")
            .iter()
            .map(|line| [&line["call"]["tool"], &line["stage"], &line["code"], &line["effect"]].map(word).join(" "))
            .collect()
    }
}
