//! A policy that is replaced while something is under way: a call that was allowed, a ticket that waits, a file that is
//! still being written.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use toolgate::gate::{FaultPoint, Faults};
use toolgate::policy::file::PolicyFile;
use toolgate::{BoxFuture, Code, Gate};

use super::support::{Bench, Folder, KINDS, Kind, until};

const READS: &str = "\"read\"";
const WRITES: &str = "\"read\", \"write\"";

fn text(risks: &str, more: &str) -> String {
    format!(
        "name = \"desk\"\n[task.demo]\ntools = [\"*\"]\nrisks = [{risks}]\npermissions = [\"*\"]\n\
         readable = [\".\"]\nwritable = [\".\"]\n{more}"
    )
}

fn policy(risks: &str) -> PolicyFile {
    PolicyFile::parse(&text(risks, "")).unwrap()
}

/// Takes writing away at one point of the first call.
#[derive(Debug, Clone)]
struct Replaced {
    at: FaultPoint,
    gate: Arc<OnceLock<Gate>>,
}

impl Faults for Replaced {
    fn at<'a>(&'a self, point: FaultPoint, _call_id: &'a str) -> BoxFuture<'a, ()> {
        if point == self.at
            && let Some(gate) = self.gate.get()
        {
            gate.reload_policy(policy(READS)).unwrap();
        }
        Box::pin(async {})
    }
}

async fn replaced(kind: Kind, at: FaultPoint) -> Bench {
    let faults = Replaced { at, gate: Arc::default() };
    let bench = Bench::with(kind, |builder| builder.policy(policy(WRITES)).faults(faults.clone())).await;
    faults.gate.set(bench.gate.clone()).unwrap();
    bench
}

#[tokio::test]
async fn a_call_that_was_allowed_finishes_under_what_allowed_it_and_the_next_does_not_start() {
    for kind in KINDS {
        for at in [FaultPoint::Authorized, FaultPoint::BeforeClaim, FaultPoint::Claimed, FaultPoint::Returned] {
            let bench = replaced(kind, at).await;
            let before = bench.gate.policy_version();
            let first = bench.call("act", r#"{"what": "one", "mode": "ok"}"#).await;
            assert_eq!(first.code, Code::Ok, "{at:?}: {first:?}");
            assert_ne!(bench.gate.policy_version(), before);
            assert_eq!(bench.calls().await[0].policy.as_ref().unwrap().policy, before, "{at:?}");
            let next = bench.call("act", r#"{"what": "two", "mode": "ok"}"#).await;
            assert_eq!((next.code, next.rule()), (Code::PermissionDenied, Some("policy.risk")), "{at:?}");
            assert_eq!(bench.world.effects(), 1);
            bench.must_be_sound().await;
        }
    }
}

#[tokio::test]
async fn a_call_that_was_not_yet_judged_is_judged_by_the_new_policy() {
    for at in [FaultPoint::Received, FaultPoint::Parsed, FaultPoint::Validated] {
        let bench = replaced(Kind::Memory, at).await;
        let refused = bench.call("act", r#"{"what": "one", "mode": "ok"}"#).await;
        assert_eq!((refused.code, refused.rule()), (Code::PermissionDenied, Some("policy.risk")), "{at:?}");
        assert_eq!(bench.world.effects(), 0);
    }
}

#[tokio::test]
async fn a_ticket_that_nobody_answered_yet_is_worth_nothing_under_a_policy_that_forbids_the_call() {
    for kind in KINDS {
        let bench = Bench::with(kind, |builder| builder.policy(policy(WRITES))).await;
        let asked = bench.call("add", r#"{"line": "x"}"#).await;
        let ticket = asked.details["ticket"].as_str().unwrap().to_owned();
        bench.gate.reload_policy(policy(READS)).unwrap();
        bench.decide(&ticket, true).await;
        let resumed = bench.task.resume(&ticket).await;
        assert_eq!((resumed.code, resumed.rule()), (Code::PermissionDenied, Some("policy.risk")));
        assert_eq!(bench.world.effects(), 0);
        bench.must_be_sound().await;
    }
}

#[tokio::test]
async fn calls_beside_a_policy_that_is_replaced_again_and_again_are_judged_by_one_or_the_other() {
    let bench = Bench::with(Kind::Memory, |builder| builder.policy(policy(WRITES))).await;
    let versions = [policy(READS), policy(WRITES)].map(|policy| format!("desk@{}", &policy.digest()[..12]));
    for n in 0..40 {
        let arguments = format!(r#"{{"what": "{n}", "mode": "ok"}}"#);
        let reloads = async { bench.gate.reload_policy(policy([READS, WRITES][n % 2])).unwrap() };
        let (result, ()) = tokio::join!(bench.call("act", &arguments), reloads);
        assert!(matches!(result.code, Code::Ok | Code::PermissionDenied), "{result:?}");
    }
    let calls = bench.calls().await;
    let said: Vec<_> = calls.iter().filter_map(|call| call.policy.as_ref()).collect();
    assert_eq!(said.len(), 40);
    for said in &said {
        let version = versions.iter().position(|version| *version == said.policy).unwrap();
        assert_eq!(said.decision == "allow", version == 1, "{said:?}");
    }
    let allowed = said.iter().filter(|said| said.decision == "allow").count();
    assert_eq!(bench.world.effects(), allowed);
    bench.must_be_sound().await;
}

/// The beginning of a policy may be a policy, too, without the rule that denies.
#[tokio::test]
async fn a_watched_file_that_is_still_being_written_is_not_taken_on_by_half() {
    let folder = Folder::new();
    let path = folder.file("policy.toml");
    std::fs::write(&path, text(READS, "")).unwrap();
    let bench = Bench::with(Kind::Memory, |builder| builder.policy(PolicyFile::load(&path).unwrap())).await;
    let watch = bench.gate.watch_policy_file(&path, Duration::from_millis(300));
    let rule =
        |n: u32| format!("[[rule]]\nid = \"no{n}\"\nverdict = \"deny\"\ntools = [\"act\"]\nreason = \"never\"\n");
    let before = bench.gate.policy_version();
    let mut whole = text(WRITES, "");
    // Each look finds another text; all but the last lack rules.
    for n in 0..60 {
        std::fs::write(&path, &whole).unwrap();
        tokio::time::sleep(Duration::from_millis(20)).await;
        assert_eq!(bench.gate.policy_version(), before, "taken on after {n} rules");
        whole += &rule(n);
    }
    std::fs::write(&path, &whole).unwrap();
    until("the whole file", async || bench.gate.policy_version() != before).await;
    assert_eq!(bench.gate.policy_version(), format!("desk@{}", &PolicyFile::load(&path).unwrap().digest()[..12]));
    let refused = bench.call("act", r#"{"what": "one", "mode": "ok"}"#).await;
    assert_eq!((refused.code, refused.rule()), (Code::PermissionDenied, Some("policy.rule")));
    drop(watch);
}
