//! The starting corpora of the fuzz targets, through what the targets assert. Not fuzzing.

#![expect(clippy::unwrap_used, clippy::panic, reason = "in a test, a panic is the message")]

use std::path::PathBuf;

#[path = "../../../fuzz/bodies/contract.rs"]
#[expect(clippy::expect_used, unreachable_pub, reason = "a body of a fuzz target, which is a crate of its own")]
mod contract;
#[path = "../../../fuzz/bodies/json.rs"]
#[expect(clippy::expect_used, unreachable_pub, reason = "a body of a fuzz target, which is a crate of its own")]
mod json;
#[path = "../../../fuzz/bodies/url.rs"]
#[expect(clippy::expect_used, unreachable_pub, reason = "a body of a fuzz target, which is a crate of its own")]
pub(crate) mod url;

#[cfg(target_os = "linux")]
#[path = "../../../fuzz/bodies/path.rs"]
#[expect(clippy::expect_used, unreachable_pub, reason = "a body of a fuzz target, which is a crate of its own")]
mod path;

fn corpus(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus").join(target);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.map(|path| (path.clone(), std::fs::read(path).unwrap())).collect()
}

#[test]
fn json_corpus_replays() {
    let files = corpus("json");
    assert!(files.len() >= 24, "{} files", files.len());
    files.iter().for_each(|(_, bytes)| json::run(bytes));
}

#[test]
fn contract_corpus_replays() {
    let files = corpus("contract");
    assert!(files.len() >= 24, "{} files", files.len());
    files.iter().for_each(|(path, bytes)| {
        let text = std::str::from_utf8(bytes).unwrap_or_else(|_| panic!("{} is no text", path.display()));
        contract::run(text);
    });
}

#[cfg(target_os = "linux")]
#[test]
fn path_corpus_replays() {
    let files = corpus("path");
    assert!(files.len() >= 40, "{} files", files.len());
    files.iter().for_each(|(place, bytes)| {
        let text = std::str::from_utf8(bytes).unwrap_or_else(|_| panic!("{} is no text", place.display()));
        path::run(text);
    });
}

#[test]
fn url_corpus_replays() {
    let files = corpus("url");
    assert!(files.len() >= 60, "{} files", files.len());
    files.iter().for_each(|(_, bytes)| url::run(std::str::from_utf8(bytes).unwrap()));
}
