//! The fields of one struct are the arguments; context and state stay beside it.

use toolgate::{Context, ToolError, schemars, serde, tool, tool_type, toolset};

/// Where it runs.
#[tool_type]
#[derive(Clone, Copy)]
enum Environment {
    Staging,
    Production,
}

#[tool_type(argument)]
struct Restart {
    /// The service.
    #[arg(pattern = "^[a-z-]+$", max_length = 40)]
    service: String,
    /// Where it runs.
    environment: Environment,
    /// Where the log goes.
    #[arg(not_a_resource = "a name in the log")]
    log_path: Option<String>,
    /// Why.
    #[arg(reason)]
    why: String,
}

#[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(crate = "toolgate::serde")]
#[schemars(crate = "toolgate::schemars")]
struct Query {
    /// The service.
    service: String,
}

struct Pool;

/// Looks.
#[tool(risk = "read")]
fn look(#[args] query: Query) -> Result<String, ToolError> {
    Ok(query.service)
}

/// Restarts.
#[tool(
    risk = "dangerous",
    once,
    confirm = "Restart {service} in {environment}. Reason: {why}",
    key = ["service"],
    precondition(tool = look, when = "prior.service == args.service"),
)]
async fn restart(context: &Context, #[args] input: Restart, #[state] pool: &Pool) -> Result<(), ToolError> {
    let _ = (context, pool, input.service, input.environment, input.log_path, input.why);
    Ok(())
}

toolset! { static TOOLS = [look, restart]; }

fn main() {
    let names: Vec<&str> = TOOLS.entries[1].spec.params.iter().map(|field| field.name).collect();
    assert_eq!(names, ["service", "environment", "log_path", "why"]);
}
