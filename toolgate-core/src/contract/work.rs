//! How much work one call may ask for: steps are counted through checking, completing and repairing, as
//! choices inside of choices could ask for any number. Not the limits of the JSON itself.

use crate::json::Node;

/// Steps that any value may take, be it a single one.
const BASE: u32 = 20_000;
/// Further steps for each value inside.
const EACH: u32 = 16;
/// Most steps for one call.
const MOST: u32 = 200_000;
/// Rules inside of rules, by what is inside of the value and by what is said of one value.
const MAX_DEPTH: u32 = 512;
/// Names or words that are looked through in one step.
const LOOKED: usize = 16;
/// Bytes of a text that are read in one step.
const READ: usize = 64;

/// Work that is left.
#[derive(Debug, Clone, Copy)]
pub(super) struct Work {
    left: u32,
    depth: u32,
    /// Something wasn't done for want of room.
    out: bool,
}

impl Work {
    /// What may be done for this value.
    pub(super) fn of(node: &Node<'_>) -> Self {
        let values = u32::try_from(count(node)).unwrap_or(u32::MAX);
        Self { left: values.saturating_mul(EACH).saturating_add(BASE).min(MOST), depth: 0, out: false }
    }

    pub(super) fn is_out(&self) -> bool {
        self.out
    }

    /// Takes steps, where there are as many left.
    pub(super) fn take(&mut self, steps: usize) -> bool {
        match u32::try_from(steps).ok().and_then(|steps| self.left.checked_sub(steps)) {
            Some(left) if !self.out => self.left = left,
            _ => self.out = true,
        }
        !self.out
    }

    /// One step into a rule; each has its [`Self::leave`].
    pub(super) fn enter(&mut self) -> bool {
        self.depth += 1;
        self.out |= self.depth > MAX_DEPTH;
        self.take(1)
    }

    pub(super) fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// A look through so many names or words; it is short, so that several are one step.
    pub(super) fn look(&mut self, names: usize) -> bool {
        self.take(names / LOOKED)
    }

    /// A copy of a value.
    pub(super) fn copy<'n>(&mut self, node: &Node<'n>) -> Option<Node<'n>> {
        self.take(count(node)).then(|| node.clone())
    }

    /// A text that is read as JSON.
    pub(super) fn read(&mut self, text: &str) -> bool {
        self.take(text.len() / READ + 1)
    }
}

/// How many values there are, those inside others too.
pub(super) fn count(node: &Node<'_>) -> usize {
    match node {
        Node::List(items) => 1 + items.iter().map(count).sum::<usize>(),
        Node::Object(fields) => 1 + fields.iter().map(|(_, node)| count(node)).sum::<usize>(),
        _ => 1,
    }
}
