//! The tools of the agent: plain functions, and what the gate must know about each. Nothing here checks
//! arguments, asks a person or counts repeats; the annotation says it and the gate does it.

use std::time::Duration;

use toolgate::{Context, EntryPath, StaticToolset, ToolError, tool, tool_type, toolset};

use crate::fleet::{Environment, Fleet, Health, Service, ServiceName};

/// All tools of the agent.
pub(crate) fn all() -> StaticToolset {
    toolset![query_service_status, query_logs, query_metrics, restart_service, delete_file]
}

/// How a service is.
#[tool_type(result)]
pub(crate) struct ServiceStatus {
    /// The service.
    service_name: ServiceName,
    /// Where it runs.
    environment: Environment,
    /// How it is.
    status: Health,
    /// How often it was restarted.
    restarts: u32,
}

/// Tells whether one service is healthy.
#[tool(risk = "read", permissions = ["read:service"], timeout = 5)]
pub(crate) fn query_service_status(
    #[state] fleet: &Fleet,
    /// The service to look at.
    service_name: ServiceName,
    /// Where it runs.
    environment: Environment,
) -> Result<ServiceStatus, ToolError> {
    let Service { health, restarts, .. } = fleet.find(service_name, environment)?.ok_or_else(not_there)?;
    Ok(ServiceStatus { service_name, environment, status: health, restarts })
}

/// Some lines of a log.
#[tool_type(result)]
pub(crate) struct LogLines {
    /// How many lines were found.
    found: usize,
    /// The lines, newest last.
    lines: Vec<String>,
}

/// Reads the newest lines of a service's log.
#[tool(risk = "read", permissions = ["read:logs"], timeout = 5, result_limit = 4_000)]
pub(crate) fn query_logs(
    #[state] fleet: &Fleet,
    /// The service whose log is read.
    service_name: ServiceName,
    /// Where it runs.
    environment: Environment,
    /// Most lines to return.
    #[arg(range = 1..=1_000, default = 100)]
    lines: usize,
    /// Only lines that hold this text.
    #[arg(max_length = 100)]
    contains: Option<String>,
) -> Result<LogLines, ToolError> {
    let mut found = fleet.log(service_name, environment)?;
    found.retain(|line| contains.as_deref().is_none_or(|text| line.contains(text)));
    let newest = found.split_off(found.len().saturating_sub(lines));
    Ok(LogLines { found: found.len() + newest.len(), lines: newest })
}

/// What is measured.
#[tool_type(argument)]
#[derive(Debug, Clone, Copy)]
pub(crate) enum Metric {
    /// Requests that failed, in percent.
    ErrorRate,
    /// Median time of a request, in milliseconds.
    LatencyMs,
}

/// Reads the newest value of one metric of a service.
#[tool(risk = "read", permissions = ["read:metrics"], timeout = 5)]
pub(crate) fn query_metrics(
    #[state] fleet: &Fleet,
    /// The service that is measured.
    service_name: ServiceName,
    /// Where it runs.
    environment: Environment,
    /// What to read.
    metric: Metric,
) -> Result<f64, ToolError> {
    let service = fleet.find(service_name, environment)?.ok_or_else(not_there)?;
    Ok(match metric {
        Metric::ErrorRate => service.error_rate,
        Metric::LatencyMs => service.latency_ms,
    })
}

/// Restarts one service and waits until it answers.
#[tool(
    risk = "dangerous",
    permissions = ["write:service"],
    confirm = "Restart {service_name} in {environment}.",
    impact = "The service answers nobody for about 30 s; requests under way are lost.",
    alternatives = "Wait: the pool of connections is emptied every hour.",
    precondition(
        tool = query_service_status,
        when = "result.status == 'unhealthy' && prior.service_name == args.service_name && prior.environment == args.environment",
        max_age = "5m",
    ),
    failure_policy = "abort_and_alert",
    once,
    timeout = 10,
)]
pub(crate) async fn restart_service(
    ctx: &Context,
    #[state] fleet: &Fleet,
    /// The service to restart.
    service_name: ServiceName,
    /// Where it runs.
    environment: Environment,
    /// Why; shown to the approver and kept in the audit trail.
    #[arg(reason, min_length = 5, max_length = 200)]
    reason: String,
) -> Result<ServiceStatus, ToolError> {
    ctx.progress(0, Some(2), &reason);
    let Service { health, restarts, .. } = fleet.restart(service_name, environment)?.ok_or_else(not_there)?;
    ctx.progress(1, Some(2), "waiting until it answers");
    tokio::time::sleep(Duration::from_millis(50)).await;
    if health != Health::Healthy {
        // No effect is stated, so it counts as unknown: the task stops and somebody is alerted.
        return Err(ToolError::new("the service was stopped and has not come back"));
    }
    Ok(ServiceStatus { service_name, environment, status: health, restarts })
}

/// What was deleted, and why.
#[tool_type(result)]
pub(crate) struct Deleted {
    /// The file.
    path: String,
    /// The reason given.
    reason: String,
}

/// Deletes one file of the fleet for good.
#[tool(
    risk = "dangerous",
    permissions = ["delete:file"],
    confirm = "Delete {path}.",
    impact = "The file is gone; there is no copy.",
    failure_policy = "abort_and_alert",
    idempotent,
    timeout = 5,
)]
pub(crate) fn delete_file(
    /// The file, relative to the fleet's folder.
    path: EntryPath,
    /// Why; shown to the approver and kept in the audit trail.
    #[arg(reason, min_length = 5, max_length = 200)]
    reason: String,
) -> Result<Deleted, ToolError> {
    path.remove_file()?;
    Ok(Deleted { path: path.relative().to_owned(), reason })
}

fn not_there() -> ToolError {
    ToolError::no_effect("this service does not run in this environment")
}
