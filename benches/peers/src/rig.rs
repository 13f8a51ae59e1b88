//! The tools as rig has them, called through its tool set with the arguments' text. Not its agent.

use std::convert::Infallible;
use std::marker::PhantomData;

use rig_agent::tool::{Tool, ToolContext, ToolSet};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use tokio::runtime::Runtime;

use crate::cases::done;
use crate::tools::{Lines, Opened, Restart};

struct Named<T>(PhantomData<fn() -> T>);

/// What a tool is called and what it takes.
trait Arguments: DeserializeOwned + JsonSchema + Send + Sync + 'static {
    const NAME: &'static str;
}

impl Arguments for Lines {
    const NAME: &'static str = "read_lines";
}

impl Arguments for Restart {
    const NAME: &'static str = "look_at_service";
}

impl Arguments for Opened {
    const NAME: &'static str = "check_incident";
}

impl<T: Arguments> Tool for Named<T> {
    const NAME: &'static str = T::NAME;
    type Args = T;
    type Output = String;
    type Error = Infallible;

    fn description(&self) -> String {
        "A tool.".to_owned()
    }

    fn parameters(&self) -> serde_json::Value {
        schemars::schema_for!(T).into()
    }

    async fn call(&self, _: &mut ToolContext, arguments: T) -> Result<String, Infallible> {
        Ok(done(&arguments))
    }
}

pub fn toolset() -> ToolSet {
    let mut tools = ToolSet::default();
    tools.add_tool(Named::<Lines>(PhantomData));
    tools.add_tool(Named::<Restart>(PhantomData));
    tools.add_tool(Named::<Opened>(PhantomData));
    tools
}

pub fn call(tools: &ToolSet, runtime: &Runtime, tool: &str, text: &str, accepted: bool) {
    let mut context = ToolContext::default();
    let result = runtime.block_on(tools.execute(tool, text, &mut context));
    assert_eq!(result.is_success(), accepted, "{result:?}");
}
