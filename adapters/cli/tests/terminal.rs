//! The prompt, on a pseudo-terminal and without one.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests may panic")]

mod common;

use std::ffi::OsStr;
use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::{Stand, agent, run};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use toolgate_cli::TerminalApprover;
use toolgate_core::approval::Approver as _;

/// The person's side of a terminal.
struct Person {
    terminal: File,
    seen: String,
}

impl Person {
    fn at(command: &mut Command) -> (Self, Child) {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let slave = OpenOptions::new().read(true).write(true).open(OsStr::from_bytes(name.to_bytes())).unwrap();
        let end = || Stdio::from(slave.try_clone().unwrap());
        let child = command.stdin(end()).stdout(end()).stderr(end()).spawn().unwrap();
        (Self { terminal: File::from(master), seen: String::new() }, child)
    }

    fn types(&mut self, text: &str) {
        self.terminal.write_all(text.as_bytes()).unwrap();
    }

    /// Reads on until `text` has appeared, and returns what came up to it.
    fn sees(&mut self, text: &str) -> String {
        let until = Instant::now() + Duration::from_secs(20);
        loop {
            if let Some(at) = self.seen.find(text) {
                let rest = self.seen.split_off(at + text.len());
                return std::mem::replace(&mut self.seen, rest);
            }
            assert!(Instant::now() < until, "`{text}` doesn't come: {}", self.seen);
            let mut bytes = [0; 4096];
            match self.terminal.read(&mut bytes) {
                Ok(length) => self.seen.push_str(&String::from_utf8_lossy(&bytes[..length])),
                Err(error) => panic!("{error} before `{text}`: {}", self.seen),
            }
        }
    }
}

fn pause() {
    std::thread::sleep(Duration::from_millis(900));
}

#[tokio::test(flavor = "multi_thread")]
async fn tickets_are_asked_one_after_another_and_only_exact_answers_count() {
    let stand = Stand::new().await;
    let (first, _) = stand.ticket("orders\u{1b}[31m").await;
    let (second, _) = stand.ticket("billing").await;
    let (third, _) = stand.ticket("mail").await;
    let (mut person, mut child) = Person::at(&mut stand.command(&["approvals", "watch", "--once", "--by", "bob"]));
    let shown = person.sees("approve, deny or skip? ");
    assert!(shown.contains(&first) && shown.contains("orders\\u{1b}[31m"), "{shown}");
    pause();
    person.types("yes\n");
    person.sees("answer with exactly `approve`, `deny` or `skip`");
    person.sees("approve, deny or skip? ");
    pause();
    person.types("approve\n");
    person.sees("approved by bob: ");
    let shown = person.sees("approve, deny or skip? ");
    assert!(shown.contains(&second), "{shown}");
    pause();
    person.types("deny\n");
    person.sees("denied by bob: ");
    person.sees("approve, deny or skip? ");
    pause();
    person.types("skip\n");
    assert!(child.wait().unwrap().success());
    let state = |ticket: &str| stand.run(&["approvals", "show", ticket, "--json"]).json()[0]["state"].clone();
    assert_eq!([&first, &second, &third].map(|ticket| state(ticket)), ["approved", "denied", "pending"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_typed_before_the_question_does_not_count() {
    let stand = Stand::new().await;
    let (ticket, _) = stand.ticket("orders").await;
    let (mut person, mut child) = Person::at(&mut stand.command(&["approvals", "watch", "--once"]));
    person.types("approve\n");
    person.sees("approve, deny or skip? ");
    pause();
    person.types("skip\n");
    assert!(child.wait().unwrap().success());
    assert_eq!(stand.run(&["approvals", "show", &ticket, "--json"]).json()[0]["state"], "pending");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_on_a_terminal_asks_while_the_call_waits() {
    let stand = Stand::new().await;
    let dir = stand.dir();
    assert_eq!(run(&mut agent(dir, &["call", "look", r#"{"name":"orders"}"#])).code, 0);
    let (mut person, mut child) = Person::at(&mut agent(dir, &["call", "restart", r#"{"name":"orders"}"#]));
    let shown = person.sees("approve, deny or skip? ");
    assert!(shown.contains("Restart orders.") && shown.contains("The service is down"), "{shown}");
    pause();
    person.types("approve\n");
    person.sees("restarted");
    assert!(child.wait().unwrap().success());
    let calls = run(&mut agent(dir, &["audit", "list", "--json", "--tool", "restart"])).json();
    assert_eq!((&calls[0]["code"], &calls[0]["ticket"]["channel"]), (&"OK".into(), &"terminal".into()), "{calls:?}");
    assert_eq!(calls[0]["ticket"]["by"], "olga");
}

#[tokio::test(flavor = "multi_thread")]
async fn colours_are_for_terminals() {
    let stand = Stand::new().await;
    let _ = stand.call("look", "orders").await;
    let (mut person, mut child) = Person::at(&mut stand.command(&["audit", "list"]));
    let text = person.sees("OK");
    assert!(text.contains('\u{1b}'), "{text:?}");
    assert!(child.wait().unwrap().success());
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_terminal_nobody_is_asked() {
    let stand = Stand::new().await;
    let (ticket, _) = stand.ticket("orders").await;
    for name in ["watch", "answer"] {
        let ran = stand.run(&["approvals", name]);
        assert!(ran.error(2).contains("no terminal"), "{ran:?}");
    }
    let record = stand.gate.store().ticket(&ticket).await.unwrap().unwrap();
    let approver = TerminalApprover::new("bob");
    assert_eq!(approver.channel(), "terminal");
    if !std::io::IsTerminal::is_terminal(&std::io::stdin()) {
        assert_eq!(approver.decide(&record).await, None);
    }
}
