//! The rows of the recorded calls. The data is third-party and stays outside the project: the folder
//! comes from `TOOLGATE_TRACES`, and where it is absent a test says that it is skipped.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// One call of a recorded run.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Call {
    /// Name of the run.
    pub(crate) t: String,
    /// Place of the call in the run.
    pub(crate) i: usize,
    /// Whose tools.
    pub(crate) suite: String,
    /// What the user had asked for.
    pub user_task: String,
    /// Tool name as the model wrote it.
    pub(crate) tool: String,
    /// Arguments as the model wrote them.
    pub(crate) arguments: Value,
    /// Whether the call does what an attacker wanted.
    pub(crate) is_attacker_goal: bool,
    /// What the tool answered where it failed.
    pub(crate) error: Option<String>,
    /// Id of the recorded result.
    pub(crate) result: Option<String>,
}

/// A task, and the calls that solve it.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Task {
    /// Whose tools.
    pub(crate) suite: String,
    /// `user` or `injection`.
    pub(crate) kind: String,
    /// Its name.
    #[serde(rename = "task")]
    pub(crate) name: String,
    /// The calls that solve it.
    pub(crate) ground_truth: Vec<TaskCall>,
}

/// One call of a solution.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct TaskCall {
    /// Tool name.
    pub(crate) tool: String,
}

/// A call that breaks its schema.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Malformed {
    /// Row number at the origin.
    pub(crate) id: u64,
    /// Tool name as the model wrote it.
    pub(crate) tool: String,
    /// Arguments as the model wrote them.
    pub(crate) raw_arguments: String,
    /// What is wrong.
    pub(crate) classes: Vec<String>,
    /// `file#suite`.
    pub(crate) schema_ref: String,
}

/// The folder of the traces, or a line that says that the test is skipped.
pub(crate) fn folder() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/traces");
    let folder = std::env::var_os("TOOLGATE_TRACES").map_or(root, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: no recorded calls; name their folder with TOOLGATE_TRACES");
    None
}

/// Every row of a file of one JSON value a line.
pub(crate) fn lines<T: DeserializeOwned>(folder: &Path, name: &str) -> Vec<T> {
    let text = fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let row =
        |(index, line)| serde_json::from_str(line).unwrap_or_else(|error| panic!("{name}:{}: {error}", index + 1));
    text.lines().enumerate().map(row).collect()
}

/// One file that is one JSON value.
pub(crate) fn read_json(folder: &Path, name: &str) -> Value {
    let text = fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A text member of a value.
pub(crate) fn text_of<'v>(value: &'v Value, name: &str) -> &'v str {
    value.get(name).and_then(Value::as_str).unwrap_or_else(|| panic!("no `{name}` in {value}"))
}
