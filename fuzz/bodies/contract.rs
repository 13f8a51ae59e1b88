//! A schema on the first line, arguments after it: importing either refuses the schema or gives a
//! contract that checks anything, whose filled arguments keep it, and whose shown schema imports again
//! and says the same.
//!
//! Not here: agreement with other validators; property tests and the official suite hold that.

use serde_json::Value;
use toolgate_core::contract::{Contract, MAX_PROBLEMS};
use toolgate_core::json::{Limits, canonical, parse, parse_arguments};

pub fn run(text: &str) {
    let (schema, arguments) = text.split_once('\n').unwrap_or((text, "{}"));
    let Ok(schema) = parse(schema.as_bytes(), &Limits::DEFAULT) else { return };
    let Ok(contract) = Contract::of_schema("fuzzed", &schema.to_value()) else { return };
    let _ = (contract.sensitive(), contract.reason(), contract.names().count());
    let shown: Value = serde_json::from_str(&contract.schema_text()).expect("what is shown is JSON");
    let again = Contract::of_schema("fuzzed", &shown);
    let Ok(mut arguments) = parse_arguments(arguments.as_bytes(), &Limits::DEFAULT, false) else { return };
    let problems = contract.check(&arguments);
    assert!(problems.len() <= MAX_PROBLEMS);
    if let Ok(again) = again {
        assert_eq!(again.check(&arguments).is_empty(), problems.is_empty(), "{shown} says something else");
    }
    if problems.is_empty() {
        contract.fill(&mut arguments);
        assert!(contract.check(&arguments).is_empty(), "filled arguments keep the contract");
        let once = canonical(&arguments);
        contract.fill(&mut arguments);
        assert_eq!(canonical(&arguments), once, "filling twice is filling once");
    }
}
