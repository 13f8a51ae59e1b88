//! What `toolset!` checks of parameters, once more for tools whose parameters only serde knows, `#[args]` on a
//! type of its: the names are known when a gate is built. Not the checks that the compiler could make.

use super::registered::{CompiledPrecondition, RegisteredTool};
use super::shape::{Field, Role};
use crate::contract::SpecFault;

/// Whether the compiler saw no names of parameters.
fn is_late(tool: &RegisteredTool) -> bool {
    matches!(tool.spec.params, [Field { role: Role::Whole, .. }])
}

/// Parameters that both tools have, and that the precondition leaves loose.
pub(super) fn loose(
    tool: &RegisteredTool,
    other: &RegisteredTool,
    precondition: &CompiledPrecondition,
) -> Vec<SpecFault> {
    if precondition.declared.unbound.is_some() || !(is_late(tool) || is_late(other)) {
        return Vec::new();
    }
    let is_bound = |name: &str| precondition.bindings.iter().any(|(prior, now)| prior == now && now == name);
    let loose = tool.contract.names().filter(|name| {
        !is_bound(name) && tool.contract.reason() != Some(*name) && other.contract.names().any(|known| known == *name)
    });
    let place = format!("precondition on `{}`", other.spec.name);
    loose
        .map(|name| {
            let text = format!(
                "does not bind `{name}`, which both have; add `prior.{name} == args.{name}` to `when`, or say \
                 `unbound = \"why\"`"
            );
            SpecFault::new(tool.spec.name, &place, "toolset.unbound", text)
        })
        .collect()
}

/// A parameter that only one of the two has.
pub(super) fn odd_parameter(tool: &RegisteredTool, other: &RegisteredTool) -> Option<SpecFault> {
    if !(is_late(tool) || is_late(other)) {
        return None;
    }
    let lacks = |left: &RegisteredTool, right: &RegisteredTool| {
        left.contract.names().find(|name| right.contract.names().all(|known| known != *name)).map(ToOwned::to_owned)
    };
    let odd = lacks(tool, other).or_else(|| lacks(other, tool))?;
    let text = format!(
        "falls back on `{}`, but only one of them has a parameter `{odd}`; a fallback takes the same arguments",
        other.spec.name
    );
    Some(SpecFault::new(tool.spec.name, "fallback", "toolset.fallback_parameters", text))
}
