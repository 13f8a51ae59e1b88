//! What is right, message by message: repeats, keys and confirmations. The messages are those of the catalogue.

mod repeat_missing {
    //! Bad: `options/repeat_missing`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "write", once)]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod repeat_conflict {
    //! Bad: `options/repeat_conflict`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "write", idempotent)]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod repeat_on_read {
    //! Bad: `options/idempotent_read`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod key_on_repeatable {
    //! Bad: `options/key_on_repeatable`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "write", repeatable = "each is new")]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod key_expected {
    //! Bad: `options/key_kind`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "write", once, key = ["what"])]
    fn act(
        /// What.
        what: String,
    ) -> Result<(), ToolError> {
        let _ = what;
        Ok(())
    }
}

mod key_unknown {
    //! Bad: `options/key_unknown_far`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "write", once, key = ["order_id"])]
    fn act(
        /// What.
        order_id: u64,
    ) -> Result<(), ToolError> {
        let _ = order_id;
        Ok(())
    }
}

mod key_unknown_near {
    //! Bad: `options/key_unknown`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "write", once, key = ["what"])]
    fn act(
        /// What.
        what: String,
    ) -> Result<(), ToolError> {
        let _ = what;
        Ok(())
    }
}

mod key_of_reason {
    //! Bad: `options/key_of_the_reason`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "write", once)]
    fn act(
        /// Why.
        #[arg(reason)]
        what: String,
    ) -> Result<(), ToolError> {
        let _ = what;
        Ok(())
    }
}

mod confirm_missing {
    //! Bad: `options/dangerous_unconfirmed`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "dangerous", once, confirm = "Remove everything?")]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod confirm_conflict {
    //! Bad: `options/confirm_conflict`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "external", once, confirm = "Do it?")]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod confirm_on_read {
    //! Bad: `options/confirm_on_read`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "read")]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod unconfirmed_idle {
    //! Bad: `options/unconfirmed_write`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "write", once)]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod placeholder_unknown_near {
    //! Bad: `options/confirm_unknown_placeholder`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "write", once, confirm = "Do {what}?")]
    fn act(
        /// What.
        what: String,
    ) -> Result<(), ToolError> {
        let _ = what;
        Ok(())
    }
}

mod placeholder_unknown {
    //! Bad: `options/confirm_names_no_argument`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "write", once, confirm = "Do it?")]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod placeholder_sensitive {
    //! Bad: `options/confirm_shows_sensitive`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "write", once, confirm = "Use the secret?")]
    fn act(
        /// A secret.
        #[arg(sensitive)]
        what: String,
    ) -> Result<(), ToolError> {
        let _ = what;
        Ok(())
    }
}

mod brace_unclosed {
    //! Bad: `options/confirm_brace_open`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "write", once, confirm = "Do {what}?")]
    fn act(
        /// What.
        what: String,
    ) -> Result<(), ToolError> {
        let _ = what;
        Ok(())
    }
}

mod brace_unopened {
    //! Bad: `options/confirm_brace_closed`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "write", once, confirm = "Do {what}?")]
    fn act(
        /// What.
        what: String,
    ) -> Result<(), ToolError> {
        let _ = what;
        Ok(())
    }
}

mod brace_no_name {
    //! Bad: `options/confirm_braces_empty`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "write", once, confirm = "Do {what}?")]
    fn act(
        /// What.
        what: String,
    ) -> Result<(), ToolError> {
        let _ = what;
        Ok(())
    }
}

mod verify_idle {
    //! Bad: `options/verify_idle`

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

mod reconcile_idle {
    //! Bad: `options/reconcile_idle`

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

mod settle_alone {
    //! Bad: `options/settle_alone`

    use toolgate::{Context, Reconciled, Recorded, ToolError, tool};

    async fn became(_ctx: &Context, _recorded: &Recorded) -> Result<Reconciled, ToolError> {
        Ok(Reconciled::Unknown)
    }

    /// Acts.
    #[tool(risk = "write", once, reconcile = became, settle = "30s")]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod effects_unknown {
    //! Bad: `options/effects_unknown`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "write", once, effects = "marked")]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}

mod effects_on_read {
    //! Bad: `options/effects_on_read`

    use toolgate::{ToolError, tool};

    /// Acts.
    #[tool(risk = "write", once, effects = "marked")]
    fn act() -> Result<(), ToolError> {
        Ok(())
    }
}
