//! The cases and all rules once more as an ordinary user, where root runs them: root may read and write what
//! others may not, and make devices. Not the races and the arbitrary texts, which are the same for both.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::process::Command;

use crate::fixture::case_file;

/// The user and group that own nothing.
const NOBODY: u32 = 65_534;

#[test]
fn everything_holds_for_an_ordinary_user_too() {
    if !rustix::process::geteuid().is_root() {
        println!("this run is that of an ordinary user; what root may do was skipped");
        return;
    }
    // Where the build stands may be root's alone, so the tests and their cases go where all may read.
    let folder = std::env::temp_dir().join(format!("toolgate-paths-user-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
    let program = folder.join("paths");
    fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(folder.join("paths.jsonl"), case_file("paths.jsonl")).unwrap();
    let run = Command::new(&program)
        .args(["--skip", "user::", "--skip", "races::", "--skip", "properties::", "--nocapture", "--test-threads=2"])
        .env("TOOLGATE_CASES", &folder)
        .current_dir("/")
        .uid(NOBODY)
        .gid(NOBODY)
        .output();
    fs::remove_dir_all(&folder).unwrap();
    let run = match run {
        Ok(run) => run,
        Err(error) => {
            println!("skipped: root can't become another user here: {error}");
            return;
        }
    };
    let told = format!("{}{}", String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    assert!(run.status.success() && told.contains("test result: ok"), "{told}");
    let counts = told.lines().filter(|line| line.contains(" right of ") || line.starts_with("test result"));
    println!("as user {NOBODY}:\n{}", counts.collect::<Vec<_>>().join("\n"));
}
