//! A parsed expression and its tree.
//!
//! Not how it is parsed (`parser`), read (`reads`) or answered (`eval`).

use crate::error::ParseError;
use crate::parser::Parser;
use crate::value::Value;

/// Longest expression, in bytes.
pub const MAX_BYTES: usize = 1_024;
/// Deepest nesting.
pub const MAX_DEPTH: usize = 24;
/// Most nodes: variables, fields, literals, operators and calls.
pub const MAX_NODES: usize = 256;

/// Parses `text`, whose variables are `roots`.
///
/// # Errors
/// The first fault in `text`: bad syntax, an unknown variable or function, or a limit passed.
pub fn parse(text: &str, roots: &[&str]) -> Result<Expr, ParseError> {
    parse_all(text, roots).map_err(|mut faults| faults.swap_remove(0))
}

/// As [`parse`], with every fault that can be told at once: all unknown variables up to the first fault that
/// ends the reading, and that one.
///
/// # Errors
/// The faults, in the order of the text; at least one.
pub fn parse_all(text: &str, roots: &[&str]) -> Result<Expr, Vec<ParseError>> {
    let node = Parser::parse(text, roots, false)?;
    Ok(Expr { text: text.to_owned(), node })
}

/// As [`parse`], for an expression that may also ask where values come from: `provenance(x)`, which is `'user'`,
/// `'trusted'`, `'model'` or `'untrusted'`, and `said(x)`, which is `provenance(x) == 'user'`.
///
/// # Errors
/// As [`parse`].
pub fn parse_traced(text: &str, roots: &[&str]) -> Result<Expr, ParseError> {
    let node = Parser::parse(text, roots, true).map_err(|mut faults| faults.swap_remove(0))?;
    Ok(Expr { text: text.to_owned(), node })
}

/// A parsed expression, within the limits.
#[derive(Debug, Clone)]
pub struct Expr {
    text: String,
    pub(crate) node: Node,
}

impl Expr {
    /// The expression as written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The part of the text `node` was read from.
    pub(crate) fn part(&self, node: &Node) -> &str {
        self.text.get(node.start..node.end).unwrap_or_default()
    }
}

/// One node; `start..end` are its bytes in the text, brackets around it included.
// INVARIANT: `depth` is at most `MAX_DEPTH`, so recursion over the tree is bounded.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) depth: usize,
}

#[derive(Debug, Clone)]
pub(crate) enum Kind {
    Literal(Value),
    List(Vec<Node>),
    Root(String),
    Field(Box<Node>, String),
    Index(Box<Node>, Box<Node>),
    Has(Box<Node>, String),
    Size(Box<Node>),
    Provenance(Box<Node>),
    Test(TextTest, Box<Node>, Box<Node>),
    Not(Box<Node>),
    Negate(Box<Node>),
    Compare(Comparison, Box<Node>, Box<Node>),
    In(Box<Node>, Box<Node>),
    /// `&&`, of two or more.
    All(Vec<Node>),
    /// `||`, of two or more.
    Any(Vec<Node>),
    Choose(Box<Node>, Box<Node>, Box<Node>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextTest {
    StartsWith,
    EndsWith,
    Contains,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Kind {
    pub(crate) fn children(&self) -> Vec<&Node> {
        match self {
            Self::Literal(_) | Self::Root(_) => Vec::new(),
            Self::List(nodes) | Self::All(nodes) | Self::Any(nodes) => nodes.iter().collect(),
            Self::Field(node, _)
            | Self::Has(node, _)
            | Self::Size(node)
            | Self::Provenance(node)
            | Self::Not(node)
            | Self::Negate(node) => vec![node],
            Self::Index(left, right)
            | Self::Test(_, left, right)
            | Self::Compare(_, left, right)
            | Self::In(left, right) => vec![left, right],
            Self::Choose(condition, yes, no) => vec![condition, yes, no],
        }
    }
}
