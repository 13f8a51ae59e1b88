//! Stage 1, bytes to JSON: strict, bounded, in one pass. Not what the tool wants of it.

use super::answer::Answer;
use super::trail::Trail;
use super::{GateInner, Request};
use crate::call::{Code, Stage};
use crate::json::{Node, parse_arguments};

/// Most bytes of arguments that don't parse, kept redacted for the auditor.
const PREVIEW: usize = 2_000;

/// Proof that the arguments are strict JSON and an object.
#[derive(Debug)]
pub(super) struct Parsed<'c> {
    pub(super) arguments: Node<'c>,
}

impl GateInner {
    pub(super) fn parse<'c>(&self, trail: &mut Trail, request: &'c Request) -> Result<Parsed<'c>, Answer> {
        let Some(bytes) = &request.call.arguments else {
            trail.record.repairs.push("absent arguments read as {}".to_owned());
            return Ok(Parsed { arguments: Node::Object(Vec::new()) });
        };
        match parse_arguments(bytes, &self.limits, self.allow_string_arguments) {
            Ok(arguments) => {
                if bytes.trim_ascii() == b"null" {
                    trail.record.repairs.push("null arguments read as {}".to_owned());
                }
                Ok(Parsed { arguments })
            }
            Err(error) => {
                let head = bytes.get(..PREVIEW).unwrap_or(bytes);
                trail.record.arguments = self.redactor.text(&String::from_utf8_lossy(head)).into();
                let code = Code::MalformedCall;
                Err(Answer::refuse(code, Stage::Parse, error.code(), error.for_model()).retryable())
            }
        }
    }
}
