//! The arguments as a policy sees them: read from their canonical text when the policy first looks, so that
//! one which never looks costs nothing. Not the check of them; they have passed it.

use std::fmt;
use std::ops::Deref;
use std::sync::OnceLock;

use crate::json::{Limits, Node, parse};

/// Canonical arguments, used as the [`Node`] they are.
pub struct Arguments<'a> {
    text: &'a str,
    /// Without borrows, so that a request with a longer life is one with a shorter life, too.
    node: OnceLock<Node<'static>>,
}

impl<'a> Arguments<'a> {
    /// Those of this text, from which the tool's own were decoded.
    pub(crate) fn of_canonical(text: &'a str) -> Self {
        Self { text, node: OnceLock::new() }
    }
}

impl From<Node<'_>> for Arguments<'static> {
    fn from(node: Node<'_>) -> Self {
        Self { text: "null", node: OnceLock::from(node.into_owned()) }
    }
}

impl Deref for Arguments<'_> {
    type Target = Node<'static>;

    fn deref(&self) -> &Node<'static> {
        // INVARIANT: the text was parsed under the same limits before, when the arguments were decoded.
        let read = || parse(self.text.as_bytes(), &Limits::MAX).map_or(Node::Null, Node::into_owned);
        self.node.get_or_init(read)
    }
}

impl fmt::Debug for Arguments<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
