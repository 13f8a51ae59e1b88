//! Marks of rows that are changed in place: keyed with the gate's key, over the whole row, so that a
//! row which was written without the key is seen before anything is decided by it. Not a proof that
//! a row is the newest one: an older row of the same name, put back, has its mark.

use serde_json::json;

use super::record::KeyRecord;
use super::ticket::TicketRecord;
use crate::keys::GateKey;

const TICKET: &str = "toolgate.ticket.mark.v1";
const KEY: &str = "toolgate.key.mark.v1";

/// The mark of a ticket: what it is for, what a person sees and what was decided; 64 hex digits.
pub fn ticket(key: &GateKey, ticket: &TicketRecord) -> String {
    let TicketRecord {
        id,
        call_id,
        tool,
        contract,
        digest,
        sealed,
        session,
        task,
        principal,
        user,
        policy,
        view,
        created_ms,
        expires_ms,
        state,
        needed,
        approvals,
        decided_by,
        channel,
        comment,
        decided_ms,
    } = ticket;
    let asked = json!([id, call_id, tool, contract, digest, session, task, principal, user, policy, view]).to_string();
    let times = (created_ms, expires_ms);
    let decided = json!([times, state.as_str(), decided_by, channel, comment, decided_ms]).to_string();
    // Those that need one person have the mark that they always had.
    if *needed < 2 && approvals.is_empty() {
        return key.digest(TICKET, &[asked.as_bytes(), sealed, decided.as_bytes()]);
    }
    let people = json!([needed, approvals]).to_string();
    key.digest(TICKET, &[asked.as_bytes(), sealed, decided.as_bytes(), people.as_bytes()])
}

/// The mark of an idempotency key: all of its row; 64 hex digits.
pub fn key(gate: &GateKey, key: &KeyRecord) -> String {
    let KeyRecord {
        key,
        fingerprint,
        tool,
        call_id,
        state,
        idempotent,
        attempts,
        fence,
        owner,
        claimed_ms,
        settled_ms,
    } = key;
    let (settled, at_ms) = (u8::from(settled_ms.is_some()), settled_ms.unwrap_or_default());
    gate.digest(
        KEY,
        &[
            key.as_bytes(),
            fingerprint.as_bytes(),
            tool.as_bytes(),
            call_id.as_bytes(),
            state.as_str().as_bytes(),
            owner.as_bytes(),
            &[u8::from(*idempotent), settled],
            &attempts.to_be_bytes(),
            &fence.to_be_bytes(),
            &claimed_ms.to_be_bytes(),
            &at_ms.to_be_bytes(),
        ],
    )
}
