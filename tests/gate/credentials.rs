//! Credentials on both stores: who gets one, for how long, and that the value of one is found nowhere:
//! in no answer, error, panic, progress, record or byte of the database.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use toolgate::content::{Content, WithContent};
use toolgate::credential::{
    BrokerError, CredentialBroker, CredentialRequest, CredentialsByName, FixedCredentials, Issued, Secret,
};
use toolgate::policy::file::PolicyFile;
use toolgate::store::{CallFilter, CredentialRecord};
use toolgate::{
    BoxFuture, Capabilities, Code, Context, Effect, Gate, MemoryStore, Narrowing, Risk, SessionOptions, Store, Task,
    ToolCall, ToolError, ToolResult, serde_json, tool, toolset,
};
use toolgate_testing::ProgressLog;

use super::support::{Folder, KINDS, Kind, Watch, fresh, until};

/// Makes a token of its own for each request, and keeps what was asked.
#[derive(Clone, Default)]
struct Mint {
    asked: Arc<Mutex<Vec<CredentialRequest>>>,
    given: Arc<Mutex<Vec<String>>>,
}

impl Mint {
    fn given(&self) -> Vec<String> {
        self.given.lock().unwrap().clone()
    }

    fn asked(&self) -> usize {
        self.asked.lock().unwrap().len()
    }
}

impl CredentialBroker for Mint {
    fn issue<'a>(&'a self, request: &'a CredentialRequest) -> BoxFuture<'a, Result<Issued, BrokerError>> {
        self.asked.lock().unwrap().push(request.clone());
        let token = format!("CANARY+{}/{}?{}", request.tool, request.task, self.asked());
        self.given.lock().unwrap().push(token.clone());
        Box::pin(async { Ok(Issued::new("mint", Secret::new(token)).expires_in(Duration::from_mins(5))) })
    }
}

/// Never answers, panics, fails or gives what can't be hidden, by the name.
struct Broken;

impl CredentialBroker for Broken {
    fn issue<'a>(&'a self, request: &'a CredentialRequest) -> BoxFuture<'a, Result<Issued, BrokerError>> {
        Box::pin(async move {
            match request.name.as_str() {
                "panics" => panic!("CANARY-panic"),
                "fails" => Err(BrokerError::new("CANARY-source /etc/CANARY").retryable()),
                "never" => std::future::pending().await,
                "short" => Ok(Issued::new("broken", Secret::new("abc"))),
                _ => Err(BrokerError::unknown(&request.name)),
            }
        })
    }
}

fn base64(text: &str) -> String {
    let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bits: Vec<u8> = text.bytes().flat_map(|byte| (0..8).rev().map(move |at| byte >> at & 1)).collect();
    bits.chunks(6)
        .map(|six| char::from(digits[(0..6).fold(0, |sum, at| sum << 1 | usize::from(*six.get(at).unwrap_or(&0)))]))
        .collect()
}

fn hex(text: &str) -> String {
    text.bytes().fold(String::new(), |mut hex, byte| {
        write!(hex, "{byte:02x}").unwrap();
        hex
    })
}

/// Uses the customer system, and is careless with its token in the way that is asked for.
#[tool(risk = "write", once, timeout = "200ms", failure_policy = "abort")]
async fn note(
    ctx: &Context,
    /// `ok`, `given`, `plain`, `encoded`, `block`, `message`, `source`, `panic`, `late`, `progress`, `inner`.
    mode: String,
) -> Result<WithContent<Vec<String>>, ToolError> {
    let token = ctx.credential("crm").await?;
    let value = token.expose();
    let mut texts = vec!["noted".to_owned()];
    let mut content = Vec::new();
    match mode.as_str() {
        "given" => texts.push(format!("{token:?}")),
        "plain" => texts.push(format!("with {value}")),
        "encoded" => texts.extend([base64(value), hex(value), format!("Bearer {}", value.replace('+', "%2B"))]),
        "block" => content.push(Content::Text(format!("token {value}"))),
        "message" => return Err(ToolError::no_effect(format!("{value} was refused"))),
        "source" => return Err(std::io::Error::other(format!("401 for {}", base64(value))).into()),
        "panic" => panic!("token {value}"),
        "late" => {
            tokio::time::sleep(Duration::from_millis(400)).await;
            texts.push(value.to_owned());
        }
        "progress" => ctx.progress(1, None, &format!("as {value}")),
        "inner" => drop(ctx.call_tool("look_up", &serde_json::json!({"customer": value})).await?),
        _ => {}
    }
    Ok(WithContent { data: texts, content })
}

/// Reads from the customer system, on a thread.
#[tool(risk = "read")]
fn look_up(
    ctx: &Context,
    /// The customer.
    customer: String,
) -> Result<String, ToolError> {
    let token = ctx.credential_blocking("crm")?;
    Ok(format!("{customer} by {}", token.name()))
}

/// Asks for a credential by the name it is told.
#[tool(risk = "read", failure_policy = retry(max = 2, backoff = "1ms"), timeout = "500ms")]
async fn ask(
    ctx: &Context,
    /// The name.
    name: String,
    /// Whether to ask on the wrong kind of thread.
    blocking: bool,
) -> Result<String, ToolError> {
    let token = if blocking { ctx.credential_blocking(&name)? } else { ctx.credential(&name).await? };
    Ok(token.name().to_owned())
}

static ASKED_LATE: AtomicU32 = AtomicU32::new(0);

/// Leaves something behind that asks when the call is over.
#[tool(risk = "read")]
async fn linger(ctx: &Context) -> Result<String, ToolError> {
    let ctx = ctx.clone();
    drop(tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(100)).await;
        let asked = ctx.credential("crm").await;
        assert!(asked.unwrap_err().for_operator().contains("credential.over"));
        ASKED_LATE.fetch_add(1, Ordering::SeqCst);
    }));
    Ok("gone".to_owned())
}

fn may() -> Capabilities {
    Capabilities::none()
        .allow_tools(["note", "look_up", "ask", "linger"])
        .allow_risks(Risk::ALL)
        .permissions(["*"])
        .credential_for("crm", ["note", "look_up", "linger"])
        .credential_for("panics", ["ask"])
        .credential_for("fails", ["ask"])
        .credential_for("never", ["ask"])
        .credential_for("short", ["ask"])
        .credential_for("nowhere", ["ask"])
}

struct Desk {
    gate: Gate,
    store: Arc<dyn Store>,
    mint: Mint,
    watch: Watch,
    progress: ProgressLog,
    folder: Folder,
}

impl Desk {
    async fn new(kind: Kind) -> Self {
        let folder = Folder::new();
        let store = fresh(kind, &folder);
        let (mint, watch, progress) = (Mint::default(), Watch::default(), ProgressLog::default());
        let broken = ["panics", "fails", "never", "short"];
        let gate = Gate::builder(Arc::clone(&store))
            .tools(toolset![note, look_up, ask, linger])
            .credentials(CredentialsByName::new().with(["crm"], mint.clone()).with(broken, Broken))
            .clock(watch.clone())
            .progress(progress.clone())
            .build()
            .await
            .unwrap();
        Self { gate, store, mint, watch, progress, folder }
    }

    fn task(&self, id: &str) -> Task {
        let options = SessionOptions::new("agent").user("ann").capabilities(may());
        self.gate.session(options).unwrap().task("support", id)
    }

    async fn credentials(&self, result: &ToolResult) -> Vec<CredentialRecord> {
        self.store.call(&result.call_id).await.unwrap().unwrap().record.credentials
    }

    /// No form of a token that was issued is in this text.
    #[track_caller]
    fn must_be_clean(&self, what: &str, bytes: &[u8]) {
        let given = self.mint.given();
        assert!(!given.is_empty());
        for token in given {
            // The first and the last character of a coded form hang on their neighbours.
            for form in [token.clone(), hex(&token), base64(&token)[..20].to_owned(), token.replace('+', "%2B")] {
                let found = bytes.windows(form.len()).any(|window| window == form.as_bytes());
                assert!(!found, "{what} holds {form}: {}", String::from_utf8_lossy(bytes));
            }
        }
    }
}

async fn note_in(task: &Task, mode: &str) -> ToolResult {
    task.call(ToolCall::new("note", serde_json::json!({"mode": mode}).to_string())).await
}

#[tokio::test]
async fn the_value_of_a_credential_is_found_nowhere() {
    for kind in KINDS {
        let desk = Desk::new(kind).await;
        let modes =
            ["ok", "given", "plain", "encoded", "block", "message", "source", "panic", "late", "progress", "inner"];
        for mode in modes {
            let task = desk.task(mode);
            let result = note_in(&task, mode).await;
            desk.must_be_clean(mode, result.to_json().to_string().as_bytes());
            if mode == "late" {
                assert_eq!(result.code, Code::Timeout);
                let late = task.wait_for(&result.call_id, Duration::from_secs(20)).await.unwrap();
                desk.must_be_clean("the late result", late.to_json().to_string().as_bytes());
                let again = note_in(&task, mode).await;
                assert_eq!(again.code, Code::IdempotentReplay);
                desk.must_be_clean("the replay", again.to_json().to_string().as_bytes());
            }
            let issued = &desk.credentials(&result).await[..];
            let [CredentialRecord { name, broker: Some(broker), expires_ms: Some(_), refused: None }] = issued else {
                panic!("{mode}: {issued:?}");
            };
            assert_eq!((name.as_str(), broker.as_str()), ("crm", "mint"), "{mode}");
        }
        let said = desk.progress.entries();
        assert_eq!(said.len(), 1);
        desk.must_be_clean("progress", said[0].note.as_bytes());
        for call in desk.store.calls(&CallFilter::default()).await.unwrap() {
            let story = desk.store.call(&call.call_id).await.unwrap().unwrap();
            desk.must_be_clean("a record", format!("{story:?}").as_bytes());
        }
        let Desk { gate, store, mint, folder, watch, progress } = desk;
        drop((gate, store));
        let desk = Desk { mint, watch, progress, folder, ..Desk::new(Kind::Memory).await };
        for file in std::fs::read_dir(&desk.folder.0).unwrap().map(|file| file.unwrap().path()) {
            if file.is_file() {
                desk.must_be_clean(&file.display().to_string(), &std::fs::read(&file).unwrap());
            }
        }
    }
}

#[tokio::test]
async fn one_is_issued_for_a_tool_and_a_task_and_used_until_it_ends() {
    for kind in KINDS {
        let desk = Desk::new(kind).await;
        let (one, other) = (desk.task("T-1"), desk.task("T-2"));
        let turn = async |task: &Task| {
            task.begin_turn();
            assert!(note_in(task, "ok").await.ok);
            desk.mint.asked()
        };
        assert_eq!((turn(&one).await, turn(&one).await), (1, 1), "the same for the same tool and task");
        let looked = one.call(ToolCall::new("look_up", r#"{"customer":"ann"}"#)).await;
        assert_eq!((looked.data, desk.mint.asked()), (Some("ann by crm".into()), 2), "another tool has its own");
        assert_eq!(turn(&other).await, 3, "another task has its own");
        desk.watch.forward(Duration::from_mins(6));
        assert_eq!(turn(&one).await, 4, "the broker said five minutes");
        let narrowed = one.narrow(Narrowing::default().allow_tools(["note"]));
        assert_eq!(turn(&narrowed).await, 4, "a narrowed task is the same task");
        let without = one.narrow(Narrowing::default().credentials(["mail"]));
        without.begin_turn();
        assert_eq!(note_in(&without, "ok").await.rule(), Some("credential.not_granted"));
        let session = desk.gate.session(SessionOptions::new("agent").capabilities(may())).unwrap();
        for _ in 0..2 {
            let again = session.task("support", "T-3");
            assert!(again.call(ToolCall::new("look_up", r#"{"customer":"ann"}"#)).await.ok);
        }
        assert_eq!(desk.mint.asked(), 6, "it ends with the task, also where a task of that name is opened again");
        let first = desk.mint.asked.lock().unwrap()[0].clone();
        assert_eq!((first.tool.as_str(), first.task.as_str(), first.task_type.as_str()), ("note", "T-1", "support"));
        assert_eq!((first.principal.as_str(), first.user.as_deref()), ("agent", Some("ann")));
    }
}

#[tokio::test]
async fn where_all_is_left_to_a_policy_file_the_host_still_narrows_credentials() {
    let desk = Desk::new(Kind::Memory).await;
    let file = "[task.support]\ntools = [\"*\"]\nrisks = [\"read\", \"write\"]\npermissions = [\"*\"]\n\
                credentials = [\"crm\"]";
    desk.gate.reload_policy(PolicyFile::parse(file).unwrap()).unwrap();
    let may = Capabilities::by_policy().credential_for("crm", ["look_up"]);
    let task = desk.gate.session(SessionOptions::new("agent").capabilities(may)).unwrap().task("support", "T-1");
    let look = || ToolCall::new("look_up", r#"{"customer":"ann"}"#);
    assert_eq!(task.call(look()).await.data, Some("ann by crm".into()));
    assert_eq!(note_in(&task, "ok").await.rule(), Some("credential.not_granted"), "to other tools only");
    let without = task.narrow(Narrowing::default().credentials(["mail"]));
    without.begin_turn();
    assert_eq!(without.call(look()).await.rule(), Some("credential.not_granted"));
}

#[tokio::test]
async fn a_stop_ends_the_credentials_of_its_task() {
    let desk = Desk::new(Kind::Memory).await;
    let task = desk.task("T-1");
    assert!(note_in(&task, "ok").await.ok);
    let failed = note_in(&task, "panic").await;
    assert_eq!(failed.details["stops"], "tool");
    assert_eq!(desk.mint.asked(), 1);
    assert_eq!(note_in(&task, "given").await.code, Code::TaskAborted);
    desk.gate.resume_stopped(task.session_id(), Some("T-1"), "ann").await.unwrap();
    assert!(note_in(&task, "given").await.ok);
    assert_eq!(desk.mint.asked(), 2);
}

#[tokio::test]
async fn what_is_not_granted_is_refused_recorded_and_stops_nothing() {
    for kind in KINDS {
        let desk = Desk::new(kind).await;
        let task = desk.task("T-1").narrow(Narrowing::default().credential_for("crm", ["look_up"]));
        let refused = note_in(&task, "ok").await;
        assert_eq!((refused.code, refused.rule()), (Code::PermissionDenied, Some("credential.not_granted")));
        assert_eq!((refused.effect, refused.retryable), (Effect::None, false));
        assert!(!refused.details.contains_key("stops"), "a refusal triggers no failure policy: {refused:?}");
        let record = desk.credentials(&refused).await;
        let rule = Some("credential.not_granted".to_owned());
        assert_eq!(record, [CredentialRecord { name: "crm".into(), refused: rule, ..CredentialRecord::default() }]);
        assert_eq!(desk.mint.asked(), 0, "the broker is not asked");
        let other = desk.task("T-2").call(ToolCall::new("ask", r#"{"name":"crm","blocking":false}"#)).await;
        assert_eq!(other.rule(), Some("credential.not_granted"), "it is granted to other tools only");
    }
}

#[tokio::test]
async fn a_broker_that_fails_is_told_to_the_operator_and_not_to_the_model() {
    let desk = Desk::new(Kind::Memory).await;
    let task = desk.task("T-1");
    for (name, rule, tries, cause) in [
        ("panics", "credential.unavailable", 1, "CANARY-panic"),
        ("fails", "credential.unavailable", 3, "CANARY-source"),
        ("short", "credential.unfit", 1, "too short"),
        ("nowhere", "credential.unavailable", 1, "has no credential `nowhere`"),
    ] {
        let result = task.call(ToolCall::new("ask", format!(r#"{{"name":"{name}","blocking":false}}"#))).await;
        let told = result.to_json().to_string();
        assert!(!told.contains("CANARY") && !told.contains("/etc"), "{told}");
        let record = desk.store.call(&result.call_id).await.unwrap().unwrap().record;
        assert_eq!((record.attempts, result.rule()), (tries, Some(rule)), "{name}: {result:?}");
        assert_eq!(result.effect, Effect::None, "{name}");
        assert!(record.operator.unwrap().contains(cause), "{name}");
    }
    let never = task.call(ToolCall::new("ask", r#"{"name":"never","blocking":false}"#)).await;
    assert!(!never.ok && never.effect == Effect::None, "the tool's time is the broker's too: {never:?}");
    let blocking = task.call(ToolCall::new("ask", r#"{"name":"fails","blocking":true}"#)).await;
    assert_eq!(blocking.rule(), Some("credential.blocking"));
    let lingering = task.call(ToolCall::new("linger", "{}")).await;
    assert!(lingering.ok);
    until("the late question", async || ASKED_LATE.load(Ordering::SeqCst) == 1).await;
    assert_eq!(desk.mint.asked(), 0);
}

#[tokio::test]
async fn a_gate_without_a_broker_gives_none() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new().unwrap());
    let gate = Gate::builder(store).tools(toolset![look_up]).build().await.unwrap();
    let task = gate.session(SessionOptions::new("agent").capabilities(may())).unwrap().task("support", "T-1");
    let result = task.call(ToolCall::new("look_up", r#"{"customer":"ann"}"#)).await;
    assert_eq!(result.rule(), Some("credential.no_broker"));
}

#[tokio::test]
async fn a_value_that_came_in_before_is_masked_from_the_moment_it_is_issued() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new().unwrap());
    let broker = FixedCredentials::new().with("crm", "hunter2-hunter2");
    let gate = Gate::builder(store).tools(toolset![look_up]).credentials(broker).build().await.unwrap();
    let task = gate.session(SessionOptions::new("agent").capabilities(may())).unwrap().task("support", "T-1");
    let result = task.call(ToolCall::new("look_up", r#"{"customer":"hunter2-hunter2"}"#)).await;
    assert_eq!(result.data, Some("[REDACTED] by crm".into()), "the model guessed it");
    assert!(gate.redactor().text("a hunter2-hunter2 b").contains("[REDACTED]"), "and the host's own texts");
}

#[tokio::test]
async fn a_tool_is_tested_with_a_credential_of_the_test() {
    let context = toolgate_testing::TestContext::default().credential("crm", "tok").build();
    assert_eq!(look_up(&context, "ann".to_owned()).unwrap(), "ann by crm");
    let error = ask(&context, "mail".to_owned(), false).await.unwrap_err();
    assert_eq!(error.effect(), Some(Effect::None));
}

#[tokio::test]
async fn a_policy_file_grants_credentials_by_name_and_tool() {
    let desk = Desk::new(Kind::Memory).await;
    let grant = |more: &str| {
        let text = "[task.support]\ntools = [\"*\"]\nrisks = [\"read\", \"write\"]\npermissions = [\"*\"]\n";
        desk.gate.reload_policy(PolicyFile::parse(&format!("{text}{more}")).unwrap()).unwrap();
    };
    let task = |may: Capabilities, id: &str| {
        desk.gate.session(SessionOptions::new("agent").capabilities(may)).unwrap().task("support", id)
    };
    let look = async |task: &Task| {
        task.begin_turn();
        task.call(ToolCall::new("look_up", r#"{"customer":"ann"}"#)).await
    };
    let left = task(Capabilities::by_policy(), "T-1");
    let given = task(may(), "T-2");
    grant("");
    for task in [&left, &given] {
        assert_eq!(look(task).await.rule(), Some("credential.not_granted"), "what isn't said is nothing");
    }
    grant("credentials = { crm = [\"look_*\"] }");
    for task in [&left, &given] {
        assert!(look(task).await.ok);
        task.begin_turn();
        assert_eq!(note_in(task, "ok").await.rule(), Some("credential.not_granted"), "to other tools only");
    }
    grant("credentials = [\"crm\", \"mail\"]");
    left.begin_turn();
    assert!(note_in(&left, "ok").await.ok);
    grant("credentials = [\"mail\"]\n[controls]\ncredentials = \"observe\"");
    let observed = look(&given).await;
    assert!(observed.ok, "{observed:?}");
    let record = desk.store.call(&observed.call_id).await.unwrap().unwrap().record;
    let noted: Vec<(&str, &str)> =
        record.would_refuse.iter().map(|would| (would.stage.as_str(), would.rule.as_str())).collect();
    assert_eq!(noted, [("execute", "credential.not_granted")]);
    assert_eq!(look(&left).await.rule(), Some("credential.not_granted"), "nothing is behind a control that is soft");
}
