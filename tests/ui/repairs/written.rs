//! What is right, message by message: options as they are written, and what every tool must say. The messages are those of the catalogue.

mod unknown_option_near {
    //! Bad: `malformed/unknown_option_near`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "write", idempotent)]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod unknown_option {
    //! Bad: `malformed/unknown_option_far`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read", timeout = 10)]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod option_twice {
    //! Bad: `malformed/option_twice`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read", timeout = 20)]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod option_expected {
    //! Bad: `malformed/literal_for_an_option`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read", timeout = 10)]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod comma_expected {
    //! Bad: `malformed/no_comma`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read", timeout = 10)]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod value_expected {
    //! Bad: `malformed/value_missing`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read", timeout = 10)]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod flag_takes_nothing {
    //! Bad: `malformed/flag_with_value`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "write", idempotent)]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod text_expected {
    //! Bad: `malformed/wrong_literal`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read", title = "Look")]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod text_empty {
    //! Bad: `options/confirm_empty`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "write", once, confirm = "Do it?")]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod count_expected {
    //! Bad: `options/result_limit_no_number`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read", result_limit = 2_000)]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod count_out_of_range {
    //! Bad: `options/result_limit_small`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read", result_limit = 1_000)]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod path_expected {
    //! Bad: `malformed/not_a_path`

    use toolgate::{ToolError, tool};

    fn mask(result: &mut toolgate::serde_json::Value) {
        result.take();
    }

    /// Acts.
    #[tool(risk = "read", redact = mask)]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod texts_expected {
    //! Bad: `options/permissions_no_list`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read", permissions = ["read:service"])]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod list_empty {
    //! Bad: `options/permissions_empty`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read", permissions = ["read:service"])]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod listed_twice {
    //! Bad: `options/permission_twice`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read", permissions = ["a"])]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod duration_expected {
    //! Bad: `options/timeout_unparsable`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read", timeout = "10s")]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod duration_zero {
    //! Bad: `options/timeout_zero`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read", timeout = 10)]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod duration_long {
    //! Bad: `options/timeout_long`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read", timeout = "24h")]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod crate_path {
    //! Bad: `malformed/crate_relative`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read", crate = ::toolgate)]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod not_a_function {
    //! Bad: `malformed/not_a_function`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod risk_missing {
    //! Bad: `options/risk_missing`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read", timeout = 10)]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod risk_unknown {
    //! Bad: `options/risk_unknown`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod tool_undescribed {
    //! Bad: `options/tool_undescribed`

    use toolgate::{ToolError, tool};

    /// Lists all services.
    #[tool(risk = "read")]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod parameter_undescribed {
    //! Bad: `parameters/undescribed`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act(
        /// What to look for.
        what: String,
    ) -> Result<(), ToolError> {
        let _ = what;
        Ok(())
    }
}

mod name_illegal {
    //! Bad: `options/name_illegal`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read", name = "delete-file")]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod permission_illegal {
    //! Bad: `options/permission_illegal`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read", permissions = ["read:service"])]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod repair_unknown_near {
    //! Bad: `options/coerce_unknown`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read", coerce = ["string-number"])]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod output_unknown {
    //! Bad: `options/output_unknown`

    use toolgate::{ToolError, tool};

    /// Reads the mail.
    #[tool(risk = "read", output = "untrusted")]
    fn read_mail() -> Result<String, ToolError> {
        Ok(String::new())
    }
}

mod repair_unknown {
    //! Bad: `options/coerce_unknown_far`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read", coerce = ["string-number"])]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}
