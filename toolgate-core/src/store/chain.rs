//! The chain of audit events: each link is keyed with the gate's key and covers the event and the
//! link before it. Not a proof against who holds the key, nor against a cut tail.

use super::Millis;
use crate::json::write_escaped;
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
    /// The body as it is stored. What is verified is this text: reading it as JSON never matters to the
    /// chain.
    pub body: &'a str,
}

impl Linked<'_> {
    /// What stands before and behind the body in `{"at_ms":..,"body":..,"call_id":..,"kind":..}`: keys in
    /// order, no space.
    fn around(&self) -> (String, String) {
        let Self { call_id, kind, at_ms, body: _ } = *self;
        let before = format!(r#"{{"at_ms":{at_ms},"body":"#);
        let mut behind = String::with_capacity(call_id.len() + kind.len() + 32);
        behind.push_str(r#","call_id":"#);
        write_escaped(call_id, &mut behind);
        behind.push_str(r#","kind":"#);
        write_escaped(kind, &mut behind);
        behind.push('}');
        (before, behind)
    }
}

impl Head {
    /// The head once `event` stands behind this one. The link covers the position as 8 bytes, the
    /// previous link as hex text, and the event's text.
    #[must_use]
    pub fn next(&self, key: &GateKey, event: &Linked<'_>) -> Self {
        let seq = self.seq.saturating_add(1);
        let (before, behind) = event.around();
        let text = [before.as_bytes(), event.body.as_bytes(), behind.as_bytes()];
        let link = key.digest_pieces(DOMAIN, &[&[&seq.to_be_bytes()], &[self.link.as_bytes()], &text]);
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
