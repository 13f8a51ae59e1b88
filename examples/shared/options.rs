//! The command line of an example agent.

use std::path::{Path, PathBuf};

use super::Failure;

const USAGE: &str = "\
options:
  --model scripted:FILE  the recorded turns of a model. Default: the story of this example
  --db PATH              the SQLite file; made where there is none, and each run adds to it.
                         Default: in a temporary folder
  --workspace DIR        the folder the tools work in: an empty one, or one that is made, for each run.
                         Default: in a temporary folder
  --keep                 leave the temporary folder in place at the end
  --json                 one JSON object a line, for machines. A call that waited for a person and went on
                         has two lines of kind `call` and one record, so one line of kind `audit`";

/// What was asked for.
#[derive(Debug)]
pub(crate) struct Options {
    /// The recorded turns.
    pub(crate) model: PathBuf,
    /// The SQLite file.
    pub(crate) database: Option<PathBuf>,
    /// The folder the tools work in.
    pub(crate) workspace: Option<PathBuf>,
    /// Whether the temporary folder stays.
    pub(crate) keep: bool,
    /// Whether the transcript is for machines.
    pub(crate) json: bool,
}

impl Options {
    /// Reads the arguments; `story` is the default script, relative to the package.
    pub(crate) fn parse(mut arguments: impl Iterator<Item = String>, story: &str) -> Result<Self, Failure> {
        let model = Path::new(env!("CARGO_MANIFEST_DIR")).join(story);
        let mut options = Self { model, database: None, workspace: None, keep: false, json: false };
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("`{argument}` needs a value\n{USAGE}"));
            match argument.as_str() {
                "--model" => options.model = scripted(&value()?)?,
                "--db" => options.database = Some(value()?.into()),
                "--workspace" => options.workspace = Some(value()?.into()),
                "--keep" => options.keep = true,
                "--json" => options.json = true,
                "--help" | "-h" => {
                    println!("{USAGE}");
                    std::process::exit(0);
                }
                other => return Err(format!("unknown option `{other}`\n{USAGE}").into()),
            }
        }
        Ok(options)
    }
}

fn scripted(model: &str) -> Result<PathBuf, Failure> {
    match model.split_once(':') {
        Some(("scripted", file)) if !file.is_empty() => Ok(file.into()),
        _ => Err(format!("unknown model `{model}`, expected `scripted:FILE`").into()),
    }
}
