//! The tools of the agent. A path argument is a handle that the gate has resolved beneath the workspace;
//! no function here joins, cleans or compares paths.

use toolgate::exec::CommandContext as _;
use toolgate::resource::EntryKind;
use toolgate::{Context, DirPath, ReadPath, StaticToolset, ToolError, WritePath, tool, tool_type, toolset};

/// Most entries that a search or a listing looks at.
const MOST_ENTRIES: usize = 2_000;
/// Most folders within each other that they enter.
const MOST_DEPTH: usize = 20;

/// All tools of the agent.
pub(crate) fn all() -> StaticToolset {
    toolset![list_files, read_text, search_text, write_file, run_command]
}

/// A listing.
#[tool_type(result)]
pub(crate) struct Files {
    /// Paths below the folder; folders end in a slash, links in an at sign.
    files: Vec<String>,
    /// Whether there are more.
    more: bool,
}

/// Lists everything below a folder.
#[tool(risk = "read", permissions = ["read:file"], timeout = 10)]
pub(crate) fn list_files(
    /// The folder, relative to the workspace; `.` is all of it.
    dir: DirPath,
) -> Result<Files, ToolError> {
    let walk = dir.walk(MOST_ENTRIES, MOST_DEPTH)?;
    let shown = walk.entries.iter().map(|found| match found.entry.kind {
        EntryKind::Dir => format!("{}/", found.relative),
        EntryKind::Link => format!("{}@", found.relative),
        EntryKind::File | EntryKind::Other => found.relative.clone(),
    });
    Ok(Files { files: shown.collect(), more: walk.truncated })
}

/// Reads a text file.
#[tool(risk = "read", permissions = ["read:file"], timeout = 10, result_limit = 4_000)]
pub(crate) fn read_text(
    /// The file, relative to the workspace.
    file: ReadPath,
) -> Result<String, ToolError> {
    Ok(file.read_to_string()?)
}

/// Where a text was found.
#[tool_type(result)]
pub(crate) struct Match {
    /// The file, below the folder that was searched.
    file: String,
    /// The line, from 1.
    line: usize,
    /// The whole line.
    text: String,
}

/// Finds the lines below a folder that hold a text.
#[tool(risk = "read", permissions = ["read:file"], timeout = 10)]
pub(crate) fn search_text(
    /// The folder to search, relative to the workspace.
    dir: DirPath,
    /// The text to find, as it is; no pattern.
    #[arg(min_length = 1, max_length = 200)]
    text: String,
) -> Result<Vec<Match>, ToolError> {
    let mut found = Vec::new();
    for entry in dir.walk(MOST_ENTRIES, MOST_DEPTH)?.entries {
        // What is no text, or vanished meanwhile, holds no line.
        let Ok(content) = entry.read_to_string() else { continue };
        let lines = content.lines().zip(1..).filter(|(line, _)| line.contains(&text));
        found.extend(lines.map(|(line, number)| Match {
            file: entry.relative.clone(),
            line: number,
            text: line.to_owned(),
        }));
    }
    Ok(found)
}

/// What was written.
#[tool_type(result)]
pub(crate) struct Written {
    /// The file.
    file: String,
    /// Bytes in it now.
    bytes: usize,
    /// Whether it is new.
    created: bool,
}

/// Creates a file or replaces it whole.
#[tool(risk = "write", permissions = ["write:file"], failure_policy = "abort", idempotent, timeout = 10)]
pub(crate) fn write_file(
    /// The file, relative to the workspace.
    file: WritePath,
    /// All of its new text.
    #[arg(max_length = 100_000)]
    text: String,
) -> Result<Written, ToolError> {
    let created = !file.exists()?;
    file.write(&text)?;
    Ok(Written { file: file.relative().to_owned(), bytes: text.len(), created })
}

/// What a program came to.
#[tool_type(result)]
pub(crate) struct Ran {
    /// Its exit code; none where a signal ended it.
    exit_code: Option<i32>,
    /// What it printed; of more than 64 KiB the beginning and the end.
    output: String,
    /// What it printed as errors.
    errors: String,
}

/// Runs a program in the workspace, without a shell.
#[tool(
    risk = "dangerous",
    permissions = ["run:command"],
    confirm = "Run {program} with these arguments: {arguments}",
    impact = "It may read the workspace and change what this task may change; it has no network.",
    alternatives = "Tools that list, search and read files ask nobody.",
    failure_policy = "abort_and_alert",
    repeatable = "what a program does depends on the files, so each run is a new one",
    timeout = 60,
)]
pub(crate) async fn run_command(
    ctx: &Context,
    /// The program by its name, such as `grep`.
    #[arg(pattern = "^[a-zA-Z0-9._+-]+$", max_length = 60)]
    program: String,
    /// Its arguments, each as it is: no quotes, no wildcards.
    #[arg(max_items = 50)]
    arguments: Vec<String>,
    /// Why it is needed; the approver reads it.
    #[arg(reason, max_length = 200)]
    reason: String,
) -> Result<Ran, ToolError> {
    ctx.progress(0, None, &reason);
    let output = ctx.command(program).args(arguments).run().await?;
    Ok(Ran { exit_code: output.status.code(), output: output.stdout.text(), errors: output.stderr.text() })
}
