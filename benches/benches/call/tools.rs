//! Three tools of three sizes, each as a read and as an effect, and what a model calls them with.

#![expect(unreachable_pub, reason = "part of a bench")]

use schemars::JsonSchema;
use serde::Deserialize;
use toolgate::{ToolError, tool, tool_type, toolset};

/// A tool's two names, and its arguments as they should be and as they shouldn't.
pub struct Sample {
    pub reads: &'static str,
    pub writes: &'static str,
    pub valid: &'static str,
    pub invalid: &'static str,
}

pub const NAMES: [&str; 6] =
    ["read_lines", "write_lines", "look_at_service", "restart_service", "check_incident", "open_incident"];

pub const SAMPLES: [Sample; 3] = [
    Sample {
        reads: "read_lines",
        writes: "write_lines",
        valid: r#"{"document":"the minutes of the last retro","max_lines":400}"#,
        invalid: r#"{"document":17,"max_lines":-400,"maxlines":"four hundred"}"#,
    },
    Sample {
        reads: "look_at_service",
        writes: "restart_service",
        valid: r#"{"service":"orders","environment":"staging","text":"p99 went from 80 ms to 4 s at 14:02, three of four replicas fail their health checks"}"#,
        invalid: r#"{"service":"order","environment":7,"txt":"p99 went from 80 ms to 4 s at 14:02, three of four replicas fail their health checks"}"#,
    },
    Sample {
        reads: "check_incident",
        writes: "open_incident",
        valid: r#"{"incident":{"title":"Orders time out at checkout","severity":"high","service":"orders","environment":"production","summary":"About 30 % of checkouts end in a timeout since 14:02. The orders service waits for its database; the connection pool is full.","started":"2026-11-30T14:02:00Z","detected_by":"synthetic checkout probe","customers":1830,"error_rate":0.31,"latency_ms":4180,"public":false,"tags":["checkout","database","pool"],"owner":{"name":"Ann Sommer","team":"payments","pager":true},"deputy":{"name":"Jo Field","team":"platform","pager":false},"runbook":"restart replicas one by one, then raise the pool","related":["INC-1029","INC-1077","CHG-5512"],"regions":["eu-west","eu-north"],"channel":"inc-orders-checkout","budget_minutes":45,"follow_up":"Put a limit on the connections that the nightly export takes, and page before the pool is full. Ask for a review."}}"#,
        invalid: r#"{"incident":{"title":"Orders time out at checkout","severity":"hihg","service":"orders","environment":"production","summary":"About 30 % of checkouts end in a timeout since 14:02. The orders service waits for its database; the connection pool is full.","started":"2026-11-30T14:02:00Z","detected_by":"synthetic checkout probe","customers":"many","error_rate":0.31,"latency_ms":4180,"public":false,"tags":["checkout","database","pool"],"owner":{"name":"Ann Sommer","team":"payments","pager":"yes"},"deputy":{"name":"Jo Field","team":"platform","pager":false},"runbook":"restart replicas one by one, then raise the pool","related":["INC-1029","INC-1077","CHG-5512"],"regions":["eu-west","eu-north"],"channel":"inc-orders-checkout","budget_minutes":45,"followup":"Put a limit on the connections that the nightly export takes, and page before the pool is full. Ask for a review."}}"#,
    },
];

/// The small tool's arguments, as serde reads them.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Lines {
    document: String,
    max_lines: u32,
}

/// The middle tool's.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Restart {
    service: Service,
    environment: Environment,
    text: String,
}

/// The large tool's.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Opened {
    incident: Incident,
}

/// A service.
#[tool_type]
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Service {
    /// Takes orders.
    Orders,
    /// Takes money.
    Payments,
    /// Finds things.
    Search,
}

/// Where it runs.
#[tool_type]
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Environment {
    /// For us.
    Staging,
    /// For all.
    Production,
}

/// How bad it is.
#[tool_type]
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Can wait.
    Low,
    /// Can't.
    High,
}

/// Who sees to it.
#[tool_type]
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Person {
    /// The name.
    #[arg(max_length = 80)]
    pub name: String,
    /// The team.
    #[arg(max_length = 40)]
    pub team: String,
    /// Whether they are paged.
    pub pager: bool,
}

/// Something that went wrong.
#[tool_type]
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Incident {
    /// In a few words.
    #[arg(min_length = 5, max_length = 120)]
    pub title: String,
    /// How bad it is.
    pub severity: Severity,
    /// What is hit.
    pub service: Service,
    /// Where.
    pub environment: Environment,
    /// In more words.
    #[arg(max_length = 2_000)]
    pub summary: String,
    /// Since when.
    #[arg(pattern = "^[0-9T:Z-]+$")]
    pub started: String,
    /// Who saw it.
    pub detected_by: Option<String>,
    /// How many customers are hit.
    #[arg(range = 0..=1_000_000)]
    pub customers: u32,
    /// The part of calls that fail.
    #[arg(range = 0.0..=1.0)]
    pub error_rate: f64,
    /// How long they take.
    pub latency_ms: u32,
    /// Whether it is told outside.
    pub public: bool,
    /// For the statistics.
    #[arg(max_items = 8)]
    pub tags: Vec<String>,
    /// Who sees to it.
    pub owner: Person,
    /// Who else does.
    pub deputy: Option<Person>,
    /// What to do.
    pub runbook: Option<String>,
    /// What belongs to it.
    #[arg(max_items = 20)]
    pub related: Vec<String>,
    /// Which regions are hit.
    pub regions: Vec<String>,
    /// Where it is talked about.
    pub channel: String,
    /// How long it may take.
    pub budget_minutes: Option<u16>,
    /// What to do afterwards.
    pub follow_up: Option<String>,
}

macro_rules! pair {
    ($reads:ident, $writes:ident, $doc:literal, $($(#[$arg:meta])* $name:ident: $type:ty),+) => {
        #[doc = $doc]
        #[tool(risk = "read")]
        pub async fn $reads($($(#[$arg])* $name: $type),+) -> Result<String, ToolError> {
            $(std::hint::black_box(&$name);)+
            Ok("done".to_owned())
        }

        #[doc = $doc]
        #[tool(risk = "write", once)]
        pub async fn $writes($($(#[$arg])* $name: $type),+) -> Result<String, ToolError> {
            $(std::hint::black_box(&$name);)+
            Ok("done".to_owned())
        }
    };
}

pair!(read_lines, write_lines, "Lines of a document.",
    /// The document.
    #[arg(max_length = 200)]
    document: String,
    /// Most lines.
    #[arg(range = 1..=10_000)]
    max_lines: u32);
pair!(look_at_service, restart_service, "A service.",
    /// The service.
    service: Service,
    /// Where it runs.
    environment: Environment,
    /// Why.
    #[arg(max_length = 200)]
    text: String);
pair!(check_incident, open_incident, "An incident.",
    /// All about it.
    incident: Incident);

toolset! {
    /// All six.
    pub static TOOLS = [read_lines, write_lines, look_at_service, restart_service, check_incident, open_incident];
}
