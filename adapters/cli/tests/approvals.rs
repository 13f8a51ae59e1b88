//! Tickets from another terminal: listed, shown, decided once.

mod common;

use std::process::Command;
use std::sync::atomic::Ordering;
use std::time::Duration;

use common::{Stand, plain, run};
use toolgate_core::call::Code;
use toolgate_core::tool::Effect;

#[tokio::test(flavor = "multi_thread")]
async fn an_approval_from_another_process_lets_the_call_run() {
    let stand = Stand::new().await;
    let (ticket, call) = stand.ticket("orders").await;
    let listed = stand.run(&["approvals", "list"]);
    assert!(listed.text().contains(&ticket) && listed.text().contains("Restart orders."), "{listed:?}");
    let told = stand.run(&["approvals", "approve", &ticket, "--by", "bob", "--comment", "go on"]);
    assert!(told.text().starts_with("approved by bob: Restart orders."), "{told:?}");
    let done = stand.task.resume(&ticket).await;
    assert_eq!((done.code, done.effect, &done.call_id), (Code::Ok, Effect::Done, &call), "{done:?}");
    assert_eq!(stand.runs.load(Ordering::Relaxed), 1);
    let story = stand.run(&["audit", "show", &call]);
    assert!(story.text().contains("is approved by bob through cli: go on (used)"), "{}", story.out);
    assert!(stand.run(&["approvals", "list"]).text().starts_with("no tickets"));
    let all = &stand.run(&["approvals", "list", "--all", "--json"]).json()[0];
    assert_eq!((all["state"].as_str(), all["decided_by"].as_str()), (Some("spent"), Some("bob")), "{all}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_denial_closes_the_call() {
    let stand = Stand::new().await;
    let (ticket, call) = stand.ticket("orders").await;
    let denied = &stand.run(&["approvals", "deny", &ticket, "--json"]).json()[0];
    assert_eq!((denied["state"].as_str(), denied["decided_by"].as_str()), (Some("denied"), Some("olga")), "{denied}");
    assert_eq!(stand.task.resume(&ticket).await.code, Code::ConfirmationDenied);
    assert_eq!(stand.runs.load(Ordering::Relaxed), 0);
    let story = stand.run(&["audit", "show", &call, "--json"]).json();
    assert_eq!(story[0]["record"]["code"], "CONFIRMATION_DENIED");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ticket_is_shown_with_all_that_a_person_needs() {
    let stand = Stand::new().await;
    let (ticket, call) = stand.ticket("orders").await;
    let shown = stand.run(&["approvals", "show", &ticket]);
    for part in [
        "what         Restart orders.",
        "why          it hangs (the model's words)",
        "impact       It is down for 30 s.",
        "arguments    name = \"orders\"",
        "risk         dangerous",
        "agent        ops-agent on behalf of ann",
        "within       session session-1, task T-1",
        "(in ",
        &ticket,
        &call,
    ] {
        assert!(shown.text().contains(part), "{part}: {}", shown.out);
    }
    let json = &stand.run(&["approvals", "show", &ticket, "--json"]).json()[0];
    assert_eq!(json["view"]["arguments"][0], "name = \"orders\"");
    assert!(json.get("sealed").is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_arguments_are_shown_escaped() {
    let stand = Stand::new().await;
    let (ticket, call) = stand.ticket("a\nb\u{202e}c\u{1b}[2J\u{200b}d").await;
    let escaped = "a\\nb\\u{202e}c\\u{1b}[2J\\u{200b}d";
    for args in [&["approvals", "show", &ticket][..], &["approvals", "list"]] {
        let shown = stand.run(args);
        assert!(shown.text().contains(escaped), "{}", shown.out);
        assert!(!shown.out.contains('\u{202e}') && !shown.out.contains('\u{200b}'), "{}", shown.out);
    }
    let story = stand.run(&["audit", "show", &call]);
    assert!(!story.text().contains('\u{202e}') && !story.out.contains('\u{200b}'), "{}", story.out);
    for args in [&["approvals", "show", &ticket, "--json"][..], &["audit", "show", &call, "--json"]] {
        stand.run(args).json();
    }
    // What the model chose as the tool's name is the model's, too.
    let _ = stand.call("lo\u{202e}ok\n\u{1b}[1m", "x").await;
    let table = stand.run(&["audit", "list"]);
    assert!(table.text().contains("lo\\u{202e}ok\\n\\u{1b}[1m"), "{}", table.out);
    assert_eq!(table.out.lines().count(), 4, "{}", table.out);
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_and_decided_tickets_are_said_so() {
    let stand = Stand::new().await;
    for command in ["show", "approve", "deny"] {
        let ran = stand.run(&["approvals", command, "ticket_none"]);
        assert!(ran.error(1).contains("no ticket `ticket_none`"), "{ran:?}");
    }
    let (ticket, _) = stand.ticket("orders").await;
    stand.run(&["approvals", "approve", &ticket, "--by", "bob"]).text();
    let again = stand.run(&["approvals", "deny", &ticket, "--by", "eve"]);
    assert!(again.error(1).contains("already decided: approved by bob through cli"), "{again:?}");
    let json = stand.run(&["approvals", "deny", &ticket, "--by", "eve", "--json"]);
    assert_eq!((json.code, json.lines_of_json()[0]["decided_by"].as_str()), (1, Some("bob")), "{json:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_expired_ticket_cannot_be_approved() {
    let stand = Stand::with_ttl(Duration::from_millis(50)).await;
    let (ticket, _) = stand.ticket("orders").await;
    tokio::time::sleep(Duration::from_millis(80)).await;
    let ran = stand.run(&["approvals", "approve", &ticket, "--by", "bob"]);
    assert!(ran.error(1).contains("is over: expired"), "{ran:?}");
    assert_eq!(stand.task.resume(&ticket).await.code, Code::ConfirmationExpired);
    assert_eq!(stand.run(&["approvals", "list"]).text(), "no tickets\n");
    let all = &stand.run(&["approvals", "list", "--all", "--json"]).json()[0];
    assert_eq!(all["state"], "expired");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_terminals_that_decide_at_once_one_wins() {
    let stand = Stand::new().await;
    for round in 0..8 {
        let (ticket, _) = stand.ticket(&format!("service-{round}")).await;
        let spawn = |verb, name| {
            let mut command = stand.command(&["approvals", verb, &ticket, "--by", name]);
            command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap()
        };
        let both = [spawn("approve", "ann"), spawn("deny", "bob")];
        let ended = both.map(|child| common::Ran::from(child.wait_with_output().unwrap()));
        let [yes, no] = &ended;
        assert_eq!(yes.code + no.code, 1, "{ended:?}");
        let state = if yes.code == 0 { "approved" } else { "denied" };
        let shown = &stand.run(&["approvals", "show", &ticket, "--json"]).json()[0];
        assert_eq!(shown["state"], state, "{ended:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_decision_needs_a_name() {
    let stand = Stand::new().await;
    let (ticket, _) = stand.ticket("orders").await;
    let blank = stand.run(&["approvals", "approve", &ticket, "--by", " "]);
    assert!(blank.error(2).contains("give `--by NAME`"), "{blank:?}");
    let logname = run(stand.command(&["approvals", "approve", &ticket]).env_remove("USER").env("LOGNAME", "lea"));
    assert!(logname.text().starts_with("approved by lea"), "{logname:?}");
    let (ticket, _) = stand.ticket("billing").await;
    let asked = Command::new("id").arg("-un").output().unwrap();
    let name = String::from_utf8(asked.stdout).unwrap();
    let neither = run(stand.command(&["approvals", "approve", &ticket]).env("USER", " ").env_remove("LOGNAME"));
    let known = neither.text().starts_with(&format!("approved by {}", name.trim()));
    assert!(known, "a user id without a name needs `--by`: {neither:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_comment_is_redacted_before_it_is_stored() {
    let stand = Stand::new().await;
    let (ticket, _) = stand.ticket("orders").await;
    let comment = "use password=hunter2hunter2";
    stand.run(&["approvals", "deny", &ticket, "--comment", comment]).text();
    let shown = stand.run(&["approvals", "show", &ticket]);
    assert!(!shown.text().contains("hunter2"), "{}", shown.out);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_options_of_all_commands_stand_before_and_after_them() {
    let stand = Stand::new().await;
    let (ticket, _) = stand.ticket("orders").await;
    let db = stand.db();
    let db = db.to_str().unwrap();
    for args in [
        &["--db", db, "--json", "approvals", "show", &ticket][..],
        &["approvals", "--json", "--db", db, "show", &ticket],
        &["--json", "approvals", "show", &ticket, "--db", db],
    ] {
        assert_eq!(run(&mut plain(args)).json()[0]["ticket"], ticket.as_str(), "{args:?}");
    }
    let elsewhere = run(plain(&["--db", db, "doctor"]).env("TOOLGATE_DB", "/nowhere/gate.db"));
    assert!(elsewhere.text().contains("healthy"), "{elsewhere:?}");
    let help = run(&mut plain(&["--help"]));
    assert!(help.text().contains("--db <PATH>") && help.out.contains("--json"), "{}", help.out);
}

#[test]
fn a_database_must_be_named_and_be_there() {
    let none = run(&mut plain(&["approvals", "list"]));
    assert!(none.error(2).contains("give `--db PATH` or set TOOLGATE_DB"), "{none:?}");
    let path = std::env::temp_dir().join(format!("toolgate-cli-none-{}.db", std::process::id()));
    for args in [&["approvals", "list"][..], &["approvals", "approve", "t"], &["audit", "list"], &["doctor"]] {
        let gone = run(plain(args).env("TOOLGATE_DB", &path));
        assert!(gone.error(2).contains("no database at"), "{gone:?}");
        assert!(!path.exists());
    }
}
