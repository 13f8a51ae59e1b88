//! What is right, message by message: one struct as all arguments, and functions that are half typed. The
//! messages are those of the catalogue.

mod function_unfinished {
    //! Bad: function/no_body

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod function_unreadable {
    //! Typed: fn act<1>() -> Result<(), ToolError> { Ok(()) }

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod function_trailing {
    //! Typed: fn act() -> Result<(), ToolError> { Ok(()) }, 1

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod parameter_unfinished {
    //! Typed: fn act(service:) -> Result<(), ToolError> { Ok(()) }

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act(
        /// The service.
        service: String,
    ) -> Result<(), ToolError> {
        drop(service);
        Ok(())
    }
}

mod return_unfinished {
    //! Typed: fn act() -> { Ok(()) }

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod return_future {
    //! Bad: function/returns_a_future

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    async fn act() -> Result<(), ToolError> {
        std::future::ready(()).await;
        Ok(())
    }
}

mod args_takes_nothing {
    //! Bad: parameters/args_with_parentheses

    use toolgate::{ToolError, tool, tool_type};

    /// What to restart.
    #[tool_type(argument)]
    struct Restart {
        /// The service.
        service: String,
    }

    /// Acts.
    #[tool(risk = "read")]
    fn act(#[args] input: Restart) -> Result<(), ToolError> {
        drop(input.service);
        Ok(())
    }
}

mod args_twice {
    //! Bad: parameters/args_twice

    use toolgate::{ToolError, tool, tool_type};

    /// What to restart, and how.
    #[tool_type(argument)]
    struct Restart {
        /// The service.
        service: String,
        /// How often.
        times: u8,
    }

    /// Acts.
    #[tool(risk = "read")]
    fn act(#[args] input: Restart) -> Result<(), ToolError> {
        drop((input.service, input.times));
        Ok(())
    }
}

mod args_beside {
    //! Bad: parameters/args_beside_another

    use toolgate::{ToolError, tool, tool_type};

    /// What to restart.
    #[tool_type(argument)]
    struct Restart {
        /// The service.
        service: String,
        /// How often.
        times: u8,
    }

    /// Acts.
    #[tool(risk = "read")]
    fn act(#[args] input: Restart) -> Result<(), ToolError> {
        drop((input.service, input.times));
        Ok(())
    }
}

mod args_on_injected {
    //! Bad: parameters/args_on_the_context

    use toolgate::{Context, ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act(ctx: &Context) -> Result<(), ToolError> {
        let _ = ctx;
        Ok(())
    }
}

mod args_with_options {
    //! Bad: parameters/args_with_options

    use toolgate::{ToolError, tool, tool_type};

    /// What to restart.
    #[tool_type(argument)]
    struct Restart {
        /// Opens the door.
        #[arg(sensitive)]
        pin: String,
    }

    /// Acts.
    #[tool(risk = "read")]
    fn act(#[args] input: Restart) -> Result<(), ToolError> {
        drop(input.pin);
        Ok(())
    }
}

mod args_no_struct {
    //! Bad: parameters/args_enum

    use toolgate::{ToolError, tool, tool_type};

    /// How.
    #[tool_type]
    enum Mode {
        Fast,
        Slow,
    }

    /// Acts.
    #[tool(risk = "read")]
    fn act(
        /// How fast.
        mode: Mode,
    ) -> Result<(), ToolError> {
        drop(mode);
        Ok(())
    }
}

mod args_placeholder {
    //! Bad: options/args_placeholder_unknown

    use toolgate::{ToolError, tool, tool_type};

    /// What to restart.
    #[tool_type(argument)]
    struct Restart {
        /// The service.
        service: String,
    }

    /// Acts.
    #[tool(risk = "write", once, confirm = "Restart {service}?")]
    fn act(#[args] input: Restart) -> Result<(), ToolError> {
        drop(input.service);
        Ok(())
    }
}

mod args_placeholder_sensitive {
    //! Bad: options/args_placeholder_sensitive

    use toolgate::{ToolError, tool, tool_type};

    /// What to restart.
    #[tool_type(argument)]
    struct Restart {
        /// The service.
        service: String,
        /// Opens the door.
        #[arg(sensitive)]
        pin: String,
    }

    /// Acts.
    #[tool(risk = "write", once, confirm = "Restart {service}?")]
    fn act(#[args] input: Restart) -> Result<(), ToolError> {
        drop((input.service, input.pin));
        Ok(())
    }
}

mod args_key {
    //! Bad: options/args_key_unknown

    use toolgate::{ToolError, tool, tool_type};

    /// What to restart.
    #[tool_type(argument)]
    struct Restart {
        /// The service.
        service: String,
    }

    /// Acts.
    #[tool(risk = "write", once, key = ["service"])]
    fn act(#[args] input: Restart) -> Result<(), ToolError> {
        drop(input.service);
        Ok(())
    }
}

mod args_key_of_reason {
    //! Bad: options/args_key_of_the_reason

    use toolgate::{ToolError, tool, tool_type};

    /// What to restart.
    #[tool_type(argument)]
    struct Restart {
        /// The service.
        service: String,
        /// Why.
        #[arg(reason)]
        why: String,
    }

    /// Acts.
    #[tool(risk = "write", once, key = ["service"])]
    fn act(#[args] input: Restart) -> Result<(), ToolError> {
        drop((input.service, input.why));
        Ok(())
    }
}

mod args_expression {
    //! Bad: options/args_precondition_argument

    use toolgate::{ToolError, tool, tool_type};

    /// What to restart.
    #[tool_type(argument)]
    struct Restart {
        /// The service.
        service: String,
    }

    /// Acts.
    #[tool(risk = "read", precondition(tool = "look", when = "prior.service == args.service"))]
    fn act(#[args] input: Restart) -> Result<(), ToolError> {
        drop(input.service);
        Ok(())
    }
}

mod args_resource {
    //! Bad: parameters/args_with_a_path_as_text

    use toolgate::{ReadPath, ToolError, tool, tool_type};

    /// What to look at.
    #[tool_type(argument)]
    struct Look {
        /// Which service.
        service: String,
        /// Where its log is.
        log_path: ReadPath,
    }

    /// Acts.
    #[tool(risk = "read")]
    fn act(#[args] input: Look) -> Result<(), ToolError> {
        drop((input.service, input.log_path));
        Ok(())
    }
}
