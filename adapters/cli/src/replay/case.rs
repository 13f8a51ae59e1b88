//! Cases as they are written: `{name, call: {tool_name, arguments}, expected: {ok, code}}`, with more
//! where it is known. An unknown field is a mistake, never ignored.

use std::path::Path;

use serde::Deserialize;
use serde_json::Value;
use toolgate_core::call::{Code, Stage, ToolCall, ToolResult};
use toolgate_core::tool::Effect;

/// One recorded call and what must become of it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Case {
    pub(super) name: String,
    #[serde(default)]
    pub(super) session: Option<String>,
    #[serde(default)]
    pub(super) task: Option<String>,
    call: Call,
    pub(super) expected: Expected,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Call {
    tool_name: String,
    /// An object, or a text: the words of a model, which may be no JSON at all.
    #[serde(default, deserialize_with = "toolgate_core::json::plain_or_none")]
    arguments: Option<Value>,
}

/// What isn't said may be anything.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Expected {
    #[serde(default)]
    ok: Option<bool>,
    /// A code, or the family of a code.
    #[serde(default)]
    code: Option<String>,
    #[serde(default)]
    stage: Option<String>,
    #[serde(default)]
    effect: Option<String>,
    #[serde(default)]
    rule: Option<String>,
}

impl Case {
    pub(super) fn call(&self) -> ToolCall {
        let name = &self.call.tool_name;
        match &self.call.arguments {
            None => ToolCall::without_arguments(name),
            Some(Value::String(text)) => ToolCall::new(name, text.as_str()),
            Some(value) => ToolCall::new(name, value.to_string()),
        }
    }

    /// Words that no answer can have, so that a case can't fail for a typing mistake alone.
    fn check(&self) -> Result<(), String> {
        let Expected { ok, code, stage, effect, rule } = &self.expected;
        if ok.is_none() && code.is_none() && stage.is_none() && effect.is_none() && rule.is_none() {
            return Err("`expected` says nothing; give at least `ok` or `code`".to_owned());
        }
        let known = [
            ("code", code, code.as_deref().is_none_or(|word| Code::parse(word).is_some())),
            ("stage", stage, stage.as_deref().is_none_or(is_stage)),
            ("effect", effect, effect.as_deref().is_none_or(|word| Effect::parse(word).is_some())),
        ];
        match known.iter().find(|(_, _, known)| !known) {
            Some((name, word, _)) => {
                let word = word.as_deref().unwrap_or_default();
                let known: Vec<&str> = match *name {
                    "code" => Code::ALL.iter().map(|code| code.as_str()).collect(),
                    "stage" => STAGES.iter().map(|stage| stage.as_str()).collect(),
                    _ => EFFECTS.iter().map(|effect| effect.as_str()).collect(),
                };
                Err(format!("`expected.{name}` is `{word}`, which isn't one; known are {}", known.join(", ")))
            }
            None => Ok(()),
        }
    }
}

const EFFECTS: [Effect; 4] = [Effect::None, Effect::Done, Effect::Partial, Effect::Unknown];
const STAGES: [Stage; 10] = [
    Stage::Parse,
    Stage::Contract,
    Stage::Policy,
    Stage::Recall,
    Stage::Precondition,
    Stage::Confirmation,
    Stage::Claim,
    Stage::Execute,
    Stage::Clip,
    Stage::Audit,
];

fn is_stage(word: &str) -> bool {
    STAGES.iter().any(|stage| stage.as_str() == word)
}

impl Expected {
    /// What differs: name, expected, got.
    pub(super) fn differences(&self, got: &ToolResult) -> Vec<(&'static str, String, String)> {
        let Self { ok, code, stage, effect, rule } = self;
        let mut found = Vec::new();
        let mut compare = |name, expected: Option<String>, got: String, same: bool| {
            if let Some(expected) = expected.filter(|_| !same) {
                found.push((name, expected, got));
            }
        };
        compare("ok", ok.map(|ok| ok.to_string()), got.ok.to_string(), *ok == Some(got.ok));
        let word = code.as_deref();
        let same = word == Some(got.code.as_str()) || word == Some(got.code.family().as_str());
        compare("code", code.clone(), got.code.as_str().to_owned(), same);
        let word = got.stage.as_str();
        compare("stage", stage.clone(), word.to_owned(), stage.as_deref() == Some(word));
        let word = got.effect.as_str();
        compare("effect", effect.clone(), word.to_owned(), effect.as_deref() == Some(word));
        let word = got.rule().unwrap_or("none");
        compare("rule", rule.clone(), word.to_owned(), rule.as_deref() == Some(word));
        found
    }
}

/// The cases of a file: a JSON array, or one object after another.
pub(super) fn load(path: &Path) -> Result<Vec<Case>, String> {
    let place = path.display();
    let text = std::fs::read_to_string(path).map_err(|error| format!("the cases `{place}` can't be read: {error}"))?;
    let wrong = |error: serde_json::Error| format!("the cases `{place}` are wrong: {error}");
    let cases: Vec<Case> = if text.trim_start().starts_with('[') {
        serde_json::from_str(&text).map_err(wrong)?
    } else {
        serde_json::Deserializer::from_str(&text).into_iter().collect::<Result<_, _>>().map_err(wrong)?
    };
    if cases.is_empty() {
        return Err(format!("the file `{place}` holds no case"));
    }
    for case in &cases {
        case.check().map_err(|error| format!("case `{}` of `{place}`: {error}", case.name))?;
    }
    Ok(cases)
}
