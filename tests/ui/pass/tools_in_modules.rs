//! Tools in modules, imported, re-exported, in functions; visibility is the function's.

pub mod db {
    use toolgate::{ToolError, tool};

    /// Asks.
    #[tool(risk = "read")]
    pub async fn query(
        /// What.
        text: String,
    ) -> Result<String, ToolError> {
        Ok(text)
    }

    pub mod other {
        use toolgate::{ToolError, tool};

        /// Looks again.
        #[tool(risk = "read")]
        pub fn look_again() -> Result<(), ToolError> {
            Ok(())
        }
    }

    /// Deletes.
    #[tool(
        risk = "dangerous",
        once,
        confirm = "Delete {text}?",
        precondition(tool = query, when = "prior.text == args.text"),
        precondition(tool = super::look, unbound = "it takes nothing"),
    )]
    pub(crate) fn delete(
        /// What.
        text: String,
    ) -> Result<(), ToolError> {
        drop(text);
        Ok(())
    }
}

use toolgate::{ToolError, tool, toolset};

pub use db::query;

/// Looks.
#[tool(risk = "read", failure_policy(fallback = db::other::look_again))]
fn look() -> Result<(), ToolError> {
    Ok(())
}

toolset! {
    /// All of them.
    pub static ALL = [look, query, db::delete, self::db::other::look_again];
}

fn main() {
    /// Local.
    #[tool(risk = "read")]
    fn inside(
        /// A local type.
        value: Local,
    ) -> Result<(), ToolError> {
        let _ = value.0;
        Ok(())
    }
    #[toolgate::tool_type]
    struct Local(u8);

    assert_eq!(ALL.entries.len(), 4);
    assert_eq!(toolset![inside, look, db::other::look_again].entries.len(), 3);
    drop(db::delete("x".into()));
}
