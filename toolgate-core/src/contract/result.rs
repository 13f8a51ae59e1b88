//! What a tool's results are: the schema that is shown, the check of what a run gave, and the form they
//! take where only an object may stand. Not the arguments' side, which is closed and bounded; a result is
//! as long as it is, and may have members that its schema doesn't name, as JSON Schema has it.

use serde_json::{Value, json};

use super::Contract;
use super::check::Check;
use super::compile::Compiler;
use super::fault::SpecFault;
use super::problem::Problem;
use super::rule::{FieldRule, Rule, RuleId};
use crate::call::ToolResult;
use crate::json::{Limits, Node};
use crate::spec::shape::Shape;

/// What a result that was masked or cut may lack. What is listed for MCP doesn't ask for it.
const LOST: [&str; 9] = [
    "schema.required",
    "schema.range",
    "schema.length",
    "schema.pattern",
    "schema.format",
    "schema.items",
    "schema.unique",
    "schema.contains",
    "schema.multiple_of",
];

/// The name under which a result that is no object stands in one.
pub const WRAPPED: &str = "result";

/// What the results of a tool are, where its type or its declaration says so.
#[derive(Debug, Clone)]
pub struct ResultContract {
    contract: Contract,
    /// The same as an object; none where it is one.
    wrapped: Option<Contract>,
}

impl ResultContract {
    /// Of the type that a function returns; `None` where that can be anything.
    ///
    /// # Errors
    /// A type that can't be said in JSON Schema.
    pub fn of_shape(tool: &str, shape: &Shape) -> Result<Option<Self>, SpecFault> {
        let mut compiler = Compiler::of_results(tool);
        let root = compiler.shape(shape, "")?;
        Self::of(compiler, root)
    }

    /// Of a declared JSON Schema; `None` where it allows anything.
    ///
    /// # Errors
    /// A schema that points elsewhere, is too large, or says what can't be checked.
    pub fn of_schema(tool: &str, schema: &Value) -> Result<Option<Self>, SpecFault> {
        let mut compiler = Compiler::of_results(tool);
        let root = compiler.import_foreign(schema, "")?;
        Self::of(compiler, root)
    }

    fn of(mut compiler: Compiler<'_>, root: RuleId) -> Result<Option<Self>, SpecFault> {
        let tool = compiler.tool;
        let contract = Contract { rules: compiler.rules.clone(), root }.bounded(tool)?;
        if matches!(contract.rule(root), Rule::Any) {
            return Ok(None);
        }
        let wrapped = (!contract.is_object(root)).then(|| {
            let root = compiler.push(Rule::Object(vec![FieldRule::plain(WRAPPED, root)]));
            Contract { rules: compiler.rules, root }
        });
        Ok(Some(Self { contract, wrapped }))
    }

    /// The schema as JSON text.
    pub fn schema_text(&self) -> String {
        self.contract.schema_text()
    }

    /// As [`Self::schema_text`], for a place where only an object may stand, such as MCP's
    /// `structuredContent`: a result that is none stands under `result` in one.
    pub fn object_schema_text(&self) -> String {
        self.as_object().schema_text()
    }

    /// The contract of the form that [`Self::structured`] gives.
    pub(crate) fn as_object(&self) -> &Contract {
        self.wrapped.as_ref().unwrap_or(&self.contract)
    }

    pub(crate) fn contract(&self) -> &Contract {
        &self.contract
    }

    /// What an answer holds, as an object: what was cut and masked may be missing, what is there is of the
    /// declared kind. `None` where it isn't, such as a mask in place of a number, and for a failure.
    pub fn structured(&self, result: &ToolResult) -> Option<Value> {
        let data = result.data.as_ref().filter(|_| result.ok)?;
        if self.check(data).iter().any(|problem| !LOST.contains(&problem.rule)) {
            return None;
        }
        Some(if self.wrapped.is_some() { json!({ WRAPPED: data }) } else { data.clone() })
    }

    /// Where this result isn't what was declared; none means it is, or is too large to say.
    pub fn check(&self, result: &Value) -> Vec<Problem> {
        match Node::from_value_within(result, &Limits::MAX) {
            Ok(node) => Check::run(&self.contract, &node),
            Err(error) if error.code() == "json.int_not_exact" => {
                vec![Problem::new("", error.code(), "expected whole numbers within the exact range of 2^53")]
            }
            Err(_) => Vec::new(),
        }
    }
}

impl Contract {
    /// Whether every value that keeps the rule is an object, and its schema says so at the top.
    fn is_object(&self, id: RuleId) -> bool {
        match self.rule(id) {
            Rule::Object(_) | Rule::Open { .. } | Rule::Map { .. } => true,
            // INVARIANT: `bounds.rs` has refused rules that are only themselves.
            Rule::Named { rule, .. } | Rule::Also { rule, .. } => self.is_object(*rule),
            _ => false,
        }
    }
}
