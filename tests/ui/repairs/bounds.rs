//! What is right, message by message: types that are not of the kind. The messages are those of the catalogue.

mod tool {
    //! Bad: `options/precondition_on_no_tool`
    //! What is named where a tool should be is a type or function of another kind.

    use toolgate::{ToolError, tool};

    /// Looks.
    #[tool(risk = "read")]
    fn look() -> Result<(), ToolError> {
        Ok(())
    }

    /// Acts.
    #[tool(risk = "read", precondition(tool = look))]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod serde_argument {
    //! Bad: `types/argument_of_no_kind`
    //! A parameter has a type that can't be read from what a model writes: it is neither marked with
    //! `#[tool_type]` nor derives what serde and schemars need.

    use toolgate::{ToolError, tool, tool_type};

    /// A door.
    #[tool_type]
    struct Handle {
        /// Its number.
        door: u8,
    }

    /// Acts.
    #[tool(risk = "read")]
    fn act(
        /// What.
        what: Handle,
    ) -> Result<(), ToolError> {
        let _ = what;
        Ok(())
    }
}

mod serde_result {
    //! Bad: `types/result_of_no_kind`
    //! A tool returns a type that can't be told to a model.

    use toolgate::{ToolError, tool, tool_type};

    #[tool_type(result)]
    struct Handle {
        door: u8,
    }

    /// Acts.
    #[tool(risk = "read")]
    fn act() -> Result<Handle, ToolError> {
        Ok(Handle { door: 1 })
    }
}

mod serde_part {
    //! Bad: `types/part_of_no_kind`
    //! A field or variant of a `#[tool_type]` has a type that can be neither read nor told.

    use toolgate::tool_type;

    #[tool_type]
    struct Handle {
        /// Its number.
        door: u8,
    }

    #[tool_type]
    struct Pair {
        /// One side.
        left: u8,
        /// The other.
        right: Handle,
    }
}

mod tool_return {
    //! Bad: `function/returns_an_alias_of_no_result`
    //! A return type is called like a `Result` and is none.

    use toolgate::{ToolError, tool};

    type MyResult = Result<u8, ToolError>;

    /// Acts.
    #[tool(risk = "read")]
    fn act() -> MyResult {
        Ok(1)
    }
}

mod tool_failure {
    //! Bad: `types/error_of_no_kind`
    //! The error of a function can't become a `ToolError`.

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod host_state {
    //! Bad: `parameters/state_not_shared`
    //! Host state that can't be lent to several calls at once.

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act(#[state] pool: &std::sync::Mutex<u8>) -> Result<(), ToolError> {
        let _ = pool;
        Ok(())
    }
}

mod cause {
    //! Bad: `types/cause_of_no_kind`
    //! An error that is made into a `ToolError` has no type of its own, such as a text or a box.

    use toolgate::{ToolError, tool};

    fn other() -> Result<(), String> {
        Ok(())
    }

    /// Acts.
    #[tool(risk = "read")]
    fn act() -> Result<(), ToolError> {
        other().map_err(|text| ToolError::new("the other side failed").with_source(text))
    }
}

mod value_beyond {
    //! Bad: `parameters/default_beyond_the_type`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act(
        /// What.
        #[arg(default = 50)]
        what: u8,
    ) -> Result<(), ToolError> {
        let _ = what;
        Ok(())
    }
}

mod verify_fn {
    //! Bad: `types/verify_signature`
    //! A `verify` with another signature, or none that can be called.

    use toolgate::{Context, Recorded, ToolError, tool};

    async fn holds(_ctx: &Context, _recorded: &Recorded) -> Result<bool, ToolError> {
        Ok(true)
    }

    /// Acts.
    #[tool(risk = "write", idempotent, verify = holds)]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod reconcile_fn {
    //! Bad: `types/reconcile_signature`
    //! A `reconcile` with another signature, or none that can be called.

    use toolgate::{Context, Reconciled, Recorded, ToolError, tool};

    async fn became(_ctx: &Context, _recorded: &Recorded) -> Result<Reconciled, ToolError> {
        Ok(Reconciled::Unknown)
    }

    /// Acts.
    #[tool(risk = "write", once, reconcile = became)]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}
