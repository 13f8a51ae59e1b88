//! Every message of the catalogues is what the compiler says in at least one case.

use std::collections::BTreeSet;

use crate::cases::refused;
use crate::catalogue::{all, fits};
use crate::examples::{snake, typed};

#[test]
fn every_message_is_shown_by_a_case() {
    let cases = refused();
    let shown = |text: &str| cases.iter().flat_map(|case| &case.errors).any(|told| fits(text, &told.headline));
    let typed = typed();
    assert!(typed.len() < 8, "what only an editor sees is the exception: {typed:?}");
    let missing: Vec<String> = all()
        .iter()
        .filter(|message| !shown(&message.text) && !typed.contains(&snake(&message.name)))
        .map(|m| m.name.clone())
        .collect();
    assert_eq!(missing, Vec::<String>::new(), "messages that no file in tests/ui shows");
}

#[test]
fn every_label_of_a_bound_is_shown_by_a_case() {
    let cases = refused();
    let mut labels = 0;
    for message in all() {
        let Some(label) = message.label else { continue };
        labels += 1;
        let shown = cases.iter().any(|case| case.output.contains(&label));
        assert!(shown, "no file in tests/ui shows the label of `{}`", message.name);
    }
    assert!(labels > 5, "the bounds were read: {labels}");
}

#[test]
fn messages_can_be_told_apart() {
    let all = all();
    assert!(all.len() > 120, "the catalogues were read: {}", all.len());
    let names: BTreeSet<&str> = all.iter().map(|message| message.name.as_str()).collect();
    assert_eq!(names.len(), all.len(), "no name stands for two messages");
}
