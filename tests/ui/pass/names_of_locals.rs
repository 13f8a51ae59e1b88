//! Parameters with the names of what an expansion holds while it reads, calls and answers.

#![deny(warnings)]

use toolgate::{Context, ToolError, tool, toolset};

struct Pool;

macro_rules! takes {
    ($name:ident: $($parameter:ident)*) => {
        /// Takes them all.
        #[tool(risk = "read")]
        async fn $name(#[state] pool: &Pool, $(#[doc = "One."] $parameter: Option<u8>,)* ctx: &Context) -> Result<usize, ToolError> {
            let _ = (pool, ctx);
            Ok([$($parameter),*].len())
        }
    };
}

takes!(first: self_ result node reader value tool entry output call task spec name schema state body invocation);
takes!(second: arg0 arg1 arg2 args arguments context prepare failure returned param shape error err message data);
takes!(third: __toolgate __args __ctx __result ready future task_ run json serde_json krate f t e k v i n x);

/// Is called like its parameter, and like a module of the standard library.
#[tool(risk = "read")]
fn fmt(
    /// The same name as the tool.
    fmt: String,
    /// Another one.
    std: String,
    /// And another.
    core: String,
    /// And the facade.
    toolgate: String,
) -> Result<String, ToolError> {
    Ok([fmt, std, core, toolgate].concat())
}

fn main() {
    let tools = toolset![first, second, third, fmt];
    let counts: Vec<_> = tools.entries.iter().map(|entry| entry.spec.params.len()).collect();
    assert_eq!(counts, [16, 15, 19, 4]);
    assert_eq!(fmt("a".into(), "b".into(), "c".into(), "d".into()).unwrap(), "abcd");
    let _ = (first, second, third);
}
