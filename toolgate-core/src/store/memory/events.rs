//! The events of a memory store. Nothing outlives the process here, so that a text and its link are made
//! when somebody first looks: whoever holds the process before then could forge both at once anyway.

use std::borrow::Cow;

use super::super::chain::{Head, Linked};
use super::super::{Event, StoredEvent};
use crate::keys::GateKey;

/// An event and its place in the chain.
#[derive(Debug)]
pub(super) struct EventRow {
    pub(super) seq: u64,
    pub(super) event: Event,
    /// Hex; empty until it is made.
    pub(super) link: String,
}

/// All events, oldest first.
#[derive(Debug, Default)]
pub(super) struct Events {
    rows: Vec<EventRow>,
    /// How many have their link.
    linked: usize,
}

impl EventRow {
    /// Gives what the link covers, with this text as the body.
    pub(super) fn covered<'a>(&'a self, body: &'a str) -> Linked<'a> {
        Linked { call_id: &self.event.call_id, kind: self.event.kind, at_ms: self.event.at_ms, body }
    }

    pub(super) fn body(&self) -> Cow<'_, str> {
        self.event.facts.text()
    }

    pub(super) fn told(&self) -> StoredEvent {
        let Event { call_id, kind, at_ms, .. } = &self.event;
        StoredEvent {
            seq: self.seq,
            call_id: call_id.clone(),
            kind: (*kind).to_owned(),
            at_ms: *at_ms,
            body: crate::json::value_of(self.body().as_bytes()).unwrap_or_default(),
            link: self.link.clone(),
        }
    }
}

impl Events {
    pub(super) fn push(&mut self, event: Event) {
        let seq = self.rows.len() as u64 + 1;
        self.rows.push(EventRow { seq, event, link: String::new() });
    }

    /// Takes back the newest.
    pub(super) fn pop(&mut self) {
        self.rows.pop();
        self.linked = self.linked.min(self.rows.len());
    }

    /// All events with their links.
    pub(super) fn linked(&mut self, key: &GateKey) -> &[EventRow] {
        let (before, rest) = self.rows.split_at_mut_checked(self.linked).unwrap_or_default();
        let last = before.last().map(|row| Head { seq: row.seq, link: row.link.clone() });
        let mut head = last.unwrap_or_default();
        for row in rest {
            head = head.next(key, &row.covered(&row.body()));
            row.link.clone_from(&head.link);
        }
        self.linked = self.rows.len();
        &self.rows
    }
}
