//! Programs that try to outlast their end.

use toolgate_core::tool::Effect;
use toolgate_exec::CommandContext as _;

use crate::support::{context, mark, running};

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
