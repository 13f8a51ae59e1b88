//! The JSON around a tool's name, description and schema, as each API has it.

use std::sync::Arc;

use super::{Dialect, ToolForModel, ToolsForModel};
use crate::contract::{ResultContract, Style};
use crate::json::Node;
use crate::spec::{RegisteredTool, Repeat, Risk};

/// What only MCP says of a tool.
#[derive(Debug, Clone)]
pub(super) struct Facts {
    title: Option<&'static str>,
    risk: Risk,
    repeat: Repeat,
    /// Schema of its result as an object.
    output: Option<Node<'static>>,
    pub(super) results: Option<Arc<ResultContract>>,
}

impl Facts {
    pub(super) fn of(tool: &RegisteredTool) -> Self {
        let output = tool.results.as_ref().map(|results| results.as_object().written(&Style::RESULT).schema);
        Self {
            title: tool.spec.title,
            risk: tool.spec.risk,
            repeat: tool.spec.repeat,
            output,
            results: tool.results.clone(),
        }
    }

    /// What a client may assume; all four are said, because each has a default that is wrong for some.
    fn annotations(&self) -> Node<'static> {
        let reads = self.risk == Risk::Read;
        object([
            ("readOnlyHint", Node::Bool(reads)),
            ("destructiveHint", Node::Bool(self.risk == Risk::Dangerous)),
            ("idempotentHint", Node::Bool(matches!(self.repeat, Repeat::Reads | Repeat::Idempotent))),
            ("openWorldHint", Node::Bool(self.risk >= Risk::External)),
        ])
    }
}

fn object<const N: usize>(members: [(&'static str, Node<'static>); N]) -> Node<'static> {
    Node::Object(members.map(|(name, value)| (name.into(), value)).into())
}

fn text(words: &str) -> Node<'static> {
    Node::Text(words.to_owned().into())
}

/// What stands under `tools`.
pub(super) fn tools(tools: &ToolsForModel) -> Node<'static> {
    let each = |form: fn(&ToolForModel) -> Node<'static>| tools.tools().iter().map(form).collect::<Vec<_>>();
    match tools.dialect() {
        Dialect::OpenAi | Dialect::OpenAiStrict => Node::List(each(function)),
        Dialect::Anthropic | Dialect::AnthropicStrict => Node::List(each(anthropic)),
        Dialect::Gemini if tools.tools().is_empty() => Node::List(Vec::new()),
        Dialect::Gemini => Node::List(vec![object([("functionDeclarations", Node::List(each(declaration)))])]),
        Dialect::Mcp => Node::List(each(mcp)),
    }
}

fn function(tool: &ToolForModel) -> Node<'static> {
    let inner = object([
        ("name", text(&tool.name)),
        ("description", text(&tool.description)),
        ("parameters", tool.schema.node.clone()),
        ("strict", Node::Bool(tool.schema.strict)),
    ]);
    object([("type", text("function")), ("function", inner)])
}

/// `strict` is said also where it is false: in this form it is on unless said otherwise.
pub(super) fn flat_function(tool: &ToolForModel) -> Node<'static> {
    object([
        ("type", text("function")),
        ("name", text(&tool.name)),
        ("description", text(&tool.description)),
        ("parameters", tool.schema.node.clone()),
        ("strict", Node::Bool(tool.schema.strict)),
    ])
}

fn anthropic(tool: &ToolForModel) -> Node<'static> {
    let (name, description) = (text(&tool.name), text(&tool.description));
    let members = [("name", name), ("description", description), ("input_schema", tool.schema.node.clone())];
    with(object(members), "strict", tool.schema.strict.then_some(Node::Bool(true)))
}

/// An object without properties is refused as `parameters`; a function without arguments has none.
fn declaration(tool: &ToolForModel) -> Node<'static> {
    let members = [("name", text(&tool.name)), ("description", text(&tool.description))];
    with(object(members), "parameters", tool.takes_arguments.then(|| tool.schema.node.clone()))
}

fn mcp(tool: &ToolForModel) -> Node<'static> {
    let named = with(object([("name", text(&tool.name))]), "title", tool.facts.title.map(text));
    let described = with(named, "description", Some(text(&tool.description)));
    let input = with(described, "inputSchema", Some(tool.schema.node.clone()));
    let output = with(input, "outputSchema", tool.facts.output.clone());
    with(output, "annotations", Some(tool.facts.annotations()))
}

fn with(mut object: Node<'static>, name: &'static str, value: Option<Node<'static>>) -> Node<'static> {
    if let (Node::Object(members), Some(value)) = (&mut object, value) {
        members.push((name.into(), value));
    }
    object
}
