//! A host that is its own supervisor: this very program, whose `main` calls `init()`. Also that a host which is killed takes
//! all along, and that it works for a user who isn't root.
#![expect(clippy::unwrap_used, reason = "in a test, a panic is the message")]

#[path = "runs/look.rs"]
mod look;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use toolgate_core::resource::Workspace;
use toolgate_core::session::Capabilities;
use toolgate_core::tool::Context;
use toolgate_exec::{CommandContext as _, Limits, Processes, Sandbox, Support};
use toolgate_testing::TestContext;

use look::{eventually, folder, mark, running};

/// The user that has nothing.
const NOBODY: u32 = 65534;

fn main() -> ExitCode {
    toolgate_exec::init();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["--run", workspace, script] => {
            let output = sh(&context(Path::new(workspace)), script);
            print!("{}", output.stdout.text());
            ExitCode::SUCCESS
        }
        ["--as-nobody", workspace] => {
            as_nobody(Path::new(workspace));
            ExitCode::SUCCESS
        }
        _ => cases(arguments.iter().find(|argument| !argument.starts_with('-'))),
    }
}

/// What a test harness says, for those who count.
fn cases(filter: Option<&String>) -> ExitCode {
    let all: [(&str, fn()); 4] = [
        ("the_host_is_its_own_supervisor", the_host_is_its_own_supervisor),
        ("a_replaced_binary_goes_on_as_it_was", a_replaced_binary_goes_on_as_it_was),
        ("a_killed_host_leaves_nothing", a_killed_host_leaves_nothing),
        ("a_user_without_rights_has_the_same", a_user_without_rights_has_the_same),
    ];
    let chosen: Vec<_> = all.iter().filter(|(name, _)| filter.is_none_or(|filter| name.contains(filter))).collect();
    let mut failed = 0;
    for (name, case) in &chosen {
        let is_ok = std::panic::catch_unwind(case).is_ok();
        println!("test {name} ... {}", if is_ok { "ok" } else { "FAILED" });
        failed += usize::from(!is_ok);
    }
    let word = if failed == 0 { "ok" } else { "FAILED" };
    println!(
        "\ntest result: {word}. {} passed; {failed} failed; 0 ignored; 0 measured; {} filtered out",
        chosen.len() - failed,
        all.len() - chosen.len()
    );
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn context(workspace: &Path) -> Context {
    let setup = Processes::builder().grace(Duration::from_millis(300)).build().unwrap();
    let may = Capabilities::none().programs(["sh"]).readable(["."]).writable(["."]);
    TestContext::default().state(setup).capabilities(may).workspace(Workspace::open(workspace).unwrap()).build()
}

fn sh(context: &Context, script: &str) -> toolgate_exec::Output {
    context.command("sh").args(["-c", script]).sandbox(Sandbox::BestEffort).run_blocking().unwrap()
}

/// A copy of this program in a folder that every user may enter.
fn copied(place: &Path) -> PathBuf {
    let copy = place.join("host");
    fs::copy(std::env::current_exe().unwrap(), &copy).unwrap();
    fs::set_permissions(&copy, fs::Permissions::from_mode(0o755)).unwrap();
    copy
}

fn the_host_is_its_own_supervisor() {
    let output = sh(&context(&folder()), "echo it works; exit 3");
    assert_eq!((output.stdout.text().as_str(), output.status.code()), ("it works\n", Some(3)));
}

/// An update of a program that runs: its file is another one, or none.
fn a_replaced_binary_goes_on_as_it_was() {
    let place = folder();
    let host = copied(&place);
    let ready = place.join("ready");
    let script = "echo first > ready; while test -e ready; do sleep 0.01; done; echo second";
    let mut child = Command::new(&host).args(["--run", place.to_str().unwrap(), script]).spawn().unwrap();
    eventually("it runs", || ready.exists());
    fs::remove_file(&host).unwrap();
    fs::remove_file(&ready).unwrap();
    assert!(child.wait().unwrap().success());
}

fn a_killed_host_leaves_nothing() {
    let place = folder();
    let mark = mark();
    let script = format!(
        "trap '' TERM; echo $HOME > home; setsid sh -c 'trap \"\" TERM; sleep 1000; : {mark}' & \
         (setsid sh -c '(sleep 1000; : {mark}) &' &) ; echo x > up; sleep 1000; : {mark}"
    );
    let mut host = Command::new(std::env::current_exe().unwrap())
        .args(["--run", place.to_str().unwrap(), &script])
        .spawn()
        .unwrap();
    eventually("it runs", || place.join("up").exists());
    let own = fs::read_to_string(place.join("home")).unwrap();
    assert!(Path::new(own.trim()).is_dir());
    host.kill().unwrap();
    host.wait().unwrap();
    eventually("nothing is left", || running(&mark).is_empty());
    eventually("its folder is removed", || !Path::new(own.trim()).exists());
}

fn a_user_without_rights_has_the_same() {
    if !rustix::process::geteuid().is_root() {
        as_nobody(&folder());
        return;
    }
    let place = Path::new("/tmp").join(mark());
    fs::create_dir(&place).unwrap();
    fs::set_permissions(&place, fs::Permissions::from_mode(0o755)).unwrap();
    let host = copied(&place);
    let workspace = place.join("workspace");
    fs::create_dir(&workspace).unwrap();
    std::os::unix::fs::chown(&workspace, Some(NOBODY), Some(NOBODY)).unwrap();
    let mut command = Command::new(host);
    let status =
        command.args(["--as-nobody", workspace.to_str().unwrap()]).current_dir("/").uid(NOBODY).gid(NOBODY).status();
    assert!(status.unwrap().success());
    fs::remove_dir_all(place).unwrap();
}

/// In a process of a user without rights.
fn as_nobody(workspace: &Path) {
    let context = context(workspace);
    let output = sh(&context, "id -u; echo x > made; cat made; cat /etc/passwd || echo kept");
    let text = output.stdout.text();
    let own = rustix::process::getuid().as_raw();
    let passwd = if Support::of_kernel() >= Support::Files {
        "kept\n".to_owned()
    } else {
        fs::read_to_string("/etc/passwd").unwrap()
    };
    assert_eq!(text, format!("{own}\nx\n{passwd}"), "{output:?}");
    let mark = mark();
    let command = |script: &str| context.command("sh").args(["-c", script]).sandbox(Sandbox::BestEffort);
    let stubborn = format!("trap '' TERM; setsid sh -c 'trap \"\" TERM; sleep 1000; : {mark}' & sleep 1000; : {mark}");
    let error = command(&stubborn).timeout(Duration::from_secs(1)).run_blocking().unwrap_err();
    assert_eq!(error.rule(), Some("exec.timeout"), "{error}");
    assert_eq!(running(&mark), Vec::<String>::new());
    // Here the kernel bounds it as well: it fails to start more, or is ended.
    let limits = Limits { processes: Some(20), ..Limits::default() };
    let bomb =
        format!("i=0; while [ $i -lt 3000 ]; do setsid sh -c 'sleep 1000; : {mark}' & i=$((i+1)); done; : {mark}");
    let result = command(&bomb).limits(limits).timeout(Duration::from_mins(1)).run_blocking();
    let is_bounded = match &result {
        Ok(output) => !output.status.is_success(),
        Err(error) => error.rule() == Some("exec.too_many_processes"),
    };
    assert!(is_bounded, "{result:?}");
    assert_eq!(running(&mark), Vec::<String>::new());
}
