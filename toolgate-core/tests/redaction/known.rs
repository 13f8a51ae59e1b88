//! A registered secret survives in none of its encodings, whatever surrounds it.
//!
//! Not here: secrets that nobody registered.

use proptest::prelude::*;
use serde_json::{Value, json};
use toolgate_core::redact::{MASK, Redactor};

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// An encoder of its own, bit by bit, so that a fault in the product's doesn't hide itself.
fn base64(bytes: &[u8]) -> String {
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let bits = (0..3).fold(0_u32, |bits, at| bits << 8 | u32::from(chunk.get(at).copied().unwrap_or(0)));
        for at in 0..=chunk.len() {
            out.push(char::from(ALPHABET[(bits >> (18 - 6 * at) & 63) as usize]));
        }
    }
    while !out.len().is_multiple_of(4) {
        out.push('=');
    }
    out
}

fn percent(text: &str, all: bool) -> String {
    text.bytes()
        .map(
            |byte| {
                if all || !byte.is_ascii_alphanumeric() { format!("%{byte:02X}") } else { char::from(byte).to_string() }
            },
        )
        .collect()
}

fn encodings(secret: &str) -> Vec<String> {
    let json = Value::from(secret).to_string();
    let json = json[1..json.len() - 1].to_owned();
    let unicode: String = secret.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
    let mut forms = vec![
        secret.to_owned(),
        percent(secret, false),
        percent(secret, true).to_lowercase(),
        percent(&percent(secret, false), false),
        percent(secret, false).replace("%20", "+"),
        secret.bytes().map(|byte| format!("{byte:02x}")).collect(),
        secret.bytes().map(|byte| format!("{byte:02X} ")).collect::<String>().trim_end().to_owned(),
        Value::from(json.as_str()).to_string(),
        json,
        unicode,
        secret.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;"),
    ];
    for prefix in ["", "x", "xy"] {
        let whole = base64(format!("{prefix}{secret}").as_bytes());
        forms.push(whole.replace('+', "-").replace('/', "_").trim_end_matches('=').to_owned());
        forms.push(whole);
    }
    forms
}

/// The middle of a form: what would be left of it if only its edges went.
fn middle(form: &str) -> String {
    let chars: Vec<char> = form.chars().collect();
    chars[chars.len() / 3..chars.len() - chars.len() / 4].iter().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_encoding_survives(secret in "[ -~äß€]{6,24}", before in "[^A-Za-z0-9+/_=%-]{0,8}", after in "[^A-Za-z0-9+/_=%-]{0,8}") {
        prop_assume!(secret.trim().len() >= 6 && !MASK.contains(&secret));
        let redactor = Redactor::default().with_secret(secret.clone());
        for form in encodings(&secret) {
            let text = format!("{before}\u{1}{form}\u{1}{after}");
            prop_assert!(!redactor.text(&text).contains(&form), "redacted: {form:?}");
            let mut value = json!({ "note": text.clone(), text.clone(): [text] });
            prop_assert!(redactor.mask_known(&mut value), "for the model: {form:?}");
            prop_assert!(!value["note"].as_str().map_or("", |note| note).contains(&middle(&form)), "left: {form:?}");
        }
    }
}

#[test]
fn a_secret_cut_over_neighbours_goes_from_both() {
    let redactor = Redactor::default().with_secret("correct-horse-battery");
    let mut chunks = json!(["say correct-ho", "rse-bat", 7, "tery now"]);
    assert!(redactor.mask_known(&mut chunks));
    assert_eq!(chunks, json!([format!("say {MASK}"), MASK, 7, format!("{MASK} now")]));
}

#[test]
fn a_secret_goes_as_bytes_as_a_number_and_as_a_key() {
    let redactor = Redactor::default().with_secret("20261130");
    let bytes: Vec<u8> = b"is 20261130".to_vec();
    assert_eq!(
        redactor.value(&json!({ "raw": bytes, "n": 20_261_130, "20261130": 1 })),
        json!({ "raw": MASK, "n": MASK, MASK: 1 })
    );
}

#[test]
fn keys_that_become_equal_both_stay() {
    let redactor = Redactor::default().with_secret("first-secret").with_secret("other-secret");
    assert_eq!(redactor.value(&json!({ "first-secret": 1, "other-secret": 2 })).as_object().unwrap().len(), 2);
}

#[test]
fn short_values_and_markers_are_hidden_by_key_only() {
    let redactor = Redactor::default().with_secret("12").with_secret("").with_secret("      ").with_secret("REDACTED");
    assert_eq!(redactor.value(&json!({ "n": "12 of 1200", "pin": "12" })), json!({ "n": "12 of 1200", "pin": MASK }));
    assert_eq!(redactor.text("a      b REDACTED"), "a      b REDACTED");
}

#[test]
fn the_model_keeps_what_is_only_guessed() {
    let mut value = json!({ "password": "guessable", "url": "https://a:b@h" });
    assert!(!Redactor::default().mask_known(&mut value));
    assert_eq!(value, json!({ "password": "guessable", "url": "https://a:b@h" }));
}

#[test]
fn pointers_mask_items_members_and_escaped_names() {
    let mut value = json!({ "rows": [{ "iban": "x", "n": 1 }, { "n": 2 }], "a/b": 1, "m~n": { "p": [1], "q": null } });
    let pointers = ["/rows/*/iban", "/a~1b", "/m~0n/*", "/none/0"].map(str::to_owned);
    Redactor::mask_pointers(&mut value, &pointers);
    assert_eq!(
        value,
        json!({ "rows": [{ "iban": MASK, "n": 1 }, { "n": 2 }], "a/b": MASK, "m~n": { "p": MASK, "q": MASK } })
    );
}
