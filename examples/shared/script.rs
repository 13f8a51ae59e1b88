//! A recorded story, one step a line: what the user said, what the model answered (a chat-completions
//! message with `tool_calls`), what people and the host did, and what is expected to come of it.

use std::fs;
use std::path::Path;

use toolgate::serde::Deserialize;
use toolgate::serde_json::{self, Value};

use super::Failure;

/// All steps of a story.
#[derive(Debug)]
pub(crate) struct Script {
    pub(crate) steps: Vec<Step>,
}

/// One step; exactly one of its parts is there, and what is expected of it.
#[derive(Debug, Deserialize)]
#[serde(crate = "toolgate::serde", deny_unknown_fields)]
pub(crate) struct Step {
    /// A headline for whoever reads along.
    pub(crate) note: Option<String>,
    /// The user asks for something new.
    pub(crate) user: Option<String>,
    /// The model's message, as the provider gave it.
    pub(crate) model: Option<Message>,
    /// A person decides, at another terminal.
    pub(crate) person: Option<Person>,
    /// The program that runs the agent does something.
    pub(crate) host: Option<Host>,
    /// One for each call of this step; nothing is expected of those beyond.
    #[serde(default)]
    pub(crate) expect: Vec<Expected>,
}

/// A message of the model in the chat-completions form.
#[derive(Debug, Deserialize)]
#[serde(crate = "toolgate::serde")]
pub(crate) struct Message {
    pub(crate) content: Option<String>,
    #[serde(default)]
    pub(crate) tool_calls: Vec<ModelCall>,
}

/// One call in a message.
#[derive(Debug, Deserialize)]
#[serde(crate = "toolgate::serde")]
pub(crate) struct ModelCall {
    pub(crate) id: String,
    pub(crate) function: Function,
}

/// What is called. The arguments are a text that should be JSON.
#[derive(Debug, Deserialize)]
#[serde(crate = "toolgate::serde")]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) arguments: Option<Value>,
}

/// What a person does. Calls are named by the provider's id.
#[derive(Debug, Deserialize)]
#[serde(crate = "toolgate::serde", deny_unknown_fields)]
pub(crate) struct Person {
    pub(crate) by: String,
    pub(crate) comment: Option<String>,
    /// Says yes to the call that waits.
    pub(crate) approve: Option<String>,
    /// Says no to it.
    pub(crate) deny: Option<String>,
    /// Lets the stopped session go on.
    #[serde(default)]
    pub(crate) resume: bool,
}

/// What the host does.
#[derive(Debug, Deserialize)]
#[serde(crate = "toolgate::serde", deny_unknown_fields)]
pub(crate) struct Host {
    /// Goes on in the task of this type.
    pub(crate) task: Option<String>,
    /// Dispatches the call that waited for a person.
    pub(crate) resume: Option<String>,
}

/// What a call should come to; what isn't said may be anything.
#[derive(Debug, Default, Deserialize)]
#[serde(crate = "toolgate::serde", deny_unknown_fields)]
pub(crate) struct Expected {
    pub(crate) code: Option<String>,
    pub(crate) stage: Option<String>,
    pub(crate) effect: Option<String>,
}

impl Script {
    /// Reads a story; an empty line is no step.
    pub(crate) fn read(file: &Path) -> Result<Self, Failure> {
        let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let step = |(number, line): (usize, &str)| {
            serde_json::from_str(line).map_err(|error| format!("{}:{}: {error}", file.display(), number + 1))
        };
        Ok(Self { steps: lines.map(step).collect::<Result<_, _>>()? })
    }
}

impl Function {
    /// The arguments as the provider gave them; `None` where there are none.
    pub(crate) fn arguments_text(&self) -> Option<String> {
        match &self.arguments {
            None => None,
            Some(Value::String(text)) => Some(text.clone()),
            Some(other) => Some(other.to_string()),
        }
    }
}
