//! Every option once.

use toolgate::{Context, ReadPath, Reconciled, Recorded, ToolError, tool, toolset};

fn mask(value: &mut toolgate::serde_json::Value) {
    value.take();
}

async fn still_set(_ctx: &Context, recorded: &Recorded) -> Result<bool, ToolError> {
    Ok(recorded.result().is_some())
}

mod hooks {
    pub async fn became(
        ctx: &toolgate::Context,
        _: &toolgate::Recorded,
    ) -> Result<toolgate::Reconciled, toolgate::ToolError> {
        ctx.cancelled().await;
        toolgate::Reconciled::applied(())
    }
}

/// Looks.
#[tool(risk = "read", name = "look-at", timeout = "500ms", failure_policy = retry(max = 3, backoff = "1s"))]
fn look(
    /// The file.
    path: ReadPath,
) -> Result<(), ToolError> {
    drop(path);
    Ok(())
}

/// Looks elsewhere.
#[tool(risk = "read", failure_policy = "retry")]
fn look_elsewhere(
    /// The file.
    path: ReadPath,
) -> Result<(), ToolError> {
    drop(path);
    Ok(())
}

/// Does it.
#[tool(
    name = "do_it",
    title = "Do it",
    risk = "dangerous",
    permissions = ["write:service", "read:service"],
    confirm = "Do {what} {{really}} to {service}: {why}",
    impact = "It is down for 30 s.",
    alternatives = "Wait.",
    precondition(tool = "look-at", when = "result.ok == true && args.path == prior.path", max_age = 60),
    precondition(tool = look_elsewhere, unbound = "any file will do"),
    failure_policy = "abort_and_alert",
    idempotent,
    key = ["what", "service"],
    verify = still_set,
    effects = "marked",
    timeout = "1h",
    coerce = ["string-number", "double-encoded"],
    output = "untrusted",
    result_limit = 2_000,
    redact = mask,
    crate = ::toolgate,
)]
async fn do_it(
    ctx: &Context,
    /// What.
    #[arg(one_of = ["restart", "stop"], default = "restart", example = "stop")]
    what: String,
    /// Which.
    #[arg(pattern = "^[a-z-]+$", min_length = 1, max_length = 40)]
    service: String,
    /// Why.
    #[arg(reason, max_length = 200)]
    why: String,
    /// Its secret.
    #[arg(sensitive, destination)]
    pin: Option<String>,
    /// How often.
    #[arg(range = -5..=5, default = -1)]
    times: i8,
    /// How much.
    #[arg(range = ..=0.5, example = 0.25)]
    share: f32,
    /// Tags.
    #[arg(min_items = 1, max_items = 3, default = ["a", "b"])]
    tags: Vec<String>,
    /// A word on the wire.
    #[arg(not_a_resource = "it names a column")]
    path: String,
) -> Result<(), ToolError> {
    let _ = (ctx, what, service, why, pin, times, share, tags, path);
    Ok(())
}

/// Sends it.
#[tool(risk = "external", repeatable = "each is another message", unconfirmed = "to ourselves", failure_policy = "abort")]
fn send() -> Result<(), ToolError> {
    Ok(())
}

/// Writes it.
#[tool(
    risk = "write",
    once,
    key = "host",
    reconcile = hooks::became,
    settle = "1m",
    failure_policy(fallback = "write_elsewhere")
)]
fn write() -> Result<(), ToolError> {
    Ok(())
}

/// Writes it.
#[tool(risk = "write", idempotent, failure_policy(retry(max = 1)))]
fn write_elsewhere() -> Result<(), ToolError> {
    Ok(())
}

toolset! { static TOOLS = [look, look_elsewhere, do_it, send, write, write_elsewhere]; }

fn main() {
    let spec = TOOLS.entries[2].spec;
    assert_eq!(spec.params[0].default, Some("\"restart\""));
    assert_eq!(spec.params[6].default, Some("[\"a\",\"b\"]"));
    assert_eq!(spec.params[4].bounds.min, Some(-5.0));
    assert!(TOOLS.entries[2].redact.is_some());
    assert!(TOOLS.entries[2].hooks.verify.is_some() && TOOLS.entries[4].hooks.reconcile.is_some());
    assert_eq!(TOOLS.entries[4].spec.settle.as_secs(), 60);
    let _ = Reconciled::Unknown;
}
