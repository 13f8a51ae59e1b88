//! The rules about the function itself: what it may be, take and return.

use proc_macro2::Span;
use quote::ToTokens as _;
use syn::ext::IdentExt as _;
use syn::spanned::Spanned;
use syn::{GenericArgument, Path, PathArguments, PathSegment, ReturnType, Safety, Type};

use super::kind;
use super::names::Resource;
use super::{field, names};
use crate::errors::Errors;
use crate::messages;
use crate::model::{Argument, Slot};
use crate::signature::{Function, Parameter};

/// What a tool's function may not be.
pub(super) fn shape(function: &Function, errors: &mut Errors) {
    let signature = &function.item.sig;
    let name = signature.ident.unraw();
    if !signature.generics.params.is_empty() {
        errors.over(&signature.generics.params, messages::function_generic(&name));
    }
    if let Safety::Unsafe(token) = &signature.safety {
        errors.at(token.span, messages::function_unsafe(&name));
    }
    if let Some(abi) = &signature.abi {
        errors.over(abi, messages::function_extern(&name));
    }
    if let Some(token) = &signature.constness {
        errors.at(token.span, messages::function_const(&name));
    }
    if let Some(variadic) = &signature.variadic {
        errors.over(variadic, messages::function_variadic(&name));
    }
}

/// The return type, and where the result's and the error's types stand in it.
pub(super) fn returns(function: &Function, errors: &mut Errors) -> Option<(Type, Span, Span)> {
    let name = function.item.sig.ident.unraw();
    let ty = match &function.item.sig.output {
        ReturnType::Default => {
            errors.at(function.item.sig.ident.span(), messages::return_missing(name));
            return None;
        }
        ReturnType::Type(_, ty) => ty,
    };
    if holds_future(ty) {
        errors.over(ty, messages::return_future(name));
        return None;
    }
    let last = match plain(ty) {
        Type::Path(path) => path.path.segments.last(),
        _ => None,
    };
    // A name of the user's may stand for a `Result`; the runtime says where it doesn't.
    let Some(last) = last.filter(|_| kind::Kind::of(ty) == kind::Kind::Unknown && !kind::is_option(ty)) else {
        errors.over(ty, messages::return_no_result(name));
        return None;
    };
    if let Some(error) = arguments(last).nth(1).filter(|error| is_unnamed(error)) {
        errors.over(error, messages::return_error(name));
        return None;
    }
    if is_unnamed(ty) {
        errors.over(ty, messages::return_unnamed(name));
        return None;
    }
    if holds_lifetime(ty) {
        errors.over(ty, messages::return_borrowed(name));
        return None;
    }
    let mut types = arguments(last).map(Spanned::span);
    let result = types.next().unwrap_or_else(|| ty.span());
    let error = types.next().unwrap_or_else(|| last.ident.span());
    Some(((**ty).clone(), result, error))
}

/// The types between the angle brackets.
fn arguments(segment: &PathSegment) -> impl Iterator<Item = &Type> {
    let arguments = match &segment.arguments {
        PathArguments::AngleBracketed(arguments) => Some(&arguments.args),
        _ => None,
    };
    arguments.into_iter().flatten().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

fn plain(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => plain(&group.elem),
        Type::Paren(paren) => plain(&paren.elem),
        other => other,
    }
}

fn last_ident_is(path: &Path, name: &str) -> bool {
    path.segments.last().is_some_and(|segment| segment.ident == name)
}

fn names_context(ty: &Type) -> bool {
    matches!(plain(ty), Type::Path(path) if last_ident_is(&path.path, "Context"))
}

/// Whether the parameter is the context, rightly or wrongly taken.
pub(super) fn is_context(parameter: &Parameter) -> bool {
    parameter.state.is_none()
        && parameter.ty.as_ref().is_some_and(|ty| match plain(ty) {
            Type::Reference(reference) => names_context(&reference.elem),
            other => names_context(other),
        })
}

/// What the function takes, in order; wrong parameters are told and left out.
pub(super) fn slots(function: &Function, errors: &mut Errors) -> Vec<Slot> {
    let mut slots = Vec::new();
    let mut reasons = 0;
    for parameter in &function.parameters {
        let Some(slot) = slot(parameter, errors) else { continue };
        match &slot {
            Slot::Context if slots.iter().any(|slot| matches!(slot, Slot::Context)) => {
                errors.at(parameter.span, messages::context_twice());
            }
            Slot::Argument(argument) if argument.facts.reason => {
                reasons += 1;
                if let Some(key) = parameter.options.reason.as_ref().filter(|_| reasons == 2) {
                    errors.at(key.key.span(), messages::reason_twice());
                }
            }
            _ => {}
        }
        slots.push(slot);
    }
    alone(function, errors);
    slots
}

/// The struct under `#[args]` holds all arguments.
fn alone(function: &Function, errors: &mut Errors) {
    let mut flat = function.parameters.iter().filter(|parameter| parameter.args.is_some());
    let Some(first) = flat.next() else { return };
    for again in flat.filter_map(|parameter| parameter.args) {
        errors.at(again, messages::args_twice());
    }
    let plain = |parameter: &&Parameter| {
        parameter.args.is_none() && parameter.state.is_none() && parameter.ident.is_some() && !is_context(parameter)
    };
    for parameter in function.parameters.iter().filter(plain) {
        errors.at(parameter.span, messages::args_beside(parameter.name(), first.name()));
    }
}

fn slot(parameter: &Parameter, errors: &mut Errors) -> Option<Slot> {
    let Some(ty) = &parameter.ty else {
        errors.at(parameter.span, messages::parameter_self());
        return None;
    };
    let Some(ident) = &parameter.ident else {
        errors.at(parameter.span, messages::parameter_pattern());
        return None;
    };
    let name = ident.unraw().to_string();
    if let Some(cfg) = parameter.cfg {
        errors.at(cfg, messages::parameter_cfg(&name));
    }
    let injected = parameter.state.is_some() || is_context(parameter);
    if injected && parameter.has_options {
        errors.at(ident.span(), messages::arg_on_injected(&name));
    }
    if let Some(args) = parameter.args {
        if injected {
            errors.at(args, messages::args_on_injected(&name));
        } else if parameter.has_options {
            errors.at(ident.span(), messages::args_with_options(&name));
        }
    }
    match (plain(ty), parameter.state) {
        (Type::Reference(reference), Some(_)) if reference.mutability.is_none() => {
            Some(Slot::State(reference.elem.clone()))
        }
        (_, Some(_)) => {
            errors.over(ty, messages::state_borrowed(&name));
            None
        }
        (Type::Reference(reference), None) if is_context(parameter) && reference.mutability.is_none() => {
            Some(Slot::Context)
        }
        (_, None) if is_context(parameter) => {
            errors.over(ty, messages::context_borrowed(&name));
            None
        }
        (_, None) if parameter.args.is_some() => {
            handed_over(&name, ty, errors).then(|| Slot::Arguments(Box::new(ty.clone())))
        }
        (_, None) => argument(parameter, &name, ty, errors).map(|argument| Slot::Argument(Box::new(argument))),
    }
}

fn argument(parameter: &Parameter, name: &str, ty: &Type, errors: &mut Errors) -> Option<Argument> {
    let at = parameter.ident.as_ref().map_or(parameter.span, proc_macro2::Ident::span);
    // What is meant as host state needs no description.
    let state = matches!(plain(ty), Type::Reference(reference) if may_be_state(&reference.elem));
    if parameter.doc.is_empty() && !state {
        errors.at(at, messages::parameter_undescribed(name));
    }
    resource(parameter, name, ty, errors);
    let facts = field::check(parameter.doc.clone(), &parameter.options, name, ty, errors);
    handed_over(name, ty, errors).then(|| Argument { name: name.to_owned(), ty: ty.clone(), facts })
}

/// Whether a value of the type can be made from a model's words and given away.
fn handed_over(name: &str, ty: &Type, errors: &mut Errors) -> bool {
    match plain(ty) {
        Type::Reference(reference) => {
            let owned = owned(&reference.elem);
            let message = if may_be_state(&reference.elem) {
                messages::parameter_borrowed_state(name, owned)
            } else {
                messages::parameter_borrowed(name, owned)
            };
            errors.over(ty, message);
            false
        }
        Type::Ptr(_) | Type::Never(_) | Type::Slice(_) | Type::FnPtr(_) => {
            errors.over(ty, messages::parameter_unnamed_type(name));
            false
        }
        _ if is_unnamed(ty) => {
            errors.over(ty, messages::parameter_unnamed_type(name));
            false
        }
        _ if holds_lifetime(ty) => {
            errors.over(ty, messages::parameter_lifetime(name));
            false
        }
        _ => field::fillable(name, ty, errors),
    }
}

/// Whether what is borrowed is a type of the user's, as host state is.
fn may_be_state(ty: &Type) -> bool {
    let Type::Path(path) = plain(ty) else { return false };
    let lent = ["str", "Path", "PathBuf", "OsStr", "OsString"].iter().any(|name| last_ident_is(&path.path, name));
    !lent && kind::Kind::of(ty) == kind::Kind::Unknown
}

/// The owned form of a borrowed type, as it is written.
fn owned(ty: &Type) -> String {
    match ty {
        Type::Path(path) if path.path.is_ident("str") => "String".to_owned(),
        Type::Path(path) if last_ident_is(&path.path, "Path") || last_ident_is(&path.path, "PathBuf") => {
            "ReadPath".to_owned()
        }
        Type::Path(path) if last_ident_is(&path.path, "OsStr") || last_ident_is(&path.path, "OsString") => {
            "String".to_owned()
        }
        Type::Slice(slice) => format!("Vec<{}>", owned(&slice.elem)),
        Type::Reference(reference) => owned(&reference.elem),
        other => other.to_token_stream().to_string().replace(" :: ", "::").replace(" < ", "<").replace(" >", ">"),
    }
}

/// Whether a lifetime other than `'static`, or a reference without it, stands anywhere in the type.
fn holds_lifetime(ty: &Type) -> bool {
    let mut tokens = Vec::new();
    flatten(ty.to_token_stream(), &mut tokens);
    let mut tokens = tokens.iter().map(String::as_str).peekable();
    while let Some(token) = tokens.next() {
        match token {
            "&" if tokens.peek() != Some(&"'") => return true,
            "'" if tokens.next() != Some("static") => return true,
            _ => {}
        }
    }
    false
}

/// Whether `impl`, `dyn` or `_` stands anywhere in the type; `'_` is a lifetime.
fn is_unnamed(ty: &Type) -> bool {
    let mut tokens = Vec::new();
    flatten(ty.to_token_stream(), &mut tokens);
    let mut before = "";
    tokens.iter().any(|token| {
        let lifetime = std::mem::replace(&mut before, token) == "'";
        token == "impl" || token == "dyn" || (token == "_" && !lifetime)
    })
}

/// Whether the type is a future: `impl Future<..>`, `Pin<Box<dyn Future<..>>>` and the like.
fn holds_future(ty: &Type) -> bool {
    let mut tokens = Vec::new();
    flatten(ty.to_token_stream(), &mut tokens);
    tokens.iter().any(|token| token == "Future" || token == "BoxFuture" || token == "LocalBoxFuture")
}

fn flatten(tokens: proc_macro2::TokenStream, found: &mut Vec<String>) {
    for token in tokens {
        match token {
            proc_macro2::TokenTree::Group(group) => flatten(group.stream(), found),
            other => found.push(other.to_string()),
        }
    }
}

/// Free text whose name says that it is a resource.
fn resource(parameter: &Parameter, name: &str, ty: &Type, errors: &mut Errors) {
    let at = parameter.ident.as_ref().map_or(parameter.span, proc_macro2::Ident::span);
    let denied = parameter.options.not_a_resource.as_ref();
    let found = names::resource(name).filter(|_| kind::holds_text(ty) && parameter.options.one_of.is_none());
    match (found, denied) {
        _ if denied.is_none() && parameter.options.denies_resource => {}
        (Some(Resource::File(word)), None) => errors.at(at, messages::resource_path(name, word)),
        (Some(Resource::Host(word)), None) => errors.at(at, messages::resource_host(name, word)),
        (None, Some(denied)) => errors.at(denied.key.span(), messages::not_a_resource_idle(name)),
        _ => {}
    }
}
