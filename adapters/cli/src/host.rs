//! What an agent's binary brings to the commands: its gate, and the task that calls are made in. Not
//! the commands.

use std::fmt;

use toolgate_core::gate::Gate;
use toolgate_core::session::Task;

/// Which task a command asks for; what isn't said is the host's choice.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Wanted {
    /// Name of the session.
    pub session: Option<String>,
    /// Name of the task.
    pub task: Option<String>,
}

type Tasks = Box<dyn Fn(&Wanted) -> Result<Task, String> + Send + Sync>;

/// An agent's gate and tasks.
pub struct Host {
    gate: Gate,
    tasks: Option<Tasks>,
}

impl fmt::Debug for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Host").field("gate", &self.gate).finish_non_exhaustive()
    }
}

impl Host {
    /// A gate without tasks: its tools can be listed, not called.
    pub fn new(gate: Gate) -> Self {
        Self { gate, tasks: None }
    }

    /// A gate with one task, which all calls are made in.
    pub fn with_task(gate: Gate, task: Task) -> Self {
        Self::new(gate).tasks(move |wanted| match wanted {
            Wanted { session: Some(_), .. } => Err("this agent has one session; leave the session out".to_owned()),
            Wanted { task: Some(name), .. } if name != task.id() => {
                Err(format!("this agent has one task, `{}`", task.id()))
            }
            _ => Ok(task.clone()),
        })
    }

    /// How the task of a call is opened; the text of an error goes to the operator.
    #[must_use]
    pub fn tasks(mut self, open: impl Fn(&Wanted) -> Result<Task, String> + Send + Sync + 'static) -> Self {
        self.tasks = Some(Box::new(open));
        self
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
