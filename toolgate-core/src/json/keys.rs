//! Whether an object says a key twice, in time linear in its keys.
//!
//! Not here: what a key may be.

use std::borrow::Cow;
use std::collections::HashSet;

use super::node::Field;

/// Up to this many keys are compared one by one, without a table.
const FEW: usize = 32;

/// The keys of one object so far. The table's hash is keyed at random, so that no text can make it slow.
#[derive(Default)]
pub(super) struct Keys<'a> {
    table: Option<HashSet<Cow<'a, str>>>,
}

impl<'a> Keys<'a> {
    /// Whether `key` is among `fields`, which has grown by the key of each earlier call.
    #[expect(clippy::ptr_arg, reason = "the table keeps the key, borrowed where it is")]
    pub(super) fn repeats(&mut self, key: &Cow<'a, str>, fields: &[Field<'a>]) -> bool {
        if fields.len() < FEW {
            return fields.iter().any(|(earlier, _)| earlier == key);
        }
        let table = self.table.get_or_insert_with(|| fields.iter().map(|(earlier, _)| earlier.clone()).collect());
        !table.insert(key.clone())
    }
}
