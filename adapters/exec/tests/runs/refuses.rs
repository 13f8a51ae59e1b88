//! What is not run, and that nothing has happened then.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::time::Duration;

use toolgate_core::call::Code;
use toolgate_core::session::{Capabilities, Narrowing};
use toolgate_core::tool::{Context, Effect, ToolError};
use toolgate_exec::{CommandContext as _, Processes, Sandbox, Support};

use crate::support::{context, context_of, folder, may, processes};

fn refused(context: &Context, program: &str) -> (Option<&'static str>, Option<Code>) {
    let error = context.command(program).run_blocking().unwrap_err();
    assert_eq!(error.effect(), Some(Effect::None), "{error}");
    assert!(!error.for_model().unwrap().contains('/'), "no path for the model: {error}");
    (error.rule(), error.code())
}

const NOT_ALLOWED: (Option<&str>, Option<Code>) = (Some("exec.program_not_allowed"), Some(Code::PermissionDenied));

#[test]
fn a_program_that_is_not_listed_is_refused_however_it_is_written() {
    let context = context();
    let wrong = [
        "ls",
        "/usr/bin/ls",
        "sh ",
        "./sh",
        "../usr/bin/sh",
        "/usr/bin/../bin/sh",
        "/usr//bin/sh",
        "SH",
        "",
        ".",
        "sh\0",
    ];
    for program in wrong {
        assert_eq!(refused(&context, program), NOT_ALLOWED, "{program:?}");
    }
}

#[test]
fn a_narrowed_task_runs_only_what_both_list() {
    let narrowed = may().narrow(Narrowing::default().programs(["/usr/bin/pwd", "ls"]));
    let context = context_of(processes(), narrowed.clone(), &folder()).build();
    assert!(context.command("pwd").run_blocking().unwrap().status.is_success(), "a name and the path that it leads to");
    assert!(context.command("/usr/bin/pwd").run_blocking().unwrap().status.is_success());
    let context = context_of(processes(), narrowed, &folder()).build();
    assert_eq!(refused(&context, "sh"), NOT_ALLOWED);
    assert_eq!(refused(&context, "ls"), NOT_ALLOWED, "a narrowing adds nothing");
}

#[test]
fn no_capability_is_no_program() {
    let context = context_of(processes(), Capabilities::none(), &folder()).build();
    assert_eq!(refused(&context, "sh"), NOT_ALLOWED);
}

#[test]
fn a_listed_program_that_is_not_there_is_another_refusal() {
    let may = may().programs(["no-such-program", "sh"]);
    let context = context_of(processes(), may, &folder()).build();
    assert_eq!(refused(&context, "no-such-program"), (Some("exec.program_not_found"), None));
}

/// A program of the test's own in `folder`.
fn program(folder: &Path, name: &str, mode: u32) -> String {
    let path = folder.join(name);
    fs::write(&path, "#!/usr/bin/sh\necho it ran\n").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    path.to_str().unwrap().to_owned()
}

/// A folder on whose way nobody else may write; the place for temporary files is everybody's on some machines.
fn own_folder() -> std::path::PathBuf {
    let folder = Path::new("/var/tmp/..").join("lib").canonicalize().unwrap().join(crate::support::mark());
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn a_program_that_others_can_change_is_refused() {
    if !rustix::process::geteuid().is_root() {
        eprintln!("skipped: only root has a folder that nobody else can change on every machine");
        return;
    }
    let folder = own_folder();
    let good = program(&folder, "good", 0o755);
    let bad = program(&folder, "bad", 0o757);
    fs::create_dir(folder.join("open")).unwrap();
    fs::set_permissions(folder.join("open"), fs::Permissions::from_mode(0o777)).unwrap();
    let in_open = program(&folder.join("open"), "good", 0o755);
    symlink(&bad, folder.join("link")).unwrap();
    let link = folder.join("link").to_str().unwrap().to_owned();
    symlink(&good, folder.join("open").join("way")).unwrap();
    symlink(folder.join("open").join("way"), folder.join("roundabout")).unwrap();
    let roundabout = folder.join("roundabout").to_str().unwrap().to_owned();
    let all = [&good, &bad, &in_open, &link, &roundabout];
    let setup = processes().readable([folder.to_str().unwrap()]);
    let context =
        || context_of(setup.clone(), may().programs(all.map(String::as_str)), &crate::support::folder()).build();
    let output = context().command(&good).run_blocking().unwrap();
    assert_eq!(output.stdout.text(), "it ran\n");
    for wrong in [&bad, &in_open, &link, &roundabout] {
        assert_eq!(
            refused(&context(), wrong),
            (Some("exec.program_untrusted"), Some(Code::PermissionDenied)),
            "{wrong}"
        );
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_program_of_the_workspace_is_refused_also_through_a_link_and_a_search_path() {
    if !rustix::process::geteuid().is_root() {
        eprintln!("skipped: only root has a folder that nobody else can change on every machine");
        return;
    }
    let folder = own_folder();
    program(&folder, "tool", 0o755);
    let setup = processes().search_path([folder.to_str().unwrap(), "/usr/bin"]);
    let context = context_of(setup.clone(), may().programs(["tool", "sh"]), &folder).build();
    assert_eq!(refused(&context, "tool"), (Some("exec.program_untrusted"), Some(Code::PermissionDenied)));
    // The same of a folder outside that programs may write.
    let context =
        context_of(setup.writable([folder.to_str().unwrap()]), may().programs(["tool"]), &crate::support::folder());
    assert_eq!(refused(&context.build(), "tool"), (Some("exec.program_untrusted"), Some(Code::PermissionDenied)));
    // And of a link in the workspace to a program outside.
    symlink("/usr/bin/pwd", folder.join("link")).unwrap();
    let setup = processes().search_path([folder.to_str().unwrap()]);
    let context = context_of(setup, may().programs(["link"]), &folder).build();
    assert_eq!(refused(&context, "link"), (Some("exec.program_untrusted"), Some(Code::PermissionDenied)));
    // Nor is it found in place of one of the system's because it stands where the program runs.
    program(&folder, "pwd", 0o755);
    let context = context_of(processes(), may(), &folder).build();
    assert_eq!(context.command("pwd").run_blocking().unwrap().stdout.text().trim_end(), folder.to_str().unwrap());
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_can_not_be_passed_is_refused() {
    let context = context();
    let error = |error: ToolError| (error.rule(), error.effect());
    let run = |argument: String| error(context.command("sh").arg(argument).run_blocking().unwrap_err());
    assert_eq!(run("a\0b".into()), (Some("exec.bad_argument"), Some(Effect::None)));
    assert_eq!(run("x".repeat(200_000)), (Some("exec.bad_argument"), Some(Effect::None)));
    let many = context.command("sh").args(vec!["x".repeat(100_000); 20]).run_blocking().unwrap_err();
    assert_eq!(error(many), (Some("exec.bad_argument"), Some(Effect::None)));
    for (name, value) in [("", "x"), ("A=B", "x"), ("A", "x\0y"), ("A\0", "x")] {
        let wrong = context.command("sh").env(name, value).run_blocking().unwrap_err();
        assert_eq!(error(wrong), (Some("exec.bad_environment"), Some(Effect::None)), "{name:?}");
    }
    let long = context.command("sh").stdin(vec![0; 2_000_000]).run_blocking().unwrap_err();
    assert_eq!(error(long), (Some("exec.stdin_too_large"), Some(Effect::None)));
}

#[test]
fn a_required_sandbox_that_the_kernel_lacks_is_a_refusal() {
    let setup = || processes().support(|| Support::Nothing);
    let context = context_of(setup(), may(), &folder()).build();
    assert_eq!(refused(&context, "sh"), (Some("exec.no_sandbox"), Some(Code::PermissionDenied)));
    let context = context_of(setup().sandbox(Sandbox::BestEffort), may(), &folder()).build();
    let error = context.command("sh").sandbox(Sandbox::Required).run_blocking().unwrap_err();
    assert_eq!(error.rule(), Some("exec.no_sandbox"));
    assert!(context.command("pwd").run_blocking().unwrap().status.is_success());
}

#[test]
fn a_host_that_did_not_call_init_is_told_so() {
    let context = context_of(Processes::builder(), may(), &folder()).build();
    let error = context.command("sh").run_blocking().unwrap_err();
    assert_eq!((error.rule(), error.effect()), (Some("exec.not_initialised"), Some(Effect::None)));
    assert!(error.for_operator().contains("toolgate_exec::init()"), "{error}");
}

#[test]
fn a_supervisor_that_is_none_is_told_and_not_waited_for() {
    for (binary, said) in
        [("/usr/bin/true", "said nothing"), ("/usr/bin/cat", "said nothing"), ("/nowhere/it", "No such")]
    {
        let context = context_of(processes().supervisor(binary), may(), &folder()).build();
        let error = context.command("sh").run_blocking().unwrap_err();
        assert_eq!((error.rule(), error.effect()), (Some("exec.not_started"), Some(Effect::None)), "{binary}");
        assert!(error.for_operator().contains(said), "{binary}: {error}");
    }
}

#[test]
fn a_host_that_gives_no_setup_is_told_so() {
    let context = toolgate_testing::TestContext::default().capabilities(may()).build();
    let error = context.command("sh").run_blocking().unwrap_err();
    assert!(error.for_operator().contains("Processes"), "{error}");
    assert_eq!(error.effect(), Some(Effect::None));
}

#[test]
fn a_call_without_time_runs_nothing() {
    let context = context_of(processes(), may(), &folder()).time(Duration::ZERO).build();
    assert_eq!(refused(&context, "sh"), (Some("exec.no_time"), None));
}

#[test]
fn a_file_that_no_kernel_runs_is_told_without_effect() {
    if !rustix::process::geteuid().is_root() {
        eprintln!("skipped: only root has a folder that nobody else can change on every machine");
        return;
    }
    let folder = own_folder();
    let path = folder.join("garbage");
    // A C library would hand the first three to a shell.
    for text in ["\u{1}\u{2}", "echo ran > ran\n", "#!\necho ran > ran\n", "#!/no/interpreter\n"] {
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        let path = path.to_str().unwrap();
        let workspace = crate::support::folder();
        let context = context_of(processes().readable([path]), may().programs([path]), &workspace).build();
        let error = context.command(path).run_blocking().unwrap_err();
        assert_eq!((error.rule(), error.effect()), (Some("exec.not_started"), Some(Effect::None)), "{text:?}: {error}");
        assert!(!workspace.join("ran").exists());
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_broken_program_is_not_run_as_a_script_instead() {
    if !rustix::process::geteuid().is_root() {
        eprintln!("skipped: only root has a folder that nobody else can change on every machine");
        return;
    }
    let folder = own_folder();
    let path = folder.join("broken");
    fs::write(&path, "\u{7f}ELF\necho ran > ran; echo ran\n").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let path = path.to_str().unwrap();
    let workspace = crate::support::folder();
    let context = context_of(processes().readable([path]), may().programs([path]), &workspace).build();
    let run = context.command(path).run_blocking();
    assert!(!run.as_ref().is_ok_and(|output| output.status.is_success() || output.stdout.text() != ""), "{run:?}");
    assert!(!workspace.join("ran").exists(), "{run:?}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn after_an_earlier_run_nothing_says_that_nothing_happened() {
    let context = context();
    context.command("sh").args(["-c", "echo x > made"]).run_blocking().unwrap();
    let error = context.command("ls").run_blocking().unwrap_err();
    assert_eq!((error.rule(), error.effect()), (Some("exec.program_not_allowed"), Some(Effect::Unknown)));
}
