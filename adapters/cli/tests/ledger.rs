//! `ledger`: what was done, what is in doubt, and what a person says of it.

mod common;

use common::Stand;
use toolgate_core::call::Code;

#[tokio::test]
async fn what_is_in_doubt_is_listed_shown_and_resolved_once() {
    let stand = Stand::new().await;
    let broken = stand.call("broken", "db").await;
    assert_eq!(broken.code, Code::ExecutionError);
    let listed = stand.run(&["ledger", "list", "--in-doubt", "--json"]).json();
    assert_eq!((listed.len(), &listed[0]["call"]), (1, &broken.call_id.as_str().into()));
    assert_eq!((&listed[0]["state"], &listed[0]["tool"]), (&"in_doubt".into(), &"broken".into()));
    let table = stand.run(&["ledger", "list"]);
    assert!(table.text().starts_with("state") && table.text().contains("in_doubt"), "{table:?}");
    let none = stand.run(&["ledger", "list", "--running", "--older-than", "1h"]);
    assert_eq!(none.text(), "no such operation\n");

    let key = listed[0]["key"].as_str().unwrap();
    for name in [key, &broken.call_id] {
        let shown = stand.run(&["ledger", "show", name]);
        assert!(shown.text().contains("in_doubt") && shown.text().contains(&broken.call_id), "{shown:?}");
        let shown = stand.run(&["ledger", "show", name, "--json"]).json();
        assert_eq!((&shown[0]["keys"][0]["key"], &shown[0]["record"]["tool"]), (&key.into(), &"broken".into()));
    }

    let said = ["ledger", "resolve", key, "applied", "--why", "the switch is off", "--result", "\"off\""];
    let told = stand.run(&said);
    assert!(told.text().contains("is applied, says olga: a repeat gets the recorded answer"), "{told:?}");
    let again = stand.run(&["ledger", "resolve", &broken.call_id, "not-applied", "--why", "no"]);
    assert!(again.error(1).contains("is resolved already: applied, by olga"), "{again:?}");
    let story = stand.run(&["audit", "show", &broken.call_id]);
    assert!(story.text().contains("applied; the switch is off"), "{story:?}");
    assert_eq!(stand.run(&["doctor"]).code, 0);
    let repeat = stand.call("broken", "db").await;
    assert_eq!((repeat.code, repeat.data), (Code::IdempotentReplay, Some("off".into())));
}

#[tokio::test]
async fn what_can_not_be_meant_is_refused() {
    let stand = Stand::new().await;
    let broken = stand.call("broken", "db").await.call_id;
    for (args, code, text) in [
        (&["ledger", "show", "nothing"][..], 1, "no call and no key `nothing`"),
        (&["ledger", "resolve", "nothing", "applied", "--why", "x"], 1, "no call and no key `nothing`"),
        (&["ledger", "resolve", &broken, "applied", "--why", "x", "--result", "{"], 2, "no JSON"),
        (&["ledger", "resolve", &broken, "partial", "--why", "x", "--result", "1"], 2, "only what was applied"),
    ] {
        let ran = stand.run(args);
        assert!(ran.error(code).contains(text), "{ran:?}");
    }
    assert_eq!(stand.run(&["ledger", "resolve", &broken, "applied"]).code, 2, "a reason is required");
}

#[tokio::test]
async fn pruning_says_how_much_first_and_lets_go_then() {
    let stand = Stand::new().await;
    let (ticket, _) = stand.ticket("web").await;
    let _ = stand.call("broken", "db").await;
    assert_eq!(stand.run(&["approvals", "deny", &ticket]).code, 0);
    tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    let dry = stand.run(&["ledger", "prune", "--older-than", "0s", "--dry-run", "--json"]).json();
    assert_eq!((&dry[0]["dry_run"], &dry[0]["tickets"], &dry[0]["keys"]), (&true.into(), &1.into(), &0.into()));
    assert!(stand.gate.store().ticket(&ticket).await.unwrap().is_some());
    let done = stand.run(&["ledger", "prune", "--older-than", "0s"]);
    assert!(done.text().contains("1 tickets"), "{done:?}");
    assert!(stand.gate.store().ticket(&ticket).await.unwrap().is_none());
    assert_eq!(stand.run(&["ledger", "list", "--in-doubt", "--json"]).json().len(), 1, "what is in doubt stays");
    assert_eq!(stand.run(&["doctor"]).code, 0, "the chain is whole");
}
