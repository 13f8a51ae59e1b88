//! The tools of a task in one dialect: what goes into the request, the names for the way back, and what
//! could not be said.

use std::fmt;

use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

use super::{Dialect, Names, Note, Refused, SchemaForModel, form};
use crate::call::ToolResult;
use crate::json::{Node, in_order, in_order_indented};
use crate::spec::RegisteredTool;

/// One tool as a provider takes it.
#[derive(Debug, Clone)]
pub struct ToolForModel {
    /// The name the model knows it by.
    pub name: String,
    /// Its own name.
    pub tool: String,
    /// What the model reads of it.
    pub description: String,
    /// What its arguments must be.
    pub schema: SchemaForModel,
    pub(super) takes_arguments: bool,
    pub(super) facts: form::Facts,
}

impl ToolForModel {
    /// What its answer holds, as an object that keeps the `outputSchema` it is listed with. A tool that is
    /// listed without one gives an object only where its result is one. `None` for a failure, and where
    /// something has another kind than was declared, such as a mask in place of a number.
    pub fn structured(&self, result: &ToolResult) -> Option<Value> {
        match &self.facts.results {
            Some(results) => results.structured(result),
            None => result.data.clone().filter(|data| result.ok && data.is_object()),
        }
    }
}

/// Tools in one dialect.
///
/// Serialised, it is the text of [`Self::to_text`], whose arguments stand in their order also where
/// `serde_json` sorts the keys of its values.
#[derive(Debug, Clone)]
pub struct ToolsForModel {
    dialect: Dialect,
    tools: Vec<ToolForModel>,
    names: Names,
    refused: Vec<Refused>,
}

impl ToolsForModel {
    /// These tools, in this order, in a dialect. [`Task::tools_for_model`](crate::session::Task::tools_for_model)
    /// gives those of a task.
    pub fn new<'t>(dialect: Dialect, tools: impl IntoIterator<Item = &'t RegisteredTool>) -> Self {
        let all: Vec<&RegisteredTool> = tools.into_iter().collect();
        let names = Names::of(dialect, &all.iter().map(|tool| tool.spec.name).collect::<Vec<_>>());
        let mut this = Self { dialect, tools: Vec::with_capacity(all.len()), names, refused: Vec::new() };
        for tool in all {
            let name = this.names.for_model(tool.spec.name).to_owned();
            match dialect.schema(&tool.contract) {
                Ok(schema) => this.tools.push(of_tool(dialect, name, tool, schema)),
                Err(reasons) => this.refused.push(Refused { tool: tool.spec.name.to_owned(), reasons }),
            }
        }
        this
    }

    /// Which dialect.
    pub const fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The tools that can be said.
    pub fn tools(&self) -> &[ToolForModel] {
        &self.tools
    }

    /// The tool of this own name.
    pub fn of(&self, tool: &str) -> Option<&ToolForModel> {
        self.tools.iter().find(|listed| listed.tool == tool)
    }

    /// The tool that the model knows by a name.
    pub fn named(&self, name: &str) -> Option<&ToolForModel> {
        self.tools.iter().find(|tool| tool.name == name)
    }

    /// The tools that this dialect can't say, and why. The model doesn't hear of them.
    pub fn refused(&self) -> &[Refused] {
        &self.refused
    }

    /// Names for the model and back.
    pub const fn names(&self) -> &Names {
        &self.names
    }

    /// What stands under `tools` in a request. The keys of objects are in the order of `serde_json`'s
    /// values: sorted, unless its feature `preserve_order` is on.
    pub fn to_json(&self) -> Value {
        form::tools(self).to_value()
    }

    /// The same as JSON text, arguments in their order.
    pub fn to_text(&self) -> String {
        in_order(&form::tools(self))
    }

    /// What stands under `tools` in a request of `OpenAI`'s Responses API, which takes functions in
    /// another form than chat completions. In other dialects the same as [`Self::to_json`].
    pub fn for_responses(&self) -> Value {
        self.responses().to_value()
    }

    /// [`Self::for_responses`] as JSON text, arguments in their order.
    pub fn for_responses_text(&self) -> String {
        in_order(&self.responses())
    }

    fn responses(&self) -> Node<'static> {
        match self.dialect {
            Dialect::OpenAi | Dialect::OpenAiStrict => Node::List(self.tools.iter().map(form::flat_function).collect()),
            _ => form::tools(self),
        }
    }
}

/// The text of [`ToolsForModel::to_text`]; with `{:#}` a line for each member.
impl fmt::Display for ToolsForModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tools = form::tools(self);
        f.write_str(&if f.alternate() { in_order_indented(&tools) } else { in_order(&tools) })
    }
}

impl Serialize for ToolsForModel {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RawValue::from_string(self.to_text()).map_err(S::Error::custom)?.serialize(serializer)
    }
}

fn of_tool(dialect: Dialect, name: String, tool: &RegisteredTool, mut schema: SchemaForModel) -> ToolForModel {
    if name != tool.spec.name {
        schema.notes.insert(0, Note::new("", "name", format!("the model knows it as `{name}`")));
    }
    let (description, rest) = split(tool.spec.description(), dialect.description_limit());
    if let Some(rest) = rest {
        schema.describe(&rest);
        let words =
            format!("longer than {} characters; the rest describes the parameters", dialect.description_limit());
        schema.notes.push(Note::new("", "description", words));
    }
    let takes_arguments = tool.contract.names().next().is_some();
    let facts = form::Facts::of(tool);
    ToolForModel { name, tool: tool.spec.name.to_owned(), description, schema, takes_arguments, facts }
}

/// As much of a description as fits, and the rest. The line of facts at its end is among what fits.
fn split(description: String, most: usize) -> (String, Option<String>) {
    const GOES_ON: &str = " [continued in the description of the parameters]";
    if description.chars().nth(most).is_none() {
        return (description, None);
    }
    let (doc, facts) = description.rsplit_once("\n\n").unwrap_or((&description, ""));
    let room = most.checked_sub(facts.chars().count() + GOES_ON.len() + 2).filter(|room| *room > 0);
    let (doc, facts, room) = match room {
        Some(room) => (doc, facts, room),
        None => (description.as_str(), "", most.saturating_sub(GOES_ON.len())),
    };
    let end = doc.char_indices().nth(room).map_or(doc.len(), |(at, _)| at);
    let cut = doc.get(..end).unwrap_or_default();
    // Whole words where there are any.
    let end = cut.rfind(char::is_whitespace).filter(|at| *at > 0).unwrap_or(end);
    let (head, rest) = doc.split_at_checked(end).unwrap_or((doc, ""));
    let join = if facts.is_empty() { "" } else { "\n\n" };
    (format!("{}{GOES_ON}{join}{facts}", head.trim_end()), Some(rest.trim_start().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn a_long_description_is_split_and_nothing_of_it_lost() {
        let words: Vec<String> = (0..400).map(|n| format!("wörd{n} ")).collect();
        let words = words.concat();
        let (head, rest) = split(format!("{words}\n\nOnly reads."), 1_024);
        assert!(head.chars().count() <= 1_024 && head.ends_with("parameters]\n\nOnly reads."), "{head}");
        let whole = format!("{} {}", head.split(" [").next().unwrap_or_default(), rest.unwrap_or_default());
        assert_eq!(whole, words);
        assert_eq!(split("short".to_owned(), 1_024), ("short".to_owned(), None));
        for text in ["x".repeat(1_025), format!("y\n\n{}", "x".repeat(2_000))] {
            let (head, rest) = split(text.clone(), 1_024);
            let (head, rest) =
                (head.replace(" [continued in the description of the parameters]", ""), rest.unwrap_or_default());
            let letters = |text: &str| text.chars().filter(|letter| !letter.is_whitespace()).count();
            assert!(head.chars().count() <= 1_024);
            assert_eq!(letters(&head) + letters(&rest), letters(&text));
        }
    }
}
