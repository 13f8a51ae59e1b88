//! Randomness for names, fetched from the operating system in larger pieces: a system call for each name
//! costs more than the rest of a small call. Not for keys and nonces, which ask the system each time.
//!
//! A process that forks hands what is left of a piece to both; as the identity of a process is read once
//! too (`owner.rs`), a gate is used on one side of a fork only.

use std::cell::RefCell;

/// Bytes that a thread fetches at once.
const PIECE: usize = 500;

struct Piece {
    bytes: [u8; PIECE],
    used: usize,
}

thread_local! {
    static REST: RefCell<Piece> = const { RefCell::new(Piece { bytes: [0; PIECE], used: PIECE }) };
}

/// Random bytes that nobody else gets.
///
/// # Errors
/// When the operating system gives no randomness.
pub(crate) fn bytes<const N: usize>() -> Result<[u8; N], getrandom::Error> {
    REST.with_borrow_mut(|rest| {
        let mut given = [0; N];
        if rest.bytes.get(rest.used..).is_none_or(|left| left.len() < N) {
            if N > PIECE {
                getrandom::fill(&mut given)?;
                return Ok(given);
            }
            getrandom::fill(&mut rest.bytes)?;
            rest.used = 0;
        }
        if let Some(taken) = rest.bytes.get_mut(rest.used..rest.used + N) {
            given.copy_from_slice(taken);
            taken.fill(0);
        }
        rest.used += N;
        Ok(given)
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_bytes_are_given_twice_on_any_thread() {
        let draw = || (0..1_000).map(|_| bytes::<10>().unwrap()).collect::<Vec<_>>();
        let threads: Vec<_> = (0..4).map(|_| std::thread::spawn(draw)).collect();
        let drawn: Vec<_> = threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect();
        assert_eq!(drawn.iter().collect::<HashSet<_>>().len(), drawn.len());
        assert!(drawn.iter().all(|bytes| *bytes != [0; 10]), "what was given is wiped, and never given");
    }

    #[test]
    fn a_piece_that_is_too_short_is_fetched_anew() {
        let sizes = (bytes::<300>().unwrap(), bytes::<300>().unwrap(), bytes::<600>().unwrap());
        assert_ne!(sizes.0, sizes.1);
        assert!(sizes.2.iter().any(|byte| *byte != 0));
    }
}
