//! Tools inside functions, blocks, tests and other tools' modules; constants, statics and lifetimes beside them.

#![deny(warnings)]

use std::sync::LazyLock;

use toolgate::{StaticToolset, ToolError, tool, toolset};

static LAZY: LazyLock<StaticToolset> = LazyLock::new(|| toolset![outer, nested::deep::inner,]);
const LENGTH: usize = 2;

/// Looks.
#[tool(risk = "read")]
fn outer(
    /// As many as there are.
    numbers: Vec<[u8; LENGTH]>,
) -> Result<&'static str, ToolError> {
    let _ = numbers;
    Ok("seen")
}

mod nested {
    pub(super) mod deep {
        /// Looks deeper.
        #[toolgate::tool(risk = "read", precondition(tool = super::super::outer, unbound = "any will do"))]
        pub(in super::super) fn inner() -> Result<(), toolgate::ToolError> {
            Ok(())
        }
    }
}

fn local() -> StaticToolset {
    /// Shadows the outer one.
    #[tool(risk = "read", name = "local")]
    fn outer() -> Result<(), ToolError> {
        Ok(())
    }
    let _ = outer();
    toolset![outer]
}

fn main() {
    assert_eq!(LAZY.entries.len(), LENGTH);
    assert_eq!(local().entries[0].spec.name, "local");
    let inside = {
        /// In a block.
        #[tool(risk = "read")]
        fn block() -> Result<(), ToolError> {
            Ok(())
        }
        toolset![block].entries.len()
    };
    assert_eq!(inside, 1);
    let _ = (outer(vec![]), nested::deep::inner());
}
