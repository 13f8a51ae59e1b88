//! What a task remembers of what it was told, within bounds: the oldest is dropped, and what can't be told any more
//! counts as least trusted. Not how one text is searched.

use std::collections::VecDeque;

use super::needle::Needle;
use super::source::Source;
use super::{Origin, Provenance, ResultOf};

/// Most bytes of what the user said that a task remembers.
pub const MAX_SAID: usize = 64 << 10;
/// Most bytes of results that a task remembers.
pub const MAX_RESULTS: usize = 512 << 10;
/// Most bytes of one text before it is folded.
const MAX_TEXT: usize = 64 << 10;

/// Whether a task has read something untrusted.
#[derive(Debug, Default, PartialEq)]
enum Taintedness {
    #[default]
    Clean,
    /// It has, and where first, as far as that is known.
    By(Option<ResultOf>),
}

impl Taintedness {
    fn by(&mut self, from: Option<&ResultOf>) {
        if *self == Self::Clean {
            *self = Self::By(from.cloned());
        }
    }

    fn first(&self) -> Option<ResultOf> {
        match self {
            Self::Clean => None,
            Self::By(first) => first.clone(),
        }
    }
}

/// The texts of one task.
#[derive(Debug, Default)]
pub(super) struct Memory {
    said: VecDeque<Source>,
    said_bytes: usize,
    given: VecDeque<Source>,
    given_bytes: usize,
    tainted: Taintedness,
    /// Whether something less trusted than a trusted result was dropped.
    forgot: bool,
}

impl Memory {
    pub(super) fn said(&mut self, text: &str) {
        let source = Source::new(Provenance::User, None, cut(text).0);
        self.said_bytes += source.bytes();
        self.said.push_back(source);
        while self.said_bytes > MAX_SAID {
            let Some(oldest) = self.said.pop_front() else { break };
            self.said_bytes -= oldest.bytes();
        }
    }

    pub(super) fn gave(&mut self, from: &ResultOf, untrusted: bool, text: &str) {
        let provenance = if untrusted { Provenance::Untrusted } else { Provenance::Trusted };
        if untrusted {
            self.taint(from);
        } else if self.was_given_untrusted(from) {
            // It may be made of them in any way, so standing there makes no value more trusted.
            return;
        }
        self.remember(provenance, from, text);
    }

    /// Whether an argument of the call was untrusted.
    fn was_given_untrusted(&self, call: &ResultOf) -> bool {
        let of_call = |source: &&Source| source.result.as_ref() == Some(call);
        self.given.iter().filter(of_call).any(|source| source.provenance == Provenance::Untrusted)
    }

    /// A value that a call was made with, and that its result may repeat.
    pub(super) fn used(&mut self, from: &ResultOf, value: &Needle) {
        let provenance = self.origin(value).provenance;
        if provenance > Provenance::Trusted {
            self.remember(provenance, from, &value.folded);
        }
    }

    /// The values of a call that are too many to be looked for.
    pub(super) fn used_more(&mut self, from: &ResultOf, values: &[Needle]) {
        if values.is_empty() {
            return;
        }
        let provenance = self.nowhere().provenance;
        let texts: Vec<&str> = values.iter().map(|value| value.folded.as_str()).collect();
        self.remember(provenance, from, &texts.join("\n"));
    }

    fn remember(&mut self, provenance: Provenance, from: &ResultOf, text: &str) {
        let (text, whole) = cut(text);
        self.forgot |= !whole && provenance > Provenance::Trusted;
        let source = Source::new(provenance, Some(from.clone()), text);
        self.given_bytes += source.bytes();
        self.given.push_back(source);
        while self.given_bytes > MAX_RESULTS {
            let Some(oldest) = self.given.pop_front() else { break };
            self.given_bytes -= oldest.bytes();
            self.forgot |= oldest.provenance > Provenance::Trusted;
        }
    }

    pub(super) fn taint(&mut self, from: &ResultOf) {
        self.tainted.by(Some(from));
    }

    pub(super) fn was_tainted(&mut self) {
        self.tainted.by(None);
        self.forgot = true;
    }

    pub(super) fn forget(&mut self) {
        self.forgot = true;
    }

    pub(super) fn is_tainted(&self) -> bool {
        self.tainted != Taintedness::Clean
    }

    /// The least trusted of the texts that hold it, unless the user said it.
    pub(super) fn origin(&self, value: &Needle) -> Origin {
        if self.said.iter().any(|source| source.holds(value)) {
            return Origin::user();
        }
        let mut worst: Option<&Source> = None;
        for source in &self.given {
            let is_worse = worst.is_none_or(|worst| source.provenance > worst.provenance);
            if is_worse && source.holds(value) {
                worst = Some(source);
            }
        }
        let first = || self.tainted.first();
        match worst {
            Some(source) if source.provenance == Provenance::Untrusted => {
                Origin::new(Provenance::Untrusted, source.result.clone(), true)
            }
            Some(_) if self.is_tainted() && self.forgot => Origin::new(Provenance::Untrusted, first(), false),
            Some(source) if source.provenance == Provenance::Model && self.is_tainted() => {
                Origin::new(Provenance::Untrusted, first(), false)
            }
            Some(source) => Origin::new(source.provenance, source.result.clone(), true),
            None => self.nowhere(),
        }
    }

    /// The origin of what stands nowhere.
    pub(super) fn nowhere(&self) -> Origin {
        if self.is_tainted() {
            return Origin::new(Provenance::Untrusted, self.tainted.first(), false);
        }
        Origin::new(Provenance::Model, None, false)
    }

    pub(super) fn bytes(&self) -> usize {
        self.said_bytes + self.given_bytes
    }
}

/// As much of the text as is remembered, and whether that is all.
fn cut(text: &str) -> (&str, bool) {
    if text.len() <= MAX_TEXT {
        return (text, true);
    }
    let end = (0..=MAX_TEXT).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
    (text.get(..end).unwrap_or_default(), false)
}
