//! What a program said and how it ended. Of long output the beginning and the end are kept.

use std::collections::VecDeque;
use std::time::Duration;

use crate::wire::Exit;

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// With this exit code; 0 is success.
    Exited(i32),
    /// By this signal.
    Signalled(i32),
}

impl Status {
    /// Whether the exit code was 0.
    pub fn is_success(self) -> bool {
        self == Self::Exited(0)
    }

    /// The exit code, where it ended by itself.
    pub fn code(self) -> Option<i32> {
        match self {
            Self::Exited(code) => Some(code),
            Self::Signalled(_) => None,
        }
    }

    pub(crate) fn of(exit: Option<Exit>) -> Self {
        match exit {
            Some(Exit::Code(code)) => Self::Exited(code),
            Some(Exit::Signal(signal)) => Self::Signalled(signal),
            // Nobody but the supervisor can have reaped it.
            None => Self::Signalled(9),
        }
    }
}

/// What a program wrote to one stream.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Captured {
    /// The beginning.
    pub head: Vec<u8>,
    /// The end, after what was dropped; empty where nothing was.
    pub tail: Vec<u8>,
    /// Bytes between the two that were read and not kept.
    pub dropped: u64,
}

impl Captured {
    /// All of it as text: bytes that aren't UTF-8 as U+FFFD, and a line in brackets in the place of what was dropped.
    pub fn text(&self) -> String {
        let mut text = String::from_utf8_lossy(&self.head).into_owned();
        if self.dropped > 0 {
            text = format!("{text}\n[{} bytes left out]\n{}", self.dropped, String::from_utf8_lossy(&self.tail));
        }
        text
    }
}

/// What a run of a program came to. That it ran doesn't say that it succeeded: see [`Output::status`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Output {
    /// How the program ended.
    pub status: Status,
    /// Its standard output.
    pub stdout: Captured,
    /// Its error output.
    pub stderr: Captured,
    /// From before its start until after the end of all that it started.
    pub duration: Duration,
    /// Processes that it left running, and that were ended.
    pub leftovers: usize,
    /// What no sandbox kept from it, in words for operators; empty where everything was.
    pub not_enforced: Vec<&'static str>,
}

/// Takes one stream in, of any length, and keeps at most `limit` bytes.
#[derive(Debug)]
pub(crate) struct Keeper {
    limit: usize,
    head: Vec<u8>,
    tail: VecDeque<u8>,
    dropped: u64,
}

impl Keeper {
    pub(crate) fn new(limit: usize) -> Self {
        Self { limit, head: Vec::new(), tail: VecDeque::new(), dropped: 0 }
    }

    pub(crate) fn take(&mut self, bytes: &[u8]) {
        let half = self.limit / 2;
        let (head, rest) = bytes.split_at(bytes.len().min((self.limit - half).saturating_sub(self.head.len())));
        self.head.extend_from_slice(head);
        self.tail.extend(rest);
        let over = self.tail.len().saturating_sub(half);
        self.tail.drain(..over);
        self.dropped += over as u64;
    }

    pub(crate) fn end(self) -> Captured {
        let Self { limit: _, mut head, tail, dropped } = self;
        let tail = Vec::from(tail);
        if dropped == 0 {
            head.extend_from_slice(&tail);
            return Captured { head, ..Captured::default() };
        }
        Captured { head, tail, dropped }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(limit: usize, parts: &[&str]) -> Captured {
        let mut keeper = Keeper::new(limit);
        parts.iter().for_each(|part| keeper.take(part.as_bytes()));
        keeper.end()
    }

    #[test]
    fn what_fits_is_kept_whole() {
        assert_eq!(kept(8, &["ab", "cdef", "gh"]), Captured { head: b"abcdefgh".to_vec(), ..Captured::default() });
        assert_eq!(kept(0, &[]), Captured::default());
    }

    #[test]
    fn of_more_beginning_and_end_are_kept_and_the_rest_is_counted() {
        let expected = Captured { head: b"abc".to_vec(), tail: b"ij".to_vec(), dropped: 5 };
        assert_eq!(kept(5, &["abcdefghij"]), expected);
        assert_eq!(kept(5, &["a", "bcd", "efghi", "j"]), expected);
        assert_eq!(expected.text(), "abc\n[5 bytes left out]\nij");
        assert_eq!(kept(0, &["abc"]).dropped, 3);
        assert_eq!(kept(1, &["abc"]), Captured { head: b"a".to_vec(), tail: vec![], dropped: 2 });
    }
}
