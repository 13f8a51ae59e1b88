//! Repeats of calls that change files: what was done is told again, what another call has undone is
//! done again.

use std::sync::Arc;
use std::time::Duration;

use toolgate::{
    Capabilities, Code, EntryPath, Gate, MemoryStore, Risk, SessionOptions, Task, ToolCall, ToolError, ToolResult,
    Workspace, WritePath, tool, toolset,
};

use super::support::Folder;

/// Deletes a file.
#[tool(risk = "write", once)]
async fn delete(
    /// The file.
    path: EntryPath,
) -> Result<String, ToolError> {
    path.remove_file()?;
    Ok("deleted".to_owned())
}

/// Renames a file.
#[tool(risk = "write", idempotent)]
async fn rename(
    /// What it is called.
    from: EntryPath,
    /// What it will be called.
    to: WritePath,
) -> Result<String, ToolError> {
    from.rename_to(&to)?;
    Ok("renamed".to_owned())
}

/// Writes a file, then takes its time.
#[tool(risk = "write", idempotent)]
async fn put_slowly(
    /// The file.
    path: WritePath,
    /// Its text.
    text: String,
    /// Milliseconds it goes on.
    wait: u64,
) -> Result<String, ToolError> {
    path.write(&text)?;
    tokio::time::sleep(Duration::from_millis(wait)).await;
    Ok("written".to_owned())
}

async fn task(folder: &Folder) -> Task {
    let tools = toolset![delete, rename, put_slowly];
    let gate = Gate::builder(Arc::new(MemoryStore::new().unwrap())).tools(tools).build().await.unwrap();
    let may = Capabilities::none().allow_tools(["delete", "rename", "put_slowly"]).allow_risks(Risk::ALL);
    let options = SessionOptions::new("agent")
        .capabilities(may.permissions(["*"]).readable(["."]).writable(["."]))
        .workspace(Workspace::open(folder.0.join("ws")).unwrap());
    gate.session(options).unwrap().task("demo", "T")
}

async fn deletes(task: &Task, path: &str, id: &str) -> ToolResult {
    task.call(ToolCall::new("delete", format!(r#"{{"path":"{path}"}}"#)).with_provider_id(id)).await
}

#[tokio::test]
async fn deleting_and_renaming_are_told_again_though_the_path_is_gone() {
    let folder = Folder::new();
    let task = task(&folder).await;
    std::fs::write(folder.file("x"), "x").unwrap();
    std::fs::write(folder.file("y"), "y").unwrap();
    assert_eq!(deletes(&task, "x", "p1").await.code, Code::Ok);
    let again = deletes(&task, "x", "p1").await;
    assert_eq!((again.code, again.data), (Code::IdempotentReplay, Some("deleted".into())));
    let renames = || task.call(ToolCall::new("rename", r#"{"from":"y","to":"z"}"#).with_provider_id("p2"));
    assert_eq!(renames().await.code, Code::Ok);
    assert_eq!(renames().await.code, Code::IdempotentReplay);
    let missing = deletes(&task, "never", "p3").await;
    assert_eq!((missing.code, missing.rule()), (Code::InvalidArgument, Some("path.not_found")), "{missing:?}");
    let outside = deletes(&task, "../x", "p1").await;
    assert_eq!((outside.code, outside.rule()), (Code::PathOutsideWorkspace, Some("path.escape")), "{outside:?}");
}

#[tokio::test]
async fn a_file_that_another_call_wrote_meanwhile_is_written_again() {
    let folder = Folder::new();
    let task = task(&folder).await;
    let puts = |text: &str, wait: u32| {
        let arguments = format!(r#"{{"path":"f","text":"{text}","wait":{wait}}}"#);
        task.call(ToolCall::new("put_slowly", arguments))
    };
    let (slow, quick) = tokio::join!(puts("A", 300), async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        puts("B", 0).await
    });
    assert_eq!((slow.code, quick.code), (Code::Ok, Code::Ok));
    assert_eq!(puts("B", 0).await.code, Code::IdempotentReplay);
    let again = puts("A", 300).await;
    assert_eq!((again.code, std::fs::read_to_string(folder.file("f")).unwrap().as_str()), (Code::Ok, "A"));
    assert_eq!(puts("A", 300).await.code, Code::IdempotentReplay);
}
