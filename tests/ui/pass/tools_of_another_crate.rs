//! Tools, types and toolsets of a library that knows toolgate under another name; re-exported, and beside
//! one's own that need them.

use toolgate::{ToolError, tool, toolset};
use toolgate_renamed_test::find_book;

mod prelude {
    pub use toolgate_renamed_test::{LIBRARY, Place, move_book};
}

use prelude::{Place, move_book as shelve};

/// Lends a book.
#[tool(
    risk = "write",
    once,
    precondition(tool = find_book, when = "prior.title == args.title"),
    precondition(tool = toolgate_renamed_test::move_book, unbound = "any move will do"),
)]
fn lend(
    /// Title of the book.
    title: String,
    /// Where it stands.
    from: Place,
    /// Where it stood.
    before: Option<Place>,
) -> Result<Place, ToolError> {
    let _ = (title, before);
    Ok(from)
}

toolset! { static TOOLS = [find_book, shelve, lend]; }

fn main() {
    let names: Vec<_> = TOOLS.entries.iter().map(|entry| entry.spec.name).collect();
    assert_eq!(names, ["find_book", "move_book", "lend"]);
    assert_eq!(prelude::LIBRARY.entries.len(), 2);
    assert_eq!(toolset![toolgate_renamed_test::find_book, prelude::move_book].entries.len(), 2);
}
