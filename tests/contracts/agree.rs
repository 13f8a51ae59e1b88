//! Three readings of one value, for every type of the list: what the contract checks, what an
//! independent validator says of the schema that is shown, and what the type makes of it.

use std::sync::LazyLock;

use proptest::prelude::*;
use toolgate::serde_json::{self, Value, json};
use toolgate_core::json::{Limits, canonical, parse};

use crate::types::{Decoding, Entry, all};
use crate::values::{Random, changed, fitting};

struct Held {
    entry: Entry,
    schema: Value,
    oracle: jsonschema::Validator,
}

static HELD: LazyLock<Vec<Held>> = LazyLock::new(|| {
    let hold = |entry: Entry| {
        let schema: Value = serde_json::from_str(&entry.contract.schema_text()).unwrap();
        let oracle = jsonschema::draft202012::options().should_validate_formats(true).build(&schema);
        Held { oracle: oracle.unwrap_or_else(|error| panic!("{}: {error} {schema}", entry.name)), schema, entry }
    };
    all().into_iter().map(hold).collect()
});

/// Whether the contract accepts it, after all that must be true was asserted.
fn agree(held: &Held, arguments: &Value) -> Result<bool, TestCaseError> {
    let Held { entry, schema, oracle } = held;
    let text = arguments.to_string();
    let Ok(mut node) = parse(text.as_bytes(), &Limits::DEFAULT) else { return Ok(false) };
    let problems = entry.contract.check(&node);
    let accepted = problems.is_empty();
    prop_assert_eq!(accepted, oracle.is_valid(arguments), "{}: {} against {}: {:?}", entry.name, text, schema, problems);
    if !accepted {
        return Ok(false);
    }
    entry.contract.fill(&mut node);
    let raw = (entry.decode)(&node);
    let written = canonical(&node);
    let again = parse(written.as_bytes(), &Limits::MAX).unwrap();
    prop_assert!(entry.contract.check(&again).is_empty(), "{}: {} no longer fits as {}", entry.name, text, written);
    let told = (entry.decode)(&again);
    prop_assert_eq!(&raw, &told, "{}: decoded from {} and from {}", entry.name, text, written);
    match told {
        Ok(_) => {}
        Err(problems) => {
            prop_assert_eq!(entry.decoding, Decoding::Sometimes, "{}: {} accepted, but {:?}", entry.name, text, problems);
            prop_assert!(!problems.is_empty() && problems.iter().all(|problem| problem.rule == "schema.decode"));
        }
    }
    Ok(true)
}

fn value_of(held: &Held, random: &mut Random) -> Value {
    let mut value = fitting(&held.schema, &held.schema, 0, random);
    for _ in 0..random.below(3) {
        let inner = changed(&value["value"], random);
        value = json!({"value": inner});
    }
    value
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn contract_shown_schema_and_type_agree(seed in any::<u64>()) {
        let mut random = Random::new(seed);
        for held in HELD.iter() {
            for _ in 0..6 {
                let arguments = value_of(held, &mut random);
                agree(held, &arguments)?;
            }
        }
    }
}

/// The property above says nothing where no value is accepted, or none refused.
#[test]
fn enough_values_are_accepted_and_enough_refused() {
    let mut random = Random::new(7);
    let (mut accepted, mut total, mut poor) = (0, 0, Vec::new());
    let all = &*HELD;
    assert!(all.len() >= 40, "{} types", all.len());
    for held in all {
        let values: Vec<Value> = (0..100).map(|_| value_of(held, &mut random)).collect();
        let good = values.iter().filter(|value| agree(held, value).unwrap()).count();
        accepted += good;
        total += values.len();
        // Anything is a value, and of a type with few values most are.
        let few = matches!(held.entry.name, "Value" | "()");
        if !few && !(15..=90).contains(&good) {
            poor.push((held.entry.name, good));
        }
    }
    println!("{} types, {accepted} of {total} values accepted", all.len());
    assert!(poor.is_empty(), "of 100: {poor:?}");
    assert!(accepted * 10 >= total * 3 && (total - accepted) * 10 >= total * 3, "{accepted} of {total}");
}
