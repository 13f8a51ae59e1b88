//! What a contract says about the types of its values, for expressions that are checked before they
//! are ever answered. Not the check of a value: that one is exact, this one only as fine as expressions
//! can be wrong.

use toolgate_expr::{Step, Type};

use super::Contract;
use super::rule::{Rule, RuleId};
use crate::json::Node;

/// Most values of a type that is written out; beyond them nothing is known.
const MAX_PARTS: usize = 10_000;

impl Contract {
    /// The type of the values that keep this contract.
    pub(crate) fn value_type(&self) -> Type {
        Typing { contract: self, open: Vec::new(), left: MAX_PARTS }.of(self.root)
    }

    /// The first part of a path that a value may lack though it keeps this contract: so many steps lead to it.
    /// Looked for as far as the contract has one form.
    pub(crate) fn may_lack(&self, path: &[Step]) -> Option<usize> {
        let mut at = self.root;
        for (step, taken) in path.iter().zip(1..) {
            let Step::Field(name) = step else { return None };
            match self.rule(self.solid(at)) {
                Rule::Object(fields) => {
                    let field = fields.iter().find(|field| field.name == *name)?;
                    if !field.required && field.default.is_none() {
                        return Some(taken);
                    }
                    at = field.rule;
                }
                Rule::Open { fields, .. } => match fields.iter().find(|field| field.name == *name) {
                    Some(field) if field.required || field.default.is_some() => at = field.rule,
                    _ => return Some(taken),
                },
                Rule::Map { .. } => return Some(taken),
                _ => return None,
            }
        }
        None
    }

    /// The rule behind names and what is asked beyond, and beside null.
    fn solid(&self, id: RuleId) -> RuleId {
        let inner = match self.rule(id) {
            Rule::Named { rule, .. } | Rule::Also { rule, .. } => Some(*rule),
            Rule::AnyOf(options) | Rule::ExactlyOne(options) => {
                let mut forms = options.iter().filter(|option| !matches!(self.rule(**option), Rule::Null));
                forms.next().filter(|_| forms.next().is_none()).copied()
            }
            _ => None,
        };
        // INVARIANT: `bounds.rs` has refused rules that are only themselves.
        inner.map_or(id, |inner| self.solid(inner))
    }
}

struct Typing<'c> {
    contract: &'c Contract,
    /// Named rules on the way here: a type that holds itself is known to its first repeat.
    open: Vec<RuleId>,
    left: usize,
}

impl Typing<'_> {
    fn of(&mut self, id: RuleId) -> Type {
        let Some(left) = self.left.checked_sub(1) else {
            return Type::Any;
        };
        self.left = left;
        let contract = self.contract;
        match contract.rule(id) {
            Rule::Any => Type::Any,
            Rule::Null => Type::Null,
            Rule::Bool => Type::Bool,
            Rule::Integer { .. } => Type::Int,
            Rule::Number(_) => Type::Number,
            Rule::Text(_) => Type::Text(None),
            Rule::OneOf(words) => Type::Text(Some(words.iter().map(|word| word.value.clone()).collect())),
            Rule::Literal(literal) => of_literal(literal),
            Rule::List { items, .. } => Type::List(Box::new(self.of(*items))),
            Rule::Tuple(_) | Rule::Prefixed { .. } => Type::List(Box::new(Type::Any)),
            Rule::Map { .. } => Type::Object(Vec::new(), true),
            Rule::Object(fields) => {
                let fields = fields.iter().map(|field| (field.name.clone(), self.of(field.rule)));
                Type::Object(fields.collect(), false)
            }
            Rule::Open { fields, .. } => {
                let fields = fields.iter().map(|field| (field.name.clone(), self.of(field.rule)));
                Type::Object(fields.collect(), true)
            }
            Rule::Also { rule, .. } => self.of(*rule),
            Rule::AnyOf(options) | Rule::ExactlyOne(options) => {
                let types: Vec<Type> = options.iter().map(|option| self.of(*option)).collect();
                types.into_iter().reduce(either).unwrap_or(Type::Any)
            }
            Rule::Named { .. } if self.open.contains(&id) => Type::Any,
            Rule::Named { rule, .. } => {
                self.open.push(id);
                let found = self.of(*rule);
                self.open.pop();
                found
            }
        }
    }
}

fn of_literal(literal: &Node<'_>) -> Type {
    match literal {
        Node::Null => Type::Null,
        Node::Bool(_) => Type::Bool,
        Node::Integer(_) => Type::Int,
        Node::Float(_) => Type::Number,
        Node::Text(text) => Type::Text(Some(vec![text.to_string()])),
        Node::List(_) => Type::List(Box::new(Type::Any)),
        Node::Object(_) => Type::Object(Vec::new(), true),
    }
}

/// A type both have. Objects have the fields of either: an expression asks which one it is by what is
/// in it.
pub(crate) fn either(left: Type, right: Type) -> Type {
    match (left, right) {
        (left, right) if left == right => left,
        (Type::Any, _) | (_, Type::Any) => Type::Any,
        (Type::Null, other) | (other, Type::Null) => nullable(other),
        (Type::Nullable(left), Type::Nullable(right)) => nullable(either(*left, *right)),
        (Type::Nullable(inner), other) | (other, Type::Nullable(inner)) => nullable(either(*inner, other)),
        (Type::Int | Type::Number, Type::Int | Type::Number) => Type::Number,
        (Type::Text(Some(mut left)), Type::Text(Some(right))) => {
            left.extend(right);
            Type::Text(Some(left))
        }
        (Type::Text(_), Type::Text(_)) => Type::Text(None),
        (Type::List(left), Type::List(right)) => Type::List(Box::new(either(*left, *right))),
        (Type::Object(mut fields, open), Type::Object(others, other_open)) => {
            for (name, other) in others {
                match fields.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, known)) => *known = either(std::mem::replace(known, Type::Any), other),
                    None => fields.push((name, other)),
                }
            }
            Type::Object(fields, open || other_open)
        }
        _ => Type::Any,
    }
}

fn nullable(inner: Type) -> Type {
    match inner {
        Type::Any | Type::Null | Type::Nullable(_) => inner,
        inner => Type::Nullable(Box::new(inner)),
    }
}
