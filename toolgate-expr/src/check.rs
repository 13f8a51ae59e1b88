//! The faults of an expression that its types give away before it is ever answered.
//!
//! Not a proof: a field that may be missing and a value that may be null are no faults here.

use std::fmt;

use crate::error::{clip, did_you_mean};
use crate::expr::{Comparison, Expr, Kind, Node};
use crate::types::{PROVENANCES, Type};
use crate::value::Value;

/// Names or values listed in a message at most.
const LISTED: usize = 12;

/// A part of an expression that can't be meant as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypeFault {
    /// What is wrong and what would be right; one line, lower-case.
    pub message: String,
    /// Where the part starts: a byte column, from 0.
    pub at: usize,
    /// The faulty part, at most 60 characters of it.
    pub part: String,
}

impl fmt::Display for TypeFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for TypeFault {}

/// The faults of the condition `expr`, in the order of the text, whose variables have the types that `types` gives; `None` is [`Type::Any`].
///
/// Found are fields that don't exist, comparisons that always give the same answer, operands of the wrong kind, and a
/// whole that isn't a boolean.
pub fn check(expr: &Expr, types: &dyn Fn(&str) -> Option<Type>) -> Vec<TypeFault> {
    let mut checker = Checker { expr, types, faults: Vec::new() };
    checker.condition(&expr.node);
    let mut faults = checker.faults;
    faults.sort_by_key(|fault| fault.at);
    faults.dedup();
    faults
}

struct Checker<'c> {
    expr: &'c Expr,
    types: &'c dyn Fn(&str) -> Option<Type>,
    faults: Vec<TypeFault>,
}

impl Checker<'_> {
    fn fault(&mut self, node: &Node, message: String) {
        self.faults.push(TypeFault { message, at: node.start, part: clip(self.expr.part(node)) });
    }

    /// The node as a message shows it.
    fn show(&self, node: &Node) -> String {
        clip(self.expr.part(node))
    }

    fn infer(&mut self, node: &Node) -> Type {
        match &node.kind {
            Kind::Literal(literal) => of_literal(literal),
            Kind::List(items) => {
                let types: Vec<Type> = items.iter().map(|item| self.infer(item)).collect();
                Type::List(Box::new(types.into_iter().reduce(Type::or).unwrap_or(Type::Any)))
            }
            Kind::Root(name) => (self.types)(name).unwrap_or(Type::Any),
            Kind::Field(base, name) => {
                let base_type = self.infer(base);
                self.field(node, base, base_type, name)
            }
            Kind::Index(base, index) => self.index(node, base, index),
            Kind::Choose(condition, yes, no) => {
                self.condition(condition);
                let yes = self.infer(yes);
                yes.or(self.infer(no))
            }
            Kind::Negate(operand) => match self.infer(operand).into_solid() {
                found @ (Type::Int | Type::Number) => found,
                found => {
                    self.want(operand, &found, "a number", |_| false);
                    Type::Any
                }
            },
            Kind::Size(operand) => {
                let found = self.infer(operand);
                self.want(operand, &found, "text, a list or an object", |found| {
                    matches!(found, Type::Text(_) | Type::List(_) | Type::Object(..))
                });
                Type::Int
            }
            Kind::Provenance(operand) => {
                self.infer(operand);
                Type::Text(Some(PROVENANCES.map(str::to_owned).to_vec()))
            }
            _ => {
                self.infer_bool(node);
                Type::Bool
            }
        }
    }

    /// The nodes that give a boolean whatever they are given.
    fn infer_bool(&mut self, node: &Node) {
        match &node.kind {
            Kind::Has(base, name) => {
                let base_type = self.infer(base);
                self.field(node, base, base_type, name);
            }
            Kind::Test(_, text, part) => {
                for operand in [text, part] {
                    let found = self.infer(operand);
                    self.want(operand, &found, "text", |found| matches!(found, Type::Text(_)));
                }
            }
            Kind::Not(operand) => self.condition(operand),
            Kind::All(nodes) | Kind::Any(nodes) => {
                for node in nodes {
                    self.condition(node);
                }
            }
            Kind::In(item, collection) => self.membership(node, item, collection),
            Kind::Compare(Comparison::Equal | Comparison::NotEqual, left, right) => {
                let (left_type, right_type) = (self.infer(left), self.infer(right));
                self.equality((left, &left_type), (right, &right_type));
            }
            Kind::Compare(_, left, right) => self.ordering(node, left, right),
            _ => {}
        }
    }

    fn condition(&mut self, node: &Node) {
        let found = self.infer(node);
        self.want(node, &found, "a boolean", |found| matches!(found, Type::Bool));
    }

    /// A fault unless `found` is not known or `fits`.
    fn want(&mut self, node: &Node, found: &Type, wanted: &str, fits: fn(&Type) -> bool) {
        let solid = found.solid();
        if !matches!(solid, Type::Any) && !fits(solid) {
            let message = format!("`{}` is {}, not {wanted}", self.show(node), solid.kind());
            self.fault(node, message);
        }
    }

    fn field(&mut self, node: &Node, base: &Node, base_type: Type, name: &str) -> Type {
        let (fields, open) = match base_type.into_solid() {
            Type::Object(fields, open) => (fields, open),
            Type::Any => return Type::Any,
            other => {
                let message = format!("`{}` is {} and has no fields", self.show(base), other.kind());
                self.fault(node, message);
                return Type::Any;
            }
        };
        let mut names = Vec::new();
        for (known, found) in fields {
            if known == name {
                return found;
            }
            names.push(known);
        }
        if !open {
            let has = if names.is_empty() { "none".to_owned() } else { listed(&names, clip) };
            let message = format!(
                "`{}` has no field `{}`: it has {has}{}",
                self.show(base),
                clip(name),
                did_you_mean(name, names.iter().map(String::as_str))
            );
            self.fault(node, message);
        }
        Type::Any
    }

    fn index(&mut self, node: &Node, base: &Node, index: &Node) -> Type {
        let base_type = self.infer(base).into_solid();
        let index_type = self.infer(index);
        match base_type {
            Type::Object(..) => {
                self.want(index, &index_type, "the name of a field", |found| matches!(found, Type::Text(_)));
                match &index.kind {
                    Kind::Literal(Value::Text(name)) => self.field(node, base, base_type, name),
                    _ => Type::Any,
                }
            }
            Type::List(item) => {
                self.want(index, &index_type, "the index of a list", |found| matches!(found, Type::Int));
                *item
            }
            Type::Any => Type::Any,
            other => {
                let message = format!("`{}` is {} and has no items", self.show(base), other.kind());
                self.fault(node, message);
                Type::Any
            }
        }
    }

    fn ordering(&mut self, node: &Node, left: &Node, right: &Node) {
        let (left_type, right_type) = (self.infer(left), self.infer(right));
        let ordered = match (left_type.solid(), right_type.solid()) {
            (Type::Any, other) | (other, Type::Any) => !matches!(other, Type::Null | Type::List(_) | Type::Object(..)),
            (Type::Bool, Type::Bool) | (Type::Text(_), Type::Text(_)) => true,
            (left, right) => [left, right].iter().all(|side| matches!(side, Type::Int | Type::Number)),
        };
        if !ordered {
            let message = format!(
                "`{}` is {} and `{}` is {}: they have no order",
                self.show(left),
                left_type.kind(),
                self.show(right),
                right_type.kind()
            );
            self.fault(node, message);
        }
    }

    fn membership(&mut self, node: &Node, item: &Node, collection: &Node) {
        let item_type = self.infer(item);
        if let Kind::List(others) = &collection.kind {
            for other in others {
                let other_type = self.infer(other);
                self.equality((item, &item_type), (other, &other_type));
            }
            return;
        }
        let collection_type = self.infer(collection).into_solid();
        match &collection_type {
            Type::List(other) => self.in_list(node, (item, &item_type), (collection, other)),
            Type::Object(..) => {
                self.want(item, &item_type, "the name of a field", |found| matches!(found, Type::Text(_)));
                if let Kind::Literal(Value::Text(name)) = &item.kind {
                    self.field(node, collection, collection_type, name);
                }
            }
            other => self.want(collection, other, "a list or an object", |_| false),
        }
    }

    fn in_list(&mut self, node: &Node, (item, item_type): (&Node, &Type), (list, of): (&Node, &Type)) {
        let (item, list) = (self.show(item), self.show(list));
        if !item_type.comparable(of) {
            let message = format!(
                "`{item}` is {} and the items of `{list}` are {}: it is never in it",
                item_type.kind(),
                of.kind()
            );
            self.fault(node, message);
        } else if let Some(values) = disjoint(item_type, of) {
            let message = format!("`{item}` is never in `{list}`: its items are among {values}");
            self.fault(node, message);
        }
    }

    fn equality(&mut self, left: (&Node, &Type), right: (&Node, &Type)) {
        // The literal second: it is the other that the message is about.
        let (about, other) = match left.0.kind {
            Kind::Literal(_) => (right, left),
            _ => (left, right),
        };
        let name = self.show(about.0);
        let message = match (&other.0.kind, about.1.comparable(other.1)) {
            (Kind::Literal(Value::Null), false) => format!("`{name}` is never null"),
            (_, false) => format!(
                "`{name}` is {} and `{}` is {}: they are never equal",
                about.1.kind(),
                self.show(other.0),
                other.1.kind()
            ),
            (Kind::Literal(Value::Text(value)), true) => match disjoint(other.1, about.1) {
                Some(values) => {
                    format!("`{name}` is never {}: it is one of {values}", quoted(value))
                }
                None => return,
            },
            (_, true) => match disjoint(other.1, about.1) {
                Some(_) => {
                    format!("`{name}` and `{}` are never equal: they have no value in common", self.show(other.0))
                }
                None => return,
            },
        };
        self.fault(other.0, message);
    }
}

fn of_literal(literal: &Value) -> Type {
    match literal {
        Value::Null => Type::Null,
        Value::Bool(_) => Type::Bool,
        Value::Int(_) => Type::Int,
        Value::Double(_) => Type::Number,
        Value::Text(text) => Type::Text(Some(vec![text.clone()])),
        Value::List(_) | Value::Map(_) => Type::Any,
    }
}

/// The values of `of`, if they are known, those of `item` are, and they share none.
fn disjoint(item: &Type, of: &Type) -> Option<String> {
    let (Type::Text(Some(items)), Type::Text(Some(values))) = (item.solid(), of.solid()) else {
        return None;
    };
    if item.takes_null() && of.takes_null() || items.iter().any(|item| values.contains(item)) {
        return None;
    }
    let near = match items.as_slice() {
        [item] if values.len() > LISTED => did_you_mean(item, values.iter().map(String::as_str)),
        _ => String::new(),
    };
    Some(listed(values, quoted) + &near)
}

fn quoted(value: &str) -> String {
    format!("{:?}", clip(value))
}

fn listed(items: &[String], show: fn(&str) -> String) -> String {
    let shown: Vec<String> = items.iter().take(LISTED).map(|item| show(item)).collect();
    let more = items.len().saturating_sub(LISTED);
    let list = shown.join(", ");
    if more == 0 { list } else { format!("{list} and {more} more") }
}
