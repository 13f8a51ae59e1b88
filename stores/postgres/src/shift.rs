//! What the server's clock and this host's differ by. Times that decide something, such as the end of a ticket,
//! are stored by the server's clock, so that all gates agree on them; a gate is shown its own time.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use toolgate_core::clock::{Clock as _, SystemClock};
use toolgate_core::store::{Decided, Millis, TicketRecord, Write, Written};

/// The server's time as milliseconds, rounded down as this host's is: rounded up, it would seem ahead of it.
pub(crate) const SERVER_MS: &str = "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT";

/// The server's time minus this host's, as measured last.
#[derive(Debug, Clone, Default)]
pub(crate) struct Shift(Arc<AtomicI64>);

/// The smallest difference that fits: the server read its clock between `before` and `after` of this host.
fn measured(before: Millis, server: Millis, after: Millis) -> Millis {
    let (least, most) = (server.saturating_sub(after), server.saturating_sub(before));
    if least > 0 {
        least
    } else if most < 0 {
        most
    } else {
        0
    }
}

impl Shift {
    /// This host's time, to be given to [`Self::measure`].
    pub(crate) fn now() -> Millis {
        SystemClock.now_ms()
    }

    /// Notes what the server's clock said between `before` and `after`. Clocks that differ by less than the
    /// question took count as equal.
    pub(crate) fn measure(&self, before: Millis, server: Millis, after: Millis) {
        self.0.store(measured(before, server, after), Ordering::Relaxed);
    }

    pub(crate) fn ms(&self) -> Millis {
        self.0.load(Ordering::Relaxed)
    }

    /// The write with the server's times.
    pub(crate) fn to_server(&self, mut write: Write) -> Write {
        let shift = self.ms();
        match &mut write {
            Write::Begin(begin) => begin.now_ms += shift,
            Write::Record(record) => {
                if let Some(ticket) = &mut record.ticket {
                    move_ticket(ticket, shift);
                }
            }
            Write::Decide(decide) => decide.now_ms += shift,
            Write::Resume(resume) => resume.now_ms += shift,
            Write::Sweep(sweep) => sweep.now_ms += shift,
            Write::Resolve(resolve) => resolve.now_ms += shift,
            Write::Prune(prune) => {
                prune.now_ms += shift;
                prune.before_ms += shift;
            }
            // What was told stays as it was told; a lease is by the server's clock already.
            Write::Note(_) | Write::Renew(_) => {}
        }
        write
    }

    /// The answer with this host's times.
    pub(crate) fn to_host(&self, mut written: Written) -> Written {
        if let Written::Decided(Decided::Now(ticket) | Decided::Already(ticket) | Decided::NotAllowed(ticket, _)) =
            &mut written
        {
            self.ticket_to_host(ticket);
        }
        written
    }

    pub(crate) fn ticket_to_host(&self, ticket: &mut TicketRecord) {
        move_ticket(ticket, -self.ms());
    }
}

fn move_ticket(ticket: &mut TicketRecord, by: Millis) {
    ticket.created_ms += by;
    ticket.expires_ms += by;
    ticket.decided_ms = ticket.decided_ms.map(|at| at + by);
    ticket.approvals.iter_mut().for_each(|given| given.at_ms += by);
}

#[cfg(test)]
mod tests {
    use toolgate_core::store::{Record, TicketState};
    use toolgate_testing::records::{self, NOON, finish};

    use super::*;

    /// A gate whose clock is ten minutes behind: its tickets last as long as it says, for everybody.
    #[test]
    fn times_that_decide_are_the_servers_and_a_gate_is_shown_its_own() {
        let shift = Shift::default();
        shift.measure(NOON, NOON + 600_000, NOON);
        let asked = records::ticket("t", "c");
        let write = Write::Record(Box::new(Record { ticket: Some(asked.clone()), ..finish("c") }));
        let Write::Record(record) = shift.to_server(write) else { unreachable!("a record stays a record") };
        let mut stored = record.ticket.unwrap();
        assert_eq!(stored.expires_ms, asked.expires_ms + 600_000);
        assert_eq!(stored.state_at(NOON + 600_001), TicketState::Pending, "by the server's clock");
        let Write::Begin(begin) = shift.to_server(Write::Begin(Box::new(records::begin("c")))) else {
            unreachable!("a begin stays a begin")
        };
        assert_eq!(begin.now_ms, NOON + 600_000);
        let Written::Decided(Decided::Now(told)) =
            shift.to_host(Written::Decided(Decided::Now(Box::new(stored.clone()))))
        else {
            unreachable!("an answer stays that answer")
        };
        assert_eq!(*told, asked);
        shift.ticket_to_host(&mut stored);
        assert_eq!(stored, asked);
    }

    #[test]
    fn clocks_that_may_agree_are_taken_to_agree() {
        for (before, server, after, shift) in
            [(100, 100, 100, 0), (100, 105, 110, 0), (100, 99, 110, -1), (100, 5_000, 110, 4_890), (100, 111, 110, 1)]
        {
            assert_eq!(measured(before, server, after), shift, "{before} {server} {after}");
        }
    }
}
