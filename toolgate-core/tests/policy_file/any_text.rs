//! Any text as a policy file: the seeds of the fuzz target, and texts near them.

use std::path::Path;

use proptest::prelude::*;
use toolgate_core::policy::Policy as _;
use toolgate_core::policy::file::PolicyFile;

#[path = "../../../fuzz/bodies/policy.rs"]
#[expect(unreachable_pub, reason = "a body of a fuzz target, which is a crate of its own")]
mod body;

fn seeds() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus/policy");
    let files = std::fs::read_dir(folder).unwrap();
    files.map(|file| std::fs::read(file.unwrap().path()).unwrap()).collect()
}

#[test]
fn every_seed_keeps_what_is_promised_of_any_text() {
    let seeds = seeds();
    assert!(seeds.len() >= 10);
    for seed in seeds {
        body::run(&seed);
    }
}

proptest! {
    #[test]
    fn a_seed_with_a_part_changed_keeps_it_too(
        seed in prop::sample::select(seeds()),
        at in any::<prop::sample::Index>(),
        cut in 0..12_usize,
        put in "[\\PC\n]{0,6}",
    ) {
        let text = String::from_utf8(seed).unwrap();
        let letters: Vec<char> = text.chars().collect();
        let at = if letters.is_empty() { 0 } else { at.index(letters.len()) };
        let end = (at + cut).min(letters.len());
        let changed: String = letters[..at].iter().copied().chain(put.chars()).chain(letters[end..].iter().copied()).collect();
        body::run(changed.as_bytes());
    }

    #[test]
    fn any_text_keeps_it(text in "\\PC{0,200}") {
        body::run(text.as_bytes());
    }
}

#[test]
fn the_version_is_the_name_and_the_digest_of_the_text() {
    let text = "name = \"fleet\"\n[task.a]\n";
    let file = PolicyFile::parse(text).unwrap();
    // As `sha256sum` says.
    assert_eq!(file.digest(), "09857f6a6aa25a4d7ca0ece4d8a08e27ff55ba3682ccd68f25dcd586caef2191");
    assert_eq!(file.version(), "fleet@09857f6a6aa2");
    assert_ne!(PolicyFile::parse(&format!("{text} ")).unwrap().version(), file.version());
}

#[test]
fn lists_in_files_are_read_beside_the_policy_and_are_part_of_its_version() {
    let folder = std::env::temp_dir().join(format!("toolgate-policy-lists-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("policy.toml");
    std::fs::write(&path, "[lists]\nnames = { file = \"names.txt\" }\n[task.a]\n").unwrap();
    let missing = PolicyFile::load(&path).unwrap_err();
    assert_eq!((missing.problems[0].rule, missing.problems[0].line), ("policy.list_file", 2));
    std::fs::write(folder.join("names.txt"), "# ours\nann\n\n bob \n").unwrap();
    let first = PolicyFile::load(&path).unwrap().version();
    std::fs::write(folder.join("names.txt"), "ann\n").unwrap();
    assert_ne!(PolicyFile::load(&path).unwrap().version(), first);
    // What moves from one file to another is another policy.
    std::fs::write(&path, "[lists]\na = { file = \"a\" }\nb = { file = \"b\" }\n[task.a]\n").unwrap();
    let of = |a: &str, b: &str| {
        std::fs::write(folder.join("a"), a).unwrap();
        std::fs::write(folder.join("b"), b).unwrap();
        PolicyFile::load(&path).unwrap().version()
    };
    assert_ne!(of("x\nb\n", "y"), of("x\n", "b\ny"));
    std::fs::write(&path, "[lists]\nnames = { file = \"names.txt\" }\n[task.a]\n").unwrap();
    for outside in ["/etc/passwd", "../names.txt", ""] {
        let text = format!("[lists]\nnames = {{ file = \"{outside}\" }}\n[task.a]\n");
        let refused = PolicyFile::parse_in(&text, "p", &folder).unwrap_err();
        assert_eq!(refused.problems[0].rule, "policy.list_file", "{outside}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(PolicyFile::load(&path).unwrap_err().problems[0].rule, "policy.unreadable");
}
