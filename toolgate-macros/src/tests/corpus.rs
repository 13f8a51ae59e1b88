//! The seeds of the fuzz target `attributes`, without the fuzzer. Not the texts that it finds on the way.

use std::fs;
use std::path::{Path, PathBuf};

fn fuzz(inside: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz").join(inside)
}

#[test]
fn every_seed_is_survived() {
    let seeds: Vec<PathBuf> =
        fs::read_dir(fuzz("corpus/attributes")).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(seeds.len() >= 50, "{} seeds", seeds.len());
    for seed in seeds {
        let text = fs::read_to_string(&seed).unwrap();
        let survived = std::panic::catch_unwind(|| crate::any_text::any_text(&text));
        assert!(survived.is_ok(), "{}", seed.display());
    }
}

/// The modules that a file declares, but tests.
fn modules(text: &str) -> Vec<&str> {
    let names = text.lines().filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';'));
    let mut names: Vec<&str> = names.filter(|name| *name != "tests").collect();
    names.sort_unstable();
    names
}

#[test]
fn the_fuzz_target_has_all_modules_of_the_macros() {
    let target = fs::read_to_string(fuzz("fuzz_targets/attributes.rs")).unwrap();
    assert_eq!(modules(&target), modules(include_str!("../lib.rs")));
}
