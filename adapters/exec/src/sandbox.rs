//! What Landlock can do on this kernel, and the restriction of a process that is about to become the program.

use std::os::fd::OwnedFd;

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible as _, PathBeneath, PathFd, Ruleset,
    RulesetAttr as _, RulesetCreated, RulesetCreatedAttr as _, RulesetError, Scope,
};
use serde::{Deserialize, Serialize};

/// Whether a program runs inside a sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sandbox {
    /// It runs inside one, or not at all. What is in files outside of the granted folders is out of reach, and what
    /// else the kernel can keep from it is kept from it. No Landlock keeps away `stat`, `chmod`, `chown`, times and
    /// extended attributes of the user's files outside, nor `prlimit` on the user's other processes.
    Required,
    /// It runs inside what the kernel has; what that doesn't keep from it is logged and told in
    /// [`Output::not_enforced`](crate::Output::not_enforced).
    BestEffort,
    /// It runs with all that the host's own user may do, for the reason given.
    None(&'static str),
}

/// What the kernel can enforce; each step has all that the one before it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Support {
    /// No Landlock, or one that can't keep files outside from being cut short.
    Nothing,
    /// Files (ABI 3, Linux 6.2).
    Files,
    /// Also TCP (ABI 4, Linux 6.7).
    Tcp,
    /// Also the controls of devices (ABI 5, Linux 6.10).
    Devices,
    /// Also signals and abstract sockets of processes outside (ABI 6, Linux 6.12).
    Signals,
}

/// What may be done with a granted folder or file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Grant {
    /// Reading, and running what is in it.
    Read,
    /// That, and changing it.
    Write,
    /// Changing it, and not reading it.
    WriteOnly,
    /// Reading and writing what is there, such as `/dev/null`; nothing is made or removed.
    Device,
}

impl Support {
    const ALL: [Self; 5] = [Self::Signals, Self::Devices, Self::Tcp, Self::Files, Self::Nothing];

    /// What this kernel can, found by making a ruleset for each step and applying none.
    pub fn of_kernel() -> Self {
        let can = |step: &Self| step.ruleset().is_some_and(|ruleset| ruleset.is_ok());
        Self::ALL.into_iter().find(can).unwrap_or(Self::Nothing)
    }

    /// What isn't kept from a program, in words for operators.
    pub fn lacks(self) -> Vec<&'static str> {
        let steps = [
            (Self::Files, "files outside of the granted folders"),
            (Self::Tcp, "TCP"),
            (Self::Devices, "controls of devices"),
            (Self::Signals, "signals and abstract sockets"),
        ];
        steps.into_iter().filter(|(step, _)| *step > self).map(|(_, what)| what).collect()
    }

    /// The version of the kernel's interface whose rights, tried out, are asked for.
    const fn abi(self) -> Option<ABI> {
        match self {
            Self::Nothing => None,
            Self::Files => Some(ABI::V3),
            Self::Tcp => Some(ABI::V4),
            Self::Devices => Some(ABI::V5),
            Self::Signals => Some(ABI::V6),
        }
    }

    /// A ruleset that denies all it can; made whole or not at all.
    fn ruleset(self) -> Option<Result<RulesetCreated, RulesetError>> {
        self.abi().map(|abi| {
            let mut ruleset = Ruleset::default()
                .set_compatibility(CompatLevel::HardRequirement)
                .handle_access(AccessFs::from_all(abi))?;
            if self >= Self::Tcp {
                ruleset = ruleset.handle_access(AccessNet::from_all(abi))?;
            }
            if self >= Self::Signals {
                ruleset = ruleset.scope(Scope::from_all(abi))?;
            }
            ruleset.create()
        })
    }

    /// Restricts the calling thread, and so the program it becomes, to what is granted.
    ///
    /// # Errors
    /// The kernel refuses; a path that isn't there is no error, and is not granted.
    pub(crate) fn restrict(self, held: &[(Grant, OwnedFd)], named: &[(Grant, String)]) -> Result<(), String> {
        let (Some(abi), Some(ruleset)) = (self.abi(), self.ruleset()) else {
            return Ok(());
        };
        let mut ruleset = ruleset.map_err(|error| error.to_string())?;
        for (grant, path) in named {
            if let Ok(path) = PathFd::new(path) {
                ruleset = granted(ruleset, abi, *grant, path)?;
            }
        }
        for (grant, held) in held {
            ruleset = granted(ruleset, abi, *grant, held)?;
        }
        ruleset.restrict_self().map(drop).map_err(|error| error.to_string())
    }
}

/// Adds one rule; of a file only the rights that files have.
fn granted(
    ruleset: RulesetCreated,
    abi: ABI,
    grant: Grant,
    fd: impl std::os::fd::AsFd,
) -> Result<RulesetCreated, String> {
    let mut access: BitFlags<AccessFs> = match grant {
        Grant::Read => AccessFs::from_read(abi),
        Grant::Write => AccessFs::from_all(abi) & !(AccessFs::MakeChar | AccessFs::MakeBlock),
        Grant::WriteOnly => AccessFs::from_write(abi) & !(AccessFs::MakeChar | AccessFs::MakeBlock),
        Grant::Device => AccessFs::ReadFile | AccessFs::WriteFile | (AccessFs::from_all(abi) & AccessFs::Truncate),
    };
    let stat = rustix::fs::fstat(&fd).map_err(|error| error.to_string())?;
    if rustix::fs::FileType::from_raw_mode(stat.st_mode) != rustix::fs::FileType::Directory {
        access &= AccessFs::from_file(abi);
    }
    ruleset.add_rule(PathBeneath::new(fd, access)).map_err(|error| error.to_string())
}
