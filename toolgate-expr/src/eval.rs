//! The answer to an expression, over values the caller supplies.
//!
//! Not lenient: what isn't there is an error, and only `||`, `&&` and `?:` may pass over one, as CEL has it.

use std::borrow::Cow;
use std::cmp::Ordering;

use crate::error::{Cause, EvalError};
use crate::expr::{Comparison, Expr, Kind, Node, TextTest};
use crate::value::{self, Value};

/// Says where a value comes from; `None` where nothing is known of that.
pub type Trace<'t> = &'t dyn Fn(&Value) -> Option<&'static str>;

impl Expr {
    /// The value of the expression. `lookup` is asked once for each variable it names.
    ///
    /// # Errors
    /// The first part that can't be answered, unless `||`, `&&` or `?:` decides without it.
    pub fn eval(&self, lookup: &dyn Fn(&str) -> Option<Value>) -> Result<Value, EvalError> {
        self.eval_traced(lookup, &|_| None)
    }

    /// As [`Expr::eval`]; `trace` says where a value comes from, as one of the words of `provenance`.
    ///
    /// # Errors
    /// As [`Expr::eval`], and where `trace` can't say.
    pub fn eval_traced(&self, lookup: &dyn Fn(&str) -> Option<Value>, trace: Trace<'_>) -> Result<Value, EvalError> {
        let roots = self.roots().into_iter().map(|name| (name, lookup(name)));
        let scope = Scope { expr: self, roots: roots.collect(), trace };
        scope.value(&self.node).map(Cow::into_owned)
    }

    /// Whether the condition holds.
    ///
    /// # Errors
    /// As [`Expr::eval`], and if the value is neither true nor false.
    pub fn holds(&self, lookup: &dyn Fn(&str) -> Option<Value>) -> Result<bool, EvalError> {
        self.holds_traced(lookup, &|_| None)
    }

    /// As [`Expr::holds`], with what [`Expr::eval_traced`] takes.
    ///
    /// # Errors
    /// As [`Expr::eval_traced`], and if the value is neither true nor false.
    pub fn holds_traced(&self, lookup: &dyn Fn(&str) -> Option<Value>, trace: Trace<'_>) -> Result<bool, EvalError> {
        match self.eval_traced(lookup, trace)? {
            Value::Bool(holds) => Ok(holds),
            other => Err(EvalError::new(self.text(), Cause::NotBool(other.kind()))),
        }
    }
}

struct Scope<'e> {
    expr: &'e Expr,
    roots: Vec<(&'e str, Option<Value>)>,
    trace: Trace<'e>,
}

impl Scope<'_> {
    fn value<'s>(&'s self, node: &'s Node) -> Result<Cow<'s, Value>, EvalError> {
        let answer = match &node.kind {
            Kind::Literal(literal) => return Ok(Cow::Borrowed(literal)),
            Kind::Root(name) => return self.root(node, name),
            Kind::Field(base, name) => {
                return self.part_of(node, self.value(base)?, |base| base.field(name));
            }
            Kind::Index(base, index) => {
                let base = self.value(base)?;
                let index = self.value(index)?;
                return self.part_of(node, base, |base| base.item(&index));
            }
            Kind::Choose(condition, yes, no) => {
                return self.value(if self.bool(condition)? { yes } else { no });
            }
            Kind::List(items) => {
                let items = items.iter().map(|item| self.value(item).map(Cow::into_owned));
                Value::List(items.collect::<Result<_, _>>()?)
            }
            Kind::Negate(operand) => self.negate(node, operand)?,
            Kind::Size(operand) => {
                let size = size(&*self.value(operand)?);
                Value::Int(size.map_err(|cause| self.error(node, cause))?)
            }
            Kind::Provenance(operand) => {
                let found = (self.trace)(&*self.value(operand)?);
                Value::Text(found.ok_or_else(|| self.error(node, Cause::NoProvenance))?.to_owned())
            }
            Kind::Has(base, name) => Value::Bool(self.has(node, base, name)?),
            Kind::Test(how, text, sought) => Value::Bool(self.test(*how, text, sought)?),
            Kind::Not(operand) => Value::Bool(!self.bool(operand)?),
            Kind::Compare(comparison, left, right) => {
                let left = self.value(left)?;
                let right = self.value(right)?;
                let holds = compare(*comparison, &left, &right);
                Value::Bool(holds.map_err(|cause| self.error(node, cause))?)
            }
            Kind::In(item, collection) => Value::Bool(self.contains(node, item, collection)?),
            Kind::All(nodes) => Value::Bool(self.unless(nodes, false)?),
            Kind::Any(nodes) => Value::Bool(self.unless(nodes, true)?),
        };
        Ok(Cow::Owned(answer))
    }

    fn error(&self, node: &Node, cause: Cause) -> EvalError {
        EvalError::new(self.expr.part(node), cause)
    }

    fn root<'s>(&'s self, node: &Node, name: &str) -> Result<Cow<'s, Value>, EvalError> {
        let found = self.roots.iter().find(|(root, _)| *root == name);
        match found {
            Some((_, Some(value))) => Ok(Cow::Borrowed(value)),
            _ => Err(self.error(node, Cause::MissingRoot)),
        }
    }

    /// A part of `base`, borrowed where `base` is.
    fn part_of<'s>(
        &'s self,
        node: &Node,
        base: Cow<'s, Value>,
        part: impl for<'v> Fn(&'v Value) -> Result<&'v Value, Cause>,
    ) -> Result<Cow<'s, Value>, EvalError> {
        let found = match base {
            Cow::Borrowed(base) => part(base).map(Cow::Borrowed),
            Cow::Owned(base) => part(&base).map(|found| Cow::Owned(found.clone())),
        };
        found.map_err(|cause| self.error(node, cause))
    }

    fn bool(&self, node: &Node) -> Result<bool, EvalError> {
        match &*self.value(node)? {
            Value::Bool(answer) => Ok(*answer),
            other => Err(self.error(node, Cause::NotBool(other.kind()))),
        }
    }

    /// `decisive` if any node answers so, whatever the others do; else the first error; else the opposite.
    fn unless(&self, nodes: &[Node], decisive: bool) -> Result<bool, EvalError> {
        let mut first_error = None;
        for node in nodes {
            match self.bool(node) {
                Ok(answer) if answer == decisive => return Ok(decisive),
                Ok(_) => {}
                Err(error) => {
                    first_error.get_or_insert(error);
                }
            }
        }
        first_error.map_or(Ok(!decisive), Err)
    }

    fn negate(&self, node: &Node, operand: &Node) -> Result<Value, EvalError> {
        match &*self.value(operand)? {
            Value::Int(int) => int.checked_neg().map(Value::Int).ok_or_else(|| self.error(node, Cause::Overflow)),
            Value::Double(double) => Ok(Value::Double(-double)),
            other => Err(self.error(operand, Cause::NotNumber(other.kind()))),
        }
    }

    fn has(&self, node: &Node, base: &Node, name: &str) -> Result<bool, EvalError> {
        match self.value(base)?.field(name) {
            Ok(_) => Ok(true),
            Err(Cause::MissingField) => Ok(false),
            Err(cause) => Err(self.error(node, cause)),
        }
    }

    fn test(&self, how: TextTest, text: &Node, sought: &Node) -> Result<bool, EvalError> {
        let (text_value, sought_value) = (self.value(text)?, self.value(sought)?);
        match (&*text_value, &*sought_value) {
            (Value::Text(text), Value::Text(sought)) => Ok(match how {
                TextTest::StartsWith => text.starts_with(sought.as_str()),
                TextTest::EndsWith => text.ends_with(sought.as_str()),
                TextTest::Contains => text.contains(sought.as_str()),
            }),
            (Value::Text(_), other) => Err(self.error(sought, Cause::NotText(other.kind()))),
            (other, _) => Err(self.error(text, Cause::NotText(other.kind()))),
        }
    }

    fn contains(&self, node: &Node, item: &Node, collection: &Node) -> Result<bool, EvalError> {
        let item = self.value(item)?;
        let holds = match &*self.value(collection)? {
            Value::List(items) => member(&item, items),
            map @ Value::Map(_) => match map.item(&item) {
                Ok(_) => Ok(true),
                Err(Cause::MissingField) => Ok(false),
                Err(cause) => Err(cause),
            },
            other => return Err(self.error(collection, Cause::NotCollection(other.kind()))),
        };
        holds.map_err(|cause| self.error(node, cause))
    }
}

/// Whether an item of the list is equal; a pair that can't be compared is an error only if no other is.
fn member(item: &Value, items: &[Value]) -> Result<bool, Cause> {
    let mut first_error = None;
    for other in items {
        match value::equal(item, other) {
            Ok(true) => return Ok(true),
            Ok(false) => {}
            Err(cause) => {
                first_error.get_or_insert(cause);
            }
        }
    }
    first_error.map_or(Ok(false), Err)
}

/// Characters of a text, items of a list, fields of an object.
fn size(value: &Value) -> Result<i64, Cause> {
    let size = match value {
        Value::Text(text) => text.chars().count(),
        Value::List(items) => items.len(),
        Value::Map(entries) => entries.len(),
        other => return Err(Cause::NoSize(other.kind())),
    };
    Ok(i64::try_from(size).unwrap_or(i64::MAX))
}

fn compare(comparison: Comparison, left: &Value, right: &Value) -> Result<bool, Cause> {
    match comparison {
        Comparison::Equal => value::equal(left, right),
        Comparison::NotEqual => value::equal(left, right).map(|equal| !equal),
        Comparison::Less => Ok(value::order(left, right)? == Some(Ordering::Less)),
        Comparison::LessOrEqual => Ok(value::order(left, right)?.is_some_and(Ordering::is_le)),
        Comparison::Greater => Ok(value::order(left, right)? == Some(Ordering::Greater)),
        Comparison::GreaterOrEqual => Ok(value::order(left, right)?.is_some_and(Ordering::is_ge)),
    }
}
