//! A process that dies while a file is replaced: what was there is kept before, and what became of it shows.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use toolgate::gate::{FaultPoint, Faults, Gate, Resolution};
use toolgate::store::{CallFilter, Resolved, Verdict};
use toolgate::{
    BoxFuture, Capabilities, Code, Risk, SessionOptions, SqliteStore, Store, Task, ToolCall, ToolError, Workspace,
    WritePath, tool, toolset,
};
use toolgate_testing::kill::{Again, told};

use super::scene::Place;

/// Writes a file.
#[tool(risk = "write", once)]
fn rewrite(
    /// The file.
    path: WritePath,
) -> Result<String, ToolError> {
    path.write("after")?;
    Ok("written".to_owned())
}

/// Dies when what was there is kept, or when the tool has returned.
#[derive(Debug, Clone, Copy)]
struct Dies {
    before_the_rename: bool,
}

fn die() {
    Command::new("kill").args(["-9", &std::process::id().to_string()]).status().unwrap();
    // Nothing after this place may happen, even if the signal takes its time.
    loop {
        thread::sleep(Duration::from_secs(1));
    }
}

impl Faults for Dies {
    fn at<'a>(&'a self, point: FaultPoint, _call_id: &'a str) -> BoxFuture<'a, ()> {
        if point == FaultPoint::Returned && !self.before_the_rename {
            die();
        }
        Box::pin(async {})
    }

    fn kept(&self, _call_id: &str) {
        if self.before_the_rename {
            die();
        }
    }
}

async fn open(place: &Path, dies: Option<Dies>) -> (Gate, Task) {
    let store: Arc<dyn Store> = Arc::new(SqliteStore::open(place.join("gate.db")).unwrap());
    let mut builder = Gate::builder(store).tools(toolset![rewrite]);
    if let Some(dies) = dies {
        builder = builder.faults(dies);
    }
    let gate = builder.build().await.unwrap();
    let may = Capabilities::none().allow_tools(["rewrite"]).allow_risks(Risk::ALL).permissions(["*"]).writable(["."]);
    let workspace = Workspace::open(place.join("ws")).unwrap();
    let session = gate.session(SessionOptions::new("agent").capabilities(may).workspace(workspace).id("S")).unwrap();
    (gate, session.task("undo", "T"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_process_that_dies_while_it_writes() {
    let (Some(place), Some(place_of_death)) = (told("UNDO_PLACE"), told("UNDO_DIES")) else {
        return;
    };
    let dies = Dies { before_the_rename: place_of_death == "kept" };
    let (_gate, task) = open(Path::new(&place), Some(dies)).await;
    let _ = task.call(ToolCall::new("rewrite", r#"{"path":"a"}"#)).await;
}

async fn round(place_of_death: &str, left: &str, verdict: Verdict, undone: (Code, &str)) {
    let place = Place::new();
    let file = place.path().join("ws/a");
    fs::create_dir_all(place.path().join("ws")).unwrap();
    fs::write(&file, "before").unwrap();
    let child = Again::test("undo::the_process_that_dies_while_it_writes").unwrap();
    let end = child.tell("UNDO_PLACE", place.path()).tell("UNDO_DIES", place_of_death).to_its_end().unwrap();
    assert!(end.killed, "{end:?}");
    assert_eq!(fs::read_to_string(&file).unwrap(), left, "{place_of_death}");
    let (gate, task) = open(place.path(), None).await;
    let call = gate.store().calls(&CallFilter::default()).await.unwrap().remove(0);
    assert_eq!(call.state, "UNKNOWN");
    let doubt = task.undo(&call.call_id).await;
    assert_eq!((doubt.code, doubt.rule()), (Code::PreconditionFailed, Some("undo.in_doubt")), "{doubt:?}");
    let said = Resolution { verdict, result: None, by: "ann".to_owned(), why: "looked at the file".to_owned() };
    assert!(matches!(gate.resolve(&call.call_id, said).await.unwrap(), Resolved::Now(_)));
    let again = task.undo(&call.call_id).await;
    assert_eq!((again.code, fs::read_to_string(&file).unwrap().as_str()), undone, "{again:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_dead_process_replaced_comes_back_once_a_person_has_said_what_became_of_it() {
    round("returned", "after", Verdict::Applied, (Code::Ok, "before")).await;
    round("kept", "before", Verdict::NotApplied, (Code::PreconditionFailed, "before")).await;
    // Whatever a person says, what stands there counts.
    round("kept", "before", Verdict::Applied, (Code::PreconditionFailed, "before")).await;
}
