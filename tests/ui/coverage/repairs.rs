//! Each message has an example of what it refuses and one of what is right instead, which compiles.

use crate::catalogue::all;
use crate::examples::examples;

#[test]
fn every_message_has_its_repair() {
    let (found, missing) = examples();
    assert_eq!(missing, Vec::<String>::new(), "{} of {} messages have one", found.len(), all().len());
    assert_eq!(found.len(), all().len());
}

#[test]
fn what_is_right_differs_from_what_is_wrong() {
    for example in examples().0 {
        let name = &example.message.name;
        assert_ne!(example.wrong, example.right, "{name}");
        assert!(example.wrong.contains("#[tool") || example.wrong.contains("toolset!"), "{name}: {}", example.wrong);
        assert!(example.right.contains("#[tool") || example.right.contains("toolset!"), "{name}: {}", example.right);
        assert!(!example.right.contains("//!"), "{name}: {}", example.right);
    }
}
