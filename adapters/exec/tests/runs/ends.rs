//! That nothing of a run is left, however it ends.

use std::thread;
use std::time::{Duration, Instant};

use toolgate_core::tool::{Effect, ToolError};
use toolgate_exec::{CommandContext as _, Limits, Sandbox, Status};

use crate::support::{context, context_of, eventually, folder, mark, may, processes, running};

/// A tree that ignores TERM: children, grandchildren, one in a session of its own, one whose parents are gone.
fn stubborn(mark: &str) -> String {
    format!(
        "trap '' TERM; sh -c 'trap \"\" TERM; sleep 1000; : {mark} a' & \
         setsid sh -c 'trap \"\" TERM; sleep 1000; : {mark} b' & \
         (setsid sh -c 'trap \"\" TERM; (sh -c \"sleep 1000; : {mark} c\" &) ; exit' &) ; \
         sleep 1000; : {mark} d"
    )
}

fn is_up(mark: &str) -> bool {
    let running = running(mark);
    [" a", " b", " c", " d"].iter().all(|one| running.iter().any(|line| line.contains(&format!("{mark}{one}"))))
}

fn is_unknown(error: &ToolError, rule: &str) {
    assert_eq!((error.rule(), error.effect(), error.code()), (Some(rule), Some(Effect::Unknown), None), "{error}");
}

#[test]
fn at_the_end_of_its_time_the_whole_tree_is_ended() {
    let mark = mark();
    let error = context().command("sh").args(["-c", &stubborn(&mark)]).timeout(Duration::from_secs(2)).run_blocking();
    is_unknown(&error.unwrap_err(), "exec.timeout");
    assert_eq!(running(&mark), Vec::<String>::new());
}

#[test]
fn the_call_has_the_last_word_about_time() {
    let context = context_of(processes(), may(), &folder()).time(Duration::from_secs(2)).build();
    let command = context.command("sh").args(["-c", "sleep 1000"]).timeout(Duration::from_mins(15));
    let begun = Instant::now();
    is_unknown(&command.run_blocking().unwrap_err(), "exec.timeout");
    assert!(begun.elapsed() < Duration::from_secs(500), "not the 900 s that the tool said");
}

#[test]
fn a_program_that_ends_takes_what_it_started_with_it() {
    let mark = mark();
    let script = format!(
        "({}) & while ! test -e up; do sleep 0.01; done; exit 5",
        stubborn(&mark).replace("sleep 1000; : ", "touch up; sleep 1000; : ")
    );
    let output = context().command("sh").args(["-c", &script]).run_blocking().unwrap();
    assert_eq!(output.status, Status::Exited(5));
    assert!(output.leftovers > 0, "{output:?}");
    assert_eq!(running(&mark), Vec::<String>::new());
}

#[test]
fn a_grandchild_that_holds_the_streams_holds_up_nobody() {
    let mark = mark();
    let script = format!("echo said; setsid sh -c 'sleep 1000; : {mark}' & exit 0");
    let output = context().command("sh").args(["-c", &script]).run_blocking().unwrap();
    assert_eq!((output.stdout.text().as_str(), output.status), ("said\n", Status::Exited(0)));
    assert_eq!(running(&mark), Vec::<String>::new());
}

#[test]
fn a_program_that_closes_its_streams_is_waited_for() {
    let output = context().command("sh").args(["-c", "exec >&- 2>&-; sleep 0.3; echo x > made; exit 7"]).run_blocking();
    assert_eq!(output.unwrap().status, Status::Exited(7));
}

#[test]
fn a_stopped_process_is_ended_too() {
    let mark = mark();
    let script = format!("sh -c 'kill -STOP $$; : {mark}' & sleep 0.2; kill -STOP $$; : {mark}");
    let error = context().command("sh").args(["-c", &script]).timeout(Duration::from_secs(1)).run_blocking();
    is_unknown(&error.unwrap_err(), "exec.timeout");
    assert_eq!(running(&mark), Vec::<String>::new());
}

#[test]
fn a_dropped_future_ends_the_run() {
    let mark = mark();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let run = context().command("sh").args(["-c", &stubborn(&mark)]).run();
    let run = runtime.spawn(run);
    eventually("the tree is up", || is_up(&mark));
    run.abort();
    eventually("nothing is left", || running(&mark).is_empty());
}

#[test]
fn a_call_that_is_given_up_ends_the_run() {
    // The future stays; a sync tool is on a thread of its own.
    let mark = mark();
    let (cancel, cancellation) = toolgate_core::tool::Cancellation::channel();
    let context = context_of(processes(), may(), &folder()).cancellation(cancellation).build();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let awaited = runtime.spawn(context.command("sh").args(["-c", &stubborn(&mark)]).run());
    eventually("the tree is up", || is_up(&mark));
    let second = crate::support::mark();
    let command = context.command("sh").args(["-c", &stubborn(&second)]);
    let waiting = thread::spawn(move || command.run_blocking());
    eventually("the second tree is up", || is_up(&second));
    cancel.cancel();
    is_unknown(&runtime.block_on(awaited).unwrap().unwrap_err(), "exec.given_up");
    is_unknown(&waiting.join().unwrap().unwrap_err(), "exec.given_up");
    assert_eq!((running(&mark), running(&second)), (vec![], vec![]));
}

#[test]
fn too_many_processes_are_ended() {
    let mark = mark();
    let limits = Limits { processes: Some(30), ..Limits::default() };
    let script = format!(
        "i=0; while [ $i -lt 3000 ]; do setsid sh -c 'sleep 1000; : {mark}' & i=$((i+1)); done; wait; : {mark}"
    );
    let command = context().command("sh").args(["-c", &script]).limits(limits).timeout(Duration::from_mins(1));
    let error = command.run_blocking().unwrap_err();
    is_unknown(&error, "exec.too_many_processes");
    assert_eq!(running(&mark), Vec::<String>::new());
}

#[test]
fn a_supervisor_that_is_killed_is_told_and_takes_the_program_along() {
    let mark = mark();
    let script = format!("echo $PPID > supervisor; sleep 1000; : {mark}");
    let root = folder();
    // Its own folder is left behind, so not where everybody's are.
    let context = context_of(processes().temporary(root.to_str().unwrap()), may(), &root).build();
    let command = context.command("sh").args(["-c", &script]).sandbox(Sandbox::None("a test"));
    let run = thread::spawn(move || command.run_blocking());
    let read = || std::fs::read_to_string(root.join("supervisor")).unwrap_or_default().trim().parse::<i32>();
    eventually("it runs", || read().is_ok());
    let supervisor = rustix::process::Pid::from_raw(read().unwrap()).unwrap();
    rustix::process::kill_process(supervisor, rustix::process::Signal::KILL).unwrap();
    is_unknown(&run.join().unwrap().unwrap_err(), "exec.supervisor_lost");
    eventually("the program is gone", || running(&mark).is_empty());
}

#[test]
fn the_tail_of_the_error_output_is_told_to_the_operator_only() {
    let script = "echo the-last-words >&2; sleep 1000";
    let error =
        context().command("sh").args(["-c", script]).timeout(Duration::from_secs(3)).run_blocking().unwrap_err();
    assert!(
        error.for_operator().contains("the-last-words") && !error.for_model().unwrap().contains("words"),
        "{error}"
    );
}
