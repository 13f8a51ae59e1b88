//! A schema on the first line, arguments after it: importing either refuses the schema or gives a
//! contract that checks anything, whose filled arguments keep it, and whose shown schema imports again.
//!
//! Not here: agreement with other validators; the trace tests hold that.
#![no_main]

use libfuzzer_sys::fuzz_target;
use toolgate_core::contract::{Contract, MAX_PROBLEMS};
use toolgate_core::json::{Limits, canonical, parse, parse_arguments};

fuzz_target!(|text: &str| {
    let (schema, arguments) = text.split_once('\n').unwrap_or((text, "{}"));
    let Ok(schema) = parse(schema.as_bytes(), &Limits::DEFAULT) else { return };
    let Ok(contract) = Contract::of_schema("fuzzed", &schema.to_value()) else { return };
    let _ = (contract.sensitive(), contract.reason(), contract.names().count());
    let Ok(mut arguments) = parse_arguments(arguments.as_bytes(), &Limits::DEFAULT, false) else { return };
    let problems = contract.check(&arguments);
    assert!(problems.len() <= MAX_PROBLEMS);
    if problems.is_empty() {
        contract.fill(&mut arguments);
        assert!(contract.check(&arguments).is_empty(), "filled arguments keep the contract");
        let once = canonical(&arguments);
        contract.fill(&mut arguments);
        assert_eq!(canonical(&arguments), once, "filling twice is filling once");
    }
});
