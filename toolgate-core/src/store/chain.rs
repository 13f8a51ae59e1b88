//! The chain of audit events: each link is keyed with the gate's key and covers the event and the
//! link before it. Not a proof against who holds the key, nor against a cut tail.

use serde_json::Value;

use super::Millis;
use crate::json::{Node, canonical};
use crate::keys::GateKey;

const DOMAIN: &str = "toolgate.audit.v1";

/// The last event of a chain. The default is the start, before any event.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Head {
    /// Position of the last event; 0 where there is none.
    pub seq: u64,
    /// Its link, hex; empty where there is none.
    pub link: String,
}

/// The parts of an event that its link covers.
#[derive(Debug, Clone, Copy)]
pub struct Linked<'a> {
    /// The call.
    pub call_id: &'a str,
    /// What happened.
    pub kind: &'a str,
    /// When.
    pub at_ms: Millis,
    /// The body as it is stored, from [`body_text`].
    pub body: &'a str,
}

/// The text under which a body is stored and linked: canonical JSON (RFC 8785). A body that has no
/// canonical form, such as one with an integer no float holds, keeps the text `serde_json` gives it.
/// What is verified is the stored text, so that reading it as JSON never matters to the chain.
pub fn body_text(body: &Value) -> String {
    match Node::from_value(body) {
        Ok(node) => canonical(&node),
        Err(_) => body.to_string(),
    }
}

impl Linked<'_> {
    /// `{"at_ms":..,"body":..,"call_id":..,"kind":..}`: keys in order, no space.
    fn text(&self) -> String {
        let Self { call_id, kind, at_ms, body } = *self;
        let (call_id, kind) = (Value::from(call_id), Value::from(kind));
        format!(r#"{{"at_ms":{at_ms},"body":{body},"call_id":{call_id},"kind":{kind}}}"#)
    }
}

impl Head {
    /// The head once `event` stands behind this one. The link covers the position as 8 bytes, the
    /// previous link as hex text, and the event's text.
    #[must_use]
    pub fn next(&self, key: &GateKey, event: &Linked<'_>) -> Self {
        let seq = self.seq.saturating_add(1);
        let text = event.text();
        let link = key.digest(DOMAIN, &[&seq.to_be_bytes(), self.link.as_bytes(), text.as_bytes()]);
        Self { seq, link }
    }
}

/// Walks a chain from its start and collects what is wrong with it.
#[derive(Debug, Default)]
pub struct Walk {
    head: Head,
    faults: Vec<String>,
    broken: u64,
}

/// Most faults that are told one by one.
const MOST_FAULTS: u64 = 20;

impl Walk {
    /// Looks at the next stored event, `seq` and `link` as stored.
    pub fn see(&mut self, key: &GateKey, seq: u64, link: &str, event: &Linked<'_>) {
        let due = self.head.seq.saturating_add(1);
        if seq != due {
            self.fault(format!("event {due} is missing or out of place: the next one stored is {seq}"));
            self.head.seq = seq.saturating_sub(1);
        }
        if self.head.next(key, event).link != link {
            self.fault(format!("event {seq} was changed, or an event before it was changed, cut or inserted"));
        }
        self.head = Head { seq, link: link.to_owned() };
    }

    fn fault(&mut self, text: String) {
        self.broken += 1;
        if self.broken <= MOST_FAULTS {
            self.faults.push(text);
        }
    }

    /// The last event seen, and every fault.
    pub fn finish(mut self) -> (Head, Vec<String>) {
        let untold = self.broken.saturating_sub(MOST_FAULTS);
        if untold > 0 {
            self.faults.push(format!("{untold} more faults in the chain of events"));
        }
        (self.head, self.faults)
    }
}
