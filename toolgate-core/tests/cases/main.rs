//! The case files, one data-driven test each.
//!
//! Not here: rows marked `manual`; they are specifications in words.

mod corpus;
mod json_hazards;
mod schema_suite;
mod support;
mod url_properties;
mod urls;

#[test]
fn cases_json_hazards() {
    support::run("json-hazards.jsonl", json_hazards::check);
}

#[test]
fn cases_urls() {
    support::run("urls.jsonl", urls::check);
}
