//! The rules about preconditions that one tool can break on its own: that the expression can be read and
//! names what is there. That the other tool is in the set is the toolset's to see.

use syn::LitStr;

use super::Arguments;
use crate::errors::Errors;
use crate::messages;
use crate::model::{Loose, Precondition};
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
    let is_loose = |name: &&String| !bound.contains(name) && arguments.reason.as_ref() != Some(name);
    let loose = match raw.unbound {
        Some(_) => Loose::Listed(Vec::new()),
        None if arguments.flat => Loose::AllBut(bound),
        None => Loose::Listed(arguments.names.iter().filter(is_loose).cloned().collect()),
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
    let expression = match toolgate_expr::parse_all(&text, ROOTS) {
        Ok(expression) => expression,
        Err(faults) => {
            for fault in faults {
                let message = match fault.part.is_empty() {
                    true => messages::expression_broken(fault),
                    false => messages::expression_wrong(&fault.part, &fault),
                };
                errors.at(when.span(), message);
            }
            return None;
        }
    };
    let unknown: Vec<String> = fields_of_args(&expression).into_iter().filter(|field| !arguments.has(field)).collect();
    for field in &unknown {
        errors.at(when.span(), messages::expression_argument(field, arguments.listed()));
    }
    if !unknown.is_empty() {
        return None;
    }
    let pairs = expression.bindings("prior", "args");
    Some(pairs.into_iter().filter(|(prior, argument)| prior == argument).map(|(name, _)| name).collect())
}

/// The arguments that an expression names, in order, each once; none where it can't be read.
pub(super) fn argument_names(text: &str) -> Vec<String> {
    toolgate_expr::parse(text, ROOTS).map(|expression| fields_of_args(&expression)).unwrap_or_default()
}

fn fields_of_args(expression: &toolgate_expr::Expr) -> Vec<String> {
    let mut fields = Vec::new();
    for path in expression.fields("args") {
        if let Some(toolgate_expr::Step::Field(field)) = path.first()
            && !fields.contains(field)
        {
            fields.push(field.clone());
        }
    }
    fields
}
