//! `confirm = "Restart {service} in {environment}."`: parsed once, filled once. A filled-in value is
//! never looked at again, so a value that holds braces stays a value.

use serde_json::Value;
use toolgate_expr::did_you_mean;

use super::show::fold_value;
use crate::contract::Contract;

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    Argument(String),
}

/// A confirmation text in parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    parts: Vec<Part>,
}

impl Template {
    /// Takes a text apart; `{{` and `}}` stand for braces.
    ///
    /// # Errors
    /// Braces that don't match, an empty text, a name that is no parameter, a sensitive parameter.
    pub fn parse(text: &str, contract: &Contract) -> Result<Self, String> {
        let mut parts = Vec::new();
        let mut plain = String::new();
        let mut letters = text.chars().peekable();
        while let Some(letter) = letters.next() {
            match letter {
                '{' if letters.next_if_eq(&'{').is_some() => plain.push('{'),
                '}' if letters.next_if_eq(&'}').is_some() => plain.push('}'),
                '{' => {
                    let mut name = String::new();
                    loop {
                        match letters.next() {
                            Some('}') => break,
                            Some(letter) if letter != '{' => name.push(letter),
                            _ => {
                                return Err("a `{` without its `}`; write `{{` for a brace".to_owned());
                            }
                        }
                    }
                    let name = name.trim().to_owned();
                    if !contract.names().any(|known| known == name) {
                        let near = did_you_mean(&name, contract.names());
                        return Err(format!("`{{{name}}}` is no parameter{near}"));
                    }
                    if contract.sensitive().contains(&format!("/{name}")) {
                        return Err(format!("`{{{name}}}` is sensitive and can't be shown"));
                    }
                    if !plain.is_empty() {
                        parts.push(Part::Text(std::mem::take(&mut plain)));
                    }
                    parts.push(Part::Argument(name));
                }
                '}' => return Err("a `}` without its `{`; write `}}` for a brace".to_owned()),
                other => plain.push(other),
            }
        }
        if !plain.is_empty() {
            parts.push(Part::Text(plain));
        }
        if parts.is_empty() {
            return Err("a confirmation text with nothing in it".to_owned());
        }
        Ok(Self { parts })
    }

    /// The parameters it names, in their order.
    pub(crate) fn named(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            Part::Text(_) => None,
            Part::Argument(name) => Some(name.as_str()),
        })
    }

    /// The text with the arguments in it, each escaped and quoted, unless it is one plain word, so that no
    /// value reads like a part of the author's text. A long one is folded: it stands whole on its own line.
    pub fn fill(&self, arguments: &Value) -> String {
        self.parts
            .iter()
            .map(|part| match part {
                Part::Text(text) => text.clone(),
                Part::Argument(name) => match arguments.get(name) {
                    Some(Value::String(text)) if is_plain(text) => text.clone(),
                    Some(value) => fold_value(value),
                    None => "(not given)".to_owned(),
                },
            })
            .collect()
    }
}

/// One word that needs no quotes.
fn is_plain(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'/' | b':' | b'@');
    (1..=64).contains(&text.len()) && text.bytes().all(plain)
}
