//! The macros in a crate that knows toolgate as `gate`: what they write names the facade by the path that
//! `crate` gives, and nothing else. Not a crate to depend on.

use gate::{Context, ToolError, tool, tool_type, toolset};

/// Where something stands.
#[tool_type(crate = ::gate)]
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// The shelf, by its letter.
    #[arg(max_length = 20)]
    pub shelf: String,
    /// The row on it, from the floor up.
    pub row: Option<u8>,
}

/// Finds a book.
///
/// # Errors
/// Never.
#[tool(risk = "read", crate = ::gate)]
pub fn find_book(
    _ctx: &Context,
    /// Title of the book.
    title: String,
) -> Result<Place, ToolError> {
    Ok(Place { shelf: title, row: None })
}

/// Moves a book.
///
/// # Errors
/// Never.
#[tool(risk = "write", idempotent, precondition(tool = find_book, unbound = "any book may be moved"), crate = ::gate)]
pub fn move_book(
    /// Where to.
    to: Place,
) -> Result<(), ToolError> {
    drop(to);
    Ok(())
}

toolset! {
    crate = ::gate;
    /// All tools of the library.
    pub static LIBRARY = [find_book, move_book];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_renamed_facade_serves_the_macros() {
        let names: Vec<_> = LIBRARY.entries.iter().map(|entry| entry.spec.name).collect();
        assert_eq!(names, ["find_book", "move_book"]);
        let listed = toolset![crate = ::gate; find_book];
        assert_eq!(listed.entries.len(), 1);
        gate::assert_reviewed!(LIBRARY);
    }

    /// This crate has no async runtime among its dependencies: the gate brings its own.
    #[test]
    fn a_host_without_a_runtime_of_its_own_calls_tools() -> Result<(), Box<dyn std::error::Error>> {
        let store = std::sync::Arc::new(gate::MemoryStore::new()?);
        let gate = gate::Gate::builder(store).tools(toolset![crate = ::gate; find_book]).build_blocking()?;
        let may = gate::Capabilities::none().allow_tools(["find_book"]).allow_risks([gate::Risk::Read]);
        let options = gate::SessionOptions::new("librarian").capabilities(may.permissions(["tool:find_book"]));
        let task = gate.session(options)?.task("search", "1");
        let found = task.call_blocking(gate::ToolCall::new("find_book", r#"{"title": "Dune"}"#))?;
        assert_eq!(found.code, gate::Code::Ok);
        Ok(())
    }
}
