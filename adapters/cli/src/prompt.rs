//! One question on a terminal: the ticket in full, then `approve`, `deny` or `skip`, exactly. What was
//! typed before the question was readable doesn't count. Not what follows from the answer.

use std::io::{self, IsTerminal as _, Write as _};
use std::os::fd::AsFd;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::termios::{QueueSelector, tcflush};
use toolgate_core::clock::{Clock as _, SystemClock};
use toolgate_core::store::{TicketRecord, TicketState};

use crate::print::ticket_view;

/// Nobody reads a ticket faster than this.
const TOO_FAST: Duration = Duration::from_millis(700);
/// Input counts as quiet after this long without a byte.
const QUIET: Duration = Duration::from_millis(100);
const MOST_FLUSHES: usize = 50;
const MOST_TRIES: usize = 5;
const MOST_BYTES: usize = 4096;
/// How long one wait lasts before the clock is looked at again.
const WAIT: Duration = Duration::from_millis(500);

/// One question at a time, whoever asks.
static TERMINAL: Mutex<()> = Mutex::new(());

/// What the person said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asked {
    /// Yes.
    Approve,
    /// No.
    Deny,
    /// Not now.
    Skip,
    /// There is no terminal to ask on.
    NoTerminal,
    /// The terminal was closed.
    Closed,
    /// The ticket ended meanwhile.
    Over,
    /// No clear answer after several tries.
    Unclear,
}

/// Whether a question can be asked: a person reads stderr and types on stdin.
pub(crate) fn has_terminal() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Shows the ticket and asks. Blocks until there is an answer, the ticket is over, or the caller is `gone`.
pub(crate) fn ask(ticket: &TicketRecord, gone: &dyn Fn() -> bool) -> Asked {
    if !has_terminal() {
        return Asked::NoTerminal;
    }
    let _alone = TERMINAL.lock().unwrap_or_else(PoisonError::into_inner);
    // A terminal that fails has given no answer.
    question(ticket, gone).unwrap_or(Asked::Closed)
}

fn question(ticket: &TicketRecord, gone: &dyn Fn() -> bool) -> io::Result<Asked> {
    let mut text = Vec::new();
    ticket_view(&mut text, ticket, SystemClock.now_ms())?;
    tell(&format!("\n{}", String::from_utf8_lossy(&text)))?;
    for _ in 0..MOST_TRIES {
        if !flush_until_quiet()? {
            tell("the terminal doesn't stop sending; nothing was decided\n")?;
            return Ok(Asked::Unclear);
        }
        tell("approve, deny or skip? ")?;
        let asked = Instant::now();
        let line = match read_line(ticket, gone)? {
            Line::Text(line) => line,
            Line::Closed => return Ok(Asked::Closed),
            Line::Over => {
                tell("\nthe ticket has expired; nothing was decided\n")?;
                return Ok(Asked::Over);
            }
        };
        match answer(&line, asked.elapsed()) {
            Ok(answer) => return Ok(answer),
            Err(why) => tell(why)?,
        }
    }
    tell("no clear answer; nothing was decided\n")?;
    Ok(Asked::Unclear)
}

/// One write, so that nothing stands between the lines of a question.
fn tell(text: &str) -> io::Result<()> {
    let mut out = anstream::AutoStream::auto(io::stderr()).lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// What a line says that came so long after the question.
fn answer(line: &[u8], after: Duration) -> Result<Asked, &'static str> {
    let line = line.strip_suffix(b"\n").unwrap_or_default();
    let said = match line.strip_suffix(b"\r").unwrap_or(line) {
        b"approve" => Asked::Approve,
        b"deny" => Asked::Deny,
        b"skip" => Asked::Skip,
        _ => return Err("answer with exactly `approve`, `deny` or `skip`\n"),
    };
    if after < TOO_FAST { Err("that was too fast to have read it; answer again\n") } else { Ok(said) }
}

/// Throws away what was typed or pasted ahead.
fn flush_until_quiet() -> io::Result<bool> {
    for _ in 0..MOST_FLUSHES {
        tcflush(io::stdin(), QueueSelector::IFlush)?;
        if !readable(io::stdin(), QUIET)? {
            return Ok(true);
        }
    }
    Ok(false)
}

enum Line {
    Text(Vec<u8>),
    Closed,
    Over,
}

/// The next line, read past the standard library's buffer, which a flush of the terminal wouldn't reach.
fn read_line(ticket: &TicketRecord, gone: &dyn Fn() -> bool) -> io::Result<Line> {
    loop {
        if ticket.state_at(SystemClock.now_ms()) == TicketState::Expired {
            return Ok(Line::Over);
        }
        if gone() {
            return Ok(Line::Closed);
        }
        if readable(io::stdin(), WAIT)? {
            break;
        }
    }
    let mut line = vec![0; MOST_BYTES];
    let length = rustix::io::read(io::stdin(), &mut line[..])?;
    line.truncate(length);
    Ok(if line.is_empty() { Line::Closed } else { Line::Text(line) })
}

fn readable(input: impl AsFd, wait: Duration) -> io::Result<bool> {
    let wait = Timespec { tv_sec: 0, tv_nsec: wait.subsec_nanos().into() };
    match poll(&mut [PollFd::new(&input, PollFlags::IN)], Some(&wait)) {
        Ok(ready) => Ok(ready > 0),
        Err(rustix::io::Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_exact_answers_count() {
        assert_eq!(answer(b"approve\n", TOO_FAST), Ok(Asked::Approve));
        assert_eq!(answer(b"deny\r\n", TOO_FAST), Ok(Asked::Deny));
        assert_eq!(answer(b"skip\n", TOO_FAST), Ok(Asked::Skip));
        let unclear = ["y\n", "yes\n", "Approve\n", " approve\n", "approve \n", "approve", "\n", "approve\napprove\n"];
        for line in unclear {
            assert!(answer(line.as_bytes(), TOO_FAST).unwrap_err().contains("exactly"), "{line:?}");
        }
    }

    #[test]
    fn an_answer_faster_than_reading_does_not_count() {
        assert!(answer(b"approve\n", Duration::from_millis(699)).unwrap_err().contains("too fast"));
    }
}
