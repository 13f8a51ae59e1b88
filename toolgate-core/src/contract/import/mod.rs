//! From JSON Schema 2020-12 to rules, for tools declared at run time and for types with schemars
//! derives. What can't be enforced is refused, never skipped; nothing is fetched.
//!
//! All that is said about one value, here, behind a `$ref` and in an `allOf`, is gathered first
//! (`parts.rs`); then one rule is built of it (`build.rs`). So an object that is said in several places
//! is one object, closed to the names of all of them. Inside of `not`, `if` and `contains` nothing is
//! closed: there, closing would allow more instead of less.

mod array;
mod build;
mod choice;
mod draft;
mod exactly;
mod fixed;
mod keywords;
mod object;
mod parts;
mod target;

use std::collections::HashMap;

use serde_json::Value;

use super::compile::Compiler;
use super::fault::SpecFault;
use super::rule::{Ask, Rule, RuleId};
use crate::tool::push_pointer;
use draft::Draft;
use parts::Parts;

/// Most nodes of a schema that comes from outside.
const MAX_NODES: usize = 10_000;
/// Deepest schema that comes from outside.
const MAX_DEPTH: usize = 32;

type Built = Result<RuleId, SpecFault>;

/// One schema that is said of a value, and where it stands.
#[derive(Debug, Clone)]
struct Said<'s> {
    schema: &'s Value,
    /// Pointer in the document.
    at: String,
    depth: usize,
    /// The value must not keep it.
    negated: bool,
}

impl<'s> Said<'s> {
    fn inside(&self, schema: &'s Value, segments: &[&str]) -> Self {
        let mut at = self.at.clone();
        for segment in segments {
            push_pointer(&mut at, segment);
        }
        Self { schema, at, depth: self.depth + segments.len(), negated: false }
    }

    fn negated(self) -> Self {
        Self { negated: true, ..self }
    }
}

/// Whether objects are closed to the names they know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Names {
    Closed,
    /// As JSON Schema has it, where a rule only asks whether a value keeps it.
    Open,
}

/// A rule that may still be under construction, and whether it was met meanwhile.
struct Known {
    rule: RuleId,
    open: bool,
    met: bool,
}

struct Import<'s> {
    root: &'s Value,
    /// Where the document stands in the tool's declaration.
    prefix: &'s str,
    known: HashMap<(String, Names), Known>,
    nodes: usize,
    /// The draft that the document names.
    draft: Option<Draft>,
    /// The schema of a type: it may hold itself, and what isn't known of it the type asserts when it is decoded.
    foreign: bool,
    /// Choices that are being built: an option that no value keeps is only left out.
    choosing: usize,
}

impl Compiler<'_> {
    /// The rule of a user type's schema.
    pub(super) fn import_foreign(&mut self, schema: &Value, place: &str) -> Built {
        let root = Said { schema, at: String::new(), depth: 0, negated: false };
        Import::of(schema, place, true).whole(self, &root)
    }

    /// The rule of a whole tool's schema: an object at the top.
    pub(super) fn import_tool(&mut self, schema: &Value) -> Built {
        if schema.get("type").and_then(Value::as_str) != Some("object") {
            return Err(self.fault(
                "",
                "schema.invalid",
                "the schema of a tool must say `\"type\": \"object\"` at the top",
            ));
        }
        let root = Said { schema, at: String::new(), depth: 0, negated: false };
        let root = Import::of(schema, "", false).whole(self, &root)?;
        let form = match self.rules.get(root) {
            Some(Rule::Also { rule, .. }) => *rule,
            _ => root,
        };
        match self.rules.get(form) {
            Some(Rule::Object(_)) => Ok(root),
            Some(Rule::Map { .. }) => Ok(self.push(Rule::Object(Vec::new()))),
            _ => Err(self.fault("", "schema.invalid", "the schema of a tool must list its arguments at the top")),
        }
    }

    /// The rule that no value keeps.
    fn never(&mut self) -> RuleId {
        self.push(Rule::AnyOf(Vec::new()))
    }

    fn is_never(&self, rule: RuleId) -> bool {
        matches!(self.rules.get(rule), Some(Rule::AnyOf(options)) if options.is_empty())
    }

    fn is_any(&self, rule: RuleId) -> bool {
        matches!(self.rules.get(rule), Some(Rule::Any))
    }

    /// The rule with what is asked beyond it.
    fn also(&mut self, rule: RuleId, mut asks: Vec<Ask>) -> RuleId {
        if asks.is_empty() || self.is_never(rule) {
            return rule;
        }
        match self.rules.get(rule) {
            Some(Rule::Also { rule: inner, asks: before }) => {
                let inner = *inner;
                asks.splice(0..0, before.clone());
                self.push(Rule::Also { rule: inner, asks })
            }
            _ => self.push(Rule::Also { rule, asks }),
        }
    }
}

impl<'s> Import<'s> {
    fn of(root: &'s Value, prefix: &'s str, foreign: bool) -> Self {
        let draft = root.get("$schema").and_then(Value::as_str).and_then(Draft::named);
        Self { root, prefix, known: HashMap::new(), nodes: 0, draft, foreign, choosing: 0 }
    }

    fn fault(&self, to: &Compiler<'_>, said: &Said<'_>, rule: &'static str, text: impl Into<String>) -> SpecFault {
        to.fault(&format!("{}{}", self.prefix, said.at), rule, text)
    }

    fn whole(mut self, to: &mut Compiler<'_>, root: &Said<'s>) -> Built {
        let names = if to.results { Names::Open } else { Names::Closed };
        let rule = self.rule_of(to, std::slice::from_ref(root), names, true)?;
        if to.is_never(rule) {
            return Err(self.fault(to, root, "schema.invalid", "a schema that no value can keep"));
        }
        Ok(rule)
    }

    /// One rule for a value that must keep all of these, and a fault where no value can.
    fn satisfiable(&mut self, to: &mut Compiler<'_>, said: &[Said<'s>], names: Names) -> Built {
        let meant = said.iter().any(|said| said.schema == &Value::Bool(false));
        let rule = self.rule(to, said, names)?;
        match said.first() {
            Some(place) if !meant && self.choosing == 0 && names == Names::Closed && to.is_never(rule) => {
                Err(self.fault(to, place, "schema.invalid", "a schema that no value can keep"))
            }
            _ => Ok(rule),
        }
    }

    /// One rule for a value that must keep all of these.
    fn rule(&mut self, to: &mut Compiler<'_>, said: &[Said<'s>], names: Names) -> Built {
        self.rule_of(to, said, names, false)
    }

    /// What a reference leads to is kept under its place: it may lead back there.
    fn rule_of(&mut self, to: &mut Compiler<'_>, said: &[Said<'s>], names: Names, referred: bool) -> Built {
        if said.is_empty() {
            return Ok(to.push(Rule::Any));
        }
        let key = (said.iter().map(|said| said.at.as_str()).collect::<Vec<_>>().join(" "), names);
        if let Some(known) = self.known.get_mut(&key) {
            known.met |= known.open;
            return Ok(known.rule);
        }
        let parts = self.gather_all(to, said)?;
        if let Some(target) = parts.only_reference() {
            return self.rule_of(to, &[target], names, true);
        }
        if !referred && !parts.leads_elsewhere() {
            return self.build(to, parts, names);
        }
        // Until it is built it leads to itself alone, so that nobody takes it for what it will be.
        let id = to.rules.len();
        to.push(Rule::Named { name: String::new(), rule: id });
        self.known.insert(key.clone(), Known { rule: id, open: true, met: false });
        let rule = self.build(to, parts, names)?;
        let met = self.known.get(&key).is_some_and(|known| known.met);
        if rule == id {
            return Err(to.fault(self.prefix, "schema.invalid", "a definition that is only itself"));
        }
        if let Some(slot) = to.rules.get_mut(id) {
            *slot = if met { Rule::Named { name: self.name_of(said), rule } } else { Rule::Any };
        }
        let rule = if met { id } else { rule };
        self.known.insert(key, Known { rule, open: false, met });
        Ok(rule)
    }

    /// What a definition is called: by its key, and the whole document by its title.
    fn name_of(&self, said: &[Said<'_>]) -> String {
        let at = said.first().map(|said| said.at.as_str()).unwrap_or_default();
        match at.rsplit_once('/') {
            Some((_, name)) => name.to_owned(),
            None => self.root.get("title").and_then(Value::as_str).unwrap_or("root").to_owned(),
        }
    }

    fn count(&mut self, to: &Compiler<'_>, depth: usize) -> Result<(), SpecFault> {
        self.nodes += 1;
        if self.nodes > MAX_NODES || depth > MAX_DEPTH {
            let limits = format!("a schema of more than {MAX_NODES} parts or {MAX_DEPTH} levels");
            return Err(to.fault("", "schema.invalid", limits));
        }
        Ok(())
    }

    /// All that is said about one value.
    fn gather_all(&mut self, to: &mut Compiler<'_>, said: &[Said<'s>]) -> Result<Parts<'s>, SpecFault> {
        let mut parts = Parts::default();
        for said in said {
            self.gather(to, &mut parts, said, &mut Vec::new())?;
        }
        if parts.only_reference().is_none() {
            for target in std::mem::take(&mut parts.pending) {
                self.follow(to, &mut parts, &target, &mut Vec::new())?;
            }
        }
        if let [first, _, ..] = said
            && parts.unevaluated
        {
            return Err(self.fault(to, first, "schema.unsupported", parts::UNEVALUATED));
        }
        Ok(parts)
    }
}
