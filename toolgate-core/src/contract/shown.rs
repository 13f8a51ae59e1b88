//! What is asked beyond a rule, as members of its JSON Schema. Not the rule, which is `schema.rs`.

use super::rule::{Ask, Pattern, RuleId};
use super::schema::Writer;
use crate::json::write_escaped;

impl Writer<'_> {
    /// Names beside those of the fields.
    pub(super) fn open_members(&mut self, patterns: &[(Pattern, RuleId)], rest: Option<RuleId>) {
        let mut told: Vec<&str> = Vec::with_capacity(patterns.len());
        for (pattern, _) in patterns {
            if told.contains(&pattern.text.as_str()) {
                continue;
            }
            self.out.push_str(if told.is_empty() { r#","patternProperties":{"# } else { "," });
            told.push(&pattern.text);
            write_escaped(&pattern.text, &mut self.out);
            self.out.push(':');
            // One pattern may have several rules.
            let rules = patterns.iter().filter(|(other, _)| other.text == pattern.text).map(|(_, rule)| *rule);
            match rules.collect::<Vec<_>>().as_slice() {
                [only] => self.schema(*only, &[]),
                all => {
                    self.out.push_str(r#"{"allOf":["#);
                    self.each(all);
                    self.out.push_str("]}");
                }
            }
        }
        if !told.is_empty() {
            self.out.push('}');
        }
        self.out.push_str(r#","additionalProperties":"#);
        match rest {
            Some(rest) => self.schema(rest, &[]),
            None => self.out.push_str("false"),
        }
    }

    /// Members for each kind of question; a second one of a kind stands in `allOf`.
    pub(super) fn asks(&mut self, asks: &[Ask]) {
        let mut own: Vec<&Ask> = Vec::new();
        let mut beside: Vec<&Ask> = Vec::new();
        for ask in asks.iter().filter(|ask| !matches!(ask, Ask::Note(_))) {
            let kind = std::mem::discriminant(ask);
            let again = own.iter().any(|other| std::mem::discriminant(*other) == kind);
            if again || matches!(ask, Ask::Keeps(_)) { beside.push(ask) } else { own.push(ask) }
        }
        for ask in own {
            self.out.push(',');
            self.ask(ask);
        }
        for (index, ask) in beside.iter().enumerate() {
            self.out.push_str(if index == 0 { r#","allOf":["# } else { "," });
            if let Ask::Keeps(rule) = ask {
                self.schema(*rule, &[]);
            } else {
                self.out.push('{');
                self.ask(ask);
                self.out.push('}');
            }
        }
        if !beside.is_empty() {
            self.out.push(']');
        }
    }

    fn ask(&mut self, ask: &Ask) {
        match ask {
            Ask::MultipleOf(step) => self.push(format_args!(r#""multipleOf":{step}"#)),
            Ask::Entries { min, max } => {
                self.push(format_args!(r#""minProperties":{min}"#));
                // A map says its own bound.
                if *max < u32::MAX {
                    self.push(format_args!(r#","maxProperties":{max}"#));
                }
            }
            Ask::Needs { given, needed } => {
                self.out.push_str(r#""dependentRequired":{"#);
                write_escaped(given, &mut self.out);
                self.out.push(':');
                self.names(needed);
                self.out.push('}');
            }
            Ask::Names(rule) => {
                self.out.push_str(r#""propertyNames":"#);
                self.schema(*rule, &[]);
            }
            Ask::Contains { item, min, max } => {
                self.out.push_str(r#""contains":"#);
                self.schema(*item, &[]);
                self.push(format_args!(r#","minContains":{min}"#));
                if *max < u32::MAX {
                    self.push(format_args!(r#","maxContains":{max}"#));
                }
            }
            Ask::Not(rule) => {
                self.out.push_str(r#""not":"#);
                self.schema(*rule, &[]);
            }
            Ask::Keeps(_) | Ask::Note(_) => {}
        }
    }

    fn names(&mut self, names: &[String]) {
        self.out.push('[');
        for (index, name) in names.iter().enumerate() {
            if index > 0 {
                self.out.push(',');
            }
            write_escaped(name, &mut self.out);
        }
        self.out.push(']');
    }
}
