//! Rules as JSON Schema 2020-12: closed at every object, no boolean sub-schemas, bounds for every
//! integer, parameters in their order. What is shown is what is checked, because both read the rules.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::rule::{Ask, FieldRule, Rule, RuleId, TextRule, Word};
use super::{Contract, note_of};
use crate::json::{write_canonical, write_escaped};

/// Writes one contract. `S` below is a schema under construction: comma-separated members.
pub(super) struct Writer<'c> {
    contract: &'c Contract,
    pub(super) out: String,
    /// Named rules that are open right now; meeting one again is recursion.
    open: Vec<RuleId>,
    /// Named rules that refer to themselves.
    recursive: BTreeSet<RuleId>,
}

impl Contract {
    /// The schema as JSON text, parameters in their order.
    pub fn schema_text(&self) -> String {
        let mut probe = Writer { contract: self, out: String::new(), open: Vec::new(), recursive: BTreeSet::new() };
        probe.schema(self.root, &[]);
        let recursive = probe.recursive;
        let mut writer = Writer { contract: self, out: String::new(), open: Vec::new(), recursive: recursive.clone() };
        let mut definitions = String::new();
        for id in &recursive {
            if let Rule::Named { name, rule } = self.rule(*id) {
                writer.open = vec![*id];
                writer.schema(*rule, &[]);
                definitions.push_str(if definitions.is_empty() { "" } else { "," });
                write_escaped(&writer.definition(*id, name), &mut definitions);
                definitions.push(':');
                definitions.push_str(&std::mem::take(&mut writer.out));
            }
        }
        writer.open.clear();
        writer.schema(self.root, &[]);
        if !definitions.is_empty() && writer.out.pop() == Some('}') {
            let _ = write!(writer.out, ",\"$defs\":{{{definitions}}}}}");
        }
        writer.out
    }
}

impl Writer<'_> {
    /// A whole schema object; `extra` are members of the field that holds it, already written.
    pub(super) fn schema(&mut self, id: RuleId, extra: &[String]) {
        self.out.push('{');
        self.members(id);
        if extra.is_empty()
            && let Some(note) = note_of(self.contract.rule(id))
        {
            self.out.push_str(r#","description":"#);
            write_escaped(note, &mut self.out);
        }
        for member in extra {
            if !self.out.ends_with('{') {
                self.out.push(',');
            }
            self.out.push_str(member);
        }
        self.out.push('}');
    }

    fn members(&mut self, id: RuleId) {
        match self.contract.rule(id) {
            Rule::Any => self.out.push_str(r#""type":["object","array","string","number","boolean","null"]"#),
            Rule::Null => self.out.push_str(r#""type":"null""#),
            Rule::Bool => self.out.push_str(r#""type":"boolean""#),
            Rule::Integer { min, max } => {
                self.push(format_args!(r#""type":"integer","minimum":{min},"maximum":{max}"#));
            }
            Rule::Number(rule) => {
                self.out.push_str(r#""type":"number""#);
                let bounds = [
                    ("minimum", rule.min),
                    ("maximum", rule.max),
                    ("exclusiveMinimum", rule.above),
                    ("exclusiveMaximum", rule.below),
                ];
                for (keyword, bound) in bounds.into_iter().filter(|(_, bound)| bound.is_finite()) {
                    self.push(format_args!(r#","{keyword}":{bound}"#));
                }
            }
            Rule::Text(rule) => self.text(rule),
            Rule::OneOf(words) => self.words(words),
            Rule::Literal(literal) => {
                self.out.push_str(r#""const":"#);
                write_canonical(literal, &mut self.out);
            }
            Rule::List { items, min, max, unique } => {
                self.out.push_str(r#""type":"array","items":"#);
                self.schema(*items, &[]);
                self.array_members(*min, *max, *unique);
            }
            Rule::Tuple(rules) => {
                self.out.push_str(r#""type":"array","prefixItems":["#);
                self.each(rules);
                self.push(format_args!(r#"],"minItems":{0},"maxItems":{0}"#, rules.len()));
            }
            Rule::Prefixed { prefix, rest, min, max, unique } => {
                self.out.push_str(r#""type":"array","prefixItems":["#);
                self.each(prefix);
                self.out.push_str(r#"],"items":"#);
                self.schema(*rest, &[]);
                self.array_members(*min, *max, *unique);
            }
            Rule::Object(fields) => {
                self.object(fields);
                self.out.push_str(r#","additionalProperties":false"#);
            }
            Rule::Open { fields, patterns, rest } => {
                self.object(fields);
                self.open_members(patterns, *rest);
            }
            Rule::Also { rule, asks } => {
                self.members(*rule);
                self.asks(asks);
            }
            Rule::Map { values, max } => {
                self.out.push_str(r#""type":"object","additionalProperties":"#);
                self.schema(*values, &[]);
                if *max < u32::MAX {
                    self.push(format_args!(r#","maxProperties":{max}"#));
                }
            }
            Rule::AnyOf(options) if options.is_empty() => self.out.push_str(r#""not":{}"#),
            Rule::AnyOf(options) => self.choice("anyOf", options),
            Rule::ExactlyOne(options) => self.choice("oneOf", options),
            Rule::Named { name, rule } => {
                if self.open.contains(&id) {
                    self.recursive.insert(id);
                    self.out.push_str(r##""$ref":"#/$defs/"##);
                    let name = self.definition(id, name);
                    self.out.push_str(&name.replace('~', "~0").replace('/', "~1"));
                    self.out.push('"');
                } else {
                    self.open.push(id);
                    self.members(*rule);
                    self.open.pop();
                }
            }
        }
    }

    /// The name of a definition; two types may have one name.
    fn definition(&self, id: RuleId, name: &str) -> String {
        let same =
            |other: &RuleId| matches!(self.contract.rule(*other), Rule::Named { name: known, .. } if known == name);
        if self.recursive.iter().filter(|other| same(other)).count() > 1 {
            format!("{name}_{id}")
        } else {
            name.to_owned()
        }
    }

    pub(super) fn push(&mut self, text: std::fmt::Arguments<'_>) {
        let written = self.out.write_fmt(text);
        debug_assert!(written.is_ok(), "writing to a String can't fail");
    }

    pub(super) fn each(&mut self, rules: &[RuleId]) {
        for (index, rule) in rules.iter().enumerate() {
            if index > 0 {
                self.out.push(',');
            }
            self.schema(*rule, &[]);
        }
    }

    fn array_members(&mut self, min: u32, max: u32, unique: bool) {
        self.push(format_args!(r#","minItems":{min}"#));
        if max < u32::MAX {
            self.push(format_args!(r#","maxItems":{max}"#));
        }
        if unique {
            self.out.push_str(r#","uniqueItems":true"#);
        }
    }

    fn text(&mut self, rule: &TextRule) {
        self.out.push_str(r#""type":"string""#);
        if rule.min > 0 {
            self.push(format_args!(r#","minLength":{}"#, rule.min));
        }
        if rule.max < u32::MAX {
            self.push(format_args!(r#","maxLength":{}"#, rule.max));
        }
        if let Some(pattern) = &rule.pattern {
            self.out.push_str(r#","pattern":"#);
            write_escaped(&pattern.text, &mut self.out);
        }
        if let Some(format) = rule.format {
            self.push(format_args!(r#","format":"{}""#, format.as_str()));
        }
    }

    fn words(&mut self, words: &[Word]) {
        self.out.push_str(r#""type":"string","enum":["#);
        for (index, word) in words.iter().enumerate() {
            if index > 0 {
                self.out.push(',');
            }
            write_escaped(&word.value, &mut self.out);
        }
        self.out.push(']');
    }

    /// `null` beside one simple type is a list of types; anything else is a choice.
    fn choice(&mut self, keyword: &str, options: &[RuleId]) {
        if let [inner, null] = options
            && matches!(self.contract.rule(*null), Rule::Null)
            && self.lets_null_stand_beside(*inner)
        {
            let start = self.out.len();
            self.members(*inner);
            let members = self.out.split_off(start);
            if let Some(kind) = single_type(&members).filter(|kind| *kind != "null") {
                let rest = members.replacen(&format!(r#""type":"{kind}""#), &format!(r#""type":["{kind}","null"]"#), 1);
                // An enum that must allow null names it.
                self.out.push_str(&if matches!(self.contract.form(*inner), Rule::OneOf(_)) {
                    rest.replacen("],\"enum\":[", "],\"enum\":[null,", 1)
                } else {
                    rest
                });
                return;
            }
        }
        self.push(format_args!(r#""{keyword}":["#));
        self.each(options);
        self.out.push(']');
    }

    /// Whether nothing is asked of the inner value that `null` would not keep.
    fn lets_null_stand_beside(&self, id: RuleId) -> bool {
        match self.contract.rule(id) {
            Rule::Named { rule, .. } => self.lets_null_stand_beside(*rule),
            Rule::Also { rule, asks } => {
                !asks.iter().any(|ask| matches!(ask, Ask::Keeps(_) | Ask::Not(_))) && self.lets_null_stand_beside(*rule)
            }
            _ => true,
        }
    }

    fn object(&mut self, fields: &[FieldRule]) {
        self.out.push_str(r#""type":"object","properties":{"#);
        for (index, field) in fields.iter().enumerate() {
            if index > 0 {
                self.out.push(',');
            }
            write_escaped(&field.name, &mut self.out);
            self.out.push(':');
            let extra = self.field_members(field);
            self.schema(field.rule, &extra);
        }
        self.out.push('}');
        let required: Vec<&FieldRule> = fields.iter().filter(|field| field.required).collect();
        if !required.is_empty() {
            self.out.push_str(r#","required":["#);
            for (index, field) in required.into_iter().enumerate() {
                if index > 0 {
                    self.out.push(',');
                }
                write_escaped(&field.name, &mut self.out);
            }
            self.out.push(']');
        }
    }

    fn field_members(&self, field: &FieldRule) -> Vec<String> {
        let mut members = Vec::new();
        let doc = self.contract.describe(field);
        if !doc.is_empty() {
            let mut member = r#""description":"#.to_owned();
            write_escaped(&doc, &mut member);
            members.push(member);
        }
        if let Some(default) = &field.default {
            let mut member = r#""default":"#.to_owned();
            write_canonical(default, &mut member);
            members.push(member);
        }
        if let Some(example) = &field.example {
            let mut member = r#""examples":["#.to_owned();
            write_canonical(example, &mut member);
            member.push(']');
            members.push(member);
        }
        if field.sensitive {
            members.push(r#""writeOnly":true"#.to_owned());
        }
        members
    }
}

/// The one type these members start with, where they do.
fn single_type(members: &str) -> Option<&str> {
    let rest = members.strip_prefix(r#""type":""#)?;
    rest.split_once('"').map(|(kind, _)| kind)
}
