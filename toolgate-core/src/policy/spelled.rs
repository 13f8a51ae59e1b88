//! Arguments that conditions read in one spelling, whatever a call wrote: paths as their places, URLs in their canonical
//! form. Not the reading, which is `placed.rs`'s.

use toolgate_expr::Step;

use crate::resource::{Hosts, HttpUrl};
use crate::spec::RegisteredTool;
use crate::spec::shape::{Field, Shape};

/// An argument of this kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spelled {
    /// A path in the workspace.
    Path,
    /// A URL.
    Url,
}

impl Spelled {
    /// Whether the argument at this path is one; those of tools declared at run time are only text.
    pub(super) fn of(tool: &RegisteredTool, path: &[Step]) -> Option<Self> {
        let (first, rest) = path.split_first()?;
        Self::of_shape(&field(tool.spec.params, first)?.shape, rest)
    }

    fn of_shape(shape: &Shape, path: &[Step]) -> Option<Self> {
        match (shape, path) {
            (Shape::Path(_), []) => Some(Self::Path),
            (Shape::Url, []) => Some(Self::Url),
            (Shape::Nullable(inner) | Shape::Noted { inner, .. } | Shape::Bounded { inner, .. }, path) => {
                Self::of_shape(inner, path)
            }
            (Shape::List { items, .. }, [Step::Index(_), rest @ ..]) => Self::of_shape(items, rest),
            // `'x' in args.paths` is about each of them.
            (Shape::List { items, .. }, []) => Self::of_shape(items, &[]),
            (Shape::Object(fields), [first, rest @ ..]) => Self::of_shape(&field(fields, first)?.shape, rest),
            (Shape::Named { shape, .. }, path) => Self::of_shape(&shape(), path),
            _ => None,
        }
    }

    /// As what a condition reads it.
    pub(super) const fn told(self) -> &'static str {
        match self {
            Self::Path => "the place in the workspace that it leads to",
            Self::Url => "a URL in its one spelling",
        }
    }

    /// What is right instead of a text that no such argument ever has, or begins with; `None` where the text is right.
    pub(super) fn right(self, text: &str, is_beginning: bool) -> Option<String> {
        match self {
            Self::Path => right_path(text, is_beginning),
            Self::Url if is_beginning => None,
            Self::Url => match Hosts::spelling(text) {
                Ok(url) if url.as_str() == text => None,
                Ok(url) => Some(format!("; write {:?}", HttpUrl::as_str(&url))),
                Err(_) => Some(String::new()),
            },
        }
    }
}

fn field<'f>(fields: &'f [Field], step: &Step) -> Option<&'f Field> {
    let Step::Field(name) = step else { return None };
    fields.iter().find(|field| field.name == name)
}

fn right_path(text: &str, is_beginning: bool) -> Option<String> {
    let sought = if is_beginning { text.strip_suffix('/').unwrap_or(text) } else { text };
    if sought.starts_with('/') || sought.split('/').any(|part| part == "..") {
        return Some("; a place is told from the root of the workspace, without `..`".to_owned());
    }
    let parts: Vec<&str> = sought.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    let place = parts.join("/");
    if place == sought || (!is_beginning && sought == ".") {
        return None;
    }
    if place.is_empty() {
        return Some(
            if is_beginning { "; leave the test out: all of them begin so" } else { "; write \".\"" }.to_owned(),
        );
    }
    let slash = if is_beginning && text.ends_with('/') { "/" } else { "" };
    Some(format!("; write {:?}", format!("{place}{slash}")))
}
