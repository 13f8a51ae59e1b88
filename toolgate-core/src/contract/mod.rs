//! What a tool's arguments must be: compiled once from what is declared, shown as JSON Schema and
//! checked on every call, from one model.

mod asked;
mod bounds;
mod check;
mod choice;
mod compile;
mod complete;
mod digits;
mod draft;
mod fault;
mod format;
mod import;
mod members;
mod mend;
mod parts;
mod pattern;
mod prefixed;
mod problem;
mod repair;
mod result;
mod rule;
mod schema;
mod shown;
mod style;
mod typed;
mod union;
mod value;
mod wording;
mod work;

pub use check::MAX_PROBLEMS;
pub use fault::SpecFault;
pub use problem::Problem;
pub use repair::{Repair, Repaired, Repairs};
pub use result::{ResultContract, WRAPPED};

pub(crate) use draft::{Moved, Unsaid};
pub(crate) use parts::{Form, Part};
pub(crate) use problem::shown_pointer;
pub(crate) use schema::Written;
pub(crate) use style::{
    Anything, Asks, Counts, Fixed, Maps, Nulls, Patterns, Ranges, Recursion, Required, Style, Tuples,
};
pub(crate) use typed::either;

use asked::TOO_COMPLEX;
use check::Check;
use compile::Compiler;
use rule::{Ask, FieldRule, Rule, RuleId};
use work::Work;

use crate::json::Node;
use crate::spec::shape::{Field, Role, Shape};
use crate::tool::push_pointer;

/// What a tool's arguments (or results) must be.
#[derive(Debug, Clone)]
pub struct Contract {
    rules: Vec<Rule>,
    root: RuleId,
}

impl Contract {
    /// The contract of a tool's parameters.
    ///
    /// # Errors
    /// A declaration that contradicts itself or can't be enforced.
    pub fn of_params(tool: &str, params: &[Field]) -> Result<Self, SpecFault> {
        let mut compiler = Compiler::new(tool);
        let root = match params {
            [Field { role: Role::Whole, shape, .. }] => compiler.whole(shape)?,
            params => {
                let fields = compiler.fields(params, "")?;
                compiler.push(Rule::Object(fields))
            }
        };
        Self { rules: compiler.rules, root }.checked(tool)
    }

    /// The contract of any shape, such as a result's.
    ///
    /// # Errors
    /// As [`Self::of_params`].
    pub fn of_shape(tool: &str, shape: &Shape) -> Result<Self, SpecFault> {
        let mut compiler = Compiler::new(tool);
        let root = compiler.shape(shape, "")?;
        Self { rules: compiler.rules, root }.bounded(tool)
    }

    /// The contract of a JSON Schema, closed at every object.
    ///
    /// # Errors
    /// A schema that isn't an object's, points elsewhere, is too large or says what can't be enforced.
    pub fn of_schema(tool: &str, schema: &serde_json::Value) -> Result<Self, SpecFault> {
        let mut compiler = Compiler::new(tool);
        let root = compiler.import_tool(schema)?;
        Self { rules: compiler.rules, root }.checked(tool)
    }

    /// Reading it must come to an end, and writing it out must not fill the memory.
    fn bounded(self, tool: &str) -> Result<Self, SpecFault> {
        match bounds::unbounded(&self.rules, self.root) {
            Some(text) => Err(SpecFault::new(tool, "", "schema.invalid", text)),
            None => Ok(self),
        }
    }

    /// Defaults must keep the contract they belong to, and are completed by those inside them.
    fn checked(self, tool: &str) -> Result<Self, SpecFault> {
        let mut this = self.bounded(tool)?;
        this.check_literals(tool)?;
        this.complete_defaults(tool)?;
        Ok(this)
    }

    fn check_literals(&self, tool: &str) -> Result<(), SpecFault> {
        for rule in &self.rules {
            let (Rule::Object(fields) | Rule::Open { fields, .. }) = rule else { continue };
            for field in fields {
                let literals = [("default", &field.default), ("example", &field.example)];
                for (word, literal) in literals {
                    let Some(literal) = literal else { continue };
                    if let Some(problem) = Check::at(self, field.rule, literal).first() {
                        let text = format!("the {word} breaks the contract: {}", problem.for_model());
                        return Err(SpecFault::new(tool, &field.name, "spec.literal", text));
                    }
                }
            }
        }
        Ok(())
    }

    fn rule(&self, id: RuleId) -> &Rule {
        const NONE: &Rule = &Rule::Any;
        debug_assert!(id < self.rules.len(), "rule ids are made by the compiler");
        self.rules.get(id).unwrap_or(NONE)
    }

    /// The rule that says what form a value has, behind names and what is asked beyond.
    fn form(&self, id: RuleId) -> &Rule {
        match self.rule(id) {
            Rule::Named { rule, .. } | Rule::Also { rule, .. } => self.form(*rule),
            rule => rule,
        }
    }

    /// Every problem of these arguments; none means they keep the contract.
    pub fn check(&self, arguments: &Node<'_>) -> Vec<Problem> {
        Check::run(self, arguments)
    }

    /// Fills defaults into accepted arguments and leaves out what means "left out". Where that takes more
    /// work than one call may ask for, the problem is given, and the arguments must not be used.
    pub fn fill(&self, arguments: &mut Node<'_>) -> Option<Problem> {
        let mut work = Work::of(arguments);
        self.fill_in(self.root, arguments, &mut work);
        work.is_out().then(|| Problem::new("", TOO_COMPLEX, "expected arguments that take less work to complete"))
    }

    /// Names of the top-level parameters, in their order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.root_fields().iter().map(|field| field.name.as_str())
    }

    /// The parameter that carries the model's stated reason.
    pub fn reason(&self) -> Option<&str> {
        self.root_fields().iter().find(|field| field.reason).map(|field| field.name.as_str())
    }

    fn root_fields(&self) -> &[FieldRule] {
        match self.rule(self.root) {
            Rule::Object(fields) => fields,
            Rule::Also { rule, .. } => match self.rule(*rule) {
                Rule::Object(fields) => fields,
                _ => &[],
            },
            _ => &[],
        }
    }

    /// JSON pointers of sensitive values, `*` standing for every item or entry.
    pub fn sensitive(&self) -> Vec<String> {
        self.pointers(|field| field.sensitive)
    }

    /// JSON pointers of values that say where something goes, as [`Self::sensitive`] gives them.
    pub fn destinations(&self) -> Vec<String> {
        self.pointers(|field| field.destination)
    }

    /// Notes that a top-level parameter says where something goes; `false` where there is none of this name.
    pub(crate) fn mark_destination(&mut self, name: &str) -> bool {
        let mut root = self.root;
        while let Some(Rule::Also { rule, .. } | Rule::Named { rule, .. }) = self.rules.get(root) {
            root = *rule;
        }
        let field = match self.rules.get_mut(root) {
            Some(Rule::Object(fields) | Rule::Open { fields, .. }) => {
                fields.iter_mut().find(|field| field.name == name)
            }
            _ => None,
        };
        field.map(|field| field.destination = true).is_some()
    }

    /// JSON pointers of the fields that are so marked, outermost first.
    fn pointers(&self, marked: Marked) -> Vec<String> {
        let mut found = Vec::new();
        self.find(marked, self.root, &mut String::new(), &mut Vec::new(), &mut found);
        found
    }

    fn find(&self, marked: Marked, id: RuleId, pointer: &mut String, open: &mut Vec<RuleId>, found: &mut Vec<String>) {
        let length = pointer.len();
        let each = |inner: RuleId, pointer: &mut String, open: &mut Vec<RuleId>, found: &mut Vec<String>| {
            pointer.push_str("/*");
            self.find(marked, inner, pointer, open, found);
            pointer.truncate(length);
        };
        if let Rule::Object(fields) | Rule::Open { fields, .. } = self.rule(id) {
            for field in fields {
                push_pointer(pointer, &field.name);
                if marked(field) {
                    found.push(pointer.clone());
                } else {
                    self.find(marked, field.rule, pointer, open, found);
                }
                pointer.truncate(length);
            }
        }
        match self.rule(id) {
            Rule::List { items: inner, .. } | Rule::Map { values: inner, .. } => each(*inner, pointer, open, found),
            Rule::Open { patterns, rest, .. } => {
                patterns.iter().map(|(_, rule)| *rule).chain(*rest).for_each(|rule| each(rule, pointer, open, found));
            }
            Rule::Also { rule, .. } => self.find(marked, *rule, pointer, open, found),
            Rule::AnyOf(options) | Rule::ExactlyOne(options) => {
                options.iter().for_each(|option| self.find(marked, *option, pointer, open, found));
            }
            Rule::Tuple(items) | Rule::Prefixed { prefix: items, .. } => {
                items.iter().enumerate().for_each(|(index, item)| {
                    push_pointer(pointer, &index.to_string());
                    self.find(marked, *item, pointer, open, found);
                    pointer.truncate(length);
                });
                if let Rule::Prefixed { rest, .. } = self.rule(id) {
                    each(*rest, pointer, open, found);
                }
            }
            Rule::Named { rule, .. } if !open.contains(&id) => {
                open.push(id);
                self.find(marked, *rule, pointer, open, found);
                open.pop();
            }
            _ => {}
        }
    }

    /// What the model reads about a field: its doc, and what its words mean.
    fn describe(&self, field: &FieldRule) -> String {
        let mut text = field.doc.clone();
        let mut note = |line: &str| {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(line);
        };
        let mut rule = self.rule(field.rule);
        while let Rule::Named { rule: inner, .. } | Rule::Also { rule: inner, .. } = rule {
            if let Some(line) = note_of(rule) {
                note(line);
            }
            rule = self.rule(*inner);
        }
        let inner = match rule {
            Rule::AnyOf(options) | Rule::ExactlyOne(options) => options.first().map_or(rule, |first| self.rule(*first)),
            rule => rule,
        };
        match inner {
            Rule::OneOf(words) => {
                for word in words.iter().filter(|word| !word.doc.is_empty()) {
                    note(&format!("`{}`: {}", word.value, word.doc));
                }
            }
            Rule::Text(rule) => rule.note.iter().for_each(|line| note(line)),
            _ => {}
        }
        text
    }

    /// What a rule asks for: its words where it has them, else the kind of value.
    fn expectation(&self, id: RuleId) -> String {
        match self.rule(id) {
            Rule::OneOf(words) => format!("one of {}", wording::list_words(words)),
            Rule::Named { rule, .. } | Rule::Also { rule, .. } => self.expectation(*rule),
            rule => self.kind(rule).to_owned(),
        }
    }

    /// What kind of value a rule asks for, with its article.
    fn kind<'r>(&'r self, rule: &'r Rule) -> &'r str {
        match rule {
            Rule::Any => "a value",
            Rule::Null => "null",
            Rule::Bool => "a boolean",
            Rule::Integer { .. } => "an integer",
            Rule::Number(_) => "a number",
            Rule::Text(_) | Rule::OneOf(_) => "a string",
            Rule::Literal(_) => "a fixed value",
            Rule::List { .. } | Rule::Tuple(_) | Rule::Prefixed { .. } => "an array",
            Rule::Object(_) | Rule::Open { .. } | Rule::Map { .. } => "an object",
            Rule::AnyOf(options) | Rule::ExactlyOne(options) => {
                options.first().map_or("a value", |first| self.kind(self.rule(*first)))
            }
            Rule::Named { rule, .. } | Rule::Also { rule, .. } => self.kind(self.rule(*rule)),
        }
    }

    fn kinds(&self, options: &[RuleId]) -> String {
        let mut kinds: Vec<&str> = options.iter().map(|option| self.kind(self.rule(*option))).collect();
        // What may be null may be left out as well; it isn't what was meant.
        if kinds.iter().any(|kind| *kind != "null") {
            kinds.retain(|kind| *kind != "null");
        }
        kinds.dedup();
        kinds.join(" or ")
    }
}

/// Whether a field is one of those that are looked for.
type Marked = fn(&FieldRule) -> bool;

/// What a rule says beside what it asks.
fn note_of(rule: &Rule) -> Option<&'static str> {
    let Rule::Also { asks, .. } = rule else { return None };
    asks.iter().find_map(|ask| if let Ask::Note(line) = ask { Some(*line) } else { None })
}
