//! Programs that try to outlast their end.

use std::fs;
use std::process::Command;

use toolgate_core::tool::Effect;
use toolgate_exec::CommandContext as _;

use crate::support::{context, context_of, eventually, folder, mark, may, processes, running};

#[test]
fn a_supervisor_that_may_open_no_file_still_ends_everything() {
    let mark = mark();
    let script = format!(
        "prlimit --pid $PPID --nofile=0:0 || exit 7; setsid sh -c 'trap \"\" TERM; (sh -c \"sleep 60; : {mark}\" &); sleep 60; : {mark}' >/dev/null 2>&1 & sleep 1"
    );
    let run = context().command("sh").args(["-c", &script]).run_blocking();
    assert_eq!(running(&mark), Vec::<String>::new(), "{run:?}");
    let error = run.unwrap_err();
    assert_eq!((error.rule(), error.effect()), (Some("exec.supervisor_lost"), Some(Effect::Unknown)), "{error}");
}

#[test]
fn orphans_that_have_ended_are_not_counted_as_processes() {
    let script = "i=0; while [ $i -lt 600 ]; do (: & ); i=$((i+1)); test $((i % 50)) = 0 && sleep 0.3; done; echo done";
    let output = context().command("sh").args(["-c", script]).run_blocking().unwrap();
    assert_eq!(output.stdout.text(), "done\n");
}

#[test]
fn a_process_that_forks_on_and_on_is_ended() {
    let workspace = folder();
    let source = "#include <unistd.h>\n#include <signal.h>\n#include <time.h>\n
int main(void) {
  signal(SIGTERM, SIG_IGN);
  if (fork()) { usleep(100000); return 0; }
  setsid();
  time_t end = time(0) + 25;
  while (time(0) < end) { pid_t p = fork(); if (p > 0) _exit(0); if (p == 0) setsid(); }
  return 0;
}";
    fs::write(workspace.join("comet.c"), source).unwrap();
    let built = Command::new("cc").args(["-O2", "-o", "comet", "comet.c"]).current_dir(&workspace).status();
    if !built.is_ok_and(|status| status.success()) {
        eprintln!("skipped: there is no C compiler");
        return;
    }
    let mark = mark();
    let run = context_of(processes(), may(), &workspace).build();
    let run = run.command("sh").args(["-c", &format!("./comet {mark}")]).run_blocking();
    assert!(run.is_ok(), "{run:?}");
    assert_eq!((0..50).map(|_| running(&mark).len()).sum::<usize>(), 0);
}
