//! What an error of the client means: whether anything was sent, and what the model may know.

use std::error::Error;

use toolgate_core::resource::{NetError, NetFault};

/// The error in our words; its own text, which may hold addresses, is for the operator.
pub(crate) fn of(error: reqwest::Error) -> NetError {
    let error = error.without_url();
    let fault = if is_tls(&error) {
        NetFault::Tls
    } else if error.is_connect() {
        NetFault::Connect
    } else if error.is_timeout() {
        NetFault::Timeout
    } else if error.is_builder() {
        NetFault::BadRequest
    } else {
        NetFault::Broken
    };
    NetError::new(fault, "the request failed").with_source(error)
}

/// Whether the handshake failed, as far down as that is said. Errors of input and output hold theirs inside.
fn is_tls(error: &reqwest::Error) -> bool {
    let mut source: Option<&dyn Error> = error.source();
    for _ in 0..16 {
        let Some(cause) = source else { return false };
        if error.is_connect() && cause.is::<rustls::Error>() {
            return true;
        }
        source = match cause.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref) {
            Some(inside) => Some(inside),
            None => cause.source(),
        };
    }
    false
}
