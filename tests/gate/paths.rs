//! What a call is told about its paths: the family that fits, and every problem at once.

use std::path::PathBuf;
use std::sync::Arc;

use toolgate::BoxFuture;
use toolgate::gate::{FaultPoint, Faults};
use toolgate::{
    Capabilities, Code, Gate, MemoryStore, ReadPath, Risk, SessionOptions, Task, ToolCall, ToolError, ToolResult,
    Workspace, WritePath, tool, toolset,
};

use super::support::Folder;

/// Copies a file.
#[tool(risk = "write", idempotent)]
async fn copy(
    /// The file to read.
    from: ReadPath,
    /// The file to write.
    to: WritePath,
) -> Result<String, ToolError> {
    to.write(from.read_to_string()?)?;
    Ok("copied".to_owned())
}

/// Puts another file in a file's place, just before the call is claimed.
#[derive(Debug)]
struct Swap(PathBuf);

impl Faults for Swap {
    fn at<'a>(&'a self, point: FaultPoint, _call_id: &'a str) -> BoxFuture<'a, ()> {
        if point == FaultPoint::Confirmed {
            std::fs::write(self.0.with_extension("new"), "another").unwrap();
            std::fs::rename(self.0.with_extension("new"), &self.0).unwrap();
        }
        Box::pin(async {})
    }
}

async fn task(folder: &Folder, swap: bool) -> Task {
    std::fs::create_dir(folder.file("out")).unwrap();
    std::fs::create_dir(folder.file("in")).unwrap();
    std::fs::write(folder.file("in/a.txt"), "a").unwrap();
    let builder = Gate::builder(Arc::new(MemoryStore::new().unwrap())).tools(toolset![copy]);
    let builder = if swap { builder.faults(Swap(folder.file("in/a.txt"))) } else { builder };
    let may = Capabilities::none().allow_tools(["copy"]).allow_risks(Risk::ALL).permissions(["*"]);
    let options = SessionOptions::new("agent")
        .capabilities(may.readable(["in"]).writable(["out"]))
        .workspace(Workspace::open(folder.0.join("ws")).unwrap());
    builder.build().await.unwrap().session(options).unwrap().task("demo", "T")
}

async fn copies(task: &Task, from: &str, to: &str) -> ToolResult {
    task.call(ToolCall::new("copy", format!(r#"{{"from":"{from}","to":"{to}"}}"#))).await
}

fn problems(result: &ToolResult) -> Vec<(&str, &str)> {
    let all = result.details["problems"].as_array().unwrap();
    assert!(all.iter().all(|one| result.message.contains(one["expected"].as_str().unwrap())), "{result:?}");
    all.iter().map(|one| (one["pointer"].as_str().unwrap(), one["rule"].as_str().unwrap())).collect()
}

#[tokio::test]
async fn an_escape_is_said_as_one_however_narrow_the_folders_are() {
    let folder = Folder::new();
    let task = task(&folder, false).await;
    for (to, rule) in [
        ("../a", "path.escape"),
        ("out/../../a", "path.escape"),
        ("/etc/a", "path.absolute"),
        ("in/a", "path.not_writable"),
        ("out/../in/a", "path.not_writable"),
    ] {
        let result = copies(&task, "in/a.txt", to).await;
        assert_eq!((result.code, result.rule()), (Code::PathOutsideWorkspace, Some(rule)), "{to}: {result:?}");
        assert_eq!(problems(&result), [("/to", rule)]);
    }
}

#[tokio::test]
async fn all_paths_of_a_call_are_judged_at_once_and_denials_come_first() {
    let folder = Folder::new();
    let task = task(&folder, false).await;
    let result = copies(&task, "in/none.txt", "../a").await;
    assert_eq!((result.code, result.retryable), (Code::PathOutsideWorkspace, false));
    assert_eq!(problems(&result), [("/to", "path.escape"), ("/from", "path.not_found")]);
    let result = copies(&task, "in/none.txt", "out/none/a").await;
    assert_eq!((result.code, result.retryable), (Code::InvalidArgument, true));
    assert_eq!(problems(&result), [("/from", "path.not_found"), ("/to", "path.not_found")]);
    assert!(result.message.contains("/to: the folder of this path doesn't exist"), "{result:?}");
    assert_eq!(copies(&task, "in/a.txt", "out/a").await.code, Code::Ok);
}

#[tokio::test]
async fn a_file_that_changed_under_the_call_is_no_denial() {
    let folder = Folder::new();
    let task = task(&folder, true).await;
    let result = copies(&task, "in/a.txt", "out/a").await;
    assert_eq!((result.code, result.rule()), (Code::InvalidArgument, Some("path.changed")), "{result:?}");
    assert!(result.retryable && !folder.file("out/a").exists());
}
