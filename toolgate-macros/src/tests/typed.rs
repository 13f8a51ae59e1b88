//! What only an editor hands over is told as the repairs in `tests/ui` say: the compiler's own parser stands
//! before the macro, so that no case there can show it.

use std::path::Path;

use quote::quote;

use crate::messages;

#[test]
fn every_half_typed_function_of_the_repairs_is_told_by_its_message() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/ui/repairs");
    let mut told = 0;
    for entry in std::fs::read_dir(&folder).expect("repairs are beside the crate").flatten() {
        let source = std::fs::read_to_string(entry.path()).expect("a repair is text");
        for module in source.split("\nmod ").skip(1) {
            let (name, rest) = module.split_once(" {\n").unwrap_or_default();
            let Some(typed) = rest.trim_start().strip_prefix("//! Typed: ").and_then(|rest| rest.lines().next()) else {
                continue;
            };
            let (_, text, _) = messages::ALL.iter().find(|(known, ..)| *known == name).expect(name);
            let item = typed.parse().expect(typed);
            let expanded = crate::tool::expand(quote!(risk = "read"), &item).to_string();
            // The parts of the message around its holes, in order.
            let mut rest = expanded.as_str();
            for part in text.split(['{', '}']).step_by(2).filter(|part| !part.is_empty()) {
                rest = rest.split_once(part).unwrap_or_else(|| panic!("{name}: `{part}` of `{expanded}`")).1;
            }
            told += 1;
        }
    }
    assert!(told > 0, "the repairs were read");
}
