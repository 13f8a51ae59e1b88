//! Tokens to a tree, by recursive descent, each limit checked on the way down.
//!
//! Not a type check: `1 < 'a'` parses.

mod calls;

use crate::error::{ParseError, clip};
use crate::expr::{Comparison, Kind, MAX_BYTES, MAX_DEPTH, MAX_NODES, Node};
use crate::lexer::{Spanned, Token, tokens};
use crate::value::Value;

pub(crate) struct Parser<'t> {
    text: &'t str,
    roots: &'t [&'t str],
    /// Whether it may ask where a value comes from.
    traced: bool,
    tokens: Vec<Spanned>,
    at: usize,
    nest: usize,
    nodes: usize,
    /// Variables that aren't there. They are no reason to stop: all of them are told.
    strangers: Vec<ParseError>,
}

impl<'t> Parser<'t> {
    pub(crate) fn parse(text: &'t str, roots: &'t [&'t str], traced: bool) -> Result<Node, Vec<ParseError>> {
        let mut strangers = Vec::new();
        let found = Self::node_of(text, roots, traced, &mut strangers);
        match found {
            Ok(node) if strangers.is_empty() => Ok(node),
            found => {
                strangers.extend(found.err());
                Err(strangers)
            }
        }
    }

    fn node_of(
        text: &'t str,
        roots: &'t [&'t str],
        traced: bool,
        strangers: &mut Vec<ParseError>,
    ) -> Result<Node, ParseError> {
        if text.len() > MAX_BYTES {
            let message = format!("the expression has {} bytes, at most {MAX_BYTES} are allowed", text.len());
            return Err(ParseError::new(text, 0, text.len(), message));
        }
        let tokens = tokens(text)?;
        let mut parser = Self { text, roots, traced, tokens, at: 0, nest: 0, nodes: 0, strangers: Vec::new() };
        if parser.here().token == Token::End {
            return Err(parser.fault("the expression is empty"));
        }
        let node = parser.expression();
        *strangers = std::mem::take(&mut parser.strangers);
        let node = node?;
        match parser.here().token {
            Token::End => Ok(node),
            _ => Err(parser.unexpected("an operator")),
        }
    }

    /// `or`, or `or ? or : expression`.
    fn expression(&mut self) -> Result<Node, ParseError> {
        if self.nest >= MAX_DEPTH {
            return Err(self.fault(format!("nested deeper than {MAX_DEPTH} levels")));
        }
        self.nest += 1;
        let condition = self.or()?;
        let node = if self.eat("?") {
            let yes = self.or()?;
            self.expect(":")?;
            let no = self.expression()?;
            let span = (condition.start, no.end);
            self.node(span, Kind::Choose(Box::new(condition), Box::new(yes), Box::new(no)))?
        } else {
            condition
        };
        self.nest -= 1;
        Ok(node)
    }

    fn or(&mut self) -> Result<Node, ParseError> {
        self.chain("||", Self::and, Kind::Any)
    }

    fn and(&mut self) -> Result<Node, ParseError> {
        self.chain("&&", Self::relation, Kind::All)
    }

    /// One or more `part`s between `sign`s; a chain is one node, however long.
    fn chain(
        &mut self,
        sign: &'static str,
        part: fn(&mut Self) -> Result<Node, ParseError>,
        kind: fn(Vec<Node>) -> Kind,
    ) -> Result<Node, ParseError> {
        let first = part(self)?;
        if !self.is(sign) {
            return Ok(first);
        }
        let start = first.start;
        let mut parts = vec![first];
        while self.eat(sign) {
            parts.push(part(self)?);
        }
        let end = self.end_before();
        self.node((start, end), kind(parts))
    }

    fn relation(&mut self) -> Result<Node, ParseError> {
        let mut left = self.unary()?;
        loop {
            let comparison = match &self.here().token {
                Token::Sign("==") => Some(Comparison::Equal),
                Token::Sign("!=") => Some(Comparison::NotEqual),
                Token::Sign("<") => Some(Comparison::Less),
                Token::Sign("<=") => Some(Comparison::LessOrEqual),
                Token::Sign(">") => Some(Comparison::Greater),
                Token::Sign(">=") => Some(Comparison::GreaterOrEqual),
                Token::Name(name) if name == "in" => None,
                _ => return Ok(left),
            };
            self.at += 1;
            let right = self.unary()?;
            let span = (left.start, right.end);
            let (boxed_left, boxed_right) = (Box::new(left), Box::new(right));
            let kind = match comparison {
                Some(comparison) => Kind::Compare(comparison, boxed_left, boxed_right),
                None => Kind::In(boxed_left, boxed_right),
            };
            left = self.node(span, kind)?;
        }
    }

    /// A member behind any number of `!` or of `-`.
    fn unary(&mut self) -> Result<Node, ParseError> {
        let (sign, kind): (_, fn(Box<Node>) -> Kind) = match self.here().token {
            Token::Sign("!") => ("!", Kind::Not),
            Token::Sign("-") => ("-", Kind::Negate),
            _ => return self.member(),
        };
        let mut starts = Vec::new();
        while self.is(sign) {
            let start = self.here().start;
            self.at += 1;
            // The last `-` before a number belongs to it: the smallest integer has no positive.
            if sign == "-" && matches!(self.here().token, Token::Whole(_) | Token::Double(_)) {
                self.at -= 1;
                break;
            }
            starts.push(start);
        }
        let mut node = self.member()?;
        for start in starts.into_iter().rev() {
            let span = (start, node.end);
            node = self.node(span, kind(Box::new(node)))?;
        }
        Ok(node)
    }

    /// A primary with its `.name`, `[index]` and `.method(..)`.
    fn member(&mut self) -> Result<Node, ParseError> {
        let mut node = self.primary()?;
        loop {
            let start = node.start;
            if self.eat("[") {
                let index = self.expression()?;
                self.expect("]")?;
                let span = (start, self.end_before());
                node = self.node(span, Kind::Index(Box::new(node), Box::new(index)))?;
            } else if self.eat(".") {
                let (name, at) = self.name()?;
                if self.is("(") {
                    node = self.method(node, &name, at)?;
                } else {
                    let span = (start, self.end_before());
                    node = self.node(span, Kind::Field(Box::new(node), name))?;
                }
            } else {
                return Ok(node);
            }
        }
    }

    /// The name after a dot, and its token.
    fn name(&mut self) -> Result<(String, usize), ParseError> {
        let at = self.at;
        match &self.here().token {
            Token::Name(name) if matches!(name.as_str(), "in" | "true" | "false" | "null") => {
                Err(self.fault(format!("`{name}` is a reserved word, write `['{name}']`")))
            }
            Token::Name(name) => {
                let name = name.clone();
                self.at += 1;
                Ok((name, at))
            }
            _ => Err(self.unexpected("a field name")),
        }
    }

    fn primary(&mut self) -> Result<Node, ParseError> {
        let here = self.here();
        let span = (here.start, here.end);
        let literal = match here.token {
            Token::Text(text) => Value::Text(text),
            Token::Whole(_) | Token::Double(_) => return self.number(false),
            Token::Sign("-") => return self.number(true),
            Token::Sign("(") => return self.brackets(),
            Token::Sign("[") => return self.list(),
            Token::Sign("{") => {
                return Err(self.fault("an object can't be written here, only lists"));
            }
            Token::Name(name) => match name.as_str() {
                "true" => Value::Bool(true),
                "false" => Value::Bool(false),
                "null" => Value::Null,
                _ => return self.variable(name),
            },
            _ => return Err(self.unexpected("a value")),
        };
        self.at += 1;
        self.node(span, Kind::Literal(literal))
    }

    fn number(&mut self, negative: bool) -> Result<Node, ParseError> {
        let start = self.here().start;
        self.at += usize::from(negative);
        let here = self.here();
        let value = match here.token {
            Token::Whole(whole) if negative => 0_i64.checked_sub_unsigned(whole).map(Value::Int),
            Token::Whole(whole) => i64::try_from(whole).ok().map(Value::Int),
            Token::Double(double) if negative => Some(Value::Double(-double)),
            Token::Double(double) => Some(Value::Double(double)),
            _ => return Err(self.unexpected("a value")),
        };
        let Some(value) = value else {
            return Err(ParseError::new(self.text, start, here.end, "this is no integer of 64 bits"));
        };
        self.at += 1;
        self.node((start, here.end), Kind::Literal(value))
    }

    fn brackets(&mut self) -> Result<Node, ParseError> {
        let start = self.here().start;
        self.at += 1;
        let mut node = self.expression()?;
        self.expect(")")?;
        node.start = start;
        node.end = self.end_before();
        Ok(node)
    }

    fn list(&mut self) -> Result<Node, ParseError> {
        let start = self.here().start;
        self.at += 1;
        let items = self.sequence("]")?;
        self.node((start, self.end_before()), Kind::List(items))
    }

    /// Expressions between commas, up to `close`. A list may end in a comma, arguments may not.
    fn sequence(&mut self, close: &'static str) -> Result<Vec<Node>, ParseError> {
        let mut items = Vec::new();
        if self.eat(close) {
            return Ok(items);
        }
        loop {
            items.push(self.expression()?);
            if self.eat(",") {
                if close == "]" && self.eat(close) {
                    return Ok(items);
                }
            } else {
                self.expect(close)?;
                return Ok(items);
            }
        }
    }

    fn node(&mut self, (start, end): (usize, usize), kind: Kind) -> Result<Node, ParseError> {
        let below = kind.children().iter().map(|child| child.depth).max();
        let depth = below.unwrap_or(0) + 1;
        if depth > MAX_DEPTH {
            let message = format!("nested deeper than {MAX_DEPTH} levels");
            return Err(ParseError::new(self.text, start, end, message));
        }
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            let message = format!("more than {MAX_NODES} parts; split the expression");
            return Err(ParseError::new(self.text, start, end, message));
        }
        Ok(Node { kind, start, end, depth })
    }

    fn here(&self) -> Spanned {
        self.tokens.get(self.at).cloned().unwrap_or(Spanned {
            token: Token::End,
            start: self.text.len(),
            end: self.text.len(),
        })
    }

    fn end_before(&self) -> usize {
        let before = self.at.checked_sub(1);
        before.and_then(|at| self.tokens.get(at)).map_or(0, |token| token.end)
    }

    fn is(&self, sign: &str) -> bool {
        matches!(self.tokens.get(self.at), Some(Spanned { token: Token::Sign(here), .. }) if *here == sign)
    }

    fn eat(&mut self, sign: &str) -> bool {
        let found = self.is(sign);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, sign: &str) -> Result<(), ParseError> {
        if self.eat(sign) {
            return Ok(());
        }
        Err(self.unexpected(&format!("`{sign}`")))
    }

    fn fault(&self, message: impl Into<String>) -> ParseError {
        let here = self.here();
        ParseError::new(self.text, here.start, here.end, message)
    }

    fn unexpected(&self, expected: &str) -> ParseError {
        let here = self.here();
        let part = clip(self.text.get(here.start..here.end).unwrap_or_default());
        self.fault(match (here.token, part.as_str()) {
            (Token::End, _) => format!("the expression ends too early, expected {expected}"),
            (Token::Name(_), "and" | "AND") => "unexpected word, use `&&` for and".to_owned(),
            (Token::Name(_), "or" | "OR") => "unexpected word, use `||` for or".to_owned(),
            (Token::Sign("-"), _) => "unexpected `-`: arithmetic is not supported".to_owned(),
            _ => format!("unexpected `{part}`, expected {expected}"),
        })
    }
}
