//! The rules about preconditions that one tool can break on its own: that the expression can be read and
//! names what is there. That the other tool is in the set is the toolset's to see.

use syn::LitStr;

use super::Arguments;
use crate::errors::Errors;
use crate::messages;
use crate::model::Precondition;
use crate::syntax::{RawOptions, RawPrecondition, ToolName};

/// What an expression may name.
const ROOTS: &[&str] = &["result", "prior", "args", "task"];

/// The checked preconditions; wrong ones are told and left out.
pub(super) fn check(options: &RawOptions, name: &str, arguments: &Arguments, errors: &mut Errors) -> Vec<Precondition> {
    options.preconditions.iter().filter_map(|raw| one(raw, name, arguments, errors)).collect()
}

fn one(raw: &RawPrecondition, name: &str, arguments: &Arguments, errors: &mut Errors) -> Option<Precondition> {
    if let Some(ToolName::Text(text)) = &raw.tool
        && text.value() == name
    {
        errors.at(text.span(), messages::precondition_on_itself(name));
        return None;
    }
    let bound = match &raw.when {
        Some(when) => expression(when, arguments, errors)?,
        None => Vec::new(),
    };
    let loose = match raw.unbound {
        Some(_) => Vec::new(),
        None => arguments
            .names
            .iter()
            .filter(|name| !bound.contains(name) && arguments.reason.as_ref() != Some(name))
            .cloned()
            .collect(),
    };
    Some(Precondition {
        tool: raw.tool.clone().filter(|_| !raw.faulty)?,
        when: raw.when.as_ref().map(LitStr::value),
        max_age: raw.max_age,
        unbound: raw.unbound.as_ref().map(LitStr::value),
        loose,
    })
}

/// The arguments that the expression binds to those of the earlier call.
fn expression(when: &LitStr, arguments: &Arguments, errors: &mut Errors) -> Option<Vec<String>> {
    let text = when.value();
    let expression = match toolgate_expr::parse(&text, ROOTS) {
        Ok(expression) => expression,
        Err(error) if error.part.is_empty() => {
            errors.at(when.span(), messages::expression_broken(error));
            return None;
        }
        Err(error) => {
            errors.at(when.span(), messages::expression_wrong(&error.part, &error));
            return None;
        }
    };
    for path in expression.fields("args") {
        if let Some(toolgate_expr::Step::Field(field)) = path.first()
            && !arguments.has(field)
        {
            errors.at(when.span(), messages::expression_argument(field, arguments.listed()));
            return None;
        }
    }
    let pairs = expression.bindings("prior", "args");
    Some(pairs.into_iter().filter(|(prior, argument)| prior == argument).map(|(name, _)| name).collect())
}
