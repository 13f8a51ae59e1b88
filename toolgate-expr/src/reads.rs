//! What an expression reads: paths beneath a variable, and names it binds together.
//!
//! Not evaluation: nothing here looks at a value.

use crate::expr::{Comparison, Expr, Kind, Node, TextTest};
use crate::value::Value;

/// A text that stands in an expression beside a value: they are compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Beside {
    /// The path of the value, beneath its variable.
    pub path: Vec<Step>,
    /// The text.
    pub text: String,
    /// Whether the value is only asked to begin so.
    pub is_beginning: bool,
    /// Where the text stands: a byte column, from 0.
    pub at: usize,
    /// Its bytes, quotes included.
    pub length: usize,
}

/// One step of a path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// `.name` or `['name']`.
    Field(String),
    /// `[0]`.
    Index(i64),
}

impl Expr {
    /// Every path the expression reads beneath `root`, each once, in the order of the text.
    ///
    /// A computed index ends the path before it: of `result.items[args.n].name` it is `items`. The bare variable gives the empty path.
    pub fn fields(&self, root: &str) -> Vec<Vec<Step>> {
        let mut reads = Reads { root, paths: Vec::new() };
        reads.visit(&self.node);
        reads.paths
    }

    /// Every path beneath `root` whose presence the expression asks for, with `has(root.x)` or `'x' in root`; each once.
    pub fn asked_for(&self, root: &str) -> Vec<Vec<Step>> {
        let mut reads = Reads { root, paths: Vec::new() };
        let mut found = Vec::new();
        let mut waiting = vec![&self.node];
        while let Some(node) = waiting.pop() {
            let path = match &node.kind {
                Kind::Has(..) => reads.trace(node),
                Kind::In(item, object) => match &item.kind {
                    Kind::Literal(Value::Text(name)) => {
                        reads.trace(object).map(|path| path.then(Some(Step::Field(name.clone()))))
                    }
                    _ => None,
                },
                _ => None,
            };
            found.extend(path.filter(|path| path.root == root && !path.ended).map(|path| path.steps));
            waiting.extend(node.kind.children());
        }
        found.sort();
        found.dedup();
        found
    }

    /// The names bound by `left_root.x == right_root.y`, as `(x, y)`, whichever side stands first.
    ///
    /// Only comparisons that must hold for the whole to hold: those joined by `&&` at the top. Only fields directly
    /// beneath the two variables.
    pub fn bindings(&self, left_root: &str, right_root: &str) -> Vec<(String, String)> {
        let mut found = Vec::new();
        for (left, right) in self.conjuncts().into_iter().filter_map(|node| bound_by(node, left_root, right_root)) {
            let pair = (left.to_owned(), right.to_owned());
            if !found.contains(&pair) {
                found.push(pair);
            }
        }
        found
    }

    /// What the expression asks beyond its [bindings](Self::bindings): the other parts joined by `&&` at the
    /// top, as written.
    pub fn beyond_bindings(&self, left_root: &str, right_root: &str) -> Vec<&str> {
        let others = self.conjuncts().into_iter().filter(|node| bound_by(node, left_root, right_root).is_none());
        others.map(|node| self.part(node)).collect()
    }

    /// The parts that must all hold, in the order of the text.
    fn conjuncts(&self) -> Vec<&Node> {
        let mut found = Vec::new();
        let mut waiting = vec![&self.node];
        while let Some(node) = waiting.pop() {
            match &node.kind {
                // From the back, so that they come off in the order of the text.
                Kind::All(nodes) => waiting.extend(nodes.iter().rev()),
                _ => found.push(node),
            }
        }
        found
    }

    /// The texts that values beneath `root` are compared with: by `==`, `!=`, `in` and `startsWith`, in the order of the
    /// text.
    pub fn texts_beside(&self, root: &str) -> Vec<Beside> {
        let mut found = Vec::new();
        let mut waiting = vec![&self.node];
        while let Some(node) = waiting.pop() {
            match &node.kind {
                Kind::Compare(Comparison::Equal | Comparison::NotEqual, left, right) => {
                    found.extend(beside(root, left, right, false).or_else(|| beside(root, right, left, false)));
                }
                Kind::In(item, list) => match &list.kind {
                    Kind::List(texts) => found.extend(texts.iter().filter_map(|text| beside(root, item, text, false))),
                    _ => found.extend(beside(root, list, item, false)),
                },
                Kind::Test(TextTest::StartsWith, value, text) => found.extend(beside(root, value, text, true)),
                _ => {}
            }
            waiting.extend(node.kind.children());
        }
        found.sort_by_key(|beside| beside.at);
        found
    }

    /// Whether it asks where a value comes from.
    pub fn is_traced(&self) -> bool {
        let mut waiting = vec![&self.node];
        while let Some(node) = waiting.pop() {
            if matches!(node.kind, Kind::Provenance(_)) {
                return true;
            }
            waiting.extend(node.kind.children());
        }
        false
    }

    /// The variables the expression names, each once.
    pub(crate) fn roots(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        let mut waiting = vec![&self.node];
        while let Some(node) = waiting.pop() {
            match &node.kind {
                Kind::Root(name) if !names.contains(&name.as_str()) => names.push(name),
                kind => waiting.extend(kind.children()),
            }
        }
        names
    }
}

/// The fields that `node` makes equal, that of `left_root` first.
fn bound_by<'n>(node: &'n Node, left_root: &str, right_root: &str) -> Option<(&'n str, &'n str)> {
    let Kind::Compare(Comparison::Equal, left, right) = &node.kind else {
        return None;
    };
    let as_written = field_of(left, left_root).zip(field_of(right, right_root));
    as_written.or_else(|| field_of(right, left_root).zip(field_of(left, right_root)))
}

/// The value and the text of a comparison, where they are one.
fn beside(root: &str, value: &Node, text: &Node, is_beginning: bool) -> Option<Beside> {
    let Kind::Literal(Value::Text(literal)) = &text.kind else { return None };
    let path = Reads { root, paths: Vec::new() }.trace(value).filter(|path| path.root == root && !path.ended)?;
    let (at, length) = (text.start, text.end.saturating_sub(text.start));
    Some(Beside { path: path.steps, text: literal.clone(), is_beginning, at, length })
}

/// The field `node` reads directly beneath `root`.
fn field_of<'n>(node: &'n Node, root: &str) -> Option<&'n str> {
    let (base, name) = match &node.kind {
        Kind::Field(base, name) => (base, name),
        Kind::Index(base, index) => match &index.kind {
            Kind::Literal(Value::Text(name)) => (base, name),
            _ => return None,
        },
        _ => return None,
    };
    matches!(&base.kind, Kind::Root(found) if found == root).then_some(name)
}

struct Reads<'r> {
    root: &'r str,
    paths: Vec<Vec<Step>>,
}

/// A path from a variable, and whether a computed index has ended it.
struct Path<'n> {
    root: &'n str,
    steps: Vec<Step>,
    ended: bool,
}

impl Reads<'_> {
    fn visit(&mut self, node: &Node) {
        if matches!(node.kind, Kind::Root(_) | Kind::Field(..) | Kind::Index(..) | Kind::Has(..)) {
            if let Some(path) = self.trace(node)
                && path.root == self.root
                && !self.paths.contains(&path.steps)
            {
                self.paths.push(path.steps);
            }
            return;
        }
        for child in node.kind.children() {
            self.visit(child);
        }
    }

    /// The path of `node`, if it starts at a variable; what else it reads on the way is visited.
    fn trace<'n>(&mut self, node: &'n Node) -> Option<Path<'n>> {
        match &node.kind {
            Kind::Root(root) => Some(Path { root, steps: Vec::new(), ended: false }),
            Kind::Field(base, name) | Kind::Has(base, name) => {
                Some(self.trace(base)?.then(Some(Step::Field(name.clone()))))
            }
            Kind::Index(base, index) => {
                let base = self.trace(base);
                let step = match &index.kind {
                    Kind::Literal(Value::Int(index)) => Some(Step::Index(*index)),
                    Kind::Literal(Value::Text(name)) => Some(Step::Field(name.clone())),
                    _ => None,
                };
                self.visit(index);
                Some(base?.then(step))
            }
            _ => {
                self.visit(node);
                None
            }
        }
    }
}

impl Path<'_> {
    fn then(mut self, step: Option<Step>) -> Self {
        match step {
            Some(step) if !self.ended => self.steps.push(step),
            _ => self.ended = true,
        }
        self
    }
}
