//! From the constants that the macros write to rules. A declaration that contradicts itself is a
//! fault here, when the gate is built.

use std::any::TypeId;
use std::collections::HashMap;

use regex::RegexBuilder;

use super::digits::integer_pattern;
use super::fault::SpecFault;
use super::pattern::{PatternFault, translated};
use super::rule::{Ask, FieldRule, Format, NumberRule, Pattern, Rule, RuleId, TextRule, Word};
use crate::json::{Limits, Node, parse};
use crate::spec::shape::{Bounds, DEFAULT_TEXT_MAX, Field, PathKind, Role, Shape};

/// Most bytes of a compiled regular expression; patterns may come from outside (CVE-2022-24713).
const PATTERN_SIZE: usize = 1 << 20;
/// Longest path the kernel takes, without the final zero.
const PATH_MAX: u32 = 4095;
/// Longest URL that is read.
const URL_MAX: u32 = 8192;

/// Rules on their way into a contract.
#[derive(Debug)]
pub(super) struct Compiler<'t> {
    pub(super) tool: &'t str,
    pub(super) rules: Vec<Rule>,
    named: HashMap<TypeId, RuleId>,
    /// Whether it is about results: as long as they are, and open as JSON Schema has it.
    pub(super) results: bool,
}

impl<'t> Compiler<'t> {
    pub(super) fn new(tool: &'t str) -> Self {
        Self { tool, rules: Vec::new(), named: HashMap::new(), results: false }
    }

    pub(super) fn of_results(tool: &'t str) -> Self {
        Self { results: true, ..Self::new(tool) }
    }

    pub(super) fn fault(&self, place: &str, rule: &'static str, text: impl Into<String>) -> SpecFault {
        SpecFault::new(self.tool, place, rule, text)
    }

    pub(super) fn push(&mut self, rule: Rule) -> RuleId {
        self.rules.push(rule);
        self.rules.len() - 1
    }

    /// The rule of a shape.
    pub(super) fn shape(&mut self, shape: &Shape, place: &str) -> Result<RuleId, SpecFault> {
        let rule = match shape {
            Shape::Any => Rule::Any,
            Shape::Null => Rule::Null,
            Shape::Bool => Rule::Bool,
            Shape::Integer { min, max } => Rule::Integer { min: *min, max: *max },
            Shape::Number => Rule::Number(NumberRule::ANY),
            Shape::Text { min, max } => Rule::Text(TextRule::of(*min, *max)),
            Shape::OneOf(choices) => Rule::OneOf(
                choices.iter().map(|choice| Word { value: choice.value.into(), doc: choice.doc.into() }).collect(),
            ),
            Shape::List { items, min, max, unique } => {
                Rule::List { items: self.shape(items, place)?, min: *min, max: *max, unique: *unique }
            }
            Shape::Tuple(shapes) => Rule::Tuple(self.shapes(shapes, place)?),
            Shape::Object(fields) => {
                if let Some(reason) = fields.iter().find(|field| field.role == Role::Reason) {
                    let text = "the reason of a call stands among its arguments, not inside of one";
                    return Err(self.fault(&format!("{place}/{}", reason.name), "spec.reason", text));
                }
                Rule::Object(self.fields(fields, place)?)
            }
            Shape::Map { values, max } => {
                Rule::Map { values: self.shape(values, place)?, max: if self.results { u32::MAX } else { *max } }
            }
            Shape::Keyed { keys, values, max } => return self.keyed(keys, values, *max, place),
            Shape::Format(word) => match Format::parse(word) {
                Some(format) => Rule::Text(TextRule { format: Some(format), ..TextRule::of(0, DEFAULT_TEXT_MAX) }),
                None => return Err(self.fault(place, "schema.unsupported", "a `format` that can't be enforced")),
            },
            Shape::Noted { inner, note } => {
                let rule = self.shape(inner, place)?;
                Rule::Also { rule, asks: vec![Ask::Note(note)] }
            }
            Shape::Nullable(inner) => {
                let inner = self.shape(inner, place)?;
                let null = self.push(Rule::Null);
                Rule::AnyOf(vec![inner, null])
            }
            Shape::AnyOf(shapes) => Rule::AnyOf(self.shapes(shapes, place)?),
            Shape::Bounded { inner, bounds } => {
                let inner = self.shape(inner, place)?;
                return self.bound(inner, bounds, place);
            }
            Shape::Path(kind) => Rule::Text(TextRule { note: Some(path_note(*kind)), ..TextRule::of(1, PATH_MAX) }),
            Shape::Url => Rule::Text(TextRule {
                shown: Some(Format::Uri),
                note: Some("URL of a host that this task may reach: `https://host/path`, without user or password."),
                ..TextRule::of(1, URL_MAX)
            }),
            Shape::Foreign(schema) => return self.import_foreign(&schema(), place),
            Shape::Named { name, id, shape } => return self.named(name, id(), *shape, place),
        };
        Ok(self.push(rule))
    }

    /// The rule of a type that is all arguments at once: an object that lists its fields.
    pub(super) fn whole(&mut self, shape: &Shape) -> Result<RuleId, SpecFault> {
        let mut id = self.shape(shape, "")?;
        while let Some(Rule::Named { rule, .. }) = self.rules.get(id) {
            id = *rule;
        }
        match self.rules.get(id) {
            Some(Rule::Object(_)) => Ok(id),
            _ => Err(self.fault(
                "#[args]",
                "spec.args",
                "its type's schema is no object with named fields, which alone can be the arguments; take a struct",
            )),
        }
    }

    /// A map whose keys have a rule of their own; whole numbers are keys as they are written.
    fn keyed(&mut self, keys: &Shape, values: &Shape, max: u32, place: &str) -> Result<RuleId, SpecFault> {
        let values = self.shape(values, place)?;
        let map = self.push(Rule::Map { values, max: if self.results { u32::MAX } else { max } });
        let keys = self.shape(keys, place)?;
        let mut form = keys;
        while let Some(Rule::Named { rule, .. } | Rule::Also { rule, .. }) = self.rules.get(form) {
            form = *rule;
        }
        let names = match self.rules.get(form) {
            Some(Rule::Text(TextRule { min: 0, max: DEFAULT_TEXT_MAX, pattern: None, format: None, .. })) => {
                return Ok(map);
            }
            Some(Rule::Text(_) | Rule::OneOf(_)) => keys,
            Some(Rule::Integer { min, max }) => {
                let pattern = self.pattern(&integer_pattern(*min, *max), place)?;
                self.push(Rule::Text(TextRule { pattern: Some(pattern), ..TextRule::of(0, DEFAULT_TEXT_MAX) }))
            }
            _ => return Err(self.fault(place, "spec.bounds", "a map whose keys are neither text nor whole numbers")),
        };
        Ok(self.push(Rule::Also { rule: map, asks: vec![Ask::Names(names)] }))
    }

    fn shapes(&mut self, shapes: &[Shape], place: &str) -> Result<Vec<RuleId>, SpecFault> {
        shapes.iter().map(|shape| self.shape(shape, place)).collect()
    }

    fn named(
        &mut self,
        name: &'static str,
        identity: TypeId,
        shape: fn() -> Shape,
        place: &str,
    ) -> Result<RuleId, SpecFault> {
        if let Some(known) = self.named.get(&identity) {
            return Ok(*known);
        }
        let id = self.push(Rule::Any);
        self.named.insert(identity, id);
        let rule = self.shape(&shape(), place)?;
        if let Some(slot) = self.rules.get_mut(id) {
            *slot = Rule::Named { name: name.to_owned(), rule };
        }
        Ok(id)
    }

    /// The rules of an object's fields.
    pub(super) fn fields(&mut self, fields: &[Field], place: &str) -> Result<Vec<FieldRule>, SpecFault> {
        fields.iter().map(|field| self.field(field, &format!("{place}/{}", field.name))).collect()
    }

    fn field(&mut self, field: &Field, place: &str) -> Result<FieldRule, SpecFault> {
        let Field { name, doc, shape, bounds, required, default, example, sensitive, role, resource: _ } = field;
        let inner = self.shape(shape, place)?;
        let rule = self.bound(inner, bounds, place)?;
        Ok(FieldRule {
            name: (*name).to_owned(),
            doc: (*doc).to_owned(),
            rule,
            required: *required,
            default: default.map(|text| self.literal(text, place)).transpose()?,
            example: example.map(|text| self.literal(text, place)).transpose()?,
            sensitive: *sensitive,
            reason: *role == Role::Reason,
            destination: *role == Role::Destination,
            null_is_absent: !required && default.is_none() && matches!(shape, Shape::Nullable(_)),
        })
    }

    fn literal(&self, text: &str, place: &str) -> Result<Node<'static>, SpecFault> {
        parse(text.as_bytes(), &Limits::DEFAULT)
            .map(Node::into_owned)
            .map_err(|error| self.fault(place, "spec.literal", format!("a default or example is not JSON: {error}")))
    }

    /// Narrows a rule by bounds stated beside it; looks through null, unions and names.
    fn bound(&mut self, id: RuleId, bounds: &Bounds, place: &str) -> Result<RuleId, SpecFault> {
        if *bounds == Bounds::NONE {
            return Ok(id);
        }
        let Some(rule) = self.rules.get(id).cloned() else { return Ok(id) };
        let narrowed = match rule {
            Rule::Integer { min, max } => bound_integer(min, max, bounds).ok_or("an integer"),
            Rule::Number(number) => bound_number(number, bounds).ok_or("a number"),
            Rule::Text(text) => self.bound_text(&text, bounds, place)?.ok_or("text"),
            Rule::OneOf(words) => bound_words(words, bounds).ok_or("a set of words"),
            Rule::List { items, min, max, unique } => {
                let Some((items, bounds)) = self.bound_items(items, bounds, place)? else {
                    return Err(self.fault(place, "spec.bounds", "a bound that an array can't have"));
                };
                let (low, high) = (bounds.min_items.unwrap_or(min).max(min), bounds.max_items.unwrap_or(max));
                Ok(Rule::List { items, min: low, max: high, unique })
            }
            Rule::Map { values, max } if bounds.max_items.is_some() => {
                Ok(Rule::Map { values, max: bounds.max_items.unwrap_or(max) })
            }
            Rule::AnyOf(options) | Rule::ExactlyOne(options) => {
                let bound = options
                    .into_iter()
                    .map(|option| match self.rules.get(option) {
                        Some(Rule::Null) => Ok(option),
                        _ => self.bound(option, bounds, place),
                    })
                    .collect::<Result<_, _>>()?;
                Ok(Rule::AnyOf(bound))
            }
            Rule::Named { rule, .. } => return self.bound(rule, bounds, place),
            Rule::Also { rule, asks } => Ok(Rule::Also { rule: self.bound(rule, bounds, place)?, asks }),
            Rule::Prefixed { prefix, rest, min, max, unique } => {
                let Bounds { min_items, max_items, .. } = *bounds;
                if (Bounds { min_items, max_items, ..Bounds::NONE }) != *bounds {
                    return Err(self.fault(place, "spec.bounds", "a bound that an array can't have"));
                }
                let (min, max) = (min_items.unwrap_or(min).max(min), max_items.unwrap_or(max).min(max));
                Ok(Rule::Prefixed { prefix, rest, min, max, unique })
            }
            _ => Err("this type"),
        };
        match narrowed {
            Ok(rule) if is_empty(&rule) => Err(self.fault(place, "spec.bounds", "bounds that no value can meet")),
            Ok(rule) => Ok(self.push(rule)),
            Err(kind) => Err(self.fault(place, "spec.bounds", format!("a bound that {kind} can't have"))),
        }
    }

    /// Bounds that are not about the array are about its items.
    fn bound_items(
        &mut self,
        items: RuleId,
        bounds: &Bounds,
        place: &str,
    ) -> Result<Option<(RuleId, Bounds)>, SpecFault> {
        let own = Bounds { min_items: bounds.min_items, max_items: bounds.max_items, ..Bounds::NONE };
        let rest = Bounds { min_items: None, max_items: None, ..*bounds };
        Ok(Some((self.bound(items, &rest, place)?, own)))
    }

    fn bound_text(&self, text: &TextRule, bounds: &Bounds, place: &str) -> Result<Option<Rule>, SpecFault> {
        let Bounds { min: None, max: None, min_length, max_length, min_items: None, max_items: None, pattern, one_of } =
            bounds
        else {
            return Ok(None);
        };
        if let Some(words) = one_of {
            let words = words.iter().map(|word| Word { value: (*word).to_owned(), doc: String::new() }).collect();
            return Ok(Some(Rule::OneOf(words)));
        }
        let pattern = pattern.map(|pattern| self.pattern(pattern, place)).transpose()?;
        Ok(Some(Rule::Text(TextRule {
            min: min_length.unwrap_or(text.min).max(text.min),
            max: max_length.unwrap_or(text.max),
            pattern: pattern.or_else(|| text.pattern.clone()),
            ..text.clone()
        })))
    }

    /// A pattern as ECMAScript reads it, of linear time: look-around and back-references are not.
    pub(super) fn pattern(&self, text: &str, place: &str) -> Result<Pattern, SpecFault> {
        let fault = |text: &str| self.fault(place, "schema.pattern", text);
        let translated = translated(text).map_err(|why| match why {
            PatternFault::Invalid => fault("a pattern that isn't a regular expression of ECMAScript"),
            PatternFault::Unsupported => fault("a pattern that can't be matched in linear time"),
        })?;
        let regex = RegexBuilder::new(&translated).size_limit(PATTERN_SIZE).dfa_size_limit(PATTERN_SIZE).build();
        regex
            .map(|regex| Pattern { text: text.to_owned(), regex })
            .map_err(|_| fault("a pattern that isn't a regular expression of linear time"))
    }
}

/// The ends of bounds that say nothing beside them.
fn range_alone(bounds: &Bounds) -> Option<(Option<f64>, Option<f64>)> {
    match *bounds {
        Bounds {
            min,
            max,
            min_length: None,
            max_length: None,
            min_items: None,
            max_items: None,
            pattern: None,
            one_of: None,
        } => Some((min, max)),
        _ => None,
    }
}

#[expect(clippy::cast_possible_truncation, reason = "bounds are held within the integers that f64 keeps exact")]
fn bound_integer(min: i64, max: i64, bounds: &Bounds) -> Option<Rule> {
    let (low, high) = range_alone(bounds)?;
    let low = low.map_or(min, |low| (low.ceil() as i64).max(min));
    let high = high.map_or(max, |high| (high.floor() as i64).min(max));
    Some(Rule::Integer { min: low, max: high })
}

fn bound_number(number: NumberRule, bounds: &Bounds) -> Option<Rule> {
    let (min, max) = range_alone(bounds)?;
    let min = min.unwrap_or(number.min).max(number.min);
    let max = max.unwrap_or(number.max).min(number.max);
    Some(Rule::Number(NumberRule { min, max, ..number }))
}

fn bound_words(words: Vec<Word>, bounds: &Bounds) -> Option<Rule> {
    let allowed = bounds.one_of?;
    Some(Rule::OneOf(words.into_iter().filter(|word| allowed.contains(&word.value.as_str())).collect()))
}

fn is_empty(rule: &Rule) -> bool {
    match rule {
        Rule::Integer { min, max } => min > max,
        Rule::Number(number) => number.min > number.max,
        Rule::Text(text) => text.min > text.max,
        Rule::List { min, max, .. } | Rule::Prefixed { min, max, .. } => min > max,
        Rule::OneOf(words) => words.is_empty(),
        _ => false,
    }
}

const fn path_note(kind: PathKind) -> &'static str {
    match kind {
        PathKind::Read => "Path of a file in the workspace, to be read.",
        PathKind::Write => "Path of a file in the workspace, to be written.",
        PathKind::Dir => "Path of a folder in the workspace.",
        PathKind::Entry => "Path of an entry in the workspace.",
    }
}
