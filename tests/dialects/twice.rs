//! Keys that came twice in a message, and messages that are too much. Not keys in arguments, which the gate meets.

use toolgate::dialect::{Dialect, ToolsForModel};
use toolgate::provider::Provider;

use super::registered;

fn tools(dialect: Dialect) -> ToolsForModel {
    ToolsForModel::new(dialect, &registered(super::facts::TOOLS.entries).0)
}

#[test]
fn no_call_is_lost_where_a_key_of_the_message_came_twice() {
    const CALL: &str = r#"[{"id":"a","function":{"name":"look","arguments":"{}"}}]"#;
    const USE: &str = r#"[{"type":"tool_use","id":"a","name":"look","input":{}}]"#;
    const ITEM: &str = r#"[{"type":"function_call","call_id":"a","name":"look","arguments":"{}"}]"#;
    const PART: &str = r#"[{"functionCall":{"name":"look","args":{}}}]"#;
    let messages = [
        (Provider::OpenAiChat, format!(r#"{{"role":"assistant","tool_calls":{CALL},"tool_calls":{CALL}}}"#)),
        (Provider::OpenAiChat, format!(r#"{{"role":"assistant","tool_calls":null,"tool_call\u0073":{CALL}}}"#)),
        (Provider::OpenAiChat, format!(r#"{{"choices":[],"choices":[{{"message":{{"tool_calls":{CALL}}}}}]}}"#)),
        (Provider::OpenAiChat, format!(r#"{{"choices":[{{"message":{{}},"message":{{"tool_calls":{CALL}}}}}]}}"#)),
        (Provider::OpenAiChat, format!(r#"{{"choices":[{{"message":{{"tool_calls":[],"tool_calls":{CALL}}}}}]}}"#)),
        (Provider::OpenAiChat, r#"{"role":"assistant","content":[{"type":"text","text":"a","text":"b"}]}"#.to_owned()),
        (Provider::Anthropic, format!(r#"{{"content":"done","content":{USE}}}"#)),
        (
            Provider::Anthropic,
            r#"{"content":[{"type":"text","text":"a","type":"tool_use","name":"look","input":{}}]}"#.to_owned(),
        ),
        (Provider::Anthropic, r#"{"content":[{"type":"tool_use","name":"look","input":{},"type":"text"}]}"#.to_owned()),
        (Provider::OpenAiResponses, format!(r#"{{"output":[],"output":{ITEM}}}"#)),
        (Provider::OpenAiResponses, r#"[{"type":"message","type":"function_call","name":"look"}]"#.to_owned()),
        (Provider::OpenAiResponses, r#"[{"type":"message","content":[{"text":"a","text":"b"}]}]"#.to_owned()),
        (Provider::Gemini, format!(r#"{{"candidates":[],"candidates":[{{"content":{{"parts":{PART}}}}}]}}"#)),
        (Provider::Gemini, format!(r#"{{"candidates":[{{"content":{{}},"content":{{"parts":{PART}}}}}]}}"#)),
        (Provider::Gemini, format!(r#"{{"candidates":[{{"content":{{"parts":[],"parts":{PART}}}}}]}}"#)),
        (Provider::Gemini, format!(r#"{{"parts":[],"parts":{PART}}}"#)),
        (Provider::Mcp, r#"{"method":"tools/call","params":{"name":"look"},"params":{"name":"look"}}"#.to_owned()),
        (Provider::Mcp, r#"{"method":"tools/call","method":"ping","params":{"name":"look"}}"#.to_owned()),
    ];
    for (provider, message) in messages {
        let error = provider.calls(&tools(Dialect::OpenAi), &message).expect_err(&message).to_string();
        assert!(error.contains("expected each key once") && error.ends_with("got one that came twice"), "{error}");
    }
}

#[test]
fn a_call_whose_own_keys_came_twice_is_heard_so_that_it_has_an_answer() {
    for (provider, message) in [
        (Provider::Anthropic, r#"{"content":[{"type":"tool_use","id":"a","name":"look","name":"x","input":{}}]}"#),
        (Provider::OpenAiResponses, r#"{"type":"function_call","call_id":"a","name":"look","name":"x"}"#),
        (Provider::Gemini, r#"{"parts":[{"functionCall":{"name":"look"},"functionCall":{"name":"x"}}]}"#),
        (Provider::Gemini, r#"{"parts":[{"functionCall":{"name":"look"},"function_call":{"name":"x"}}]}"#),
        (Provider::Mcp, r#"{"name":"look","name":"x"}"#),
    ] {
        let calls = provider.calls(&tools(Dialect::OpenAi), message).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((calls.len(), calls[0].tool.as_str()), (1, ""), "{message}");
    }
}

#[test]
fn what_was_said_before_many_calls_is_not_multiplied_without_bound() {
    let long = "ä".repeat(15_000);
    let many = |call: &str, count: usize| vec![call; count].join(",");
    let openai = |count| {
        let calls = many(r#"{"id":"a","function":{"name":"look","arguments":"{}"}}"#, count);
        (Provider::OpenAiChat, format!(r#"{{"role":"assistant","content":"{long}","tool_calls":[{calls}]}}"#))
    };
    let anthropic = |count| {
        let calls = many(r#"{"type":"tool_use","name":"look","input":{}}"#, count);
        let said = many(r#"{"type":"text","text":"so I look "}"#, 2000);
        (Provider::Anthropic, format!(r#"{{"content":[{said},{calls}]}}"#))
    };
    let responses = |count| {
        let calls = many(r#"{"type":"function_call","name":"look","arguments":"{}"}"#, count);
        let said = format!(r#"{{"type":"message","content":[{{"text":"{long}"}},{{"text":"b"}}]}}"#);
        (Provider::OpenAiResponses, format!("[{said},{calls}]"))
    };
    let gemini = |count| {
        let calls = many(r#"{"functionCall":{"name":"look"}}"#, count);
        (Provider::Gemini, format!(r#"{{"parts":[{{"text":"{long}"}},{calls}]}}"#))
    };
    for (provider, message) in [openai(1000), anthropic(1000), responses(1000), gemini(1000)] {
        let calls = provider.calls(&tools(Dialect::OpenAi), &message).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(calls.len(), 1000);
        let said = calls[999].reasoning.as_deref().unwrap_or_default();
        assert!(said.len() > 8000 && said.len() < 8210 && said.ends_with(" .. (cut)"), "{provider}: {}", said.len());
    }
    for (provider, message) in [openai(1001), anthropic(1001), responses(1001), gemini(1001)] {
        let error = provider.calls(&tools(Dialect::OpenAi), &message).expect_err("too many").to_string();
        assert!(error.ends_with("expected at most 1000 calls, got more"), "{error}");
    }
}

#[test]
fn a_message_that_is_too_long_is_no_message() {
    let message = format!(r#"{{"role":"assistant","content":"{}"}}"#, "a".repeat(16 * 1024 * 1024));
    for provider in Provider::ALL {
        let error = provider.calls(&tools(Dialect::OpenAi), &message).expect_err("too long").to_string();
        assert!(error.ends_with("expected a message of at most 16 MiB, got a longer one"), "{error}");
    }
}
