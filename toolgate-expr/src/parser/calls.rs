//! Variables, functions and methods: everything the parser knows by name.
//!
//! Not extensible: the functions are these, and the variables the caller's.

use super::Parser;
use crate::error::{ParseError, clip, did_you_mean};
use crate::expr::{Comparison, Kind, Node, TextTest};
use crate::types::USER;
use crate::value::Value;

const FUNCTIONS: [&str; 4] = ["size", "has", "provenance", "said"];
/// How many of the functions are there where nobody knows where values come from.
const PLAIN: usize = 2;
const METHODS: [&str; 4] = ["size", "startsWith", "endsWith", "contains"];

impl Parser<'_> {
    /// The call of a method on `receiver`; `at` is the token of its `name`.
    pub(super) fn method(&mut self, receiver: Node, name: &str, at: usize) -> Result<Node, ParseError> {
        let test = match name {
            "size" => None,
            "startsWith" => Some(TextTest::StartsWith),
            "endsWith" => Some(TextTest::EndsWith),
            "contains" => Some(TextTest::Contains),
            _ => return Err(self.unknown(at, "method", name, &METHODS)),
        };
        let start = receiver.start;
        let arguments = self.arguments()?;
        let span = (start, self.end_before());
        let kind = match (test, one_or_none(arguments)) {
            (None, Ok(None)) => Kind::Size(Box::new(receiver)),
            (Some(test), Ok(Some(argument))) => Kind::Test(test, Box::new(receiver), Box::new(argument)),
            (test, arguments) => {
                let wanted = usize::from(test.is_some());
                return Err(self.arity(at, name, wanted, &arguments));
            }
        };
        self.node(span, kind)
    }

    /// A root, or a call of `size` or `has`.
    pub(super) fn variable(&mut self, name: String) -> Result<Node, ParseError> {
        let at = self.at;
        let start = self.here().start;
        self.at += 1;
        if !self.is("(") {
            if name == "in" || name == "not" {
                return Err(self.unknown(at, "variable", &name, self.roots));
            }
            if !self.roots.contains(&name.as_str()) {
                self.strangers.push(self.unknown(at, "variable", &name, self.roots));
            }
            return self.node((start, self.end_before()), Kind::Root(name));
        }
        let known = if self.traced { &FUNCTIONS[..] } else { FUNCTIONS.get(..PLAIN).unwrap_or_default() };
        if !known.contains(&name.as_str()) {
            return Err(self.unknown(at, "function", &name, known));
        }
        let argument = match one_or_none(self.arguments()?) {
            Ok(Some(argument)) => argument,
            other => return Err(self.arity(at, &name, 1, &other)),
        };
        let span = (start, self.end_before());
        match (name.as_str(), argument.kind) {
            ("has", Kind::Field(base, field)) => self.node(span, Kind::Has(base, field)),
            ("has", _) => Err(ParseError::new(
                self.text,
                argument.start,
                argument.end,
                "`has` asks for a field, as in `has(a.b)`",
            )),
            ("size", kind) => self.node(span, Kind::Size(Box::new(Node { kind, ..argument }))),
            ("said", kind) => self.said(span, Node { kind, ..argument }),
            (_, kind) => self.node(span, Kind::Provenance(Box::new(Node { kind, ..argument }))),
        }
    }

    /// `said(x)`, which is `provenance(x) == 'user'`.
    fn said(&mut self, span: (usize, usize), argument: Node) -> Result<Node, ParseError> {
        let provenance = self.node(span, Kind::Provenance(Box::new(argument)))?;
        let user = self.node(span, Kind::Literal(Value::Text(USER.to_owned())))?;
        self.node(span, Kind::Compare(Comparison::Equal, Box::new(provenance), Box::new(user)))
    }

    fn arguments(&mut self) -> Result<Vec<Node>, ParseError> {
        self.expect("(")?;
        self.sequence(")")
    }

    fn unknown(&self, at: usize, what: &str, name: &str, known: &[&str]) -> ParseError {
        let token = self.tokens.get(at);
        let (start, end) = token.map_or((0, 0), |token| (token.start, token.end));
        let message = if name == "not" {
            "unexpected word, use `!` for not".to_owned()
        } else {
            format!(
                "unknown {what} `{}`, expected one of: {}{}",
                clip(name),
                known.join(", "),
                did_you_mean(name, known.iter().copied())
            )
        };
        ParseError::new(self.text, start, end, message)
    }

    fn arity(&self, at: usize, name: &str, wanted: usize, got: &Result<Option<Node>, usize>) -> ParseError {
        let got = match got {
            Ok(argument) => usize::from(argument.is_some()),
            Err(count) => *count,
        };
        let start = self.tokens.get(at).map_or(0, |token| token.start);
        let plural = if wanted == 1 { "" } else { "s" };
        let message = format!("`{name}` takes {wanted} argument{plural}, not {got}");
        ParseError::new(self.text, start, self.end_before(), message)
    }
}

/// No argument or the only one; the count if there are more.
fn one_or_none(arguments: Vec<Node>) -> Result<Option<Node>, usize> {
    let count = arguments.len();
    match count {
        0 | 1 => Ok(arguments.into_iter().next()),
        _ => Err(count),
    }
}
