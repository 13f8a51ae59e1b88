//! What is right, message by message: toolsets. The messages are those of the catalogue.

mod entry_expected {
    //! Bad: toolset/no_path

    use toolgate::{ToolError, tool, toolset};

    /// Acts.
    #[tool(risk = "read")]
    fn look() -> Result<(), ToolError> {
        Ok(())
    }

    /// Looks closer.
    #[tool(risk = "read")]
    fn peek() -> Result<(), ToolError> {
        Ok(())
    }

    toolset! { static TOOLS = [look, peek]; }
}

mod entry_attribute {
    //! Bad: toolset/other_attribute

    use toolgate::{ToolError, tool, toolset};

    /// Acts.
    #[tool(risk = "read")]
    fn look() -> Result<(), ToolError> {
        Ok(())
    }

    toolset! { static TOOLS = [#[cfg(all())] look]; }
}

mod toolset_item {
    //! Bad: toolset/no_item

    use toolgate::{ToolError, tool, toolset};

    /// Looks.
    #[tool(risk = "read")]
    fn look() -> Result<(), ToolError> {
        Ok(())
    }

    toolset! { static TOOLS = [look]; }
}

mod no_tool {
    //! Bad: toolset/function_without_attribute

    use toolgate::{ToolError, tool, toolset};

    /// Looks.
    #[tool(risk = "read", precondition(tool = inner::plain))]
    fn look() -> Result<(), ToolError> {
        Ok(())
    }

    mod inner {
        /// Looks from afar.
        #[toolgate::tool(risk = "read")]
        pub(super) fn plain() -> Result<(), toolgate::ToolError> {
            Ok(())
        }
    }

    toolset! { static TOOLS = [look, inner::plain]; }
}

mod tool_twice {
    //! Bad: toolset/listed_twice

    use toolgate::{ToolError, tool, toolset};

    /// Acts.
    #[tool(risk = "read")]
    fn look() -> Result<(), ToolError> {
        Ok(())
    }

    toolset! { static TOOLS = [look]; }
}

mod name_taken {
    //! Bad: toolset/name_twice

    use toolgate::{ToolError, tool, toolset};

    /// Acts.
    #[tool(risk = "read")]
    fn look() -> Result<(), ToolError> {
        Ok(())
    }

    /// Acts.
    #[tool(risk = "read", name = "look_again")]
    fn look_again() -> Result<(), ToolError> {
        Ok(())
    }

    toolset! { static TOOLS = [look, look_again]; }
}

mod need_outside {
    //! Bad: toolset/precondition_misspelt

    use toolgate::{ToolError, tool, toolset};

    /// Acts.
    #[tool(risk = "read")]
    fn look() -> Result<(), ToolError> {
        Ok(())
    }

    /// Acts.
    #[tool(risk = "read", precondition(tool = "look"))]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }

    toolset! { static TOOLS = [look, act]; }
}

mod need_unbound {
    //! Bad: options/precondition_unbound

    use toolgate::{ToolError, tool};

    /// Looks.
    #[tool(risk = "read")]
    fn look(
        /// At what.
        what: String,
    ) -> Result<(), ToolError> {
        drop(what);
        Ok(())
    }

    /// Acts.
    #[tool(risk = "read", precondition(tool = look, when = "prior.what == args.what"))]
    fn act(
        /// What.
        what: String,
    ) -> Result<(), ToolError> {
        let _ = what;
        Ok(())
    }
}

mod fallback_outside {
    //! Bad: toolset/fallback_outside

    use toolgate::{ToolError, tool, toolset};

    /// Acts.
    #[tool(risk = "read", failure_policy(fallback = "peek"))]
    fn look() -> Result<(), ToolError> {
        Ok(())
    }

    /// Looks closer.
    #[tool(risk = "read")]
    fn peek() -> Result<(), ToolError> {
        Ok(())
    }

    toolset! { static TOOLS = [look, peek]; }
}

mod fallback_risk {
    //! Bad: toolset/fallback_risks_more

    use toolgate::{ToolError, tool, toolset};

    /// Acts.
    #[tool(risk = "read", failure_policy(fallback = act))]
    fn look() -> Result<(), ToolError> {
        Ok(())
    }

    /// Acts.
    #[tool(risk = "read")]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }

    toolset! { static TOOLS = [look, act]; }
}

mod fallback_differs {
    //! Bad: toolset/fallback_with_other_parameters

    use toolgate::{ToolError, tool, toolset};

    /// Acts.
    #[tool(risk = "read", failure_policy(fallback = peek))]
    fn look(
        /// It.
        what: u8,
    ) -> Result<(), ToolError> {
        let _ = what;
        Ok(())
    }

    /// Acts.
    #[tool(risk = "read")]
    fn peek(
        /// It.
        what: u8,
    ) -> Result<(), ToolError> {
        let _ = what;
        Ok(())
    }

    toolset! { static TOOLS = [look, peek]; }
}

mod circle {
    //! Bad: toolset/precondition_circle

    use toolgate::{ToolError, tool, toolset};

    /// Acts.
    #[tool(risk = "read", precondition(tool = b))]
    fn a() -> Result<(), ToolError> {
        Ok(())
    }

    /// Acts.
    #[tool(risk = "read", precondition(tool = "c"))]
    fn b() -> Result<(), ToolError> {
        Ok(())
    }

    /// Acts.
    #[tool(risk = "read")]
    fn c() -> Result<(), ToolError> {
        Ok(())
    }

    toolset! { static TOOLS = [a, b, c]; }
}
