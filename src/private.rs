//! The only names that an expansion may use. Not for people: nothing here is stable, and a new form of
//! expansion gets a new module, so that macro and facade of different versions say so plainly.

/// The first form of expansion.
pub mod v1 {
    pub use core::any::TypeId;
    pub use core::convert::From;
    pub use core::option::Option;
    pub use core::prelude::v1::test;
    pub use core::primitive::{bool, str, u64, usize};
    pub use core::result::Result;
    pub use core::time::Duration;
    pub use core::{cfg, concat, file, line, stringify};

    pub use toolgate_core::serde_json::{Error, Value};

    pub use toolgate_core::contract::{Repair, Repairs};
    pub use toolgate_core::json::Node;
    pub use toolgate_core::spec::flat::{self, Flat};
    pub use toolgate_core::spec::set::{Link, Member, binds, entries, fits, fits_too, stuck};
    pub use toolgate_core::spec::shape::{Bounds, Choice, Field, Shape};
    pub use toolgate_core::spec::unmarked;
    pub use toolgate_core::spec::{
        BROKEN, Confirm, EMPTY, EffectMarks, FailurePolicy, Head, KeyRule, Need, PLAIN, Precondition, Repeat, Risk,
        StateDef, StaticToolset, Tool, ToolEntry, ToolSpec, Trust, fits_together, name_id,
    };
    pub use toolgate_core::tool::hooks::{Hooks, reconcile, verify};
    pub use toolgate_core::tool::outcome::Outcome;
    pub use toolgate_core::tool::probe::{
        Failure, Param, Part, Probe, ProbeForeign, Returned, State, ToolReturn, failure, state,
    };
    pub use toolgate_core::tool::{Args, Argument, Invocation, Reader, ToolOutput, object_value};
}
