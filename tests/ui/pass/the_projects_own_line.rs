//! The line that started the project, literally.

use toolgate::{ToolError, tool};

/// Restarts one service.
#[tool(risk = "write", idempotent, confirm = "...", failure_policy = "abort_and_alert", timeout = 10)]
async fn restart_service(
    /// The service to restart.
    service_name: String,
    /// How many seconds to wait.
    #[arg(range = 1..=60, default = 30)]
    wait: u32,
) -> Result<String, ToolError> {
    Ok(format!("{service_name} {wait}"))
}

fn main() {
    use toolgate::__private::v1::Tool;
    let spec = restart_service::ENTRY.spec;
    assert_eq!(spec.name, "restart_service");
    assert_eq!(spec.permissions, ["tool:restart_service"]);
    assert_eq!(spec.timeout.as_secs(), 10);
    drop(restart_service("a".into(), 1));
}
