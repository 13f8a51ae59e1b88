//! URLs of a call: held against the hosts of the task at the policy stage, nested ones too; nothing is looked up before
//! a tool uses them.

use std::sync::Arc;

use toolgate::approval::{Decision, decide};
use toolgate::clock::{Clock, SystemClock};
use toolgate::policy::{ArgumentRules, Rule};
use toolgate::{
    Capabilities, Code, Dialect, Gate, GateBuilder, HostRule, HttpUrl, MemoryStore, Narrowing, Risk, SessionOptions,
    Stage, Task, ToolCall, ToolError, ToolResult, tool, tool_type, toolset,
};

/// A page and why.
#[tool_type(argument)]
struct Page {
    /// The page.
    page: HttpUrl,
}

/// Says where it would look.
#[tool(risk = "read")]
async fn visit(
    /// The first page.
    url: HttpUrl,
    /// And more of them.
    #[arg(default = [])]
    more: Vec<Page>,
) -> Result<Vec<HttpUrl>, ToolError> {
    Ok(std::iter::once(url).chain(more.into_iter().map(|page| page.page)).collect())
}

/// Tells a page something.
#[tool(risk = "external", idempotent, confirm = "Post to {url}?")]
async fn post(
    /// The page.
    url: HttpUrl,
) -> Result<String, ToolError> {
    Ok(format!("posted to {url}"))
}

fn builder() -> GateBuilder {
    Gate::builder(Arc::new(MemoryStore::new().unwrap())).tools(toolset![visit, post])
}

fn may() -> Capabilities {
    let may = Capabilities::none().allow_tools(["visit", "post"]).allow_risks(Risk::ALL).permissions(["*"]);
    may.hosts(["api.example.com", "*.internal.example.com"])
}

async fn task(builder: GateBuilder) -> Task {
    let gate = builder.build().await.unwrap();
    gate.session(SessionOptions::new("agent").capabilities(may())).unwrap().task("demo", "T")
}

async fn visits(task: &Task, url: &str) -> ToolResult {
    task.call(ToolCall::new("visit", serde_json::json!({ "url": url }).to_string())).await
}

#[tokio::test]
async fn an_allowed_url_reaches_the_function_in_its_one_spelling() {
    let task = task(builder()).await;
    let result = visits(&task, "HTTPS://Api.Example.com:0443").await;
    assert_eq!(result.data, Some(serde_json::json!(["https://api.example.com/"])), "{result:?}");
}

#[tokio::test]
async fn a_url_that_may_not_be_reached_is_refused_before_anything_runs() {
    let task = task(builder()).await;
    for (url, rule) in [
        ("https://evil.com/", "net.host_not_allowed"),
        ("http://api.example.com/", "net.scheme_not_allowed"),
        ("https://api.example.com:22/", "net.port_not_allowed"),
        ("https://u:hunter2@api.example.com/", "net.userinfo"),
        ("https://127.0.0.1/", "net.ip_literal"),
        ("https://api.example.com/ x", "net.whitespace"),
        ("no url", "net.whitespace"),
        ("", "schema.length"),
    ] {
        let result = visits(&task, url).await;
        if rule == "schema.length" {
            assert_eq!(result.code, Code::InvalidArgument, "{url}: {result:?}");
            continue;
        }
        assert_eq!((result.code, result.stage), (Code::HostNotAllowed, Stage::Policy), "{url}: {result:?}");
        assert_eq!((result.rule(), result.retryable), (Some(rule), false), "{url}");
        let told = serde_json::to_string(&result.details).unwrap() + &result.message;
        assert!(!told.contains("example") && !told.contains("hunter2"), "{told}");
    }
}

#[tokio::test]
async fn all_urls_of_a_call_are_judged_at_once_nested_ones_too() {
    let task = task(builder()).await;
    let arguments = serde_json::json!({
        "url": "https://evil.com/",
        "more": [{ "page": "https://api.example.com/" }, { "page": "\\\\api" }],
    });
    let result = task.call(ToolCall::new("visit", arguments.to_string())).await;
    let problems: Vec<_> = result.details["problems"].as_array().unwrap().iter().collect();
    let told = problems.iter().map(|one| (one["pointer"].as_str().unwrap(), one["rule"].as_str().unwrap()));
    assert_eq!(told.collect::<Vec<_>>(), [("/url", "net.host_not_allowed"), ("/more/1/page", "net.backslash")]);
}

#[tokio::test]
async fn an_approved_url_is_checked_again_when_it_runs() {
    let builder = builder();
    let gate = builder.build().await.unwrap();
    let session = gate.session(SessionOptions::new("agent").capabilities(may()).id("S")).unwrap();
    let task = session.task("demo", "T");
    let call = || ToolCall::new("post", r#"{"url":"https://api.example.com/v1"}"#);
    let asked = task.call(call()).await;
    assert_eq!(asked.code, Code::ConfirmationRequired, "{asked:?}");
    let ticket = asked.details["ticket"].as_str().unwrap();
    let yes = Decision { approve: true, by: "bob".to_owned(), comment: None };
    let _ = decide(&**gate.store(), gate.redactor(), SystemClock.now_ms(), ticket, &yes, "test").await.unwrap();
    let narrowed = task.narrow(Narrowing::default().hosts(["*.internal.example.com"]));
    let refused = narrowed.resume(ticket).await;
    assert_eq!((refused.code, refused.rule()), (Code::HostNotAllowed, Some("net.host_not_allowed")), "{refused:?}");
    let done = task.call(call()).await;
    assert_eq!((done.code, done.data), (Code::Ok, Some("posted to https://api.example.com/v1".into())));
}

#[tokio::test]
async fn a_narrowed_task_reaches_less_and_never_more() {
    let task = task(builder()).await;
    let narrowed = task.narrow(Narrowing::default().hosts(["api.example.com", "evil.com"]));
    assert!(visits(&narrowed, "https://api.example.com/").await.ok);
    assert!(visits(&task, "https://db.internal.example.com/").await.ok);
    for url in ["https://db.internal.example.com/", "https://evil.com/"] {
        assert_eq!(visits(&narrowed, url).await.rule(), Some("net.host_not_allowed"), "{url}");
    }
}

#[tokio::test]
async fn what_is_no_rule_is_told_when_the_session_is_opened_and_lets_nothing_through() {
    let gate = builder().build().await.unwrap();
    for wrong in ["*", "https://api.example.com", "10.0.0.5", "*.co.uk"] {
        let options = SessionOptions::new("agent").capabilities(may().hosts([wrong]));
        let told = gate.session(options).unwrap_err().to_string();
        assert!(told.contains(wrong) && told.contains("no rule of hosts"), "{told}");
    }
    let task = task(builder()).await.narrow(Narrowing::default().hosts(["api.example.com", "*"]));
    let refused = visits(&task, "https://api.example.com/").await;
    assert_eq!((refused.code, refused.rule()), (Code::HostNotAllowed, Some("policy.bad_pattern")), "{refused:?}");
}

#[tokio::test]
async fn a_rule_about_a_url_holds_however_the_call_spells_it() {
    let rules = ArgumentRules::new("urls/1")
        .rule(Rule::allow("rest", "granted"))
        .rule(Rule::deny("admin", "only for people").tool("visit").when("args.url == 'https://api.example.com/admin'"));
    let task = task(builder().policy(rules)).await;
    for spelling in
        ["https://api.example.com/admin", "HTTPS://API.example.com/admin", "https://api.example.com.:443/admin"]
    {
        assert_eq!(visits(&task, spelling).await.rule(), Some("policy.rule"), "{spelling}");
    }
    assert!(visits(&task, "https://api.example.com/").await.ok);
}

#[tokio::test]
async fn a_rule_of_hosts_may_name_scheme_and_port() {
    let gate = builder().build().await.unwrap();
    let rule = HostRule::new("intranet").unwrap().plain_http().port(8080).networks(["10.0.0.0/8"]).unwrap();
    let options = SessionOptions::new("agent").capabilities(may().hosts([rule]));
    let task = gate.session(options).unwrap().task("demo", "T");
    assert!(visits(&task, "http://intranet:8080/x").await.ok);
    assert_eq!(visits(&task, "http://intranet/x").await.rule(), Some("net.port_not_allowed"));
    assert_eq!(visits(&task, "https://intranet:8080/x").await.rule(), Some("net.scheme_not_allowed"));
}

#[tokio::test]
async fn the_model_is_shown_a_uri_and_what_may_be_reached() {
    let task = task(builder()).await;
    let shown = task.tools_for_model(Dialect::Anthropic);
    let tools = shown.to_json();
    let url = &tools[0]["input_schema"]["properties"]["url"];
    assert_eq!((&url["type"], &url["format"]), (&"string".into(), &"uri".into()), "{url}");
    assert!(url["description"].as_str().unwrap().contains("a host that this task may reach"), "{url}");
}
