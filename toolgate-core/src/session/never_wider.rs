//! Properties of capabilities: whatever is narrowed, set again or granted by a policy, in whatever order, nothing that was
//! refused before is allowed after. Not the gate, which `tests/gate/policy_narrowing.rs` asks.

use proptest::prelude::*;

use super::{CallLimits, Capabilities, Narrowing};
use crate::spec::Risk;

const WORDS: [&str; 4] = ["a", "ab", "b", "c"];
const FOLDERS: [&str; 4] = [".", "a", "a/b", "c"];
const HOSTS: [&str; 3] = ["a.example", "b.example", "x.b.example"];

/// What one layer says; `None` is all that the others allow.
#[derive(Debug, Clone, Default)]
struct Said {
    tools: Option<Vec<&'static str>>,
    risks: Option<Vec<Risk>>,
    permissions: Option<Vec<&'static str>>,
    readable: Option<Vec<&'static str>>,
    writable: Option<Vec<&'static str>>,
    hosts: Option<Vec<&'static str>>,
    programs: Option<Vec<&'static str>>,
    credentials: Option<Vec<&'static str>>,
    calls: Option<u64>,
}

#[derive(Debug, Clone)]
enum Step {
    /// A task, or a helper of its agent.
    Narrow(Said),
    /// A host that sets something again on what it has.
    SetAgain(Said),
    /// The grants of a policy.
    Policy(Said),
    Clone,
}

fn some_of<T: Copy + std::fmt::Debug + 'static>(all: &'static [T]) -> impl Strategy<Value = Option<Vec<T>>> {
    prop::option::of(prop::sample::subsequence(all, 0..=all.len()))
}

fn said() -> impl Strategy<Value = Said> {
    const TOOLS: [&str; 5] = ["a", "ab", "a*", "*", "b"];
    const PERMISSIONS: [&str; 4] = ["*", "a:*", "a:b", "c:d"];
    const PATTERNS: [&str; 3] = ["a.example", "*.b.example", "b.example"];
    let folders = || some_of(&FOLDERS);
    let first = (some_of(&TOOLS), some_of(&Risk::ALL), some_of(&PERMISSIONS), folders(), folders());
    let last = (some_of(&WORDS), some_of(&WORDS), prop::option::of(0..4_u64));
    (first, some_of(&PATTERNS), last).prop_map(
        |((tools, risks, permissions, readable, writable), hosts, (programs, credentials, calls))| Said {
            tools,
            risks,
            permissions,
            readable,
            writable,
            hosts,
            programs,
            credentials,
            calls,
        },
    )
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        said().prop_map(Step::Narrow),
        said().prop_map(Step::SetAgain),
        said().prop_map(Step::Policy),
        Just(Step::Clone),
    ]
}

macro_rules! set {
    ($on:expr, $said:expr) => {{
        let (mut on, said) = ($on, $said);
        for name in said.credentials.into_iter().flatten() {
            on = on.credential_for(name, ["a", "b"]);
        }
        if let Some(tools) = said.tools {
            on = on.allow_tools(tools);
        }
        if let Some(risks) = said.risks {
            on = on.allow_risks(risks);
        }
        if let Some(permissions) = said.permissions {
            on = on.permissions(permissions);
        }
        if let Some(readable) = said.readable {
            on = on.readable(readable);
        }
        if let Some(writable) = said.writable {
            on = on.writable(writable);
        }
        if let Some(hosts) = said.hosts {
            on = on.hosts(hosts);
        }
        if let Some(programs) = said.programs {
            on = on.programs(programs);
        }
        if said.calls.is_some() {
            on = on.limits(CallLimits { calls: said.calls, effects: None });
        }
        on
    }};
}

/// Everything that can be asked, answered.
fn answers(capabilities: &Capabilities) -> Vec<bool> {
    let beneath = |place: &'static str| move |prefix: &str| crate::resource::names::is_beneath(place, prefix);
    let tools = WORDS.iter().map(|tool| capabilities.allows_tool(tool));
    let risks = Risk::ALL.into_iter().map(|risk| capabilities.allows_risk(risk));
    let permissions = ["a:b", "a:c", "c:d"].into_iter().map(|permission| capabilities.holds(permission));
    let read = FOLDERS.iter().map(|place| capabilities.may_read(beneath(place)));
    let write = FOLDERS.iter().map(|place| capabilities.may_write(beneath(place)));
    let reachable = capabilities.reachable();
    let hosts = HOSTS.iter().map(|host| reachable.read(&format!("https://{host}/")).is_ok());
    let programs = WORDS.iter().map(|program| capabilities.allows_program(|listed| listed == *program));
    tools.chain(risks).chain(permissions).chain(read).chain(write).chain(hosts).chain(programs).collect()
}

/// Which credentials which tools may ask for.
fn credentials(capabilities: &Capabilities) -> Vec<bool> {
    let pairs = WORDS.iter().flat_map(|name| ["a", "b", "c"].map(|tool| (*name, tool)));
    pairs.map(|(name, tool)| capabilities.allows_credential(name, tool)).collect()
}

proptest! {
    #[test]
    fn no_step_allows_what_was_refused_before(
        by_policy in any::<bool>(),
        first in said(),
        steps in prop::collection::vec(step(), 0..8),
    ) {
        let base = if by_policy { Capabilities::by_policy() } else { Capabilities::none() };
        let given = if by_policy { Vec::new() } else { first.credentials.clone().unwrap_or_default() };
        let mut now = set!(base, first);
        for name in WORDS {
            prop_assert_eq!(now.allows_credential(name, "a"), given.contains(&name), "the host's to give");
        }
        let mut has_grants = !by_policy;
        for step in steps {
            let (before, held) = (answers(&now), credentials(&now));
            let is_first_grant = matches!(step, Step::Policy(_)) && !has_grants;
            now = match step {
                Step::Narrow(said) => now.narrow(set!(Narrowing::default(), said)),
                // The first layer is still the host's own to set, until something narrows it.
                Step::SetAgain(said) => {
                    let kept = now.narrow(Narrowing::default());
                    set!(kept, said)
                }
                Step::Policy(said) => {
                    has_grants = true;
                    now.within(set!(Narrowing::default(), said))
                }
                Step::Clone => now.clone(),
            };
            let after = answers(&now);
            if !has_grants {
                prop_assert!(after.iter().all(|allowed| !allowed), "left to a policy, and none has granted anything");
            }
            // The first grants are what a session that leaves everything to a policy waits for.
            if !is_first_grant {
                let wider = before.iter().zip(&after).position(|(before, after)| *after && !before);
                prop_assert_eq!(wider, None);
                let more = held.iter().zip(credentials(&now)).position(|(before, after)| after && !before);
                prop_assert_eq!(more, None);
            }
        }
    }

    #[test]
    fn a_limit_is_shared_by_all_that_narrow_it(
        limits in prop::collection::vec(prop::option::of(0..5_u64), 1..5),
        calls in prop::collection::vec(0..5_usize, 0..12),
    ) {
        let limited = |calls| CallLimits { calls, effects: None };
        let mut chain = vec![Capabilities::none().limits(limited(limits[0]))];
        for limit in limits.iter().skip(1) {
            let parent = chain.last().cloned().unwrap_or_default();
            chain.push(parent.narrow(Narrowing::default().limits(limited(*limit))));
        }
        let mut used = vec![0; chain.len()];
        for at in calls {
            let at = at % chain.len();
            let fits = used.iter().zip(&limits).take(at + 1).all(|(used, limit)| limit.is_none_or(|limit| *used < limit));
            prop_assert_eq!(chain[at].count_call(), fits);
            if fits {
                used.iter_mut().take(at + 1).for_each(|used| *used += 1);
            }
        }
    }
}
