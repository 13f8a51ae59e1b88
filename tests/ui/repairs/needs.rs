//! What is right, message by message: preconditions and failure policies. The messages are those of the catalogue.

mod precondition_tool_missing {
    //! Bad: `options/precondition_without_tool`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read", precondition(tool = "look", when = "result.ok"))]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod precondition_expected {
    //! Bad: `options/precondition_no_list`

    use toolgate::{ToolError, tool};

    /// Looks.
    #[tool(risk = "read")]
    fn look() -> Result<(), ToolError> {
        Ok(())
    }

    /// Acts.
    #[tool(risk = "write", idempotent, precondition(tool = look))]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod precondition_on_itself {
    //! Bad: `options/precondition_on_itself`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read", precondition(tool = "look"))]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod expression_wrong {
    //! Bad: `options/precondition_syntax`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read", precondition(tool = "look", when = "result.status == 'ok'"))]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod expression_broken {
    //! Bad: `options/precondition_cut_off`

    use toolgate::{ToolError, tool};

    /// Looks.
    #[tool(risk = "read")]
    fn look() -> Result<bool, ToolError> {
        Ok(true)
    }

    /// Acts.
    #[tool(risk = "write", idempotent, precondition(tool = look, when = "result == true"))]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod expression_argument {
    //! Bad: `options/precondition_argument`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read", precondition(tool = "look", when = "result.a == args.what"))]
    fn act(
        /// What.
        what: String,
    ) -> Result<(), ToolError> {
        let _ = what;
        Ok(())
    }
}

mod policy_unknown {
    //! Bad: `options/policy_unknown`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read", failure_policy = "abort_and_alert")]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod policy_unknown_once {
    //! Bad: `options/policy_unknown_once`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "write", failure_policy = "abort", once)]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod fallback_alone {
    //! Bad: `options/fallback_alone`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read", failure_policy(fallback = "other"))]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod retry_alone {
    //! Bad: `options/retry_alone`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read", failure_policy = retry(max = 3))]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod retry_unsafe {
    //! Bad: `options/retry_of_once`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "write", idempotent, failure_policy = retry(max = 3))]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod policy_dangerous {
    //! Bad: `options/dangerous_that_goes_on`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "dangerous", once, confirm = "Do it?", failure_policy = "abort_and_alert")]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod fallback_on_itself {
    //! Bad: `options/fallback_on_itself`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read", failure_policy(fallback = "act_elsewhere"))]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod risk_expected {
    //! Bad: `options/risk_without_quotes`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod abort_on_read {
    //! Bad: `options/abort_on_read`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read", failure_policy = "abort_and_alert")]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod equals_expected {
    //! Bad: `malformed/colon_for_equals`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read", title = "Look")]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod text_unquoted {
    //! Bad: `malformed/word_without_quotes`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read", title = "look")]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}
