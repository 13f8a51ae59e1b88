//! What is right and wrong about repeating things: the two state machines and the derivation of
//! keys. Pure; storing is the [`crate::store::Store`]'s.

mod call_state;
mod key;
mod key_state;

pub use call_state::{CallEvent, CallState};
pub use key::{KeyParts, framed_digest, hex, idempotency_key, provider_key};
pub use key_state::{Answer, Ending, KeyEvent, KeyState, MAX_ATTEMPTS};

/// An event that can't happen in the state it met: a fault of the program or of the stored data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IllegalEvent {
    text: String,
}

impl IllegalEvent {
    fn call(state: CallState, event: CallEvent) -> Self {
        Self { text: format!("a call that is {state} can't take {event:?}") }
    }

    fn key(state: Option<KeyState>, event: KeyEvent) -> Self {
        let state = state.map_or("new", KeyState::as_str);
        Self { text: format!("a key that is {state} can't take {event:?}") }
    }
}

impl std::fmt::Display for IllegalEvent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for IllegalEvent {}
