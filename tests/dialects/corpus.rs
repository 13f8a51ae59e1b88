//! The seeds of the fuzz targets, replayed; and schemas made at random, as the targets would meet them.

use std::fs;
use std::path::Path;

use super::export;

fn seeds(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target);
    let mut seeds: Vec<(String, Vec<u8>)> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(path).unwrap()))
        .filter(|(name, _)| name.starts_with("seed-"))
        .collect();
    seeds.sort();
    seeds
}

#[test]
fn every_seed_of_schema_export_keeps_the_published_rules() {
    let seeds = seeds("schema_export");
    assert!(seeds.len() >= 15, "{}", seeds.len());
    let mut said = 0;
    for (name, bytes) in &seeds {
        let text = std::str::from_utf8(bytes).unwrap();
        let dialects = export::check(text);
        assert!(dialects > 0, "{name} is no contract in any dialect");
        said += dialects;
    }
    assert!(said > seeds.len() * 4, "{said}");
}

#[test]
fn every_seed_of_provider_messages_is_calls_or_an_error() {
    let seeds = seeds("provider_messages");
    assert!(seeds.len() >= 5, "{}", seeds.len());
    let calls: usize = seeds.iter().map(|(_, bytes)| super::heard::check(bytes)).sum();
    assert!(calls > 5, "{calls}");
}
