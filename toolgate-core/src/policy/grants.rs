//! What a policy grants to a kind of task, beside what its host granted to the session. Not the intersection of the
//! two, which is the gate's.

use super::control::{Control, Mode};
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
    /// Hosts; `*.example.com` stands for those below.
    pub hosts: Vec<String>,
    /// Programs.
    pub programs: Vec<String>,
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
        }
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
