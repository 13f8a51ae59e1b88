//! Rules on the arguments of calls as a policy: deny by default, and the strictest rule counts. Not a file that
//! holds them, and not their check against the tools, which is `rules_check.rs`.

use std::cell::OnceCell;

use toolgate_expr::Value;

use super::strictest::strictest;
use super::{Decision, Policy, PolicyRequest, Rule, Verdict, placed};
use crate::contract::SpecFault;
use crate::gate::is_builtin;
use crate::spec::{ToolSpec, Toolset};

/// A policy of [`Rule`]s. All rules about a tool are asked, and their order means nothing:
///
/// - one that denies beats one that asks, and one that asks beats one that allows;
/// - one that can't be answered (a field that isn't there, values without an order) denies;
/// - where none says anything, the answer is deny.
///
/// So a rule can be added, moved or merged from another list without reading all others, and no rule that denies
/// is hidden behind one that allows.
///
/// The built-in `read_result`, which only reads on in what a session was given already, is allowed unless a rule
/// names it.
#[derive(Debug, Clone)]
#[must_use = "a policy has no effect until a gate has it"]
pub struct ArgumentRules {
    version: String,
    pub(super) rules: Vec<Rule>,
}

impl ArgumentRules {
    /// No rules yet: everything is denied. The version, such as `fleet/3`, is recorded with every decision.
    pub fn new(version: impl Into<String>) -> Self {
        Self { version: version.into(), rules: Vec::new() }
    }

    /// And this one.
    pub fn rule(mut self, rule: Rule) -> Self {
        self.rules.push(rule);
        self
    }
}

impl Policy for ArgumentRules {
    fn version(&self) -> String {
        self.version.clone()
    }

    fn reads_provenance(&self) -> bool {
        self.rules.iter().any(Rule::reads_provenance)
    }

    fn decide(&self, request: &PolicyRequest<'_>) -> Decision {
        let facts = Facts::of(request);
        let about = self.rules.iter().filter(|rule| is_about(rule, request.tool) && rule.is_in(request.task_type));
        strictest(about.filter_map(|rule| rule.answer(&|root| facts.get(root), &|value| facts.trace(value))))
            .unwrap_or_else(|| {
                if is_builtin(request.tool.name) {
                    return Decision::new(Verdict::Allow, "built_in", "it is about what the session was given");
                }
                Decision::new(Verdict::Deny, "no_rule", "no rule allows this call")
            })
    }

    fn check(&self, tools: &Toolset) -> Vec<SpecFault> {
        super::rules_check::check(&self.rules, tools)
    }
}

/// Whether the rule is asked about calls of this tool.
pub(super) fn is_about(rule: &Rule, tool: &ToolSpec) -> bool {
    rule.is_about(tool) && (!is_builtin(tool.name) || rule.names(tool))
}

/// What conditions may read; the arguments are converted once, and only if one reads them.
pub(super) struct Facts<'r> {
    request: &'r PolicyRequest<'r>,
    arguments: OnceCell<Value>,
}

impl<'r> Facts<'r> {
    pub(super) fn of(request: &'r PolicyRequest<'r>) -> Self {
        Self { request, arguments: OnceCell::new() }
    }

    pub(super) fn get(&self, root: &str) -> Option<Value> {
        let PolicyRequest { arguments, principal, user, session, task, task_type, tool: _, paths, urls, values } =
            *self.request;
        let text = |text: &str| Value::Text(text.to_owned());
        Some(match root {
            "args" => self.arguments.get_or_init(|| placed::value_of(arguments, paths.iter().chain(urls))).clone(),
            "task" => {
                let mut facts: Vec<_> =
                    [("id", task), ("type", task_type)].map(|(name, of)| (name.to_owned(), text(of))).into();
                facts.extend(values.is_tainted().map(|tainted| ("tainted".to_owned(), Value::Bool(tainted))));
                Value::Map(facts)
            }
            "session" => text(session),
            "principal" => text(principal),
            "user" => user.map_or(Value::Null, text),
            _ => return None,
        })
    }
}

impl Facts<'_> {
    /// Where a value comes from; noted for the argument that has it.
    pub(super) fn trace(&self, value: &Value) -> Option<&'static str> {
        let PolicyRequest { arguments, paths, urls, values, .. } = *self.request;
        let name = match self.arguments.get_or_init(|| placed::value_of(arguments, paths.iter().chain(urls))) {
            Value::Map(fields) => fields.iter().find(|(_, field)| field == value).map(|(name, _)| name.as_str()),
            _ => None,
        };
        values.origin(name, value).map(|origin| origin.provenance.as_str())
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use proptest::prelude::*;

    use super::*;
    use crate::json::Node;
    use crate::spec::{BROKEN, Risk};
    use crate::taint::Traced;

    const CONDITIONS: [Option<&str>; 8] = [
        None,
        Some("args.count > 5"),
        Some("args.count <= 5"),
        Some("args.place == 'prod'"),
        Some("args.place == 'prod' && args.count > 5"),
        Some("user == null"),
        Some("task.type == 'look' || args.missing == 1"),
        Some("args.missing == 1"),
    ];

    fn a_rule() -> impl Strategy<Value = Rule> {
        let verdict = prop_oneof![Just(Verdict::Allow), Just(Verdict::Ask), Just(Verdict::Deny)];
        let about = (prop::option::of(prop::sample::select(vec!["scale", "other"])), prop::option::of(0..4_usize));
        (verdict, "[a-d]{1,2}", about, prop::sample::select(CONDITIONS.to_vec())).prop_map(
            |(verdict, id, (tool, risk), when)| {
                let because = format!("because of {id}");
                let mut rule = match verdict {
                    Verdict::Allow => Rule::allow(id, because),
                    Verdict::Ask => Rule::ask(id, because),
                    Verdict::Deny => Rule::deny(id, because),
                };
                rule = tool.into_iter().fold(rule, Rule::tool);
                rule = risk.into_iter().fold(rule, |rule, risk| rule.risk(Risk::ALL[risk]));
                when.into_iter().fold(rule, Rule::when)
            },
        )
    }

    fn decide(rules: &[Rule], count: i64, place: &str, user: Option<&str>) -> Decision {
        let arguments = Node::Object(vec![
            (Cow::Borrowed("count"), Node::Integer(count)),
            (Cow::Borrowed("place"), Node::Text(Cow::Borrowed(place))),
        ]);
        let tool = ToolSpec { name: "scale", risk: Risk::Write, ..*BROKEN.spec };
        let request = PolicyRequest {
            tool: &tool,
            arguments: &arguments.into(),
            principal: "agent",
            user,
            session: "s",
            task: "t",
            task_type: "look",
            paths: &[],
            values: &Traced::unknown(),
            urls: &[],
        };
        let policy = ArgumentRules { version: "test/1".to_owned(), rules: rules.to_vec() };
        policy.decide(&request)
    }

    fn strictness(decision: &Decision) -> u8 {
        match decision.verdict {
            Verdict::Allow => 0,
            Verdict::Ask => 1,
            Verdict::Deny => 2,
        }
    }

    proptest! {
        #[test]
        fn the_order_of_rules_means_nothing(
            (rules, shuffled) in prop::collection::vec(a_rule(), 0..8)
                .prop_flat_map(|rules| (Just(rules.clone()), Just(rules).prop_shuffle())),
            count in 0..10_i64,
            place in prop::sample::select(vec!["prod", "test"]),
            user in prop::option::of(Just("ann")),
        ) {
            prop_assert_eq!(decide(&rules, count, place, user), decide(&shuffled, count, place, user));
        }

        #[test]
        fn a_rule_more_that_denies_makes_no_answer_milder(
            rules in prop::collection::vec(a_rule(), 0..8),
            more in a_rule(),
            count in 0..10_i64,
        ) {
            let deny = Rule { verdict: Verdict::Deny, ..more };
            let before = decide(&rules, count, "prod", None);
            let after = decide(&[rules, vec![deny]].concat(), count, "prod", None);
            prop_assert!(strictness(&after) >= strictness(&before), "{before:?} became {after:?}");
        }

        #[test]
        fn nothing_is_allowed_beside_a_rule_that_cannot_be_answered(rules in prop::collection::vec(a_rule(), 0..8)) {
            let broken = [Rule::allow("x", "fine"), Rule::deny("x", "bad"), Rule::ask("x", "who knows")];
            for broken in broken {
                for when in ["args.missing == 1", "args.count > 'a'", "args.", "size(args.count) > 1"] {
                    let rules = [rules.clone(), vec![broken.clone().when(when)]].concat();
                    prop_assert_eq!(decide(&rules, 1, "prod", None).verdict, Verdict::Deny);
                }
            }
        }
    }

    #[test]
    fn deny_beats_ask_and_ask_beats_allow_and_silence_denies() {
        let (allow, ask, deny) = (Rule::allow("a", "fine"), Rule::ask("b", "who knows"), Rule::deny("c", "bad"));
        let said = |rules: &[&Rule]| {
            let rules: Vec<Rule> = rules.iter().map(|rule| (*rule).clone()).collect();
            let decision = decide(&rules, 1, "test", None);
            (decision.verdict, decision.rule)
        };
        assert_eq!(said(&[]), (Verdict::Deny, "no_rule".to_owned()));
        assert_eq!(said(&[&allow]), (Verdict::Allow, "a".to_owned()));
        assert_eq!(said(&[&allow, &ask]), (Verdict::Ask, "b".to_owned()));
        assert_eq!(said(&[&deny, &allow, &ask]), (Verdict::Deny, "c".to_owned()));
    }

    #[test]
    fn rules_that_are_equally_strict_are_named_together() {
        let rules =
            [Rule::ask("night", "it is late"), Rule::allow("all", "granted"), Rule::ask("prod", "customers use it")];
        let decision = decide(&rules, 1, "test", None);
        assert_eq!((&*decision.rule, &*decision.reason), ("night, prod", "it is late; customers use it"));
    }
}
