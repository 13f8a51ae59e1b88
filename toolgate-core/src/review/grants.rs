//! Rules on what sessions may do: tools and permissions that nobody has. Silent where nothing is known of sessions.

use super::rule::{Look, Rule};
use super::subject::Whole;
use crate::session::Capabilities;

pub(super) const RULES: &[Rule] = &[
    Rule::warning(
        "grant.permission",
        "a permission that no session holds, so that nobody may use the tool",
        Look::Pair(permission),
    ),
    Rule::note(
        "grant.unreachable",
        "a tool that no session may call, though each permission is held by one",
        Look::Pair(unreachable),
    ),
];

fn permission(whole: &Whole<'_>, at: usize) -> Vec<String> {
    let Some(subject) = whole.subjects.get(at).filter(|_| !whole.grants.is_empty()) else { return Vec::new() };
    let spec = subject.tool.spec;
    missing(whole.grants, spec.permissions)
        .map(|permission| {
            format!(
                "`{}` needs the permission `{permission}`, which no session holds; grant it where it is right, correct the \
                 word, or take the tool out",
                spec.name
            )
        })
        .collect()
}

fn missing<'p>(grants: &'p [Capabilities], permissions: &'p [&'static str]) -> impl Iterator<Item = &'static str> + 'p {
    permissions.iter().copied().filter(|permission| !grants.iter().any(|may| may.holds(permission)))
}

fn unreachable(whole: &Whole<'_>, at: usize) -> Vec<String> {
    let Some(subject) = whole.subjects.get(at).filter(|_| !whole.grants.is_empty()) else { return Vec::new() };
    let spec = subject.tool.spec;
    let may_call = |may: &Capabilities| {
        may.allows_tool(spec.name)
            && may.allows_risk(spec.risk)
            && spec.permissions.iter().all(|permission| may.holds(permission))
    };
    if missing(whole.grants, spec.permissions).next().is_some() || whole.grants.iter().any(may_call) {
        return Vec::new();
    }
    vec![format!(
        "no session may call `{}`: none has its name, its risk `{}` and its permissions together; grant them to one, or \
         take the tool out",
        spec.name, spec.risk
    )]
}
