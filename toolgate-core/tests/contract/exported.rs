//! Schemas made at random in every dialect, held against the published rules of the providers, which stand
//! in the root's `tests/dialects`.

use proptest::prelude::*;
use toolgate_core::contract::Contract;

use crate::differential::tool_schema;
use crate::export;

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn any_schema_keeps_the_published_rules_of_every_dialect(schema in tool_schema()) {
        // A schema that contradicts itself is no contract, and said nowhere.
        let is_contract = Contract::of_schema("tool", &schema).is_ok();
        prop_assert_eq!(export::check(&schema.to_string()) > 2, is_contract, "{}", schema);
    }
}
