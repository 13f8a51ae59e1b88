//! An expansion upsets no lint of the user's.

#![deny(warnings, missing_docs, missing_debug_implementations)]
#![deny(unreachable_pub, unused_qualifications, unused_results, dead_code, single_use_lifetimes)]
#![forbid(unsafe_code)]

//! A crate.

pub mod inner {
    //! Tools.

    use toolgate::{Context, ToolError, tool, tool_type};

    /// A word.
    #[tool_type]
    #[derive(Debug, Clone)]
    pub enum Word {
        /// One.
        One,
        /// Two.
        Two {
            /// Of it.
            count: u8,
        },
    }

    /// Looks.
    ///
    /// # Errors
    /// Never.
    #[tool(risk = "read")]
    pub async fn look(
        ctx: &Context,
        /// What for.
        word: Word,
    ) -> Result<Word, ToolError> {
        let _ = ctx;
        Ok(word)
    }
}

toolgate::toolset! {
    /// All tools.
    pub static TOOLS = [inner::look];
}

fn main() {
    assert_eq!(TOOLS.entries.len(), 1);
}
