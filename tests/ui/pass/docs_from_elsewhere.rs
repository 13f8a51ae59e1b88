//! Docs from a file, put together, and with every sign that a text can hold.

#![deny(warnings)]

use toolgate::{ToolError, tool, tool_type, toolset};

#[doc = include_str!("docs_from_elsewhere.txt")]
#[tool(risk = "read", title = "A \"title\" with {braces} and \\ and 😀")]
fn from_a_file(
    #[doc = concat!("The ", "service", ".")]
    service: String,
    #[doc = include_str!("docs_from_elsewhere.txt")]
    note: String,
) -> Result<(), ToolError> {
    let _ = (service, note);
    Ok(())
}

/// Says "hello", 'hello', `hello` to {name} or {{nobody}}; costs 5 € \n and 100 %.
///
/// - a list, with <tags> & entities
/// - and 日本語, e\u{301}, a tab:	.
#[tool(risk = "write", idempotent, confirm = "Say \"hello\" to {name}? {{}} 100 %")]
fn odd_signs(
    /// "Quoted" {braced} \ back-slashed; `r#"raw"#`.
    name: String,
) -> Result<Greeting, ToolError> {
    Ok(Greeting { text: name })
}

#[doc = include_str!("docs_from_elsewhere.txt")]
#[tool_type(result)]
struct Greeting {
    #[doc = concat!("What {was} \"said\"", ".")]
    text: String,
}

fn main() {
    let entries = toolset![from_a_file, odd_signs].entries;
    let [file, odd] = [entries[0].spec, entries[1].spec];
    assert_eq!(file.doc.trim(), "Reads it as it {stands} in a \"file\".");
    assert_eq!(file.params[0].doc.trim(), "The service.");
    assert_eq!(file.params[1].doc.trim(), file.doc.trim());
    assert_eq!(file.title, Some("A \"title\" with {braces} and \\ and 😀"));
    assert!(odd.doc.starts_with("Says \"hello\", 'hello', `hello` to {name} or {{nobody}}; costs 5 € \\n and 100 %."));
    assert!(odd.doc.contains("日本語") && odd.doc.contains("<tags> & entities"));
    assert_eq!(odd.params[0].doc, "\"Quoted\" {braced} \\ back-slashed; `r#\"raw\"#`.");
    assert_eq!(odd_signs("a".into()).unwrap().text, "a");
    drop(from_a_file("a".into(), "b".into()));
}
