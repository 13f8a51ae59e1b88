//! Which tools a grant is for.

use std::collections::BTreeSet;

use crate::policy::names;

/// Which tools may ask for a credential.
#[derive(Debug, Clone)]
pub(super) enum ForTools {
    All,
    These(BTreeSet<String>),
}

impl ForTools {
    pub(super) fn has(&self, tool: &str) -> bool {
        match self {
            Self::All => true,
            Self::These(tools) => tools.iter().any(|pattern| names(pattern, tool)),
        }
    }
}
