//! Policies as files: TOML that grants permissions by type of task, with rules, lists and limits; checked when loaded,
//! and named by its digest. Not who reloads it, which is the gate.

mod check;
mod decide;
mod diff;
mod examples;
mod explain;
mod model;
mod place;
mod read;
mod source;

use std::path::Path;
use std::sync::Arc;

use sha2::{Digest as _, Sha256};

pub use diff::{Change, ChangeKind, Diff, ExampleChange};
pub use examples::ExampleResult;
pub use explain::{ExampleCall, Explanation, Layer, LayerAnswer};
pub use source::{LoadError, LoadProblem};

use crate::contract::SpecFault;
use crate::ledger::{framed_digest, hex};
use crate::policy::{
    Control, Decision, GrantModes, Granted, Grants, Limit, Mode, Policy, PolicyRequest, Verdict, strictest,
};
use crate::spec::Toolset;
use model::Model;
use source::Source;

/// Most bytes of a policy file.
const MOST_BYTES: usize = 1 << 20;

/// A policy in a file: what each type of task is granted, rules on arguments, lists, limits, and what needs people.
/// Deny by default: a type of task that isn't in the file may do nothing.
///
/// What the file grants and what the host gave to the session must both allow a call, so that a file never widens what
/// a host granted. A host whose file is to be the only authority opens its sessions with
/// [`Capabilities::by_policy`](crate::session::Capabilities::by_policy).
///
/// ```
/// use toolgate_core::policy::file::PolicyFile;
///
/// let policy = PolicyFile::parse("[task.inspection]\ntools = [\"look\"]\nrisks = [\"read\"]\npermissions = [\"tool:*\"]")?;
/// assert_eq!(policy.task_types().collect::<Vec<_>>(), ["inspection"]);
///
/// let typo = PolicyFile::parse("[task.inspection]\ntolls = [\"look\"]").unwrap_err();
/// assert_eq!((typo.problems[0].line, typo.problems[0].nearest.as_deref()), (2, Some("tools")));
/// # Ok::<(), toolgate_core::policy::file::LoadError>(())
/// ```
#[derive(Debug, Clone)]
pub struct PolicyFile {
    loaded: Arc<Loaded>,
    examples_bind: bool,
}

#[derive(Debug)]
struct Loaded {
    file: String,
    text: String,
    model: Model,
    digest: String,
    nothing: Grants,
}

impl PolicyFile {
    /// Reads a policy from a text. Lists in files are refused: there is no folder to look in.
    ///
    /// # Errors
    /// Everything that is wrong with the text.
    pub fn parse(text: &str) -> Result<Self, LoadError> {
        Self::read(text, "policy", None)
    }

    /// Reads a policy from a text that stands in a file of this name in this folder.
    ///
    /// # Errors
    /// Everything that is wrong with the text, and list files that can't be read.
    pub fn parse_in(text: &str, name: &str, folder: &Path) -> Result<Self, LoadError> {
        Self::read(text, name, Some(folder))
    }

    /// Reads a policy file, and the list files beside it.
    ///
    /// # Errors
    /// A file that can't be read, and everything that is wrong with it.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|error| {
            LoadError::of(LoadProblem::of_file(&name, "policy.unreadable", format!("the file can't be read: {error}")))
        })?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Self::read(&text, &name, Some(folder))
    }

    fn read(text: &str, file: &str, folder: Option<&Path>) -> Result<Self, LoadError> {
        if text.len() > MOST_BYTES {
            let message = format!("the file has more than {MOST_BYTES} bytes");
            return Err(LoadError::of(LoadProblem::of_file(file, "policy.too_large", message)));
        }
        let source = Source::new(file, text);
        let (model, beside) = read::read(&source, folder);
        source.finish()?;
        let digest = if beside.is_empty() {
            hex(&Sha256::digest(text.as_bytes()))
        } else {
            framed_digest("toolgate.policy.v1", &[text.as_bytes(), beside.as_bytes()])
        };
        let (file, text) = (file.to_owned(), text.to_owned());
        let loaded = Arc::new(Loaded { file, text, model, digest, nothing: Grants::default() });
        Ok(Self { loaded, examples_bind: true })
    }

    /// Everything in it that these tools don't have: tools, permissions, arguments, and words that arguments are
    /// never; and conditions that calls of a tool can't answer.
    ///
    /// # Errors
    /// Each of them at its place.
    pub fn check_against(&self, tools: &Toolset) -> Result<(), LoadError> {
        let Loaded { file, text, model, .. } = &*self.loaded;
        let source = Source::new(file, text);
        check::check(&source, model, tools);
        source.finish()
    }

    /// The same policy, taken on by a gate even where its own examples come out otherwise than they say. Without this,
    /// no gate is built with such a file, and none takes it on.
    #[must_use]
    pub fn without_examples(self) -> Self {
        Self { examples_bind: false, ..self }
    }

    /// Its name, `policy` where it has none.
    pub fn name(&self) -> &str {
        &self.loaded.model.name
    }

    /// SHA-256 of the text, as hexadecimal digits; where lists stand in files, of those, too.
    pub fn digest(&self) -> &str {
        &self.loaded.digest
    }

    /// The types of tasks that it grants anything to.
    pub fn task_types(&self) -> impl Iterator<Item = &str> {
        self.loaded.model.tasks.keys().map(String::as_str)
    }

    fn model(&self) -> &Model {
        &self.loaded.model
    }
}

impl Policy for PolicyFile {
    /// The name, and the first 12 digits of the digest: `fleet@3f9a0c11d2e4`.
    fn version(&self) -> String {
        format!("{}@{}", self.name(), self.digest().get(..12).unwrap_or_default())
    }

    fn reads_provenance(&self) -> bool {
        self.model().rules.iter().any(|placed| placed.rule.reads_provenance())
    }

    fn decide(&self, request: &PolicyRequest<'_>) -> Decision {
        let mut would_refuse = Vec::new();
        let said = decide::said(self.model(), request).into_iter();
        let counts = said.filter_map(|said| said.counting(&mut would_refuse)).collect::<Vec<_>>();
        let decision = strictest::strictest(counts);
        let silent = || Decision::new(Verdict::Deny, "no_rule", "nothing in the file allows this call");
        Decision { would_refuse, ..decision.unwrap_or_else(silent) }
    }

    fn grants<'p>(&'p self, task_type: &str, tool: &str) -> Vec<Granted<'p>> {
        let grants = self.model().tasks.get(task_type).map_or(&self.loaded.nothing, |task| &task.grants);
        let modes = GrantModes::of(|control| self.model().mode(control, task_type, tool));
        vec![Granted { grants, modes }]
    }

    fn limits(&self, task_type: &str, tool: &str) -> Vec<Limit> {
        self.model().limits_of(task_type, tool)
    }

    fn mode(&self, control: Control, task_type: &str, tool: &str) -> Option<Mode> {
        Some(self.model().mode(control, task_type, tool))
    }

    /// Everything that [`PolicyFile::check_against`] tells; where that is nothing, the examples that come out otherwise
    /// than they say, unless [`PolicyFile::without_examples`] was said.
    fn check(&self, tools: &Toolset) -> Vec<SpecFault> {
        let checked = self.check_against(tools);
        let checked = if self.examples_bind { checked.and_then(|()| self.check_examples(tools)) } else { checked };
        let problems = checked.err().map(|error| error.problems).unwrap_or_default();
        let told = |problem: LoadProblem| {
            let place = format!("{}:{}:{}", problem.file, problem.line, problem.column);
            SpecFault::new("", &place, problem.rule, problem.told())
        };
        problems.into_iter().map(told).collect()
    }
}
