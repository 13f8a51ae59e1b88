//! The client inside of a gate: what a tool's failure comes to, and that the hosts are those of the task.

use std::sync::Arc;
use std::time::Duration;

use toolgate::http::{HttpContext, HttpSetup};
use toolgate::{
    Capabilities, Code, Context, Effect, Gate, HttpUrl, MemoryStore, Narrowing, Risk, SessionOptions, Task, ToolCall,
    ToolError, ToolResult, tool, toolset,
};

use crate::support::{Names, Reply, Server, limits, redirect, reply};

/// Reads a page.
#[tool(risk = "read")]
async fn fetch(
    ctx: &Context,
    /// The page.
    url: HttpUrl,
) -> Result<String, ToolError> {
    let answer = ctx.http().get(&url).send().await?;
    if !answer.status().is_success() {
        return Err(ToolError::no_effect("the page is not there"));
    }
    Ok(answer.text()?.to_owned())
}

/// Sends a note.
#[tool(risk = "external", idempotent, unconfirmed = "a test", failure_policy = "abort")]
async fn send_note(
    ctx: &Context,
    /// Where to.
    url: HttpUrl,
    /// What it says.
    note: String,
) -> Result<u16, ToolError> {
    Ok(ctx.http().post(&url).json(&note).send().await?.status().as_u16())
}

async fn task(server: &Server, names: &Names) -> Task {
    let setup =
        HttpSetup::default().resolver(names.clone()).limits(limits(|limits| limits.time = Duration::from_secs(2)));
    let gate = Gate::builder(Arc::new(MemoryStore::new().unwrap())).tools(toolset![fetch, send_note]).state(setup);
    let may = Capabilities::none().allow_tools(["fetch", "send_note"]).allow_risks(Risk::ALL).permissions(["*"]);
    let may = may.hosts([server.rule("api.example.com"), server.rule("*.internal.example.com")]);
    gate.build().await.unwrap().session(SessionOptions::new("agent").capabilities(may)).unwrap().task("demo", "T")
}

async fn fetched(task: &Task, url: &HttpUrl) -> ToolResult {
    task.call(ToolCall::new("fetch", serde_json::json!({ "url": url.as_str() }).to_string())).await
}

async fn noted(task: &Task, url: &HttpUrl, note: &str) -> ToolResult {
    let arguments = serde_json::json!({ "url": url.as_str(), "note": note });
    task.call(ToolCall::new("send_note", arguments.to_string())).await
}

#[tokio::test]
async fn a_tool_reads_a_page_of_an_allowed_host_and_of_no_other() {
    let server = Server::start(|_| reply(200, &[], "a page")).await;
    let task = task(&server, &Names::here(&["api.example.com", "a.internal.example.com"])).await;
    let read = fetched(&task, &server.url("api.example.com", "/")).await;
    assert_eq!((read.code, read.data), (Code::Ok, Some("a page".into())));
    assert!(fetched(&task, &server.url("a.internal.example.com", "/")).await.ok);
    assert_eq!(fetched(&task, &server.url("evil.com", "/")).await.code, Code::HostNotAllowed);
    assert_eq!(server.asked().len(), 2);
}

#[tokio::test]
async fn a_narrowed_task_is_held_to_its_own_hosts_while_its_tool_runs() {
    let server = Server::start(|request| {
        let port =
            request.lines().find_map(|line| line.rsplit_once(':').filter(|(name, _)| name.contains(".example.com")));
        let to = format!("http://a.internal.example.com:{}/", port.map_or("", |(_, port)| port));
        if request.contains(" /redir ") { redirect(302, &to) } else { reply(200, &[], "there") }
    })
    .await;
    let task = task(&server, &Names::here(&["api.example.com", "a.internal.example.com"])).await;
    let url = server.url("api.example.com", "/redir");
    assert!(fetched(&task, &url).await.ok);
    let narrowed = task.narrow(Narrowing::default().hosts([server.rule("api.example.com")]));
    let refused = fetched(&narrowed, &url).await;
    assert_eq!((refused.code, refused.effect), (Code::HostNotAllowed, Effect::None), "{refused:?}");
    assert_eq!(refused.rule(), Some("net.redirect_denied"));
    assert!(refused.message.contains("redirects to an address that may not be reached"), "{refused:?}");
}

#[tokio::test]
async fn a_name_that_leads_inside_is_told_without_its_address() {
    let server = Server::start(|_| reply(200, &[], "")).await;
    let task = task(&server, &Names::default().leads("api.example.com", &[&["10.9.8.7"]])).await;
    let refused = noted(&task, &server.url("api.example.com", "/"), "hello").await;
    assert_eq!((refused.code, refused.effect), (Code::HostNotAllowed, Effect::None), "{refused:?}");
    assert_eq!(refused.rule(), Some("net.ip_denied"));
    let told = format!("{} {:?}", refused.message, refused.details);
    assert!(!told.contains("10.9.8.7"), "{told}");
}

#[tokio::test]
async fn an_effect_that_may_have_happened_is_unknown() {
    let server = Server::start(|_| Reply::Stall(Vec::new())).await;
    let task = task(&server, &Names::here(&["api.example.com"])).await;
    let sent = noted(&task, &server.url("api.example.com", "/"), "hello").await;
    assert_eq!((sent.code, sent.effect), (Code::ExecutionError, Effect::Unknown), "{sent:?}");
    assert_eq!(sent.rule(), Some("net.timeout"));
    assert!(server.asked()[0].ends_with("\"hello\""));
}

#[tokio::test]
async fn hosts_that_are_only_observed_are_noted_in_the_record_of_the_call_that_reached_them() {
    /// Reads a page of its own choice.
    #[tool(risk = "read")]
    async fn news(ctx: &Context, #[state] page: &HttpUrl) -> Result<String, ToolError> {
        Ok(ctx.http().get(page).send().await?.text()?.to_owned())
    }

    let server = Server::start(|_| reply(200, &[], "a page")).await;
    let setup = HttpSetup::default().resolver(Names::here(&["api.example.com", "b.example.com"]));
    let policy = toolgate::policy::file::PolicyFile::parse(&format!(
        "[task.demo]\ntools = [\"news\"]\nrisks = [\"read\"]\npermissions = [\"*\"]\n\
         hosts = [{{ host = \"b.example.com\", port = {}, scheme = \"http\", networks = [\"127.0.0.0/8\"] }}]\n\
         [controls]\nhosts = \"observe\"",
        server.port
    ));
    let store = Arc::new(MemoryStore::new().unwrap());
    for (name, noted) in [("api.example.com", Some("net.host_not_allowed")), ("b.example.com", None)] {
        let state = server.url(name, "/");
        let gate = Gate::builder(Arc::clone(&store) as Arc<dyn toolgate::Store>).tools(toolset![news]);
        let gate = gate.state(setup.clone()).state(state).policy(policy.clone().unwrap()).build().await.unwrap();
        let may = Capabilities::none().allow_tools(["news"]).allow_risks(Risk::ALL).permissions(["*"]);
        let may = may.hosts([server.rule("api.example.com"), server.rule("b.example.com")]);
        let task = gate.session(SessionOptions::new("agent").capabilities(may)).unwrap().task("demo", name);
        let read = task.call(ToolCall::new("news", "{}")).await;
        assert!(read.ok, "{read:?}");
        let record = gate.store().call(&read.call_id).await.unwrap().unwrap().record;
        let rules: Vec<&str> = record.would_refuse.iter().map(|would| would.rule.as_str()).collect();
        assert_eq!(rules.first().copied(), noted, "{name}: {:?}", record.would_refuse);
    }
}
