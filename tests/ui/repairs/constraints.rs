//! What is right, message by message: constraints, defaults, reasons and resources. The messages are those of the catalogue.

mod constraint_type {
    //! Bad: `parameters/items_on_text`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act(
        /// What.
        #[arg(max_length = 3)]
        what: String,
    ) -> Result<(), ToolError> {
        let _ = what;
        Ok(())
    }
}

mod constraint_empty {
    //! Bad: `parameters/lengths_swapped`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act(
        /// What.
        #[arg(min_length = 3, max_length = 9)]
        what: String,
    ) -> Result<(), ToolError> {
        let _ = what;
        Ok(())
    }
}

mod range_expected {
    //! Bad: `parameters/range_of_nothing`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act(
        /// What.
        #[arg(range = ..=5)]
        what: u8,
    ) -> Result<(), ToolError> {
        let _ = what;
        Ok(())
    }
}

mod range_exclusive {
    //! Bad: `parameters/range_open_ended`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act(
        /// How much.
        #[arg(range = 0.0..=1.0)]
        share: f64,
    ) -> Result<(), ToolError> {
        let _ = share;
        Ok(())
    }
}

mod range_empty {
    //! Bad: `parameters/range_swapped`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act(
        /// What.
        #[arg(range = 1..=5)]
        what: u8,
    ) -> Result<(), ToolError> {
        let _ = what;
        Ok(())
    }
}

mod range_beyond {
    //! Bad: `parameters/range_beyond_the_type`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act(
        /// What.
        #[arg(range = 0..=200)]
        what: u8,
    ) -> Result<(), ToolError> {
        let _ = what;
        Ok(())
    }
}

mod range_fraction {
    //! Bad: `parameters/range_with_fraction`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act(
        /// What.
        #[arg(range = 1..=3)]
        what: u8,
    ) -> Result<(), ToolError> {
        let _ = what;
        Ok(())
    }
}

mod range_inexact {
    //! Bad: `parameters/range_inexact`

    use toolgate::{ToolError, tool};

    type Count = u64;

    /// Acts.
    #[tool(risk = "read")]
    fn act(
        /// How many.
        #[arg(range = ..=9_007_199_254_740_991)]
        count: Count,
    ) -> Result<(), ToolError> {
        let _ = count;
        Ok(())
    }
}

mod pattern_wrong {
    //! Bad: `parameters/pattern_broken`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act(
        /// What.
        #[arg(pattern = "^(a)$")]
        what: String,
    ) -> Result<(), ToolError> {
        let _ = what;
        Ok(())
    }
}

mod pattern_dialect {
    //! Bad: `parameters/pattern_of_two_meanings`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act(
        /// What.
        #[arg(pattern = "^[0-9]+$")]
        what: String,
    ) -> Result<(), ToolError> {
        let _ = what;
        Ok(())
    }
}

mod one_of_bounded {
    //! Bad: `parameters/one_of_with_pattern`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act(
        /// What.
        #[arg(one_of = ["a", "b"])]
        what: String,
    ) -> Result<(), ToolError> {
        let _ = what;
        Ok(())
    }
}

mod value_type {
    //! Bad: `parameters/default_of_another_kind`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act(
        /// What.
        #[arg(default = 9)]
        what: u8,
    ) -> Result<(), ToolError> {
        let _ = what;
        Ok(())
    }
}

mod value_refused {
    //! Bad: `parameters/default_outside_range`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act(
        /// What.
        #[arg(range = 1..=5, default = 3)]
        what: u8,
    ) -> Result<(), ToolError> {
        let _ = what;
        Ok(())
    }
}

mod value_literal {
    //! Bad: `parameters/default_no_literal`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act(
        /// What.
        #[arg(default = 9)]
        what: u8,
    ) -> Result<(), ToolError> {
        let _ = what;
        Ok(())
    }
}

mod reason_twice {
    //! Bad: `parameters/reason_twice`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act(
        /// What.
        #[arg(reason)]
        a: String,
        /// What.
        b: String,
    ) -> Result<(), ToolError> {
        let _ = (a, b);
        Ok(())
    }
}

mod reason_type {
    //! Bad: `parameters/reason_no_text`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act(
        /// What.
        #[arg(reason)]
        what: String,
    ) -> Result<(), ToolError> {
        let _ = what;
        Ok(())
    }
}

mod reason_sensitive {
    //! Bad: `parameters/reason_sensitive`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act(
        /// What.
        #[arg(reason)]
        what: String,
    ) -> Result<(), ToolError> {
        let _ = what;
        Ok(())
    }
}

mod reason_destination {
    //! Bad: `parameters/reason_destination`

    use toolgate::{ToolError, tool};

    /// Sends.
    #[tool(risk = "external", once, unconfirmed = "to ourselves")]
    fn send(
        /// Why.
        #[arg(reason)]
        why: String,
    ) -> Result<(), ToolError> {
        let _ = why;
        Ok(())
    }
}

mod resource_path {
    //! Bad: `parameters/resource_path`

    use toolgate::{ReadPath, ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act(
        /// What.
        config_path: ReadPath,
    ) -> Result<(), ToolError> {
        let _ = config_path;
        Ok(())
    }
}

mod resource_host {
    //! Bad: `parameters/resource_host`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act(
        /// What.
        #[arg(not_a_resource = "a label, never looked up")]
        host: String,
    ) -> Result<(), ToolError> {
        let _ = host;
        Ok(())
    }
}

mod not_a_resource_idle {
    //! Bad: `parameters/not_a_resource_idle`

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
