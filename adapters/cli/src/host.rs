//! What an agent's binary brings to the commands: its gate, and the task that calls are made in. Not
//! the commands.

use std::fmt;

use toolgate_core::gate::Gate;
use toolgate_core::session::{Capabilities, Task};

/// Which task a command asks for; what isn't said is the host's choice.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Wanted {
    /// Id of the session.
    pub session: Option<String>,
    /// Id of the task.
    pub task: Option<String>,
}

type Tasks = Box<dyn Fn(&Wanted) -> Result<Task, String> + Send + Sync>;

/// An agent's gate and tasks.
pub struct Host {
    gate: Gate,
    tasks: Option<Tasks>,
    version: Option<String>,
    grants: Vec<Capabilities>,
}

impl fmt::Debug for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Host").field("gate", &self.gate).finish_non_exhaustive()
    }
}

impl Host {
    /// A gate without tasks: its tools can be listed, not called.
    pub fn new(gate: Gate) -> Self {
        Self { gate, tasks: None, version: None, grants: Vec::new() }
    }

    /// A gate with one task, which all calls are made in.
    pub fn with_task(gate: Gate, task: Task) -> Self {
        let grants = task.capabilities().clone();
        Self::new(gate).grants(grants).tasks(move |wanted| match wanted {
            Wanted { session: Some(name), .. } if name != task.session_id() => {
                Err(format!("this agent has one session, `{}`", task.session_id()))
            }
            Wanted { task: Some(name), .. } if name != task.id() => {
                Err(format!("this agent has one task, `{}`", task.id()))
            }
            _ => Ok(task.clone()),
        })
    }

    /// What `--version` says of the agent: `env!("CARGO_PKG_VERSION")` of its crate.
    #[must_use]
    pub fn version(mut self, version: impl Into<String>) -> Self {
        self.version = Some(version.into());
        self
    }

    /// What one kind of session or task may do, said once for each kind, so that `lint` finds tools and permissions
    /// that nobody has.
    #[must_use]
    pub fn grants(mut self, capabilities: Capabilities) -> Self {
        self.grants.push(capabilities);
        self
    }

    /// How the task of a call is opened, from `--session` and `--task`; `resume` asks for the session and
    /// the task of its ticket. The text of an error goes to the operator.
    #[must_use]
    pub fn tasks(mut self, open: impl Fn(&Wanted) -> Result<Task, String> + Send + Sync + 'static) -> Self {
        self.tasks = Some(Box::new(open));
        self
    }

    pub(crate) fn granted(&self) -> &[Capabilities] {
        &self.grants
    }

    pub(crate) fn version_text(&self) -> Option<&str> {
        self.version.as_deref()
    }

    pub(crate) fn gate(&self) -> &Gate {
        &self.gate
    }

    pub(crate) fn task(&self, wanted: &Wanted) -> Result<Task, String> {
        match &self.tasks {
            Some(open) => open(wanted),
            None => Err("this agent's binary opens no task for commands; give `Host::tasks`".to_owned()),
        }
    }

    pub(crate) fn has_tasks(&self) -> bool {
        self.tasks.is_some()
    }
}
