//! What is asked beyond a form, and names beside those of the fields, as members of a schema or in words.
//! Not the form, which is `schema.rs`.

use super::draft::{Draft, Notes, object, text};
use super::rule::{Ask, FieldRule, Pattern, RuleId};
use super::schema::Writer;
use super::style::{Asks, Maps};
use crate::json::Node;

impl Writer<'_> {
    /// An object that takes names beside those of its fields.
    pub(super) fn opened(
        &mut self,
        fields: &[FieldRule],
        patterns: &[(Pattern, RuleId)],
        rest: Option<RuleId>,
    ) -> Draft {
        let mut draft = self.object(fields);
        if self.style.maps != Maps::Values {
            if self.style.maps == Maps::Never {
                draft.cannot("an object with more names than those of its fields");
            }
            self.say_names(&mut draft, patterns, rest);
            return draft;
        }
        let mut told: Vec<(String, Node<'static>)> = Vec::new();
        for (pattern, _) in patterns {
            if told.iter().any(|(known, _)| *known == pattern.text) {
                continue;
            }
            // One pattern may have several rules.
            let rules = patterns.iter().filter(|(other, _)| other.text == pattern.text).map(|(_, rule)| *rule);
            let mut schemas: Vec<Node<'static>> = rules.map(|rule| self.schema(rule).0).collect();
            let schema = match (schemas.len(), schemas.pop()) {
                (1, Some(only)) => only,
                (_, last) => {
                    schemas.extend(last);
                    object(vec![("allOf".into(), Node::List(schemas))])
                }
            };
            told.push((pattern.text.clone(), schema));
        }
        if !told.is_empty() {
            let told = told.into_iter().map(|(pattern, schema)| (pattern.into(), schema)).collect();
            draft.put("patternProperties", object(told));
        }
        match rest {
            Some(rest) => draft.part("additionalProperties", self.schema(rest)),
            None => draft.put("additionalProperties", Node::Bool(false)),
        }
        draft
    }

    fn say_names(&self, draft: &mut Draft, patterns: &[(Pattern, RuleId)], rest: Option<RuleId>) {
        for (pattern, rule) in patterns {
            let (each, pattern) = (self.quoted(*rule, draft), &pattern.text);
            let words = format!("The value of any other key that matches `{pattern}` keeps the JSON Schema {each}.");
            draft.say("patternProperties", words);
        }
        if let Some(rest) = rest {
            let each = self.quoted(rest, draft);
            draft.say(
                "additionalProperties",
                format!("Further keys may be given; each value keeps the JSON Schema {each}."),
            );
        }
    }

    /// Members for each kind of question; a second one of a kind stands in `allOf`. Where that may not be,
    /// `plain`, it is said in words.
    pub(super) fn also(&mut self, mut draft: Draft, asks: &[Ask], plain: bool) -> Draft {
        let asks = || asks.iter().filter(|ask| !matches!(ask, Ask::Note(_)));
        if self.style.asks != Asks::All {
            for ask in asks() {
                match ask {
                    Ask::MultipleOf(step) if self.style.asks == Asks::Steps && draft.get("multipleOf").is_none() => {
                        draft.put("multipleOf", Node::Float(*step));
                    }
                    ask => self.say_ask(&mut draft, ask),
                }
            }
            return draft;
        }
        draft.move_reference();
        let mut own: Vec<&Ask> = Vec::new();
        let mut beside: Vec<(Node<'static>, Notes)> = Vec::new();
        for ask in asks() {
            let kind = std::mem::discriminant(ask);
            let again = own.iter().any(|other| std::mem::discriminant(*other) == kind);
            if plain && (again || matches!(ask, Ask::Keeps(_) | Ask::Not(_))) {
                self.say_ask(&mut draft, ask);
            } else if let Ask::Keeps(rule) = ask {
                beside.push(self.schema(*rule));
            } else if again {
                let mut another = Draft::default();
                self.put_ask(&mut another, ask);
                beside.push((object(another.members), another.notes));
            } else {
                own.push(ask);
                self.put_ask(&mut draft, ask);
            }
        }
        if !beside.is_empty() {
            draft.parts("allOf", beside);
        }
        draft
    }

    fn put_ask(&mut self, draft: &mut Draft, ask: &Ask) {
        match ask {
            Ask::MultipleOf(step) => draft.put("multipleOf", Node::Float(*step)),
            Ask::Entries { min, max } => {
                draft.put("minProperties", Node::Integer((*min).into()));
                // A map says its own bound; the narrower of both holds.
                let own = matches!(draft.get("maxProperties"), Some(Node::Integer(own)) if *own <= i64::from(*max));
                if *max < u32::MAX && !own {
                    draft.members.retain(|(name, _)| name != "maxProperties");
                    draft.put("maxProperties", Node::Integer((*max).into()));
                }
            }
            Ask::Needs { given, needed } => {
                let needed = Node::List(needed.iter().cloned().map(text).collect());
                draft.put("dependentRequired", object(vec![(given.clone().into(), needed)]));
            }
            Ask::Names(rule) => draft.part("propertyNames", self.schema(*rule)),
            Ask::Contains { item, min, max } => {
                draft.part("contains", self.schema(*item));
                draft.put("minContains", Node::Integer((*min).into()));
                if *max < u32::MAX {
                    draft.put("maxContains", Node::Integer((*max).into()));
                }
            }
            Ask::Not(rule) => draft.part("not", self.schema(*rule)),
            Ask::Keeps(_) | Ask::Note(_) => {}
        }
    }

    fn say_ask(&self, draft: &mut Draft, ask: &Ask) {
        let list = |names: &[String]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        match ask {
            Ask::MultipleOf(step) => draft.say("multipleOf", format!("A multiple of {step}.")),
            Ask::Entries { min, max: u32::MAX } => draft.say("minProperties", format!("At least {min} entries.")),
            Ask::Entries { min: 0, max } => draft.say("maxProperties", format!("At most {max} entries.")),
            Ask::Entries { min, max } => draft.say("minProperties", format!("From {min} to {max} entries.")),
            Ask::Needs { given, needed } => {
                draft.say("dependentRequired", format!("With `{given}` also give {}.", list(needed)));
            }
            Ask::Names(rule) => {
                let each = self.quoted(*rule, draft);
                draft.say("propertyNames", format!("Each key keeps the JSON Schema {each}."));
            }
            Ask::Contains { item, min, max } => {
                let each = self.quoted(*item, draft);
                let count = if *max == u32::MAX { format!("At least {min}") } else { format!("From {min} to {max}") };
                draft.say("contains", format!("{count} of the items keep the JSON Schema {each}."));
            }
            Ask::Keeps(rule) => {
                let each = self.quoted(*rule, draft);
                draft.say("allOf", format!("Also keeps the JSON Schema {each}."));
            }
            Ask::Not(rule) => {
                let each = self.quoted(*rule, draft);
                draft.say("not", format!("Doesn't keep the JSON Schema {each}."));
            }
            Ask::Note(_) => {}
        }
    }
}
