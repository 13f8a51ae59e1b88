//! Undoing calls that changed files: what comes back, when it is refused, and how it is recorded.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use toolgate::store::CallStory;
use toolgate::undo::UndoBudget;
use toolgate::{
    Capabilities, Code, EntryPath, Gate, GateBuilder, Risk, Session, SessionOptions, SqliteStore, Store, Task,
    ToolCall, ToolError, ToolResult, Workspace, WritePath, tool, toolset,
};

use super::support::{Bench, Folder, KINDS, Kind, fresh};

/// Writes a file.
#[tool(risk = "write", idempotent)]
fn undo_write(
    /// The file.
    path: WritePath,
    /// Its text.
    text: String,
) -> Result<String, ToolError> {
    path.write(&text)?;
    Ok("written".to_owned())
}

/// Adds to a file.
#[tool(risk = "write", repeatable = "each line counts")]
fn undo_append(
    /// The file.
    path: WritePath,
    /// The text.
    text: String,
) -> Result<String, ToolError> {
    path.append(&text)?;
    Ok("added".to_owned())
}

/// Removes a file or a folder with all in it.
#[tool(risk = "write", once)]
fn undo_delete(
    /// What is removed.
    path: EntryPath,
) -> Result<String, ToolError> {
    path.remove_tree()?;
    Ok("removed".to_owned())
}

/// Renames a file.
#[tool(risk = "write", once)]
fn undo_rename(
    /// What it is called.
    from: EntryPath,
    /// What it will be called.
    to: WritePath,
) -> Result<String, ToolError> {
    from.rename_to(&to)?;
    Ok("renamed".to_owned())
}

/// Writes two files, and one of them twice; then fails where told.
#[tool(risk = "write", once)]
fn undo_two(
    /// One file.
    one: WritePath,
    /// The other.
    other: WritePath,
    /// Whether it fails at the end.
    fails: bool,
) -> Result<String, ToolError> {
    one.write("draft")?;
    other.write("two")?;
    one.write("one")?;
    if fails { Err(ToolError::partial("broke off")) } else { Ok("written".to_owned()) }
}

/// Writes a file, after a person's yes.
#[tool(risk = "dangerous", once, confirm = "Write {path}.", failure_policy = "abort_and_alert")]
fn undo_asked(
    /// The file.
    path: WritePath,
    /// Its text.
    text: String,
) -> Result<String, ToolError> {
    path.write(&text)?;
    Ok("written".to_owned())
}

/// Reads nothing.
#[tool(risk = "read")]
fn undo_look() -> Result<String, ToolError> {
    Ok("seen".to_owned())
}

struct Desk {
    store: Arc<dyn Store>,
    gate: Gate,
    task: Task,
    folder: Folder,
}

fn may() -> Capabilities {
    let names = ["undo_write", "undo_append", "undo_delete", "undo_rename", "undo_two", "undo_asked", "undo_look"];
    Capabilities::none().allow_tools(names).allow_risks(Risk::ALL).permissions(["*"]).readable(["."]).writable(["."])
}

async fn gate_on(store: &Arc<dyn Store>, more: impl FnOnce(GateBuilder) -> GateBuilder) -> Gate {
    let tools = toolset![undo_write, undo_append, undo_delete, undo_rename, undo_two, undo_asked, undo_look];
    more(Gate::builder(Arc::clone(store)).tools(tools)).build().await.unwrap()
}

fn session(gate: &Gate, folder: &Folder, id: &str, may: Capabilities) -> Session {
    let workspace = Workspace::open(folder.0.join("ws")).unwrap();
    gate.session(SessionOptions::new("agent").capabilities(may).workspace(workspace).id(id)).unwrap()
}

impl Desk {
    async fn new(kind: Kind) -> Self {
        Self::with(kind, |builder| builder).await
    }

    async fn with(kind: Kind, more: impl FnOnce(GateBuilder) -> GateBuilder) -> Self {
        let folder = Folder::new();
        let store = fresh(kind, &folder);
        let gate = gate_on(&store, more).await;
        let task = session(&gate, &folder, "S", may()).task("demo", "T");
        Self { store, gate, task, folder }
    }

    fn put(&self, name: &str, text: &str) {
        fs::write(self.folder.file(name), text).unwrap();
    }

    fn text(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.folder.file(name)).ok()
    }

    async fn call(&self, tool: &str, arguments: &str) -> ToolResult {
        let result = self.task.call(ToolCall::new(tool, arguments)).await;
        self.task.begin_turn();
        result
    }

    async fn write(&self, name: &str, text: &str) -> String {
        let result = self.call("undo_write", &format!(r#"{{"path":"{name}","text":"{text}"}}"#)).await;
        assert_eq!(result.code, Code::Ok, "{result:?}");
        result.call_id
    }

    async fn story(&self, call: &str) -> CallStory {
        self.store.call(call).await.unwrap().unwrap()
    }

    fn undo_folder(&self) -> PathBuf {
        let mut name = Bench::database(&self.folder.0).into_os_string();
        name.push(".undo");
        name.into()
    }
}

fn must_be(result: &ToolResult, rule: &str) {
    assert_eq!((result.code, result.rule()), (Code::PreconditionFailed, Some(rule)), "{result:?}");
}

#[tokio::test]
async fn a_replaced_file_comes_back_with_its_mode_and_the_original_hears_of_it() {
    for kind in KINDS {
        let desk = Desk::new(kind).await;
        desk.put("a.txt", "before");
        fs::set_permissions(desk.folder.file("a.txt"), fs::Permissions::from_mode(0o640)).unwrap();
        let call = desk.write("a.txt", "after").await;
        assert_eq!(desk.story(&call).await.record.undo.unwrap().steps, 1);
        let undone = desk.task.undo(&call).await;
        assert_eq!((undone.code, desk.text("a.txt").as_deref()), (Code::Ok, Some("before")), "{undone:?}");
        let mode = fs::metadata(desk.folder.file("a.txt")).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o640);
        let record = desk.story(&undone.call_id).await.record;
        assert_eq!((record.undo_of.as_deref(), record.effect.as_str()), (Some(call.as_str()), "done"));
        let story = desk.story(&call).await;
        let heard = story.events.iter().find(|event| event.kind == "undone").unwrap();
        assert_eq!(heard.body["by"], undone.call_id.as_str());
        assert_eq!(desk.store.report().await.unwrap().faults, Vec::<String>::new());
    }
}

#[tokio::test]
async fn a_call_is_undone_once_and_an_undoing_can_be_undone() {
    for kind in KINDS {
        let desk = Desk::new(kind).await;
        desk.put("a.txt", "before");
        let call = desk.write("a.txt", "after").await;
        let undone = desk.task.undo(&call).await;
        assert_eq!(undone.code, Code::Ok, "{undone:?}");
        let again = desk.task.undo(&call).await;
        must_be(&again, "undo.already");
        assert_eq!(again.details["undone_by"], undone.call_id.as_str());
        let redone = desk.task.undo(&undone.call_id).await;
        assert_eq!((redone.code, desk.text("a.txt").as_deref()), (Code::Ok, Some("after")), "{redone:?}");
        let back = desk.task.undo(&redone.call_id).await;
        assert_eq!((back.code, desk.text("a.txt").as_deref()), (Code::Ok, Some("before")), "{back:?}");
    }
}

#[tokio::test]
async fn what_a_call_created_is_removed_and_what_it_added_is_taken_back() {
    for kind in KINDS {
        let desk = Desk::new(kind).await;
        let created = desk.write("new.txt", "text").await;
        assert_eq!(desk.task.undo(&created).await.code, Code::Ok);
        assert_eq!(desk.text("new.txt"), None);
        desk.put("log", "one\n");
        let added = desk.call("undo_append", r#"{"path":"log","text":"two\n"}"#).await;
        assert_eq!((added.code, desk.text("log").as_deref()), (Code::Ok, Some("one\ntwo\n")));
        assert_eq!(desk.task.undo(&added.call_id).await.code, Code::Ok);
        assert_eq!(desk.text("log").as_deref(), Some("one\n"));
        let begun = desk.call("undo_append", r#"{"path":"log2","text":"x"}"#).await;
        assert_eq!(desk.task.undo(&begun.call_id).await.code, Code::Ok);
        assert_eq!(desk.text("log2"), None);
    }
}

#[tokio::test]
async fn a_removed_tree_and_a_renamed_file_come_back() {
    for kind in KINDS {
        let desk = Desk::new(kind).await;
        fs::create_dir_all(desk.folder.file("d/e/f")).unwrap();
        desk.put("d/one", "1");
        desk.put("d/e/two", "2");
        let removed = desk.call("undo_delete", r#"{"path":"d"}"#).await;
        assert_eq!((removed.code, desk.folder.file("d").exists()), (Code::Ok, false));
        let undone = desk.task.undo(&removed.call_id).await;
        assert_eq!(undone.code, Code::Ok, "{undone:?}");
        assert_eq!((desk.text("d/one").as_deref(), desk.text("d/e/two").as_deref()), (Some("1"), Some("2")));
        assert!(desk.folder.file("d/e/f").is_dir(), "an empty folder, too");
        let again = desk.task.undo(&undone.call_id).await;
        assert_eq!((again.code, desk.folder.file("d").exists()), (Code::Ok, false), "{again:?}");
        desk.put("x", "x");
        desk.put("y", "y");
        let renamed = desk.call("undo_rename", r#"{"from":"x","to":"y"}"#).await;
        assert_eq!((renamed.code, desk.text("x"), desk.text("y").as_deref()), (Code::Ok, None, Some("x")));
        assert_eq!(desk.task.undo(&renamed.call_id).await.code, Code::Ok);
        assert_eq!((desk.text("x").as_deref(), desk.text("y").as_deref()), (Some("x"), Some("y")));
    }
}

#[tokio::test]
async fn several_files_are_put_back_together_or_not_at_all() {
    for kind in KINDS {
        let desk = Desk::new(kind).await;
        desk.put("one", "1");
        let both = |fails: bool| format!(r#"{{"one":"one","other":"other","fails":{fails}}}"#);
        let done = desk.call("undo_two", &both(false)).await;
        assert_eq!(desk.story(&done.call_id).await.record.undo.unwrap().steps, 3);
        desk.put("other", "mine");
        let refused = desk.task.undo(&done.call_id).await;
        must_be(&refused, "undo.moved_on");
        assert_eq!(refused.details["moved"], serde_json::json!(["other"]));
        assert_eq!((desk.text("one").as_deref(), desk.text("other").as_deref()), (Some("one"), Some("mine")));
        desk.put("other", "two");
        assert_eq!(desk.task.undo(&done.call_id).await.code, Code::Ok);
        assert_eq!((desk.text("one").as_deref(), desk.text("other")), (Some("1"), None));
        // A call that failed halfway, too: that is what undoing is for.
        let other = session(&desk.gate, &desk.folder, "S2", may()).task("demo", "T");
        let failed = other.call(ToolCall::new("undo_two", both(true))).await;
        assert_eq!((failed.code, failed.effect.as_str()), (Code::ExecutionError, "partial"));
        let stopped = other.undo(&failed.call_id).await;
        assert_eq!(stopped.code, Code::TaskAborted, "a stopped task changes nothing: {stopped:?}");
        let operator = session(&desk.gate, &desk.folder, "operator", may()).task("undo", "U");
        assert_eq!(desk.gate.undo(&operator, &failed.call_id).await.code, Code::Ok);
        assert_eq!((desk.text("one").as_deref(), desk.text("other")), (Some("1"), None));
    }
}

#[tokio::test]
async fn a_file_that_someone_brought_back_by_hand_does_not_stop_the_undoing_of_the_others() {
    for kind in KINDS {
        let desk = Desk::new(kind).await;
        desk.put("one", "1");
        let done = desk.call("undo_two", r#"{"one":"one","other":"other","fails":false}"#).await;
        assert_eq!(done.code, Code::Ok, "{done:?}");
        desk.put("one", "1");
        let undone = desk.task.undo(&done.call_id).await;
        assert_eq!(undone.code, Code::Ok, "`one` was written twice and holds what it held before: {undone:?}");
        assert_eq!((desk.text("one").as_deref(), desk.text("other")), (Some("1"), None));
    }
}

#[tokio::test]
async fn a_later_call_that_wrote_the_file_is_named_and_newest_first_works() {
    for kind in KINDS {
        let desk = Desk::new(kind).await;
        let first = desk.write("a", "1").await;
        let second = desk.write("a", "2").await;
        let refused = desk.task.undo(&first).await;
        must_be(&refused, "undo.moved_on");
        assert_eq!(refused.details["changed_by"], second.as_str());
        assert_eq!(desk.task.undo(&second).await.code, Code::Ok);
        assert_eq!(desk.task.undo(&first).await.code, Code::Ok);
        assert_eq!(desk.text("a"), None);
    }
}

#[tokio::test]
async fn a_task_is_undone_newest_first_up_to_the_first_that_can_not_be() {
    for kind in KINDS {
        let desk = Desk::new(kind).await;
        let operator = session(&desk.gate, &desk.folder, "operator", may()).task("undo", "U");
        let (one, two) = (desk.write("a", "1").await, desk.write("b", "2").await);
        let three = desk.write("a", "3").await;
        let undone = desk.task.undo(&three).await;
        assert_eq!(undone.code, Code::Ok);
        let four = desk.write("c", "4").await;
        desk.put("b", "mine");
        let came = desk.gate.undo_task(&operator, "S", "T").await.unwrap();
        let names: Vec<&str> = came.undone.iter().map(|(call, _)| call.as_str()).collect();
        assert_eq!(names, [four.as_str()], "what is undone already is passed over");
        let (stopped, why) = came.stopped.unwrap();
        must_be(&why, "undo.moved_on");
        assert_eq!((stopped.as_str(), came.left), (two.as_str(), vec![one.clone()]));
        desk.put("b", "2");
        let rest = desk.gate.undo_task(&operator, "S", "T").await.unwrap();
        assert_eq!((rest.undone.len(), rest.stopped.is_none()), (2, true), "{rest:?}");
        assert_eq!((desk.text("a"), desk.text("b"), desk.text("c")), (None, None, None));
    }
}

#[tokio::test]
async fn a_confirmed_call_is_undone_after_a_persons_yes_to_what_is_shown() {
    for kind in KINDS {
        let desk = Desk::new(kind).await;
        desk.put("a", "before");
        let decide = async |ticket: &str| {
            let yes = toolgate::approval::Decision { approve: true, by: "bob".to_owned(), comment: None };
            let now = toolgate::clock::Clock::now_ms(&toolgate::clock::SystemClock);
            let decided =
                toolgate::approval::decide(&*desk.store, desk.gate.redactor(), now, ticket, &yes, "test").await;
            decided.unwrap().into_ticket().unwrap()
        };
        let asked = desk.call("undo_asked", r#"{"path":"a","text":"after all"}"#).await;
        decide(asked.ticket().unwrap()).await;
        let done = desk.task.resume(asked.ticket().unwrap()).await;
        assert_eq!((done.code, desk.text("a").as_deref()), (Code::Ok, Some("after all")));
        let waits = desk.task.undo(&done.call_id).await;
        assert_eq!((waits.code, desk.text("a").as_deref()), (Code::ConfirmationRequired, Some("after all")));
        let ticket = decide(waits.ticket().unwrap()).await;
        assert!(ticket.view.what.starts_with(&format!("Undo {} of undo_asked, made at ", done.call_id)), "{ticket:?}");
        let shown = &ticket.view.arguments[0];
        assert!(shown.contains("\"a\" is put back: now 9 bytes, mode") && shown.contains("then 6 bytes"), "{shown}");
        let undone = desk.task.resume(waits.ticket().unwrap()).await;
        assert_eq!((undone.code, desk.text("a").as_deref()), (Code::Ok, Some("before")), "{undone:?}");
        assert_eq!(desk.story(&undone.call_id).await.record.undo_of, Some(done.call_id));
    }
}

#[tokio::test]
async fn who_may_not_make_the_call_may_not_undo_it() {
    for kind in KINDS {
        let desk = Desk::new(kind).await;
        let call = desk.write("a", "1").await;
        let elsewhere = session(&desk.gate, &desk.folder, "other", may()).task("demo", "T");
        must_be(&elsewhere.undo(&call).await, "undo.no_such_call");
        must_be(&desk.task.undo("call_never").await, "undo.no_such_call");
        let narrow = Capabilities::none().allow_tools(["undo_write"]).allow_risks(Risk::ALL).permissions(["*"]);
        let narrow = session(&desk.gate, &desk.folder, "narrow", narrow.writable(["docs"])).task("demo", "T");
        let refused = desk.gate.undo(&narrow, &call).await;
        assert_eq!((refused.code, refused.rule()), (Code::PathOutsideWorkspace, Some("path.not_writable")));
        let reads = Capabilities::none().allow_tools(["undo_write"]).allow_risks([Risk::Read]).permissions(["*"]);
        let reads = session(&desk.gate, &desk.folder, "reads", reads.writable(["."])).task("demo", "T");
        let refused = desk.gate.undo(&reads, &call).await;
        assert_eq!((refused.code, refused.rule()), (Code::PermissionDenied, Some("policy.risk")));
        assert_eq!(desk.text("a").as_deref(), Some("1"));
    }
}

#[tokio::test]
async fn what_changed_nothing_is_not_undone() {
    for kind in KINDS {
        let desk = Desk::new(kind).await;
        let seen = desk.call("undo_look", "{}").await;
        must_be(&desk.task.undo(&seen.call_id).await, "undo.nothing");
        let refused = desk.call("undo_write", r#"{"path":"../x","text":"1"}"#).await;
        must_be(&desk.task.undo(&refused.call_id).await, "undo.nothing");
        let call = desk.write("a", "1").await;
        fs::remove_file(desk.folder.file("a")).unwrap();
        must_be(&desk.task.undo(&call).await, "undo.nothing");
    }
}

#[tokio::test]
async fn a_link_in_the_files_place_is_not_written_through() {
    for kind in KINDS {
        let desk = Desk::new(kind).await;
        desk.put("a", "before");
        let call = desk.write("a", "after").await;
        let outside = desk.folder.0.join("outside");
        fs::write(&outside, "after").unwrap();
        fs::remove_file(desk.folder.file("a")).unwrap();
        std::os::unix::fs::symlink(&outside, desk.folder.file("a")).unwrap();
        let refused = desk.task.undo(&call).await;
        assert_eq!((refused.code, refused.rule()), (Code::PathOutsideWorkspace, Some("path.final_symlink")));
        assert_eq!(fs::read_to_string(&outside).unwrap(), "after");
        // A second name of what the call left keeps it.
        fs::remove_file(desk.folder.file("a")).unwrap();
        fs::hard_link(&outside, desk.folder.file("a")).unwrap();
        let undone = desk.task.undo(&call).await;
        assert_eq!((undone.code, desk.text("a").as_deref()), (Code::Ok, Some("before")), "{undone:?}");
        assert_eq!(fs::read_to_string(&outside).unwrap(), "after");
    }
}

#[tokio::test]
async fn what_is_too_large_is_replaced_all_the_same_and_the_record_says_that_it_can_not_be_undone() {
    for kind in KINDS {
        let budget = UndoBudget { copy: 1_000, total: 100_000 };
        let desk = Desk::with(kind, |builder| builder.undo_budget(budget)).await;
        desk.put("a", &"x".repeat(1_001));
        let call = desk.write("a", "small").await;
        let why = desk.story(&call).await.record.undo.unwrap().not_possible.unwrap();
        assert!(why.contains("larger"), "{why}");
        must_be(&desk.task.undo(&call).await, "undo.not_possible");
        assert_eq!(desk.text("a").as_deref(), Some("small"));
    }
}

#[tokio::test]
async fn the_oldest_copies_go_first_and_nothing_is_kept_where_nothing_may_be() {
    for kind in KINDS {
        let budget = UndoBudget { copy: 4_000, total: 20_000 };
        let desk = Desk::with(kind, |builder| builder.undo_budget(budget)).await;
        let mut calls = Vec::new();
        for number in 0..8 {
            let name = format!("f{number}");
            desk.put(&name, &number.to_string().repeat(3_000));
            calls.push(desk.write(&name, "new").await);
        }
        must_be(&desk.task.undo(&calls[0]).await, "undo.not_kept");
        assert_eq!(desk.task.undo(&calls[7]).await.code, Code::Ok);
        assert_eq!(desk.text("f7").unwrap().len(), 3_000);
        let desk = Desk::with(kind, |builder| builder.undo_budget(UndoBudget::NOTHING)).await;
        let call = desk.write("a", "1").await;
        must_be(&desk.task.undo(&call).await, "undo.not_kept");
        assert!(!desk.undo_folder().exists());
    }
}

#[tokio::test]
async fn large_and_binary_files_come_back_byte_for_byte() {
    for kind in KINDS {
        let desk = Desk::new(kind).await;
        let bytes: Vec<u8> = (0..3_000_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        fs::write(desk.folder.file("a"), &bytes).unwrap();
        let call = desk.write("a", "small").await;
        assert_eq!(desk.task.undo(&call).await.code, Code::Ok);
        assert_eq!(fs::read(desk.folder.file("a")).unwrap(), bytes);
    }
}

/// All bytes of all files beneath.
fn everything(folder: &Path, found: &mut Vec<u8>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            everything(&path, found);
        } else {
            found.extend(fs::read(&path).unwrap());
            found.extend(path.to_string_lossy().as_bytes());
        }
    }
}

#[tokio::test]
async fn what_is_kept_is_sealed_and_nobody_else_may_read_it() {
    let desk = Desk::new(Kind::Sqlite).await;
    desk.put("a", "CANARY-replaced");
    let call = desk.write("a", "CANARY-written").await;
    assert_eq!(desk.task.undo(&call).await.code, Code::Ok);
    fs::remove_file(desk.folder.file("a")).unwrap();
    let mut found = Vec::new();
    everything(&desk.undo_folder(), &mut found);
    assert!(found.len() > 200);
    assert!(!found.windows(6).any(|window| window == b"CANARY"), "a copy lies open");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&desk.undo_folder()), 0o700);
    assert!(fs::read_dir(desk.undo_folder()).unwrap().all(|entry| mode(&entry.unwrap().path()) == 0o600));
    // The name of a copy tells nothing without the key: a plain hash would.
    let other = Desk::new(Kind::Sqlite).await;
    other.put("a", "CANARY-replaced");
    other.write("a", "x").await;
    let names = |desk: &Desk| -> Vec<String> {
        let entries = fs::read_dir(desk.undo_folder()).unwrap();
        entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.starts_with("copy-"))
            .collect()
    };
    assert!(names(&other).iter().all(|name| !names(&desk).contains(name)));
}

#[tokio::test]
async fn another_process_undoes_what_the_first_one_did() {
    let desk = Desk::new(Kind::Sqlite).await;
    desk.put("a", "before");
    let call = desk.write("a", "after").await;
    let store: Arc<dyn Store> = Arc::new(SqliteStore::open(Bench::database(&desk.folder.0)).unwrap());
    // A gate that holds none of the tools, as the command's.
    let gate = Gate::builder(Arc::clone(&store)).build().await.unwrap();
    let operator = session(&gate, &desk.folder, "operator", may()).task("undo", "U");
    let changes = gate.plan_undo(&operator, &call).await.unwrap();
    assert_eq!((changes.len(), changes[0].path.as_str(), changes[0].bytes_then), (1, "a", Some(6)));
    assert_eq!(gate.undo(&operator, &call).await.code, Code::Ok);
    assert_eq!(desk.text("a").as_deref(), Some("before"));
    let plan = gate.plan_undo(&operator, &call).await.unwrap_err();
    must_be(&plan, "undo.already");
}

#[tokio::test]
async fn a_changed_copy_is_not_put_back() {
    let desk = Desk::new(Kind::Sqlite).await;
    desk.put("a", "before");
    let call = desk.write("a", "after").await;
    let copy = fs::read_dir(desk.undo_folder()).unwrap().map(|entry| entry.unwrap().path());
    let copy = copy.into_iter().find(|path| path.to_string_lossy().contains("copy-")).unwrap();
    let mut bytes = fs::read(&copy).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&copy, bytes).unwrap();
    let failed = desk.task.undo(&call).await;
    assert_eq!(
        (failed.code, failed.rule(), failed.effect.as_str()),
        (Code::ExecutionError, Some("undo.not_kept"), "none")
    );
    assert_eq!(desk.text("a").as_deref(), Some("after"));
}
