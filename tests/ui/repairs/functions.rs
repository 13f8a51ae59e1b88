//! What is right, message by message: functions and what they return. The messages are those of the catalogue.

mod function_generic {
    //! Bad: function/generic

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod function_unsafe {
    //! Bad: function/unsafe_function

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod function_extern {
    //! Bad: function/extern_function

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod function_const {
    //! Bad: function/const_function

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod function_variadic {
    //! Bad: function/variadic

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act(
        /// What.
        what: u8,
        /// More of it.
        rest: Vec<u8>,
    ) -> Result<(), ToolError> {
        let _ = (what, rest);
        Ok(())
    }
}

mod return_missing {
    //! Bad: function/returns_nothing

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod return_no_result {
    //! Bad: function/returns_no_result

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act() -> Result<Option<u8>, ToolError> {
        Ok(None)
    }
}

mod return_unnamed {
    //! Bad: function/returns_unnamed

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act() -> Result<u8, ToolError> {
        Ok(1)
    }
}

mod return_error {
    //! Bad: function/returns_unnamed_error

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod return_borrowed {
    //! Bad: function/returns_borrowed

    use toolgate::{Context, ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act(ctx: &Context) -> Result<String, ToolError> {
        Ok(format!("attempt {}", ctx.attempt()))
    }
}
