//! Secrets that are made known while a gate works: credentials, from the moment they are issued until a
//! while after nobody can have them any more.
//!
//! Not here: secrets that the host registers once, which stay.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use super::Failed;
use super::known::{Known, mark};
use super::spans::Spans;

/// How long a value that nobody holds is still looked for, in milliseconds.
const KEPT_MS: i64 = 60 * 60 * 1_000;
/// Most values at once; of those that nobody holds, the one that was given up first makes room.
const MOST: usize = if cfg!(test) { 8 } else { 512 };
/// From so many bytes on, a line of a value of several lines is looked for by itself.
const LINE: usize = 16;

/// Why a value can't be kept out of what is stored and shown; it must not be handed out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unfit {
    /// Too short, or read as a mask.
    Short,
    /// Too many are held at once.
    TooMany,
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Short => "it is too short to be kept out of results: at least 6 bytes",
            Self::TooMany => "too many different credentials are held at once",
        })
    }
}

struct Entry {
    value: String,
    known: Known,
    holders: AtomicUsize,
}

/// An entry, and since when nobody holds it, as far as that was noticed.
struct Place {
    entry: Arc<Entry>,
    free_since: Option<i64>,
}

/// While it lives, the value stays known.
pub(crate) struct Registered(Arc<Entry>);

impl fmt::Debug for Registered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registered").finish_non_exhaustive()
    }
}

impl Registered {
    fn of(entry: &Arc<Entry>) -> Self {
        entry.holders.fetch_add(1, Ordering::SeqCst);
        Self(Arc::clone(entry))
    }

    /// Whether both keep the same value known.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Clone for Registered {
    fn clone(&self) -> Self {
        Self::of(&self.0)
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        self.0.holders.fetch_sub(1, Ordering::SeqCst);
    }
}

/// All of them, shared by every clone of a redactor.
#[derive(Default)]
pub(super) struct Issued {
    places: RwLock<Vec<Place>>,
    /// Whether there is any: most gates have none.
    any: AtomicBool,
}

impl Issued {
    /// Makes a value known. A value that is known already has one more holder.
    pub(super) fn register(&self, value: &str, now_ms: i64) -> Result<Registered, Unfit> {
        let mut places = self.places.write().unwrap_or_else(PoisonError::into_inner);
        forget(&mut places, now_ms);
        if let Some(place) = places.iter_mut().find(|place| place.entry.value == value) {
            place.free_since = None;
            return Ok(Registered::of(&place.entry));
        }
        let mut known = Known::default();
        for part in std::iter::once(value).chain(lines(value)) {
            known.add(part);
        }
        if !known.has(value) {
            return Err(Unfit::Short);
        }
        if places.len() >= MOST {
            let free = places.iter().enumerate().filter_map(|(at, place)| Some((place.free_since?, at)));
            let (_, first) = free.min().ok_or(Unfit::TooMany)?;
            places.remove(first);
        }
        let entry = Arc::new(Entry { value: value.to_owned(), known, holders: AtomicUsize::new(0) });
        let registered = Registered::of(&entry);
        places.push(Place { entry, free_since: None });
        self.any.store(true, Ordering::SeqCst);
        Ok(registered)
    }

    pub(super) fn is_empty(&self) -> bool {
        !self.any.load(Ordering::SeqCst)
    }

    /// Marks what the host registered and what was issued.
    pub(super) fn mark_with(&self, known: &Known, text: &str, spans: &mut Spans) -> Result<(), Failed> {
        if self.is_empty() {
            return mark(std::iter::once(known), text, spans);
        }
        let places: RwLockReadGuard<'_, Vec<Place>> = self.places.read().unwrap_or_else(PoisonError::into_inner);
        mark(std::iter::once(known).chain(places.iter().map(|place| &place.entry.known)), text, spans)
    }

    #[cfg(test)]
    fn len(&self) -> usize {
        self.places.read().unwrap().len()
    }
}

/// Notes what nobody holds, and leaves out what nobody has held for long.
fn forget(places: &mut Vec<Place>, now_ms: i64) {
    places.retain_mut(|place| {
        if place.entry.holders.load(Ordering::SeqCst) > 0 {
            place.free_since = None;
            return true;
        }
        let since = *place.free_since.get_or_insert(now_ms);
        now_ms.saturating_sub(since) < KEPT_MS
    });
}

/// The lines of a value that has several, but for what names the kind of a key.
fn lines(value: &str) -> impl Iterator<Item = &str> {
    let lines = if value.trim().contains('\n') { Some(value.lines()) } else { None };
    lines.into_iter().flatten().map(str::trim).filter(|line| line.len() >= LINE && !line.starts_with("-----"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hides(issued: &Issued, text: &str) -> bool {
        let mut spans = Spans::default();
        issued.mark_with(&Known::default(), text, &mut spans).unwrap();
        !spans.is_empty()
    }

    #[test]
    fn a_value_is_known_while_it_is_held_and_an_hour_longer() {
        let issued = Issued::default();
        let held = issued.register("tok-123456", 0).unwrap();
        let again = issued.register("tok-123456", 1).unwrap();
        drop(held);
        issued.register("other-1234", 10 * KEPT_MS).unwrap();
        assert!(hides(&issued, "a tok-123456 b"), "somebody holds it");
        drop(again);
        for (at, known) in [(20 * KEPT_MS, true), (21 * KEPT_MS - 1, true), (21 * KEPT_MS, false)] {
            drop(issued.register("a-third-one", at).unwrap());
            assert_eq!(hides(&issued, "tok-123456"), known, "{at}");
        }
    }

    #[test]
    fn what_is_remembered_is_bounded_and_what_is_held_is_never_forgotten_for_it() {
        let issued = Issued::default();
        let held = issued.register("the-held-one", 0).unwrap();
        for number in 0..2 * MOST {
            drop(issued.register(&format!("token-{number:06}"), i64::try_from(number).unwrap()).unwrap());
        }
        assert_eq!(issued.len(), MOST);
        assert!(hides(&issued, "the-held-one") && !hides(&issued, "token-000000"));
        drop(held);
        let all: Vec<_> = (0..MOST).map(|number| issued.register(&format!("held-{number:06}"), 10 * KEPT_MS)).collect();
        assert!(all.iter().all(Result::is_ok));
        assert_eq!(issued.register("one-too-many", 10 * KEPT_MS).unwrap_err(), Unfit::TooMany);
    }

    #[test]
    fn a_value_that_cannot_be_hidden_is_not_taken() {
        let issued = Issued::default();
        for value in ["", "short", "      x      ", "[REDACTED]"] {
            assert_eq!(issued.register(value, 0).unwrap_err(), Unfit::Short, "{value:?}");
        }
        assert!(issued.is_empty());
    }

    #[test]
    fn each_line_of_a_key_is_hidden_by_itself() {
        let issued = Issued::default();
        let key = "-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0\nBAQEFAASCBKcwggSjAgEAAo\n-----END KEY-----\n";
        let _held = issued.register(key, 0).unwrap();
        assert!(hides(&issued, "the second line is BAQEFAASCBKcwggSjAgEAAo") && hides(&issued, key));
        assert!(!hides(&issued, "-----BEGIN KEY-----"));
    }
}
