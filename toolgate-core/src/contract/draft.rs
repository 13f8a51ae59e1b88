//! A schema under construction: its members, and what is said in words because the style has no
//! keyword for it. Not which of both; that is `schema.rs`.

use std::borrow::Cow;

use super::style::{Nulls, Style};
use crate::json::Node;

/// A member of a schema.
pub(super) type Member = (Cow<'static, str>, Node<'static>);

/// A rule that is said in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Moved {
    /// JSON pointer of the schema whose description says it.
    pub(crate) pointer: String,
    /// The keyword that would have said it.
    pub(crate) keyword: &'static str,
    /// The words.
    pub(crate) words: String,
}

/// A rule that can't be said at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unsaid {
    /// JSON pointer of the schema that would have to say it.
    pub(crate) pointer: String,
    /// What it is.
    pub(crate) what: String,
}

/// Both, with pointers from where they are kept.
#[derive(Debug, Default)]
pub(super) struct Notes {
    pub(super) moved: Vec<Moved>,
    pub(super) unsaid: Vec<Unsaid>,
}

impl Notes {
    /// Takes the notes of a part at `place`, a pointer from here.
    pub(super) fn absorb(&mut self, place: &str, part: Self) {
        let Self { moved, unsaid } = part;
        self.moved.extend(moved.into_iter().map(|note| Moved { pointer: format!("{place}{}", note.pointer), ..note }));
        self.unsaid
            .extend(unsaid.into_iter().map(|note| Unsaid { pointer: format!("{place}{}", note.pointer), ..note }));
    }

    /// Takes out the notes of the part at `place`, with pointers from there.
    pub(super) fn take(&mut self, place: &str) -> Self {
        let inside = |pointer: &str| {
            let rest = pointer.strip_prefix(place)?;
            (rest.is_empty() || rest.starts_with('/')).then(|| rest.to_owned())
        };
        let mut taken = Self::default();
        self.moved.retain_mut(|note| match inside(&note.pointer) {
            Some(pointer) => {
                taken.moved.push(Moved { pointer, keyword: note.keyword, words: std::mem::take(&mut note.words) });
                false
            }
            None => true,
        });
        self.unsaid.retain_mut(|note| match inside(&note.pointer) {
            Some(pointer) => {
                taken.unsaid.push(Unsaid { pointer, what: std::mem::take(&mut note.what) });
                false
            }
            None => true,
        });
        taken
    }
}

#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) members: Vec<Member>,
    pub(super) notes: Notes,
}

pub(super) fn text(words: impl Into<Cow<'static, str>>) -> Node<'static> {
    Node::Text(words.into())
}

pub(super) fn object(members: Vec<Member>) -> Node<'static> {
    Node::Object(members)
}

impl Draft {
    pub(super) fn of(kind: &'static str) -> Self {
        Self::default().with("type", text(kind))
    }

    pub(super) fn with(mut self, keyword: &'static str, value: Node<'static>) -> Self {
        self.put(keyword, value);
        self
    }

    pub(super) fn put(&mut self, keyword: &'static str, value: Node<'static>) {
        self.members.push((Cow::Borrowed(keyword), value));
    }

    /// Says a rule in words.
    pub(super) fn say(&mut self, keyword: &'static str, words: impl Into<String>) {
        self.notes.moved.push(Moved { pointer: String::new(), keyword, words: words.into() });
    }

    pub(super) fn cannot(&mut self, what: impl Into<String>) {
        self.notes.unsaid.push(Unsaid { pointer: String::new(), what: what.into() });
    }

    pub(super) fn get(&self, keyword: &str) -> Option<&Node<'static>> {
        self.members.iter().find(|(name, _)| name == keyword).map(|(_, value)| value)
    }

    /// Puts a finished part under a keyword.
    pub(super) fn part(&mut self, keyword: &'static str, part: (Node<'static>, Notes)) {
        self.put(keyword, part.0);
        self.notes.absorb(&format!("/{keyword}"), part.1);
    }

    /// Puts finished parts as a list under a keyword.
    pub(super) fn parts(&mut self, keyword: &'static str, parts: Vec<(Node<'static>, Notes)>) {
        let mut nodes = Vec::with_capacity(parts.len());
        for (index, (node, notes)) in parts.into_iter().enumerate() {
            nodes.push(node);
            self.notes.absorb(&format!("/{keyword}/{index}"), notes);
        }
        self.put(keyword, Node::List(nodes));
    }

    /// The keyword of a choice that is all there is to this schema.
    fn choice(&mut self) -> Option<&mut Vec<Node<'static>>> {
        match self.members.as_mut_slice() {
            [(keyword, Node::List(options))] if matches!(&**keyword, "anyOf" | "oneOf") => Some(options),
            _ => None,
        }
    }

    /// The same, or `null`.
    pub(super) fn nullable(mut self, style: &Style) -> Self {
        if style.nulls == Nulls::Keyword {
            let first = match self.choice().and_then(|options| options.first_mut()) {
                Some(Node::Object(first)) => first,
                _ => &mut self.members,
            };
            if !first.iter().any(|(name, _)| name == "nullable") {
                first.push((Cow::Borrowed("nullable"), Node::Bool(true)));
            }
            return self;
        }
        if let Some(options) = self.choice() {
            options.push(object(Self::of("null").members));
            return self;
        }
        let asks = ["not", "allOf"].iter().any(|keyword| self.get(keyword).is_some());
        let kind = match self.get("type") {
            Some(Node::Text(kind)) if kind != "null" && !asks => Some(kind.clone()),
            _ => None,
        };
        let fits = |kind: &str| match style.nulls {
            Nulls::Types => true,
            Nulls::ScalarTypes => !matches!(kind, "object" | "array"),
            Nulls::Choice | Nulls::Keyword => false,
        };
        if let Some(kind) = kind.filter(|kind| fits(kind)) {
            for (name, value) in &mut self.members {
                match (&**name, value) {
                    ("type", value) => *value = Node::List(vec![Node::Text(kind.clone()), text("null")]),
                    // An enum that must allow null names it.
                    ("enum", Node::List(words)) => words.insert(0, Node::Null),
                    _ => {}
                }
            }
            return self;
        }
        // What is said in words stays with the whole.
        let (own, inner) = self.notes.moved.into_iter().partition(|note| note.pointer.is_empty());
        let mut outer = Self::default();
        outer.notes.moved = own;
        let inside = Notes { moved: inner, unsaid: self.notes.unsaid };
        outer
            .parts("anyOf", vec![(object(self.members), inside), (object(Self::of("null").members), Notes::default())]);
        outer
    }

    /// The schema, described by `doc` and what is said in words, with further members after that.
    pub(super) fn finish(mut self, style: &Style, doc: &str, more: Vec<Member>) -> (Node<'static>, Notes) {
        if !style.words {
            self.notes.moved.clear();
        }
        let mut description = doc.to_owned();
        for note in self.notes.moved.iter().filter(|note| note.pointer.is_empty()) {
            if !description.is_empty() {
                let open =
                    description.ends_with(|last: char| last.is_alphanumeric() || matches!(last, ')' | '`' | '"'));
                description.push_str(if open { ". " } else { " " });
            }
            description.push_str(&note.words);
        }
        if description.is_empty() && more.is_empty() {
            return (object(self.members), self.notes);
        }
        self.move_reference();
        if !description.is_empty() {
            self.describe(style, description);
        }
        self.members.extend(more);
        (object(self.members), self.notes)
    }

    /// A reference has nothing beside it: it stands in a choice of its own.
    pub(super) fn move_reference(&mut self) {
        if self.get("$ref").is_some() {
            let target = object(std::mem::take(&mut self.members));
            self.put("anyOf", Node::List(vec![target]));
        }
    }

    fn describe(&mut self, style: &Style, description: String) {
        let described = text(description);
        if style.lone_choices
            && let Some(Node::Object(first)) = self.choice().and_then(|options| options.first_mut())
        {
            match first.iter_mut().find(|(name, _)| name == "description") {
                Some((_, Node::Text(own))) => {
                    if let Node::Text(outer) = &described {
                        *own = Cow::Owned(format!("{outer} {own}"));
                    }
                }
                _ => first.push((Cow::Borrowed("description"), described)),
            }
            for note in self.notes.moved.iter_mut().filter(|note| note.pointer.is_empty()) {
                "/anyOf/0".clone_into(&mut note.pointer);
            }
            return;
        }
        self.put("description", described);
    }
}
