//! Rules as JSON Schema: closed at every object, no boolean sub-schemas, nothing beside a `$ref`, bounds
//! for every integer, parameters in their order. What is shown is what is checked, because both read
//! the rules. How much of it has keywords is the style's. Choices are in `union.rs`, single values in
//! `value.rs`.

use std::collections::BTreeSet;

use super::draft::{Draft, Member, Moved, Notes, Unsaid, object, text};
use super::rule::{FieldRule, Rule, RuleId};
use super::style::{Counts, Maps, Recursion, Required, Style};
use super::{Contract, note_of};
use crate::json::{Node, canonical, in_order};
use crate::spec::shape::DEFAULT_ITEMS_MAX;
use crate::tool::push_pointer;

/// Most schemas in one that is written; recursion that is cut off could fill the memory.
const MAX_WRITTEN: usize = 20_000;
/// Longest schema that is said in words, in bytes.
const MAX_QUOTED: usize = 4_000;

/// A contract as one style says it.
#[derive(Debug)]
pub(crate) struct Written {
    pub(crate) schema: Node<'static>,
    pub(crate) moved: Vec<Moved>,
    pub(crate) unsaid: Vec<Unsaid>,
}

/// Writes one contract.
pub(super) struct Writer<'c> {
    pub(super) contract: &'c Contract,
    pub(super) style: &'c Style,
    /// Named rules that are open right now; meeting one again is recursion.
    open: Vec<RuleId>,
    /// Named rules that refer to themselves.
    recursive: BTreeSet<RuleId>,
    left: usize,
    /// The outermost schema is still to come.
    at_root: bool,
    /// Bounds that are said once, for all.
    pub(super) usual: BTreeSet<Usual>,
}

/// What every value of a kind keeps where nothing else is declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Usual {
    Integers,
    Texts,
    Items,
}

impl Usual {
    const fn said(self) -> (&'static str, &'static str) {
        match self {
            Self::Integers => ("maximum", "Whole numbers are at most 9007199254740991 in size."),
            Self::Texts => ("maxLength", "Where nothing else is said, a text has at most 10000 characters."),
            Self::Items => ("maxItems", "Where nothing else is said, a list or map has at most 1000 entries."),
        }
    }
}

impl Contract {
    /// The schema as JSON text, parameters in their order.
    pub fn schema_text(&self) -> String {
        in_order(&self.written(&Style::PLAIN).schema)
    }

    /// The schema as a style says it.
    pub(crate) fn written(&self, style: &Style) -> Written {
        self.written_from(self.root, style)
    }

    fn written_from(&self, root: RuleId, style: &Style) -> Written {
        let mut recursive = BTreeSet::new();
        if style.recursion == Recursion::References {
            let mut probe = Writer::new(self, style, BTreeSet::new());
            probe.members(root);
            recursive = probe.recursive;
        }
        let mut writer = Writer::new(self, style, recursive.clone());
        let mut definitions = Vec::new();
        let mut notes = Notes::default();
        for id in &recursive {
            if let Rule::Named { name, rule } = self.rule(*id) {
                writer.open = vec![*id];
                let (schema, inside) = writer.members(*rule).finish(style, "", Vec::new());
                let name = writer.definition(*id, name);
                notes.absorb(&format!("/$defs/{name}"), inside);
                definitions.push((name.into(), schema));
            }
        }
        writer.open.clear();
        writer.at_root = style.plain_root && root == self.root;
        let mut draft = writer.members(root);
        if !style.closed && draft.get("properties").is_some() {
            draft.say("additionalProperties", "Where nothing else is said, objects have the named fields only.");
        }
        for usual in &writer.usual {
            let (keyword, words) = usual.said();
            draft.say(keyword, words);
        }
        draft.notes.absorb("", notes);
        let more = if definitions.is_empty() { Vec::new() } else { vec![("$defs".into(), object(definitions))] };
        let (schema, Notes { moved, unsaid }) = draft.finish(style, "", more);
        Written { schema, moved, unsaid }
    }
}

impl<'c> Writer<'c> {
    fn new(contract: &'c Contract, style: &'c Style, recursive: BTreeSet<RuleId>) -> Self {
        Self { contract, style, open: Vec::new(), recursive, left: MAX_WRITTEN, at_root: false, usual: BTreeSet::new() }
    }

    /// A whole schema without a description of its own.
    pub(super) fn schema(&mut self, id: RuleId) -> (Node<'static>, Notes) {
        let note = note_of(self.contract.rule(id)).unwrap_or_default();
        self.members(id).finish(self.style, note, Vec::new())
    }

    pub(super) fn members(&mut self, id: RuleId) -> Draft {
        let Some(left) = self.left.checked_sub(1) else {
            let mut draft = Draft::default();
            draft.cannot("a schema that is too large once it is written out");
            return draft;
        };
        self.left = left;
        // What stands inside is at the root no more.
        let at_root = std::mem::take(&mut self.at_root);
        match self.contract.rule(id) {
            Rule::List { items, min, max, unique } => self.list(*items, (*min, *max), *unique),
            Rule::Tuple(rules) => {
                let count = u32::try_from(rules.len()).unwrap_or(u32::MAX);
                self.prefixed(rules, None, (count, count), false)
            }
            Rule::Prefixed { prefix, rest, min, max, unique } => {
                self.prefixed(prefix, Some(*rest), (*min, *max), *unique)
            }
            Rule::Object(fields) => self.closed(fields),
            Rule::Open { fields, patterns, rest } => self.opened(fields, patterns, *rest),
            Rule::Also { rule, asks } => {
                self.at_root = at_root;
                let draft = self.members(*rule);
                self.also(draft, asks, at_root)
            }
            Rule::Map { values, max } => self.map(*values, *max),
            Rule::AnyOf(options) => self.choice(options, false),
            Rule::ExactlyOne(options) => self.choice(options, true),
            Rule::Named { name, rule } => self.named(id, name, *rule, at_root),
            value => self.value(value),
        }
    }

    fn list(&mut self, items: RuleId, bounds: (u32, u32), unique: bool) -> Draft {
        let mut draft = Draft::of("array");
        draft.part("items", self.schema(items));
        self.counts(&mut draft, bounds);
        self.unique(&mut draft, unique);
        draft
    }

    pub(super) fn unique(&self, draft: &mut Draft, unique: bool) {
        if unique && self.style.unique {
            draft.put("uniqueItems", Node::Bool(true));
        } else if unique {
            draft.say("uniqueItems", "No two items are equal.");
        }
    }

    pub(super) fn counts(&mut self, draft: &mut Draft, (min, max): (u32, u32)) {
        let usual = self.style.usual_bounds_once && max == DEFAULT_ITEMS_MAX;
        if usual {
            self.usual.insert(Usual::Items);
        }
        if self.style.counts == Counts::All {
            if min > 0 || !self.style.usual_bounds_once {
                draft.put("minItems", Node::Integer(min.into()));
            }
            if !usual && max < u32::MAX {
                draft.put("maxItems", Node::Integer(max.into()));
            }
            return;
        }
        if min == 1 && self.style.counts == Counts::AtLeastOne {
            draft.put("minItems", Node::Integer(1));
        }
        match (min > 0 && draft.get("minItems").is_none(), usual || max == u32::MAX) {
            (true, true) => draft.say("minItems", format!("At least {min} items.")),
            (true, false) if min == max => draft.say("minItems", format!("Exactly {min} items.")),
            (true, false) => draft.say("minItems", format!("From {min} to {max} items.")),
            (false, false) => draft.say("maxItems", format!("At most {max} items.")),
            (false, true) => {}
        }
    }

    fn map(&mut self, values: RuleId, max: u32) -> Draft {
        let mut draft = Draft::of("object");
        if self.style.maps == Maps::Values {
            if self.style.spelt_out {
                draft.put("properties", object(Vec::new()));
            }
            draft.part("additionalProperties", self.schema(values));
            if max < u32::MAX {
                draft.put("maxProperties", Node::Integer(max.into()));
            }
            return draft;
        }
        if self.style.maps == Maps::Never {
            draft.cannot("an object with free keys");
        }
        let each = self.quoted(values, &mut draft);
        draft.say("additionalProperties", format!("Any keys; each value keeps the JSON Schema {each}."));
        if max == DEFAULT_ITEMS_MAX && self.style.usual_bounds_once {
            self.usual.insert(Usual::Items);
        } else if max < u32::MAX {
            draft.say("maxProperties", format!("At most {max} entries."));
        }
        draft
    }

    /// A rule as the text of its plain schema.
    pub(super) fn quoted(&self, id: RuleId, draft: &mut Draft) -> String {
        let text = in_order(&self.contract.written_from(id, &Style::PLAIN).schema);
        if text.len() > MAX_QUOTED {
            draft.cannot("a schema that is too large to be said in words");
        }
        text
    }

    fn named(&mut self, id: RuleId, name: &str, rule: RuleId, at_root: bool) -> Draft {
        let times = self.open.iter().filter(|open| **open == id).count();
        if times > 0 && self.style.recursion == Recursion::References {
            self.recursive.insert(id);
            return Draft::default().with("$ref", text(format!("#/$defs/{}", self.definition(id, name))));
        }
        if let (true, Recursion::Never) = (times > 0, self.style.recursion) {
            let mut draft = Draft::of("object");
            draft.cannot(format!("`{name}` inside of itself"));
            return draft;
        }
        if let Recursion::Levels(levels) = self.style.recursion
            && times >= levels
        {
            return self.cut_off(name, rule);
        }
        self.open.push(id);
        self.at_root = at_root;
        let draft = self.members(rule);
        self.open.pop();
        draft
    }

    /// The end of recursion that is written out: the kind of value, and words.
    fn cut_off(&self, name: &str, rule: RuleId) -> Draft {
        let mut draft = Draft::of("object");
        if !self.is_an_object(rule) {
            draft.cannot(format!("`{name}` inside of itself, where it isn't always an object"));
        }
        draft.say("$ref", format!("Another `{name}`, of the same form as the ones around it."));
        draft
    }

    fn is_an_object(&self, id: RuleId) -> bool {
        match self.contract.form(id) {
            Rule::Object(_) | Rule::Open { .. } | Rule::Map { .. } => true,
            Rule::AnyOf(options) | Rule::ExactlyOne(options) => options.iter().any(|option| self.is_an_object(*option)),
            _ => false,
        }
    }

    /// The name of a definition, in plain letters; two types may have one name.
    fn definition(&self, id: RuleId, name: &str) -> String {
        let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.' | '-');
        let shown: String = name.chars().map(|letter| if plain(letter) { letter } else { '_' }).collect();
        let same =
            |other: &RuleId| matches!(self.contract.rule(*other), Rule::Named { name: known, .. } if known == name);
        let shared = self.recursive.iter().filter(|other| same(other)).count() > 1;
        if shared || shown != name { format!("{shown}_{id}") } else { shown }
    }

    fn closed(&mut self, fields: &[FieldRule]) -> Draft {
        let mut draft = self.object(fields);
        if self.style.closed {
            draft.put("additionalProperties", Node::Bool(false));
        }
        draft
    }

    /// An object of these fields, and nothing about others.
    pub(super) fn object(&mut self, fields: &[FieldRule]) -> Draft {
        let mut draft = Draft::of("object");
        let mut properties = Vec::with_capacity(fields.len());
        for field in fields {
            let (schema, notes) = self.field(field);
            let mut place = "/properties".to_owned();
            push_pointer(&mut place, &field.name);
            draft.notes.absorb(&place, notes);
            properties.push((field.name.clone().into(), schema));
        }
        if !properties.is_empty() || self.style.empty_properties {
            draft.put("properties", object(properties));
        }
        let all = self.style.required == Required::All;
        let names = |wanted: &dyn Fn(&FieldRule) -> bool| -> Vec<Node<'static>> {
            fields.iter().filter(|field| wanted(field)).map(|field| text(field.name.clone())).collect()
        };
        let required = names(&|field| all || (field.required && self.style.required != Required::Never));
        if !required.is_empty() {
            draft.put("required", Node::List(required));
        }
        if self.style.ordering && fields.len() > 1 {
            draft.put("propertyOrdering", Node::List(names(&|_| true)));
        }
        draft
    }

    fn field(&mut self, field: &FieldRule) -> (Node<'static>, Notes) {
        let masked = field.sensitive && self.style.required == Required::Never;
        let mut draft = if masked { self.anything() } else { self.members(field.rule) };
        let must_be_sent = self.style.required == Required::All && !field.required;
        let default = field.default.as_ref().map(canonical);
        if must_be_sent {
            let takes_null = self.admits_null(field.rule);
            if !takes_null {
                draft = draft.nullable(self.style);
            }
            match &default {
                Some(default) if default == "null" => draft.say("default", "By default null."),
                Some(default) if takes_null => {
                    draft.say("default", format!("Send {default} for the default; null means none."));
                }
                Some(default) => draft.say("default", format!("Send null for the default, {default}.")),
                None => draft.say("required", "Send null to leave it out."),
            }
        } else if let (Some(default), false) = (&default, self.style.annotations) {
            draft.say("default", format!("By default {default}."));
        }
        let mut more: Vec<Member> = Vec::new();
        if self.style.annotations {
            more.extend(field.default.clone().map(|default| ("default".into(), default)));
            more.extend(field.example.clone().map(|example| ("examples".into(), Node::List(vec![example]))));
            if field.sensitive {
                more.push(("writeOnly".into(), Node::Bool(true)));
            }
        } else {
            if let Some(example) = &field.example {
                draft.say("examples", format!("For example {}.", canonical(example)));
            }
            if field.sensitive {
                draft.say("writeOnly", "Secret: never shown or logged.");
            }
        }
        draft.finish(self.style, &self.contract.describe(field), more)
    }
}
