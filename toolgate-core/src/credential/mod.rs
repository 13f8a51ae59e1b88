//! Credentials for tools: a tool asks for one by name, the host's broker answers with one for this tool and
//! this task, and redaction knows it before the tool has it. Not who may ask for which: that is a
//! capability. Not the gate's own key.

mod broker;
mod by_name;
mod command;
mod env;
mod file;
mod fixed;
mod value;

pub use broker::{BrokerError, CredentialBroker, CredentialRequest, Issued};
pub use by_name::CredentialsByName;
pub use command::CommandCredentials;
pub use env::EnvCredentials;
pub use file::FileCredentials;
pub use fixed::FixedCredentials;
pub use value::{Credential, Secret};

use zeroize::Zeroize as _;

/// Most bytes of a credential that a file or a command gives.
pub const MAX_BYTES: usize = 16 << 10;

/// A text as a credential: without the one line end that editors and commands put behind it.
fn secret_of(bytes: Vec<u8>) -> Result<Secret, BrokerError> {
    if bytes.len() > MAX_BYTES {
        return Err(BrokerError::new(format!("more than {MAX_BYTES} bytes")));
    }
    let mut text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            wipe(error.into_bytes());
            return Err(BrokerError::new("it is not UTF-8 text"));
        }
    };
    if text.ends_with('\n') {
        text.pop();
        if text.ends_with('\r') {
            text.pop();
        }
    }
    Ok(Secret::new(text))
}

/// Bytes that nobody gets.
fn wipe(mut bytes: Vec<u8>) {
    bytes.zeroize();
}
