//! Conditions on the typed result of another tool: what the types give away is said when the gate is
//! built.

use std::sync::Arc;

use toolgate::{Gate, MemoryStore, ToolError, tool, tool_type, toolset};

#[tool_type]
enum Status {
    Healthy,
    Unhealthy,
}

#[tool_type]
struct Part {
    /// How it is.
    status: Status,
    /// How many times it was restarted, where that is known.
    restarts: Option<u32>,
}

/// Looks at a part.
#[tool(risk = "read")]
async fn inspect(
    /// The part.
    part: String,
) -> Result<Part, ToolError> {
    let status = if part.is_empty() { Status::Healthy } else { Status::Unhealthy };
    Ok(Part { status, restarts: None })
}

macro_rules! fault_of {
    ($when:literal) => {{
        /// Mends a part.
        #[tool(risk = "write", once, precondition(tool = inspect, when = $when))]
        async fn mend(
            /// The part.
            part: String,
        ) -> Result<String, ToolError> {
            Ok(part)
        }
        let built = Gate::builder(Arc::new(MemoryStore::new().unwrap())).tools(toolset![inspect, mend]).build().await;
        built.err().map(|error| error.to_string())
    }};
}

#[tokio::test]
async fn a_condition_that_asks_the_result_for_what_it_never_has_is_no_gate() {
    assert_eq!(fault_of!("result.status == 'unhealthy' && result.restarts != null && prior.part == args.part"), None);
    let field = fault_of!("result.statsu == 'unhealthy' && prior.part == args.part").unwrap_or_default();
    assert!(field.contains("did you mean `status`?"), "{field}");
    let word = fault_of!("result.status == 'unhelthy' && prior.part == args.part").unwrap_or_default();
    assert!(word.contains("healthy"), "{word}");
    let kind = fault_of!("result.restarts == 'three' && prior.part == args.part").unwrap_or_default();
    assert!(kind.contains("never equal"), "{kind}");
}
