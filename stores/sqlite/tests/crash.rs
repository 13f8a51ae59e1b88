//! What is on the medium after a process was killed, or a write-ahead log was torn, is whole: a
//! prefix of what was written, with everything that was answered.

#![expect(clippy::unwrap_used, reason = "tests may panic")]

mod common;

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use common::Dir;
use toolgate_core::ledger::{CallState, Ending};
use toolgate_core::owner;
use toolgate_core::store::{Begin, Begun, CallFilter, Record, Store, StoreReport, Sweep, Write, Written, write_one};
use toolgate_sqlite::SqliteStore;
use toolgate_testing::records::{self, NOON, claim, finish, settle};

const CHILD: &str = "TOOLGATE_SQLITE_CHILD";

fn fact<'a>(report: &'a StoreReport, name: &str) -> &'a str {
    report.facts.iter().find(|(fact, _)| fact == name).map_or("", |(_, value)| value)
}

async fn begin_one(store: &SqliteStore, call_id: &str) {
    let claims = vec![claim(&format!("key of {call_id}"), "f")];
    let begin = Begin { claims, owner: owner::this_process().to_owned(), ..records::begin(call_id) };
    let written = write_one(store, Write::Begin(Box::new(begin))).await.unwrap();
    assert!(matches!(written, Written::Begun(Begun::Started { .. })));
}

async fn finish_one(store: &SqliteStore, call_id: &str) {
    let settle = vec![settle(&format!("key of {call_id}"), 1, Ending::Succeeded)];
    let record = Record { settle, ..finish(call_id) };
    write_one(store, Write::Record(Box::new(record))).await.unwrap();
}

/// Commits until it is killed, and says so after each answer.
async fn commit_until_killed(path: &Path, round: &str) {
    let store = SqliteStore::open(path).unwrap();
    let mut out = std::io::stdout();
    for number in 0_u64.. {
        let call_id = format!("{round}-{number}");
        begin_one(&store, &call_id).await;
        writeln!(out, "\nbegun {call_id}").unwrap();
        finish_one(&store, &call_id).await;
        writeln!(out, "\nfinished {call_id}").unwrap();
        out.flush().unwrap();
    }
}

/// Starts a child, kills it in the middle of its work, and gives back what it had been answered.
fn kill_a_child(path: &Path, round: usize) -> Vec<String> {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["killed_process_loses_nothing_that_was_answered", "--exact", "--nocapture"])
        .env(CHILD, path)
        .env("TOOLGATE_SQLITE_ROUND", round.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    let wanted = 7 + 13 * round;
    let told = |line: &String| line.starts_with("begun ") || line.starts_with("finished ");
    let mut answered: Vec<String> = lines.by_ref().filter(told).take(wanted).collect();
    child.kill().unwrap();
    answered.extend(lines.filter(told));
    child.wait().unwrap();
    assert!(answered.len() >= wanted, "the child ended by itself");
    answered
}

#[tokio::test]
async fn killed_process_loses_nothing_that_was_answered() {
    if let Some(path) = std::env::var_os(CHILD) {
        let round = std::env::var("TOOLGATE_SQLITE_ROUND").unwrap();
        return commit_until_killed(Path::new(&path), &round).await;
    }
    let dir = Dir::new();
    for round in 0..6 {
        let answered = kill_a_child(&dir.file("gate.db"), round);
        let store = SqliteStore::open(dir.file("gate.db")).unwrap();
        assert_eq!(store.report().await.unwrap().faults, Vec::<String>::new());
        for line in answered {
            let (what, call_id) = line.split_once(' ').unwrap();
            let state = store.call(call_id).await.unwrap().unwrap().record.state;
            assert!(what == "begun" || state == "SUCCEEDED", "{line} but {state}");
        }
        let sweep = Sweep { is_alive: owner::is_alive, now_ms: NOON };
        let Written::Swept(swept) = write_one(&store, Write::Sweep(sweep)).await.unwrap() else { panic!() };
        assert!(swept.len() <= 1 && swept.iter().all(|call| call.state == CallState::Unknown));
        let running = CallFilter { state: Some("RUNNING".to_owned()), ..CallFilter::default() };
        assert!(store.calls(&running).await.unwrap().is_empty());
        assert_eq!(store.report().await.unwrap().faults, Vec::<String>::new());
    }
}

/// The links of all events, oldest first.
async fn links(store: &SqliteStore) -> Vec<String> {
    let mut links = Vec::new();
    for call in store.calls(&CallFilter::default()).await.unwrap() {
        let events = store.call(&call.call_id).await.unwrap().unwrap().events;
        links.extend(events.into_iter().map(|event| (event.seq, event.link)));
    }
    links.sort();
    links.into_iter().map(|(_, link)| link).collect()
}

#[tokio::test]
async fn torn_log_leaves_a_prefix() {
    let source = Dir::new();
    let store = SqliteStore::open(source.file("gate.db")).unwrap();
    for number in 0..6 {
        begin_one(&store, &format!("c{number}")).await;
        finish_one(&store, &format!("c{number}")).await;
    }
    let links = links(&store).await;
    assert_eq!(links.len(), 12);
    let log = fs::read(source.file("gate.db-wal")).unwrap();
    let mut kept_before = 0;
    // A header of 32 bytes, then frames: 24 bytes and a page each.
    let page = usize::try_from(u32::from_be_bytes(log[8..12].try_into().unwrap())).unwrap();
    let frames = (32..=log.len()).step_by(24 + page);
    let inside = frames.clone().flat_map(|at| [at + 12, at + 24 + page / 2]);
    let mut cuts: Vec<usize> = [0, 31].into_iter().chain(frames).chain(inside).filter(|at| *at <= log.len()).collect();
    cuts.sort_unstable();
    assert!(cuts.len() > 100 && cuts.last() == Some(&log.len()));
    for cut in cuts {
        let copy = Dir::new();
        for name in ["gate.db", "gate.db.key"] {
            fs::copy(source.file(name), copy.file(name)).unwrap();
        }
        fs::write(copy.file("gate.db-wal"), &log[..cut]).unwrap();
        let torn = SqliteStore::open(copy.file("gate.db")).unwrap();
        let report = torn.report().await.unwrap();
        assert_eq!(report.faults, Vec::<String>::new(), "cut at {cut}");
        let kept: usize = fact(&report, "events").parse().unwrap();
        assert!(kept >= kept_before, "a longer log holds no less");
        kept_before = kept;
        let head = if kept == 0 { "0 ".to_owned() } else { format!("{kept} {}", links[kept - 1]) };
        assert_eq!(fact(&report, "chain_head"), head, "cut at {cut}");
    }
    assert_eq!(kept_before, links.len());
}
