//! What a policy grants to a kind of task, beside what its host granted to the session. Not the intersection of the
//! two, which is the gate's.

use std::collections::BTreeMap;

use super::control::{Control, Mode};
use crate::resource::HostRule;
use crate::spec::Risk;

/// What one kind of task is granted: nothing that isn't said.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Grants {
    /// Tools by name; a `*` at the end stands for all that begin so.
    pub tools: Vec<String>,
    /// Risk levels.
    pub risks: Vec<Risk>,
    /// Permissions; `write:*` stands for all that begin so, `*` for all.
    pub permissions: Vec<String>,
    /// Folders of the workspace that may be read.
    pub readable: Vec<String>,
    /// Folders of the workspace that may be written.
    pub writable: Vec<String>,
    /// Hosts, with the networks that their addresses may lie in.
    pub hosts: Vec<HostRule>,
    /// Programs.
    pub programs: Vec<String>,
    /// Credentials by name, and the tools that may ask for each: by name, or its beginning before `*`.
    pub credentials: BTreeMap<String, Vec<String>>,
}

/// How far each part of a grant goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GrantModes {
    /// Of the tools.
    pub tools: Mode,
    /// Of the risks.
    pub risks: Mode,
    /// Of the permissions.
    pub permissions: Mode,
    /// Of the folders.
    pub paths: Mode,
    /// Of the hosts.
    pub hosts: Mode,
    /// Of the programs.
    pub programs: Mode,
    /// Of the credentials.
    pub credentials: Mode,
}

impl GrantModes {
    /// All of it refuses.
    pub const ENFORCED: Self = Self {
        tools: Mode::Enforce,
        risks: Mode::Enforce,
        permissions: Mode::Enforce,
        paths: Mode::Enforce,
        hosts: Mode::Enforce,
        programs: Mode::Enforce,
        credentials: Mode::Enforce,
    };

    /// As `mode` says of each control.
    pub fn of(mode: impl Fn(Control) -> Mode) -> Self {
        Self {
            tools: mode(Control::Tools),
            risks: mode(Control::Risks),
            permissions: mode(Control::Permissions),
            paths: mode(Control::Paths),
            hosts: mode(Control::Hosts),
            programs: mode(Control::Programs),
            credentials: mode(Control::Credentials),
        }
    }

    /// How far the part goes that a control is about; `None` for controls that are about no grant.
    pub(crate) fn mode(self, control: Control) -> Option<Mode> {
        Some(match control {
            Control::Tools => self.tools,
            Control::Risks => self.risks,
            Control::Permissions => self.permissions,
            Control::Paths => self.paths,
            Control::Hosts => self.hosts,
            Control::Programs => self.programs,
            Control::Credentials => self.credentials,
            _ => return None,
        })
    }
}

impl Grants {
    /// The credentials as they are written: `crm`, `deploy for restart, scale`.
    #[cfg(feature = "policy-file")]
    pub(crate) fn credentials_told(&self) -> Vec<String> {
        let told = |(name, tools): (&String, &Vec<String>)| match tools.as_slice() {
            [all] if all == "*" => name.clone(),
            tools => format!("{name} for {}", tools.join(", ")),
        };
        self.credentials.iter().map(told).collect()
    }
}

/// What a policy grants to a call: its task's grants, and how far they go for its tool.
#[derive(Debug, Clone, Copy)]
pub struct Granted<'p> {
    /// The grants.
    pub grants: &'p Grants,
    /// How far they go.
    pub modes: GrantModes,
}
