//! What a person is shown against what runs: links, and types that serde reads. How a view is written
//! is tested in the core.

use std::sync::Arc;

use toolgate::{
    Capabilities, Code, Gate, GateBuilder, MemoryStore, Risk, SessionOptions, Task, ToolCall, ToolError, ToolResult,
    Workspace, WritePath, schemars, serde, tool, toolset,
};

use super::support::Folder;

async fn task(tools: impl FnOnce(GateBuilder) -> GateBuilder, folder: &Folder) -> (Gate, Task) {
    let gate = tools(Gate::builder(Arc::new(MemoryStore::new().unwrap()))).build().await.unwrap();
    let workspace = Workspace::open(folder.0.join("ws")).unwrap();
    let may = Capabilities::none().allow_tools(["replace_all", "run_job", "purge"]).allow_risks(Risk::ALL);
    let may = may.permissions(["*"]).readable(["."]).writable(["."]);
    let session = gate.session(SessionOptions::new("agent").capabilities(may).workspace(workspace)).unwrap();
    let task = session.task("demo", "T");
    (gate, task)
}

/// Replaces files.
#[tool(risk = "write", idempotent, confirm = "Replace {paths} and {one}.")]
async fn replace_all(
    /// The files.
    paths: Vec<WritePath>,
    /// A file.
    one: Option<WritePath>,
) -> Result<String, ToolError> {
    for path in paths.iter().chain(&one) {
        path.write("overwritten")?;
    }
    Ok("replaced".to_owned())
}

#[tokio::test]
async fn path_that_leads_elsewhere_says_so_however_deep_it_stands() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.file("prod")).unwrap();
    for name in ["a.conf", "b.conf"] {
        std::fs::write(folder.file("prod").join(name), "precious").unwrap();
    }
    std::os::unix::fs::symlink("prod", folder.file("scratch")).unwrap();
    let (gate, task) = task(|builder| builder.tools(toolset![replace_all]), &folder).await;
    let arguments = r#"{"paths":["prod/b.conf","scratch/a.conf"],"one":"scratch/b.conf"}"#;
    let asked = task.call(ToolCall::new("replace_all", arguments)).await;
    let ticket = gate.store().ticket(asked.ticket().unwrap()).await.unwrap().unwrap();
    let lines = [
        r#"paths = ["prod/b.conf","scratch/a.conf"]"#,
        r#"/paths/1 really is "prod/a.conf""#,
        r#"one = "scratch/b.conf""#,
        r#"/one really is "prod/b.conf""#,
    ];
    assert_eq!(ticket.view.arguments, lines);
}

/// What to do, as serde reads it: the first variant that fits, whatever else is given.
#[derive(Debug, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(crate = "toolgate::serde", untagged)]
#[schemars(crate = "toolgate::schemars")]
enum Job {
    Run { cmd: String },
    Preview { cmd: String, dry_run: bool },
}

/// Runs a job.
#[tool(risk = "write", once, confirm = "Run {job}.")]
async fn run_job(
    /// The job.
    job: Job,
) -> Result<String, ToolError> {
    Ok(format!("{job:?}"))
}

/// What to purge.
#[derive(Debug, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(crate = "toolgate::serde")]
#[schemars(crate = "toolgate::schemars")]
struct Purge {
    table: String,
    #[serde(flatten)]
    window: Option<Window>,
}

/// Rows of a time.
#[derive(Debug, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(crate = "toolgate::serde")]
#[schemars(crate = "toolgate::schemars")]
struct Window {
    from: u32,
    #[serde(default)]
    to: u32,
    only: String,
}

/// Purges.
#[tool(risk = "write", once, confirm = "Purge {p}.")]
async fn purge(
    /// What.
    p: Purge,
) -> Result<String, ToolError> {
    Ok(format!("{p:?}"))
}

#[tokio::test]
async fn field_that_serde_would_skip_is_refused_before_anybody_is_asked() {
    let folder = Folder::new();
    let (_gate, task) = task(|builder| builder.tools(toolset![run_job, purge]), &folder).await;
    let skipped = [
        ("run_job", r#"{"job":{"cmd":"rm -rf /data","dry_run":true}}"#, "/job/dry_run"),
        ("purge", r#"{"p":{"table":"orders","from":1,"to":2}}"#, "/p/from"),
    ];
    for (tool, arguments, pointer) in skipped {
        let result: ToolResult = task.call(ToolCall::new(tool, arguments)).await;
        assert_eq!((result.code, result.rule()), (Code::InvalidArgument, Some("schema.decode")), "{result:?}");
        assert!(result.message.contains(pointer), "{}", result.message);
    }
    for (tool, arguments) in
        [("run_job", r#"{"job":{"cmd":"ls"}}"#), ("purge", r#"{"p":{"table":"orders","from":1,"to":2,"only":"x"}}"#)]
    {
        assert_eq!(task.call(ToolCall::new(tool, arguments)).await.code, Code::ConfirmationRequired, "{arguments}");
    }
}
