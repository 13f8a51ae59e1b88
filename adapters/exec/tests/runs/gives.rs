//! What a program gets, and what comes back.

use toolgate_core::resource::DirPath;
use toolgate_exec::{CommandContext as _, Limits, Sandbox, Status, Support};

use crate::support::{context, context_of, folder, may, processes};

#[test]
fn the_environment_is_what_the_host_and_the_tool_named() {
    let output = context().command("env").env("NAME", "value").run_blocking().unwrap();
    let text = output.stdout.text();
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    assert_eq!(output.status, Status::Exited(0));
    let own = lines[0].strip_prefix("HOME=").unwrap();
    assert!(own.starts_with("/tmp/toolgate-run-"), "{own}");
    let tmp = format!("TMPDIR={own}");
    assert_eq!(lines[1..], ["LANG=C.UTF-8", "NAME=value", "PATH=/usr/local/bin:/usr/bin:/bin", &tmp]);
    assert!(!std::path::Path::new(own).exists(), "its own folder goes with it");
}

#[test]
fn it_runs_in_the_workspace_or_in_the_folder_that_is_held() {
    let root = folder();
    std::fs::create_dir_all(root.join("deep/er")).unwrap();
    let context = context_of(processes(), may(), &root).build();
    let at = context.command("pwd").run_blocking().unwrap().stdout.text();
    assert_eq!(at.trim_end(), root.to_str().unwrap());
    let held = DirPath::in_dir(&root, "deep/er").unwrap();
    let at = context.command("pwd").current_dir(&held).run_blocking().unwrap().stdout.text();
    assert_eq!(at.trim_end(), root.join("deep/er").to_str().unwrap());
    std::fs::rename(root.join("deep/er"), root.join("moved")).unwrap();
    let error = context.command("pwd").current_dir(&held).run_blocking().unwrap_err();
    assert!(error.for_model().unwrap().contains("changed since it was checked"), "{error}");
}

#[test]
fn a_session_without_workspace_runs_in_a_folder_of_its_own() {
    let context =
        toolgate_testing::TestContext::default().state(processes().build().unwrap()).capabilities(may()).build();
    let output = context.command("sh").args(["-c", "pwd; echo x > made; cat made"]).run_blocking().unwrap();
    assert!(output.stdout.text().starts_with("/tmp/toolgate-run-"), "{output:?}");
    assert!(output.stdout.text().ends_with("\nx\n"), "{output:?}");
}

#[test]
fn arguments_arrive_as_they_are() {
    let odd = ["a b", "$(id)", "; rm -rf /", "*", "'\"", "", "ä\n"];
    let output = context().command("/usr/bin/printf").arg("<%s>").args(odd).run_blocking().unwrap();
    assert_eq!(output.stdout.text(), odd.map(|odd| format!("<{odd}>")).concat());
}

#[test]
fn an_operand_is_no_option() {
    let root = folder();
    std::fs::write(root.join("-n"), "a file\n").unwrap();
    let context = context_of(processes(), may(), &root).build();
    let output = context.command("cat").operand("-n").run_blocking().unwrap();
    assert_eq!(output.stdout.text(), "a file\n");
}

#[test]
fn exit_codes_and_signals_are_told_and_are_no_errors() {
    let context = context();
    let run = |script: &str| context.command("sh").args(["-c", script]).run_blocking().unwrap().status;
    assert_eq!(run("exit 3"), Status::Exited(3));
    assert_eq!(run("kill -TERM $$"), Status::Signalled(15));
    assert!(run("true").is_success() && !run("false").is_success());
}

#[test]
fn both_streams_are_drained_at_once_and_bounded() {
    let script = "i=0; while [ $i -lt 2000 ]; do echo out-$i-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; \
                  echo err-$i-bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb >&2; i=$((i+1)); done";
    let output = context().command("sh").args(["-c", script]).output_limit(1000).run_blocking().unwrap();
    for (stream, first, last) in [(&output.stdout, "out-0-", "out-1999-"), (&output.stderr, "err-0-", "err-1999-")] {
        assert!(stream.text().starts_with(first) && stream.text().contains(last), "{stream:?}");
        assert_eq!(stream.head.len() + stream.tail.len(), 1000);
        assert!(stream.dropped > 100_000);
    }
}

#[test]
fn five_megabytes_of_output_block_nobody() {
    let output = context().command("sh").args(["-c", "head -c 5000000 /dev/zero; echo end"]).run_blocking().unwrap();
    assert_eq!(output.status, Status::Exited(0));
    assert_eq!(output.stdout.dropped + 64 * 1024, 5_000_004);
    assert!(output.stdout.tail.ends_with(b"end\n"));
}

#[test]
fn input_is_fed_also_where_it_is_not_read() {
    let input = vec![b'x'; 1_000_000];
    let context = context();
    let output = context.command("cat").stdin(input.clone()).output_limit(2_000_000).run_blocking().unwrap();
    assert!(output.stdout.head == input && output.stdout.dropped == 0);
    let output = context.command("sh").args(["-c", "exit 4"]).stdin(input).run_blocking().unwrap();
    assert_eq!(output.status, Status::Exited(4));
    let output = context.command("cat").run_blocking().unwrap();
    assert_eq!(output.stdout.head, b"", "without input there is an empty one");
}

#[test]
fn limits_hold() {
    let limits = Limits { file_size: Some(1000), open_files: Some(20), ..Limits::default() };
    let script = "ulimit -n; ulimit -c; head -c 5000 /dev/zero > big; ls -l big | cut -d' ' -f5";
    let output = context().command("sh").args(["-c", script]).limits(limits).run_blocking().unwrap();
    assert_eq!(output.stdout.text(), "20\n0\n1000\n", "{output:?}");
}

#[test]
fn only_the_three_streams_are_open() {
    // Of a shell of its own, since the reading of a folder opens it.
    let script = "for fd in /proc/self/fd/*; do echo ${fd##*/}; done";
    let context = context_of(processes().readable(["/proc"]), may(), &folder()).build();
    let output = context.command("sh").args(["-c", script]).run_blocking().unwrap();
    let text = output.stdout.text();
    let open: Vec<u32> = text.lines().map(|fd| fd.parse().unwrap()).collect();
    assert!(open.starts_with(&[0, 1, 2]) && open.len() <= 4, "{open:?}");
}

#[test]
fn what_was_not_enforced_is_told() {
    let context = context_of(processes().support(|| Support::Files), may(), &folder()).build();
    let output = context.command("pwd").run_blocking().unwrap();
    assert_eq!(output.not_enforced, ["TCP", "controls of devices", "signals and abstract sockets"]);
    let context = context_of(processes().support(|| Support::Nothing), may(), &folder()).build();
    let output = context.command("pwd").sandbox(Sandbox::BestEffort).run_blocking().unwrap();
    assert_eq!(output.not_enforced.len(), 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_async_tool_awaits_it() {
    let context = context();
    let runs = (0..4).map(|number| context.command("sh").args(["-c", &format!("echo {number}")]).run());
    let runs: Vec<_> = runs.map(tokio::spawn).collect();
    for (number, run) in runs.into_iter().enumerate() {
        assert_eq!(run.await.unwrap().unwrap().stdout.text(), format!("{number}\n"));
    }
}
