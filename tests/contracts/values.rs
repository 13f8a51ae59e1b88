//! Values that fit a schema, and what is left of them after a change or two. Random, and the same for the
//! same seed. Not which of them are right.

use proptest::strategy::{Strategy, ValueTree};
use proptest::string::string_regex;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use toolgate::serde_json::{Map, Value, json};

/// A small generator of numbers.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed | 1)
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        // xorshift64*
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
        usize::try_from(high).unwrap() % end.max(1)
    }

    fn one_of<'v, T>(&mut self, items: &'v [T]) -> &'v T {
        let at = self.below(items.len());
        &items[at]
    }
}

const TEXTS: [&str; 12] = ["", "a", "b", "red", "dark_blue", "ä", "127.0.0.1", "::1", "5", "true", "{\"a\":1}", "x y"];

/// A value of a schema, or close to one.
pub(crate) fn fitting(schema: &Value, root: &Value, depth: usize, random: &mut Random) -> Value {
    if let Some(target) = schema["$ref"].as_str() {
        return fitting(root.pointer(target.trim_start_matches('#')).unwrap(), root, depth + 1, random);
    }
    if let Some(value) = schema.get("const") {
        return value.clone();
    }
    if let Some(values) = schema["enum"].as_array() {
        return random.one_of(values).clone();
    }
    if let Some(options) = schema["anyOf"].as_array().or_else(|| schema["oneOf"].as_array()) {
        // Deep down the last one, which is `null` or simple.
        let option = if depth > 4 { &options[options.len() - 1] } else { random.one_of(options) };
        return fitting(option, root, depth, random);
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) if depth > 4 => kinds[kinds.len() - 1].as_str().unwrap(),
        Value::Array(kinds) => random.one_of(kinds).as_str().unwrap(),
        kind => kind.as_str().unwrap_or("null"),
    };
    match kind {
        "boolean" => json!(random.below(2) == 0),
        "integer" => integer(schema, random),
        "number" => number(schema, random),
        "string" => text(schema, random),
        "array" => array(schema, root, depth, random),
        "object" => object(schema, root, depth, random),
        _ => Value::Null,
    }
}

fn integer(schema: &Value, random: &mut Random) -> Value {
    let (min, max) = (schema["minimum"].as_i64().unwrap_or(-5), schema["maximum"].as_i64().unwrap_or(5));
    let near = i64::try_from(random.below(40)).unwrap();
    match random.below(5) {
        0 => json!(min),
        1 => json!(max),
        2 => json!((min.max(0) + near).min(max)),
        3 => json!(toolgate_core::json::Node::Integer((min.max(-3) + near).min(max)).to_value().as_f64()),
        _ => json!((max.min(3) - near).max(min)),
    }
}

fn number(schema: &Value, random: &mut Random) -> Value {
    let min = schema["minimum"].as_f64().unwrap_or(-1e9);
    let value = f64::from(u32::try_from(random.below(4_000)).unwrap()) / 8.0;
    json!(*random.one_of(&[min.max(0.0), min, value.max(min), 0.1 + value.max(min)]))
}

fn text(schema: &Value, random: &mut Random) -> Value {
    if let Some(pattern) = schema["pattern"].as_str() {
        let bare = pattern.trim_start_matches('^').trim_end_matches('$').replace("\\d", "[0-9]");
        let seed: Vec<u8> = (0..32).map(|_| u8::try_from(random.below(256)).unwrap()).collect();
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
        let mut runner = TestRunner::new_with_rng(Config::default(), rng);
        return Value::from(string_regex(&bare).unwrap().new_tree(&mut runner).unwrap().current());
    }
    match schema["format"].as_str() {
        Some("ipv4") => json!(random.one_of(&["127.0.0.1", "10.0.0.9", "255.255.255.255", "256.1.1.1"])),
        Some("ipv6") => {
            json!(random.one_of(&["::1", "fe80::1", "g::", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4", "fe80::1%eth0"]))
        }
        Some("uuid") => json!("550e8400-e29b-41d4-a716-446655440000"),
        _ => {
            let min = usize::try_from(schema["minLength"].as_u64().unwrap_or(0)).unwrap();
            let max = usize::try_from(schema["maxLength"].as_u64().unwrap_or(9)).unwrap();
            let text = *random.one_of(&TEXTS);
            Value::from(text.chars().chain("xyzxyz".chars().take(min)).take(max).collect::<String>())
        }
    }
}

fn array(schema: &Value, root: &Value, depth: usize, random: &mut Random) -> Value {
    if let Some(items) = schema["prefixItems"].as_array() {
        return items.iter().map(|item| fitting(item, root, depth + 1, random)).collect();
    }
    let min = usize::try_from(schema["minItems"].as_u64().unwrap_or(0)).unwrap();
    let max = usize::try_from(schema["maxItems"].as_u64().unwrap_or(3)).unwrap().min(min + 3);
    let count = if depth > 4 { min } else { min + random.below(max - min + 1) };
    (0..count).map(|_| fitting(&schema["items"], root, depth + 1, random)).collect()
}

fn object(schema: &Value, root: &Value, depth: usize, random: &mut Random) -> Value {
    let mut members = Map::new();
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    for (name, inner) in schema["properties"].as_object().into_iter().flatten() {
        if required.contains(&json!(name)) || (depth < 5 && random.below(3) > 0) {
            members.insert(name.clone(), fitting(inner, root, depth + 1, random));
        }
    }
    if schema["additionalProperties"].is_object() {
        for _ in 0..random.below(3) {
            let name = match &schema["propertyNames"] {
                Value::Object(_) => fitting(&schema["propertyNames"], root, depth, random),
                _ => json!(*random.one_of(&TEXTS)),
            };
            members.insert(
                name.as_str().unwrap().to_owned(),
                fitting(&schema["additionalProperties"], root, depth + 1, random),
            );
        }
    }
    Value::Object(members)
}

/// The value with one thing changed, somewhere.
pub(crate) fn changed(value: &Value, random: &mut Random) -> Value {
    let go_in = random.below(3) > 0;
    match value {
        Value::Object(members) if go_in && !members.is_empty() => {
            let mut members = members.clone();
            let names: Vec<String> = members.keys().cloned().collect();
            let name = random.one_of(&names).clone();
            match random.below(6) {
                0 => drop(members.remove(&name)),
                1 => drop(members.insert(format!("{name}_"), json!(1))),
                _ => {
                    let inner = changed(&members[&name], random);
                    members.insert(name, inner);
                }
            }
            Value::Object(members)
        }
        Value::Array(items) if go_in && !items.is_empty() => {
            let mut items = items.clone();
            let at = random.below(items.len());
            match random.below(6) {
                0 => drop(items.remove(at)),
                1 => items.push(items[at].clone()),
                _ => items[at] = changed(&items[at], random),
            }
            Value::Array(items)
        }
        Value::Number(number) if go_in => {
            let number = number.as_f64().unwrap();
            json!(*random.one_of(&[number + 1.0, number + 0.5, -number, number + 4_294_967_296.0, number * 1e6]))
        }
        value => match random.below(7) {
            0 => Value::Null,
            1 => Value::from(value.to_string()),
            2 => json!([value]),
            3 => json!({"value": value}),
            4 => json!(random.below(300)),
            5 => json!(*random.one_of(&TEXTS)),
            _ => json!(random.below(2) == 0),
        },
    }
}
