//! Clipping bounds the size and keeps the shape.
//!
//! Not here: redaction, which comes first.

use proptest::prelude::*;
use serde_json::{Value, json};
use toolgate_core::clip::{clip, page, text_of};

fn any_value() -> impl Strategy<Value = Value> {
    let text = prop_oneof![".{0,40}", "[a-z\"\\\\\n\u{1}é]{0,400}"];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text.prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 120, 12, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..12).prop_map(Value::from),
            prop::collection::btree_map(".{0,12}", inner, 0..12)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn chars(value: &Value) -> usize {
    match value {
        Value::String(text) => text.chars().count(),
        other => other.to_string().chars().count(),
    }
}

fn same_types(cut: &Value, whole: &Value) -> bool {
    match (cut, whole) {
        (Value::Array(cut), Value::Array(whole)) => {
            cut.len() <= whole.len() && cut.iter().zip(whole).all(|(cut, whole)| same_types(cut, whole))
        }
        (Value::Object(cut), Value::Object(whole)) => {
            (cut.is_empty() || cut.len() == whole.len())
                && cut.iter().all(|(key, cut)| whole.get(key).is_some_and(|whole| same_types(cut, whole)))
        }
        (Value::String(_), Value::String(_)) => true,
        (cut, whole) => cut == whole,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn what_is_given_and_the_pages_after_it_are_the_whole(value in any_value(), limit in 0_usize..3000, size in 1_usize..999) {
        let clipped = clip(&value, limit);
        let (given, whole) = (text_of(&clipped.value), text_of(&value));
        prop_assert_eq!(clipped.given_chars, given.chars().count());
        let mut read: String = given.chars().take(clipped.next_offset).collect();
        let mut next = (clipped.next_offset < clipped.total_chars).then_some(clipped.next_offset);
        while let Some(offset) = next {
            let part = page(&whole, offset, size);
            read.push_str(&part.text);
            next = part.next_offset;
        }
        prop_assert_eq!(read, whole);
    }

    #[test]
    fn a_value_that_was_kept_as_text_is_the_same_value(value in any_value()) {
        let kept: Value = serde_json::from_str(&value.to_string()).unwrap();
        prop_assert_eq!(kept, value);
    }

    #[test]
    fn the_result_is_never_over_the_limit(value in any_value(), limit in 200_usize..3000) {
        let clipped = clip(&value, limit);
        prop_assert!(chars(&clipped.value) <= limit, "{} > {limit}", chars(&clipped.value));
        prop_assert!(same_types(&clipped.value, &value));
        prop_assert_eq!(clipped.total_chars, chars(&value));
        prop_assert_eq!(clipped.truncated, chars(&value) > limit);
        prop_assert_eq!(clipped.truncated, !clipped.notes.is_empty());
        if !clipped.truncated {
            prop_assert_eq!(&clipped.value, &value);
        }
        prop_assert_eq!(clip(&value, limit), clipped);
    }

    #[test]
    fn a_tiny_limit_never_panics_and_keeps_the_type(value in any_value(), limit in 0_usize..60) {
        prop_assert!(same_types(&clip(&value, limit).value, &value));
    }

    #[test]
    fn pages_join_to_the_whole(text in ".{0,200}", limit in 0_usize..50) {
        let (mut joined, mut next) = (String::new(), Some(0));
        while let Some(offset) = next {
            let part = page(&text, offset, limit);
            prop_assert_eq!(part.total, text.chars().count());
            joined.push_str(&part.text);
            next = part.next_offset;
        }
        prop_assert_eq!(joined, text);
    }
}

#[test]
fn an_array_keeps_its_first_items_and_says_how_many() {
    let clipped = clip(&json!({ "lines": (0..5000).collect::<Vec<_>>(), "total": 5000 }), 400);
    let kept = clipped.value["lines"].as_array().unwrap();
    assert!(kept.len() > 80, "{}", kept.len());
    assert_eq!(kept[3], 3);
    assert_eq!(clipped.value["total"], 5000);
    assert_eq!(clipped.notes, [format!("/lines: {} of 5000 items", kept.len())]);
}

#[test]
fn small_fields_stay_whole_and_large_ones_share_the_room() {
    let value =
        json!({ "id": "order-17", "a": "x".repeat(5000), "b": "y".repeat(300), "c": "z".repeat(9000), "ok": true });
    let clipped = clip(&value, 1000).value;
    assert_eq!((&clipped["id"], &clipped["ok"], &clipped["b"]), (&value["id"], &value["ok"], &value["b"]));
    let (a, c) = (chars(&clipped["a"]), chars(&clipped["c"]));
    assert!(a.abs_diff(c) < 4 && a > 250, "{a} and {c}");
}

#[test]
fn a_cut_text_says_how_much_is_missing() {
    let clipped = clip(&json!("é".repeat(1000)), 200);
    assert_eq!(clipped.value, json!(format!("{}… [824 more characters]", "é".repeat(176))));
    assert_eq!(clipped.notes, ["(whole): 176 of 1000 characters"]);
}

#[test]
fn a_skeleton_over_the_limit_loses_its_largest_object() {
    let many: serde_json::Map<String, Value> = (0..100).map(|n| (format!("key-{n}"), json!(n))).collect();
    let clipped = clip(&json!({ "id": 7, "many": many, "few": { "a": 1 } }), 200);
    assert_eq!(clipped.value, json!({ "id": 7, "many": {}, "few": { "a": 1 } }));
    assert_eq!(clipped.notes, ["/many: 0 of 100 members"]);
    let flat = clip(&Value::Object((0..100).map(|n| (format!("key-{n}"), json!(n))).collect()), 200);
    assert_eq!((flat.value, flat.notes), (json!({}), vec!["(whole): 0 of 100 members".to_owned()]));
}

#[test]
fn one_long_item_is_cut_rather_than_lost() {
    let clipped = clip(&json!([{ "text": "a".repeat(900) }, { "text": "b" }]), 300);
    assert!(clipped.value[0]["text"].as_str().unwrap().ends_with(" more characters]"));
    assert_eq!(clipped.notes.len(), 2);
}

#[test]
fn notes_about_long_keys_stay_short() {
    let long: serde_json::Map<_, _> =
        (0..40).map(|at| (format!("{at}{}", "k".repeat(600)), json!("v".repeat(900)))).collect();
    let clipped = clip(&json!({"in": long}), 30_000);
    let bytes: usize = clipped.notes.iter().map(String::len).sum();
    assert!(clipped.truncated && bytes < 2_100, "{bytes}");
    assert!(clipped.notes.last().unwrap().starts_with("and "), "{:?}", clipped.notes.last());
}
