//! What is right, message by message: parameters. The messages are those of the catalogue.

mod parameter_self {
    //! Bad: `function/method`

    use toolgate::{ToolError, tool};

    struct Agent;

    /// Acts.
    #[tool(risk = "read")]
    fn act(#[state] agent: &Agent) -> Result<(), ToolError> {
        let _ = agent;
        Ok(())
    }
}

mod parameter_pattern {
    //! Bad: `parameters/pattern`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act(
        /// Both sides.
        pair: [u8; 2],
    ) -> Result<(), ToolError> {
        let [a, b] = pair;
        let _ = (a, b);
        Ok(())
    }
}

mod parameter_borrowed {
    //! Bad: `parameters/borrowed_text`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act(
        /// What.
        what: String,
    ) -> Result<(), ToolError> {
        let _ = what;
        Ok(())
    }
}

mod parameter_borrowed_state {
    //! Bad: `parameters/state_unmarked`

    use toolgate::{ToolError, tool};

    struct Db;

    /// Acts.
    #[tool(risk = "read")]
    fn act(#[state] db: &Db) -> Result<(), ToolError> {
        let _ = db;
        Ok(())
    }
}

mod parameter_lifetime {
    //! Bad: `parameters/borrowed_inside`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act(
        /// What.
        what: Option<String>,
    ) -> Result<(), ToolError> {
        let _ = what;
        Ok(())
    }
}

mod parameter_unnamed_type {
    //! Bad: `parameters/impl_trait`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act(
        /// What.
        what: String,
    ) -> Result<(), ToolError> {
        let _ = what;
        Ok(())
    }
}

mod context_borrowed {
    //! Bad: `parameters/context_by_value`

    use toolgate::{Context, ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act(ctx: &Context) -> Result<(), ToolError> {
        let _ = ctx;
        Ok(())
    }
}

mod context_twice {
    //! Bad: `parameters/context_twice`

    use toolgate::{Context, ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act(ctx: &Context) -> Result<(), ToolError> {
        let _ = ctx;
        Ok(())
    }
}

mod state_borrowed {
    //! Bad: `parameters/state_by_value`

    use toolgate::{ToolError, tool};

    struct Pool;

    /// Acts.
    #[tool(risk = "read")]
    fn act(#[state] pool: &Pool) -> Result<(), ToolError> {
        let _ = pool;
        Ok(())
    }
}

mod state_takes_nothing {
    //! Bad: `parameters/state_with_options`

    use toolgate::{ToolError, tool};

    struct Db;

    /// Acts.
    #[tool(risk = "read")]
    fn act(#[state] db: &Db) -> Result<(), ToolError> {
        let _ = db;
        Ok(())
    }
}

mod arg_on_injected {
    //! Bad: `parameters/context_with_options`

    use toolgate::{Context, ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act(ctx: &Context) -> Result<(), ToolError> {
        let _ = ctx;
        Ok(())
    }
}

mod parameter_cfg {
    //! Bad: `parameters/conditional`

    use toolgate::{ToolError, tool};

    #[cfg(unix)]
    /// Acts.
    #[tool(risk = "read")]
    fn act(
        /// What.
        what: u8,
    ) -> Result<(), ToolError> {
        let _ = what;
        Ok(())
    }
}

mod arg_empty {
    //! Bad: `parameters/options_empty`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act(
        /// What.
        #[arg(max_length = 200)]
        what: String,
    ) -> Result<(), ToolError> {
        let _ = what;
        Ok(())
    }
}

mod parameter_type {
    //! Bad: `parameters/path_of_std`

    use toolgate::{ReadPath, ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act(
        /// What.
        what: ReadPath,
    ) -> Result<(), ToolError> {
        let _ = what;
        Ok(())
    }
}
