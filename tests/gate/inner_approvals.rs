//! A person's yes to a call that a tool makes, and to an equal one that the model makes: each is for
//! what was shown.

use toolgate::serde_json::json;
use toolgate::{
    Capabilities, Code, Context, Risk, SessionOptions, Task, ToolCall, ToolError, ToolResult, tool, toolset,
};

use super::support::{Bench, KINDS, Kind, World};

/// Sends a letter, after a person's yes.
#[tool(risk = "external", once, confirm = "Send to {whom}.")]
async fn send(
    /// To whom.
    whom: String,
    #[state] world: &World,
) -> Result<(), ToolError> {
    world.act(format!("send {whom}"));
    Ok(())
}

/// Sends by another tool.
#[tool(risk = "external", once, unconfirmed = "what it sends is confirmed")]
async fn mailer(
    /// To whom.
    whom: String,
    ctx: &Context,
) -> Result<(), ToolError> {
    ctx.call_tool("send", &json!({"whom": whom})).await.map(drop)
}

/// Sends by another tool, each time.
#[tool(risk = "external", repeatable = "each counts", unconfirmed = "what it sends is confirmed")]
async fn each_time(
    /// To whom.
    whom: String,
    ctx: &Context,
) -> Result<(), ToolError> {
    ctx.call_tool("send", &json!({"whom": whom})).await.map(drop)
}

const BOB: &str = r#"{"whom":"bob"}"#;

async fn bench(kind: Kind) -> (Bench, Task) {
    let bench = Bench::with(kind, |builder| builder.tools(toolset![send, mailer, each_time])).await;
    let may = Capabilities::none().allow_tools(["send", "mailer", "each_time"]).allow_risks(Risk::ALL);
    let options = SessionOptions::new("agent").user("ann").capabilities(may.permissions(["*"])).id("S");
    let task = bench.gate.session(options).unwrap().task("demo", "I");
    (bench, task)
}

async fn call(task: &Task, tool: &str) -> ToolResult {
    task.call(ToolCall::new(tool, BOB)).await
}

fn inner_ticket(result: &ToolResult) -> String {
    result.details["inner"]["ticket"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn an_approval_of_the_models_call_is_none_of_an_equal_inner_one() {
    for kind in KINDS {
        let (bench, task) = bench(kind).await;
        let own = call(&task, "send").await.ticket().unwrap().to_owned();
        bench.decide(&own, true).await;
        let mailed = call(&task, "mailer").await;
        assert_eq!((mailed.rule(), bench.world.effects()), (Some("inner.refused"), 0));
        assert_ne!(inner_ticket(&mailed), own);
        assert_eq!((call(&task, "send").await.code, bench.world.effects()), (Code::Ok, 1));
        bench.must_be_sound().await;
    }
}

#[tokio::test]
async fn an_approval_of_an_inner_call_is_none_of_an_equal_one_of_the_model() {
    for kind in KINDS {
        let (bench, task) = bench(kind).await;
        let inner = inner_ticket(&call(&task, "mailer").await);
        bench.decide(&inner, true).await;
        let own = call(&task, "send").await;
        assert_eq!((own.code, bench.world.effects()), (Code::ConfirmationRequired, 0));
        assert_ne!(own.ticket(), Some(&*inner));
        assert_eq!((call(&task, "mailer").await.code, bench.world.effects()), (Code::Ok, 1));
        bench.must_be_sound().await;
    }
}

#[tokio::test]
async fn a_denial_of_an_inner_call_holds_for_an_equal_one_of_the_model() {
    for kind in KINDS {
        let (bench, task) = bench(kind).await;
        bench.decide(&inner_ticket(&call(&task, "mailer").await), false).await;
        assert_eq!(call(&task, "send").await.code, Code::ConfirmationDenied);
        assert_eq!(call(&task, "each_time").await.details["inner"]["code"], "CONFIRMATION_DENIED");
        assert_eq!(bench.world.effects(), 0);
    }
}

#[tokio::test]
async fn a_tool_without_a_key_goes_on_with_what_was_approved_for_it() {
    for kind in KINDS {
        let (bench, task) = bench(kind).await;
        let inner = inner_ticket(&call(&task, "each_time").await);
        bench.decide(&inner, true).await;
        assert_eq!((call(&task, "each_time").await.code, bench.world.effects()), (Code::Ok, 1));
        let next = inner_ticket(&call(&task, "each_time").await);
        bench.decide(&next, true).await;
        assert_eq!((task.resume(&next).await.code, bench.world.effects()), (Code::Ok, 2), "the next is asked for");
    }
}
