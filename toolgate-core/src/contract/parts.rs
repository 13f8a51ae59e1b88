//! The parameters of a contract and all fields within them, for who looks at a contract instead of a value: the
//! review. Not the JSON Schema, which is `schema.rs`.

use super::Contract;
use super::rule::{FieldRule, Rule, RuleId};
use crate::spec::shape::{DEFAULT_ITEMS_MAX, DEFAULT_TEXT_MAX};
use crate::tool::push_pointer;

/// What stands at a part, behind names and beside null, and in a list what its items are.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Form<'c> {
    Any,
    /// `stated` is false where the most characters are those of a text of which nothing is said.
    Text {
        pattern: Option<&'c str>,
        stated: bool,
        /// A path of the workspace, a URL, or text of a known format.
        known: bool,
    },
    /// A closed set of words.
    Words(Vec<&'c str>),
    Integer {
        max: i64,
    },
    Number {
        max: f64,
    },
    /// Something with parts of its own, and everything else.
    Other,
}

/// A parameter, or a field within one.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct Part<'c> {
    /// Where it stands: `/window/start`; `*` is every item or entry.
    pub(crate) pointer: String,
    pub(crate) name: &'c str,
    pub(crate) doc: &'c str,
    pub(crate) form: Form<'c>,
    /// Whether it is a list, whose most items somebody stated or nobody.
    pub(crate) list: Option<bool>,
    /// In a type of the user's, and not stated on the parameter itself.
    pub(crate) within_type: bool,
    pub(crate) required: bool,
    pub(crate) sensitive: bool,
    pub(crate) reason: bool,
}

impl Part<'_> {
    /// Whether it is a parameter of the tool itself.
    pub(crate) fn is_parameter(&self) -> bool {
        self.pointer.matches('/').count() == 1
    }
}

impl Contract {
    /// All parts, in the order of the declaration; a type within itself once.
    pub(crate) fn parts(&self) -> Vec<Part<'_>> {
        let mut walk = Walk { contract: self, open: Vec::new(), found: Vec::new() };
        walk.fields(self.root_fields(), "", false, false);
        walk.found
    }
}

struct Walk<'c> {
    contract: &'c Contract,
    open: Vec<RuleId>,
    found: Vec<Part<'c>>,
}

impl<'c> Walk<'c> {
    fn fields(&mut self, fields: &'c [FieldRule], base: &str, within: bool, hidden: bool) {
        for field in fields {
            let mut pointer = base.to_owned();
            push_pointer(&mut pointer, &field.name);
            let sensitive = field.sensitive || hidden;
            let (leaf, list, named) = self.leaf(field.rule);
            self.found.push(Part {
                pointer: pointer.clone(),
                name: &field.name,
                doc: &field.doc,
                form: leaf.map_or(Form::Other, |rule| form(self.contract.rule(rule))),
                list,
                within_type: within || named,
                required: field.required,
                sensitive,
                reason: field.reason,
            });
            self.inside(field.rule, &pointer, sensitive);
        }
    }

    /// Behind names, beside null and in lists: the one rule there is, if it is one; whether there was a list with a
    /// stated bound; whether there was a name.
    fn leaf(&self, id: RuleId) -> (Option<RuleId>, Option<bool>, bool) {
        let (mut at, mut list, mut named) = (id, None, false);
        // More steps than rules would be a circle.
        for _ in 0..=self.contract.rules.len() {
            at = match self.contract.rule(at) {
                Rule::Named { rule, .. } => {
                    named = true;
                    *rule
                }
                Rule::Also { rule, .. } => *rule,
                Rule::List { items, max, .. } => {
                    list = Some(list.unwrap_or(true) && *max != DEFAULT_ITEMS_MAX);
                    *items
                }
                Rule::AnyOf(options) | Rule::ExactlyOne(options) => {
                    let mut forms = options.iter().filter(|option| !matches!(self.contract.rule(**option), Rule::Null));
                    match (forms.next(), forms.next()) {
                        (Some(only), None) => *only,
                        _ => return (None, list, named),
                    }
                }
                _ => return (Some(at), list, named),
            };
        }
        (None, list, named)
    }

    fn inside(&mut self, id: RuleId, pointer: &str, hidden: bool) {
        let contract = self.contract;
        match contract.rule(id) {
            Rule::Object(fields) => self.fields(fields, pointer, true, hidden),
            Rule::List { items: inner, .. } | Rule::Map { values: inner, .. } => {
                self.inside(*inner, &format!("{pointer}/*"), hidden);
            }
            Rule::Open { fields, patterns, rest } => {
                self.fields(fields, pointer, true, hidden);
                let others = patterns.iter().map(|(_, rule)| *rule).chain(*rest);
                others.for_each(|rule| self.inside(rule, &format!("{pointer}/*"), hidden));
            }
            Rule::Prefixed { prefix, rest, .. } => {
                prefix.iter().enumerate().for_each(|(n, id)| self.inside(*id, &format!("{pointer}/{n}"), hidden));
                self.inside(*rest, &format!("{pointer}/*"), hidden);
            }
            Rule::Also { rule, .. } => self.inside(*rule, pointer, hidden),
            Rule::Tuple(options) => {
                options.iter().enumerate().for_each(|(n, id)| self.inside(*id, &format!("{pointer}/{n}"), hidden));
            }
            Rule::AnyOf(options) | Rule::ExactlyOne(options) => {
                options.iter().for_each(|option| self.inside(*option, pointer, hidden));
            }
            Rule::Named { rule, .. } if !self.open.contains(&id) => {
                self.open.push(id);
                self.inside(*rule, pointer, hidden);
                self.open.pop();
            }
            Rule::Named { .. }
            | Rule::Any
            | Rule::Null
            | Rule::Bool
            | Rule::Integer { .. }
            | Rule::Number(_)
            | Rule::Text(_)
            | Rule::OneOf(_)
            | Rule::Literal(_) => {}
        }
    }
}

fn form(rule: &Rule) -> Form<'_> {
    match rule {
        Rule::Any => Form::Any,
        Rule::Text(text) => Form::Text {
            pattern: text.pattern.as_ref().map(|pattern| pattern.text.as_str()),
            stated: text.max != DEFAULT_TEXT_MAX,
            known: text.format.is_some() || text.note.is_some(),
        },
        Rule::OneOf(words) => Form::Words(words.iter().map(|word| word.value.as_str()).collect()),
        Rule::Integer { max, .. } => Form::Integer { max: *max },
        Rule::Number(number) => Form::Number { max: number.max.min(number.below) },
        _ => Form::Other,
    }
}
