//! From what is written to what holds: every rule that one tool can break on its own. The rules across
//! tools are the toolset's.

mod effects;
pub(crate) mod field;
mod flat;
mod function;
mod hooks;
pub(crate) mod kind;
mod literal;
mod matching;
mod names;
mod precondition;
mod range;
mod repairs;

use std::time::Duration;

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use syn::ext::IdentExt as _;
use syn::{LitStr, Path};

use crate::errors::Errors;
use crate::messages;
use crate::model::{Argument, Slot, Tool};
use crate::signature::Function;
use crate::syntax::{Keyed, RawOptions};

/// How long a caller waits where the tool does not say.
pub(crate) const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);
/// Most characters of a result where the tool does not say.
pub(crate) const DEFAULT_RESULT_LIMIT: u32 = 8_000;

/// The tool, where it can be made out; its mistakes are told in any case.
pub(crate) fn check(options: RawOptions, function: Function, errors: &mut Errors) -> Option<Tool> {
    let ident = function.item.sig.ident.unraw().to_string();
    let name = names::tool(options.name.as_ref(), &ident, errors);
    if function.doc.is_empty() {
        errors.at(function.item.sig.ident.span(), messages::tool_undescribed(&ident));
    }
    function::shape(&function, errors);
    let returns = function::returns(&function, errors);
    let slots = function::slots(&function, errors);
    let arguments = Arguments::of(&slots, &function);
    let preconditions = precondition::check(&options, &name, &arguments, errors);
    let named = if arguments.flat { flat::named(&options) } else { Vec::new() };
    let failure = effects::failure(&options, &name, errors);
    let hooks = hooks::check(&options, &name, errors);
    let marked = hooks::marked(&options, &name, errors);
    let effects = effects::check(&options, &name, &function, &arguments, errors);
    let permissions = permissions(options.permissions.as_ref(), &name, errors);
    let (returns, result_span, error_span) = returns?;
    Some(Tool {
        krate: facade(options.krate.as_ref()),
        permissions,
        name,
        title: said(options.title),
        effects: effects?,
        impact: said(options.impact),
        alternatives: said(options.alternatives),
        preconditions,
        failure,
        timeout: options.timeout.map_or(DEFAULT_TIMEOUT, |found| found.value),
        hooks,
        marked,
        coerce: repairs::check(options.coerce.as_ref(), errors),
        untrusted: untrusted(options.output.as_ref(), errors),
        result_limit: options.result_limit.map_or(DEFAULT_RESULT_LIMIT, |found| found.value),
        redact: options.redact.map(|found| found.value),
        slots,
        named,
        returns,
        result_span,
        error_span,
        function,
    })
}

/// The path of the facade.
pub(crate) fn facade(given: Option<&Keyed<Path>>) -> TokenStream {
    given.map_or_else(|| quote!(::toolgate), |found| found.value.to_token_stream())
}

fn said(text: Option<Keyed<LitStr>>) -> Option<String> {
    text.map(|found| found.value.value())
}

fn permissions(given: Option<&Keyed<Vec<LitStr>>>, name: &str, errors: &mut Errors) -> Vec<String> {
    let Some(given) = given else { return vec![format!("tool:{name}")] };
    for word in &given.value {
        let text = word.value();
        if text.is_empty() || text.len() > 128 || !text.chars().all(|letter| letter.is_ascii_graphic()) {
            errors.at(word.span(), messages::permission_illegal(text));
        }
    }
    given.value.iter().map(LitStr::value).collect()
}

fn untrusted(given: Option<&Keyed<LitStr>>, errors: &mut Errors) -> bool {
    let Some(given) = given else { return false };
    match given.value.value().as_str() {
        "untrusted" => return true,
        "trusted" => {}
        word => errors.at(given.value.span(), messages::output_unknown(word)),
    }
    false
}

/// The arguments of a tool as its options may name them.
pub(crate) struct Arguments {
    names: Vec<String>,
    sensitive: Vec<String>,
    reason: Option<String>,
    /// They are the fields of a struct, which only the compiler knows.
    flat: bool,
}

impl Arguments {
    /// The names also of parameters that are wrong in other ways, so that nothing is told twice.
    fn of(slots: &[Slot], function: &Function) -> Self {
        let checked: Vec<&Argument> = slots
            .iter()
            .filter_map(|slot| match slot {
                Slot::Argument(argument) => Some(&**argument),
                _ => None,
            })
            .collect();
        Self {
            names: function
                .parameters
                .iter()
                .filter(|parameter| parameter.state.is_none() && !function::is_context(parameter))
                .map(crate::signature::Parameter::name)
                .filter(|name| !name.is_empty())
                .collect(),
            sensitive: checked.iter().filter(|found| found.facts.sensitive).map(|found| found.name.clone()).collect(),
            reason: checked.iter().find(|found| found.facts.reason).map(|found| found.name.clone()),
            flat: function.parameters.iter().any(|parameter| parameter.args.is_some()),
        }
    }

    /// Whether it is there, or may be.
    fn has(&self, name: &str) -> bool {
        self.flat || self.names.iter().any(|known| known == name)
    }

    /// The names as a list in a message.
    fn listed(&self) -> String {
        if self.names.is_empty() { "none".to_owned() } else { self.names.join(", ") }
    }

    fn nearest(&self, name: &str) -> Option<&str> {
        toolgate_expr::nearest(name, self.names.iter().map(String::as_str))
    }
}
