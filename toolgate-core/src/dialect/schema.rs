//! A contract as one dialect's schema, without `strict` where the strict form can't say it.

use super::{Dialect, Note};
use crate::contract::{Contract, Moved, Unsaid, Written};
use crate::json::{Node, in_order};

/// The schema of a tool's arguments in one dialect.
#[derive(Debug, Clone, PartialEq)]
pub struct SchemaForModel {
    /// JSON text, arguments in their order.
    pub text: String,
    /// Whether the provider can be held to it. Always false in dialects that know no `strict`.
    pub strict: bool,
    /// What is said in words, and why the schema isn't strict.
    pub notes: Vec<Note>,
    pub(super) node: Node<'static>,
}

impl From<Moved> for Note {
    fn from(moved: Moved) -> Self {
        let Moved { pointer, keyword, words } = moved;
        Self { pointer, keyword, words }
    }
}

impl From<Unsaid> for Note {
    fn from(unsaid: Unsaid) -> Self {
        let Unsaid { pointer, what } = unsaid;
        Self { pointer, keyword: "strict", words: what }
    }
}

pub(super) fn of_contract(dialect: Dialect, contract: &Contract) -> Result<SchemaForModel, Vec<Note>> {
    let refused = dialect.check_arguments(contract.names());
    if !refused.is_empty() {
        return Err(refused);
    }
    let Written { schema, moved, unsaid } = contract.written(dialect.style());
    let too_large = || dialect.check_size(&schema).map(|words| Note::new("", "strict", words));
    let mut reasons: Vec<Note> = unsaid.into_iter().map(Note::from).collect();
    reasons.extend(too_large());
    let Some(without) = dialect.without_strict() else {
        return if reasons.is_empty() {
            Ok(finished(schema, false, moved))
        } else {
            Err(reasons.into_iter().map(|note| Note { keyword: "schema", ..note }).collect())
        };
    };
    if reasons.is_empty() {
        return Ok(finished(schema, true, moved));
    }
    let mut plain = of_contract(without, contract)?;
    // Where it stands in the schema that would have been strict says nothing about this one.
    let reasons = reasons.into_iter().map(|note| Note::new("", "strict", note.words));
    plain.notes.splice(0..0, reasons);
    plain.notes.dedup();
    Ok(plain)
}

fn finished(node: Node<'static>, strict: bool, moved: Vec<Moved>) -> SchemaForModel {
    SchemaForModel { text: in_order(&node), strict, notes: moved.into_iter().map(Note::from).collect(), node }
}

impl SchemaForModel {
    /// Puts a text before the description of the whole.
    pub(super) fn describe(&mut self, text: &str) {
        if let Node::Object(members) = &mut self.node {
            match members.iter_mut().find(|(name, _)| name == "description") {
                Some((_, Node::Text(own))) => *own = format!("{text} {own}").into(),
                _ => members.push(("description".into(), Node::Text(text.to_owned().into()))),
            }
            self.text = in_order(&self.node);
        }
    }
}
