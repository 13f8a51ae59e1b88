//! What a program can't reach inside the sandbox, on this machine's kernel.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::symlink;
use std::path::Path;

use toolgate_core::session::{Capabilities, Narrowing};
use toolgate_core::tool::Context;
use toolgate_exec::{CommandContext as _, Output, Sandbox, Support};

use crate::support::{context_of, eventually, folder, may, processes, running};

/// Whether this kernel has all that is tried here; what it lacks is said.
fn has(wanted: Support) -> bool {
    let has = Support::of_kernel() >= wanted;
    if !has {
        eprintln!("skipped: this kernel's Landlock has no {wanted:?}");
    }
    has
}

fn sh(context: &Context, script: &str) -> Output {
    context.command("sh").args(["-c", script]).run_blocking().unwrap()
}

/// A workspace with a file, and a file beside it.
fn places() -> (std::path::PathBuf, std::path::PathBuf) {
    let folder = folder();
    let (workspace, outside) = (folder.join("workspace"), folder.join("outside"));
    for place in [&workspace, &outside, &workspace.join("src"), &workspace.join("docs")] {
        fs::create_dir_all(place).unwrap();
        fs::write(place.join("file"), "its text\n").unwrap();
    }
    symlink(&outside, workspace.join("link")).unwrap();
    (workspace, outside)
}

#[test]
fn files_outside_can_be_neither_read_nor_written_nor_cut_short() {
    if !has(Support::Files) {
        return;
    }
    let (workspace, outside) = places();
    let context = context_of(processes(), may(), &workspace).build();
    let out = outside.to_str().unwrap();
    let secret = outside.join("file");
    for script in [
        format!("cat {out}/file"),
        format!("ls {out}"),
        "cat link/file".to_owned(),
        "cat /etc/passwd".to_owned(),
        "ls /root /home".to_owned(),
        "ls /tmp".to_owned(),
        format!("echo x > {out}/new"),
        format!("echo x >> {out}/file"),
        format!(": > {out}/file"),
        "echo x > link/new".to_owned(),
        format!("rm {out}/file"),
        format!("mv {out}/file ."),
        format!("ln {out}/file here"),
        "cat /proc/$PPID/environ".to_owned(),
    ] {
        let output = sh(&context, &script);
        assert!(!output.status.is_success(), "{script}: {output:?}");
        assert!(!output.stdout.text().contains("its text"), "{script}: {output:?}");
    }
    assert_eq!(fs::read_to_string(&secret).unwrap(), "its text\n");
    assert!(!outside.join("new").exists() && !workspace.join("here").exists());
}

#[test]
fn the_same_is_there_without_a_sandbox() {
    let (workspace, _) = places();
    let context = context_of(processes(), may(), &workspace).build();
    let run = context.command("sh").args(["-c", "cat link/file"]).sandbox(Sandbox::None("a test")).run_blocking();
    assert_eq!(run.unwrap().stdout.text(), "its text\n", "so that the sandbox is what keeps it away");
}

#[test]
fn the_workspace_can_be_used() {
    if !has(Support::Files) {
        return;
    }
    let (workspace, _) = places();
    let context = context_of(processes(), may(), &workspace).build();
    let script = "cat file && mkdir -p new/deep && echo made > new/deep/file && mv new/deep/file src/moved && rm -r new \
                  && printf '#!/usr/bin/sh\necho ran\n' > run && chmod +x run && ./run && echo x > $TMPDIR/y && cat $TMPDIR/y";
    let output = sh(&context, script);
    assert_eq!((output.stdout.text().as_str(), output.stderr.text().as_str()), ("its text\nran\nx\n", ""));
    assert_eq!(fs::read_to_string(workspace.join("src/moved")).unwrap(), "made\n");
}

#[test]
fn a_compiler_works_where_its_toolchain_may_be_read() {
    let rustc = Path::new(env!("CARGO")).with_file_name("rustc");
    if !has(Support::Files) || !rustc.exists() {
        return;
    }
    let toolchain = rustc.parent().and_then(Path::parent).unwrap().to_str().unwrap();
    let (workspace, _) = places();
    fs::write(workspace.join("main.rs"), "fn main() { println!(\"built\") }").unwrap();
    let rustc = rustc.to_str().unwrap();
    let setup = processes().readable([toolchain]);
    let context = context_of(setup, may().programs([rustc, "sh"]), &workspace).build();
    let output = context.command(rustc).args(["main.rs", "-o", "main"]).run_blocking().unwrap();
    assert!(output.status.is_success(), "{}", output.stderr.text());
    assert_eq!(sh(&context, "./main").stdout.text(), "built\n");
}

#[test]
fn the_folders_of_the_task_are_those_of_the_program() {
    if !has(Support::Files) {
        return;
    }
    let (workspace, _) = places();
    let narrow = may().narrow(Narrowing::default().readable(["src", "docs"]).writable(["src"]));
    let context = context_of(processes(), narrow, &workspace).build();
    let fails = |script: &str| !sh(&context, script).status.is_success();
    assert!(!fails("cat src/file docs/file && echo x > src/new && rm src/new"));
    assert!(fails("cat file") && fails("ls .") && fails("echo x > docs/new") && fails("echo x > new"));
    assert!(fails("rm docs/file") && fails("mv docs/file src/") && fails("rmdir docs"));
    let nothing = Capabilities::none().programs(["sh"]);
    let context = context_of(processes(), nothing, &workspace).build();
    assert!(!sh(&context, "cat src/file").status.is_success());
}

#[test]
fn a_granted_folder_that_is_a_link_to_elsewhere_grants_nothing() {
    if !has(Support::Files) {
        return;
    }
    let (workspace, _) = places();
    symlink("docs", workspace.join("alias")).unwrap();
    let context = context_of(processes(), may().writable(["alias", "link"]), &workspace).build();
    for script in ["echo x > docs/new", "echo x > alias/new", "echo x > link/new"] {
        assert!(!sh(&context, script).status.is_success(), "{script}");
    }
    // The protected folder can't be granted by its name either.
    fs::create_dir(workspace.join(".git")).unwrap();
    let context = context_of(processes(), may().writable([".git"]), &workspace).build();
    assert!(!sh(&context, "echo x > .git/config").status.is_success());
}

#[test]
fn no_tcp_connection_is_made() {
    if !has(Support::Tcp) || !Path::new("/usr/bin/bash").exists() {
        return;
    }
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let context = context_of(processes(), may().programs(["bash"]), &folder()).build();
    let connect = |sandbox| {
        let script = format!("exec 3<>/dev/tcp/127.0.0.1/{port} && echo connected");
        context.command("bash").args(["-c", &script]).sandbox(sandbox).run_blocking().unwrap()
    };
    let output = connect(Sandbox::Required);
    assert!(!output.status.is_success() && output.stderr.text().contains("denied"), "{output:?}");
    assert_eq!(connect(Sandbox::None("a test")).stdout.text(), "connected\n", "there is somebody to connect to");
}

#[test]
fn neither_host_nor_supervisor_can_be_signalled() {
    if !has(Support::Signals) {
        return;
    }
    let context = context_of(processes(), may(), &folder()).build();
    let script = format!("kill -0 $PPID || kill -0 {} || echo kept", std::process::id());
    let output = sh(&context, &script);
    assert_eq!(output.stdout.text(), "kept\n", "{output:?}");
}

#[test]
fn a_child_is_inside_too() {
    if !has(Support::Files) {
        return;
    }
    let (workspace, outside) = places();
    let context = context_of(processes(), may(), &workspace).build();
    let mark = crate::support::mark();
    let script = format!("setsid sh -c 'cat {}/file; echo {mark}'; true", outside.display());
    let output = sh(&context, &script);
    assert!(!output.stdout.text().contains("its text") && output.stdout.text().contains(&mark), "{output:?}");
    eventually("nothing is left", || running(&mark).is_empty());
}
