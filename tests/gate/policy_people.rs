//! How many people must say yes: told by the file, held by the ticket, and asked again at dispatch.

use toolgate::approval::{Decision, decide};
use toolgate::clock::Clock as _;
use toolgate::policy::file::PolicyFile;
use toolgate::store::{Decided, NotAllowed, TicketState};
use toolgate::{Code, ToolResult};

use super::support::{Bench, KINDS, Kind};

fn needing(people: u32) -> PolicyFile {
    let text = format!(
        "[task.demo]\ntools = [\"*\"]\nrisks = [\"read\", \"write\"]\npermissions = [\"*\"]\n\
         [task.demo.requires_approval]\nrisks = [\"write\"]\napprovers = {people}\nreason = \"two pairs of eyes\""
    );
    PolicyFile::parse(&text).unwrap_or_else(|error| panic!("{error}"))
}

async fn bench(kind: Kind, people: u32) -> Bench {
    let policy = needing(people);
    Bench::with(kind, |builder| builder.policy(policy)).await
}

async fn act(bench: &Bench) -> ToolResult {
    bench.call("act", r#"{"what": "a", "mode": "ok"}"#).await
}

fn ticket(asked: &ToolResult) -> String {
    assert_eq!(asked.code, Code::ConfirmationRequired, "{asked:?}");
    asked.details["ticket"].as_str().unwrap().to_owned()
}

async fn yes(bench: &Bench, ticket: &str, by: &str) -> Decided {
    let decision = Decision { approve: true, by: by.to_owned(), comment: None };
    let store = bench.store.inner();
    decide(&**store, bench.gate.redactor(), bench.watch.now_ms(), ticket, &decision, "test").await.unwrap()
}

#[tokio::test]
async fn two_different_people_are_needed_and_neither_is_who_asks() {
    for kind in KINDS {
        let bench = bench(kind, 2).await;
        let ticket = ticket(&act(&bench).await);
        for by in ["agent", "ann"] {
            assert!(matches!(yes(&bench, &ticket, by).await, Decided::NotAllowed(_, NotAllowed::Requester)), "{by}");
        }
        let first = yes(&bench, &ticket, "bob").await;
        assert!(matches!(&first, Decided::Now(ticket) if ticket.state == TicketState::Pending), "{first:?}");
        assert_eq!(bench.task.resume(&ticket).await.code, Code::ConfirmationRequired);
        for again in ["Bob", "bob ", "b\u{043e}b", "b\u{200b}ob", "\u{ff42}ob"] {
            let said = yes(&bench, &ticket, again).await;
            assert!(matches!(said, Decided::NotAllowed(_, NotAllowed::Twice)), "{again:?}");
        }
        let ann = yes(&bench, &ticket, "\u{0430}nn").await;
        assert!(matches!(ann, Decided::NotAllowed(_, NotAllowed::Requester)), "the user under another spelling");
        let _ = yes(&bench, &ticket, "olga").await;
        let done = bench.task.resume(&ticket).await;
        assert_eq!(done.code, Code::Ok, "{done:?}");
        let approval = bench.story(&done.call_id).await.record.ticket.unwrap();
        let said: Vec<&str> = approval.approvals.iter().map(|given| given.by.as_str()).collect();
        assert_eq!((approval.needed, said), (Some(2), vec!["bob", "olga"]));
        bench.must_be_sound().await;
    }
}

#[tokio::test]
async fn an_approval_of_one_is_for_nothing_once_two_are_needed() {
    for kind in KINDS {
        let bench = bench(kind, 1).await;
        let first = ticket(&act(&bench).await);
        let _ = yes(&bench, &first, "bob").await;
        bench.gate.reload_policy(needing(2)).unwrap();
        let refused = bench.task.resume(&first).await;
        assert_eq!((refused.code, refused.rule()), (Code::ConfirmationExpired, Some("confirm.more_people")));
        let second = ticket(&act(&bench).await);
        assert_ne!(first, second);
        let _ = yes(&bench, &second, "bob").await;
        let _ = yes(&bench, &second, "olga").await;
        assert_eq!(bench.task.resume(&second).await.code, Code::Ok);
        assert_eq!(bench.world.effects(), 1);
        bench.must_be_sound().await;
    }
}

#[tokio::test]
async fn a_ticket_that_waits_for_one_gives_way_to_one_that_waits_for_two() {
    let bench = bench(Kind::Memory, 1).await;
    let first = ticket(&act(&bench).await);
    bench.gate.reload_policy(needing(2)).unwrap();
    let second = ticket(&act(&bench).await);
    assert_ne!(first, second);
    assert!(
        matches!(yes(&bench, &first, "bob").await, Decided::Already(ticket) if ticket.state == TicketState::Expired)
    );
}

#[tokio::test]
async fn an_approval_of_two_holds_where_one_is_needed() {
    let bench = bench(Kind::Memory, 2).await;
    let ticket = ticket(&act(&bench).await);
    let _ = yes(&bench, &ticket, "bob").await;
    let _ = yes(&bench, &ticket, "olga").await;
    bench.gate.reload_policy(needing(1)).unwrap();
    assert_eq!(bench.task.resume(&ticket).await.code, Code::Ok);
}
