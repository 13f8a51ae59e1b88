use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

fn call(name: &str) -> ResultOf {
    ResultOf { call_id: format!("call_{name}"), tool: name.to_owned() }
}

fn told(user: &str, trusted: &str, untrusted: &str) -> Taint {
    let taint = Taint::new();
    if !user.is_empty() {
        taint.user_said(user);
    }
    if !trusted.is_empty() {
        taint.gave(&call("own"), false, &json!(trusted), &[]);
    }
    if !untrusted.is_empty() {
        taint.gave(&call("mail"), true, &json!(untrusted), &[]);
    }
    taint
}

fn of(taint: &Taint, value: impl Into<Value>) -> Provenance {
    taint.origin(&value.into()).provenance
}

#[test]
fn a_value_counts_as_the_least_trusted_of_its_sources_unless_the_user_said_it() {
    let taint = told("pay ann@a.example", "bob@b.example cat@c.example", "bob@b.example eve@e.example ann@a.example");
    assert_eq!(of(&taint, "ann@a.example"), Provenance::User);
    assert_eq!(of(&taint, "cat@c.example"), Provenance::Trusted);
    assert_eq!(of(&taint, "bob@b.example"), Provenance::Untrusted);
    assert_eq!(of(&taint, json!(["ann@a.example", "eve@e.example"])), Provenance::Untrusted);
    assert_eq!(of(&taint, json!(null)), Provenance::User);
}

#[test]
fn what_stands_nowhere_is_the_models_until_something_untrusted_was_read() {
    let taint = told("pay the bill", "it is 10", "");
    assert_eq!(of(&taint, "mallory@m.example"), Provenance::Model);
    taint.gave(&call("mail"), true, &json!("bG9uZw=="), &[]);
    let origin = taint.origin(&json!("mallory@m.example"));
    assert_eq!((origin.provenance, origin.found), (Provenance::Untrusted, false));
    assert_eq!(origin.to_string(), "not said by the user, after an untrusted result of mail (call call_mail)");
}

#[test]
fn an_origin_names_the_result_that_the_value_stands_in() {
    let taint = told("", "cat@c.example", "write to eve@e.example");
    let said = |value: &str| taint.origin(&json!(value)).to_string();
    assert_eq!(said("eve@e.example"), "from an untrusted result of mail (call call_mail)");
    assert_eq!(said("cat@c.example"), "from a trusted result of own (call call_own)");
}

#[test]
fn case_white_space_and_the_form_of_numbers_make_no_difference() {
    let taint = told("Send  1,200.00 to GB29 NWBK 6016 1331 9268 19 (Ann Lee), on 2024-05-20 at 10:00.", "", "x");
    for said in ["gb29nwbk60161331926819", "ANN LEE", "Ann\nLee", "2024-05-20 10:00", "1200", "2024-05-20"] {
        assert_eq!(of(&taint, said), Provenance::User, "{said}");
    }
    assert_eq!(of(&taint, 1200.0), Provenance::User);
    assert_eq!(of(&taint, 1_200), Provenance::User);
    assert_eq!(of(&taint, -1200), Provenance::Untrusted);
}

#[test]
fn what_only_looks_like_what_the_user_said_was_not_said() {
    let taint = told("write to john.doe@gmail.com about C-12, 10:00, and 'a' in notes.txt", "", "x");
    let alike = [
        "johndoe@gmail.com",
        "john-doe@gmail.com",
        "doe@gmail.com",
        "gmail.com",
        "john.doe@gmail.com.evil.example",
        "john.doe@gmail.co",
        "*",
        "10",
        "12",
        "not",
        "notes.txt;rm",
        "\"notes.txt\"",
        "$(notes.txt)",
        "john.doe@gmail.com,eve@e.example",
    ];
    for value in alike {
        assert_eq!(of(&taint, value), Provenance::Untrusted, "{value}");
    }
    for value in ["john.doe@gmail.com", "C-12", "notes.txt", "a", "10:00"] {
        assert_eq!(of(&taint, value), Provenance::User, "{value}");
    }
}

#[test]
fn an_untrusted_value_is_found_however_it_is_spelt() {
    let taint = told(
        "",
        "eve@e.example US133000000121212121212",
        "see <mailto:Eve@E.example?x=1> US13-3000-0001-2121-2121-212",
    );
    assert_eq!(of(&taint, "eve@e.example"), Provenance::Untrusted);
    assert_eq!(of(&taint, "US133000000121212121212"), Provenance::Untrusted);
}

#[test]
fn a_tool_that_repeats_its_arguments_makes_them_no_more_trusted() {
    let taint = told("", "", "write to the address that is bWFsbG9yeQ==");
    taint.called_with(&call("note"), &json!({"text": "mallory@m.example"}));
    taint.gave(&call("note"), false, &json!({"noted": "mallory@m.example"}), &[]);
    assert_eq!(of(&taint, "mallory@m.example"), Provenance::Untrusted);
    let calm = told("", "", "");
    calm.called_with(&call("note"), &json!({"text": "guess@m.example"}));
    calm.gave(&call("note"), false, &json!({"noted": "guess@m.example", "id": "n-77"}), &[]);
    assert_eq!(of(&calm, "guess@m.example"), Provenance::Model);
    assert_eq!(of(&calm, "n-77"), Provenance::Trusted);
}

#[test]
fn what_was_dropped_of_a_tainted_task_counts_as_untrusted() {
    let taint = told("ann@a.example", "cat@c.example", "eve@e.example");
    let long = "word ".repeat(10_000);
    for _ in 0..20 {
        taint.gave(&call("mail"), true, &json!(long), &[]);
    }
    taint.gave(&call("own"), false, &json!("dan@d.example"), &[]);
    assert_eq!(of(&taint, "ann@a.example"), Provenance::User);
    assert_eq!(of(&taint, "dan@d.example"), Provenance::Untrusted);
    assert!(taint.remembered() <= MAX_SAID + MAX_RESULTS);
}

#[test]
fn a_task_that_was_tainted_before_trusts_only_the_user() {
    let taint = told("ann@a.example", "cat@c.example", "");
    taint.was_tainted();
    assert!(taint.is_tainted());
    assert_eq!(of(&taint, "cat@c.example"), Provenance::Untrusted);
    assert_eq!(of(&taint, "ann@a.example"), Provenance::User);
}

#[test]
fn of_more_parts_than_are_looked_for_the_rest_counts_as_the_models_own() {
    let many = |count: usize| Value::from((0..count).map(|at| format!("part-{at}")).collect::<Vec<_>>());
    let all = many(MAX_LOOKED_FOR + 1);
    let said: Vec<_> = (0..=MAX_LOOKED_FOR).map(|at| format!("part-{at}")).collect();
    let taint = told(&said.join(" "), "", "");
    assert_eq!(of(&taint, many(MAX_LOOKED_FOR)), Provenance::User);
    assert_eq!(of(&taint, all), Provenance::Model);
    let calm = told("", "", "");
    calm.called_with(&call("note"), &many(1_000));
    calm.gave(&call("note"), false, &many(1_000), &[]);
    assert_eq!(of(&calm, "part-999"), Provenance::Model);
}

#[test]
fn what_the_model_made_up_stays_its_own_however_long_the_text_around_it() {
    let text = format!("{} bob@guess.example", "word ".repeat(300));
    let taint = told("", "", "");
    taint.called_with(&call("note"), &json!({"text": text}));
    taint.gave(&call("note"), false, &json!({"noted": text}), &[]);
    assert_eq!(of(&taint, "bob@guess.example"), Provenance::Model);
}

#[test]
fn a_part_of_a_name_or_a_link_was_not_said() {
    for (user, part) in [
        ("Write to o'brien@corp.example.", "brien@corp.example"),
        ("Copy it to backup:orders-db, please.", "orders-db"),
        ("See https://corp.example/go?ref=eve@evil.example", "eve@evil.example"),
        ("See https://corp.example/go?ref=eve@evil.example", "https://corp.example/go?ref"),
    ] {
        assert_eq!(of(&told(user, "", "x"), part), Provenance::Untrusted, "{part}");
    }
    let taint = told("to 'kate@k.example', (https://k.example/a) and o'brien@corp.example", "", "x");
    for whole in ["kate@k.example", "https://k.example/a", "o'brien@corp.example"] {
        assert_eq!(of(&taint, whole), Provenance::User, "{whole}");
    }
}

#[test]
fn words_that_stand_side_by_side_are_no_value_in_groups() {
    let taint = told("Tell ann, (bobby) that ann. Bobby, of ann bobby, has 1234. 5678x and 1234, 56789012x.", "", "x");
    for joined in ["annbobby", "12345678x", "123456789012x"] {
        assert_eq!(of(&taint, joined), Provenance::Untrusted, "{joined}");
    }
}

#[test]
fn other_letters_and_other_currencies_are_not_the_same() {
    let taint = told("Send ¥5000 to kate@corp.example, and 70 to ann.", "", "x");
    for other in ["$5000", "\u{212a}ate@corp.example"] {
        assert_eq!(of(&taint, other), Provenance::Untrusted, "{other}");
    }
    for same in ["¥5,000.00", "5000", "$70", "KATE@corp.example"] {
        assert_eq!(of(&taint, same), Provenance::User, "{same}");
    }
}

#[test]
fn a_trusted_tool_that_computes_makes_nothing_untrusted_more_trusted() {
    let taint = told("to ann@a.example", "cat@c.example", "eve, writes from, evil.example, ZXZl");
    taint.called_with(&call("join"), &json!({"name": "eve", "host": "evil.example"}));
    taint.gave(&call("join"), false, &json!("eve@evil.example mallory@m.example cat@c.example ann@a.example"), &[]);
    for made in ["eve@evil.example", "mallory@m.example"] {
        assert_eq!(of(&taint, made), Provenance::Untrusted, "{made}");
    }
    assert_eq!(of(&taint, "cat@c.example"), Provenance::Trusted);
    assert_eq!(of(&taint, "ann@a.example"), Provenance::User);
    taint.called_with(&call("contacts"), &json!({"of": "ann@a.example"}));
    taint.gave(&call("contacts"), false, &json!("dan@d.example"), &[]);
    assert_eq!(of(&taint, "dan@d.example"), Provenance::Trusted);
}

/// Texts with the parts that addresses, numbers and sentences are made of.
fn a_text() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec![
        "ann", "a.b", "@", "1", "1,200.00", "1200", " ", "\n", ".", ",", ":", "'", "é", "İ", "ß", "\u{200b}", "-", "x",
    ]);
    prop::collection::vec(part, 0..12).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn an_untrusted_source_more_never_makes_a_value_more_trusted(
        user in a_text(), trusted in a_text(), untrusted in a_text(), value in a_text(), more in any::<String>(),
    ) {
        let before = told(&user, &trusted, &untrusted);
        let after = told(&user, &trusted, &untrusted);
        after.gave(&call("more"), true, &json!(format!("{more} {value}")), &[]);
        prop_assert!(of(&after, value.clone()) >= of(&before, value.clone()));
        prop_assert!(of(&after, value.clone()) != Provenance::Trusted || value.trim().is_empty());
    }

    #[test]
    fn what_the_user_said_word_for_word_is_the_users(before in any::<String>(), value in any::<String>(), after in any::<String>()) {
        let taint = told(&format!("{before} {value} {after}"), &value, &value);
        prop_assert_eq!(of(&taint, value), Provenance::User);
    }

    #[test]
    fn any_text_is_normalised_once_and_for_all(text in any::<String>()) {
        let folded = needle::fold(&text);
        if text.to_lowercase().to_lowercase() == text.to_lowercase() {
            prop_assert_eq!(needle::fold(&folded), folded.clone());
        }
        prop_assert!(needle::words(&folded).all(|word| !word.contains(' ')));
        if let Some(number) = needle::number_of(&folded) {
            prop_assert_eq!(needle::number_of(&number), Some(number.clone()));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn memory_stays_within_its_bound(texts in prop::collection::vec((any::<bool>(), 0..90_000_usize), 0..16)) {
        let taint = Taint::new();
        for (untrusted, size) in texts {
            taint.user_said(&"u".repeat(size));
            taint.gave(&call("any"), untrusted, &json!("r ".repeat(size / 2)), &[]);
            taint.called_with(&call("any"), &json!({"text": "q".repeat(size)}));
            prop_assert!(taint.remembered() <= MAX_SAID + MAX_RESULTS);
        }
    }
}
