//! Messages as providers send them, the calls in them, and the answers as they go back.

use serde_json::{Map, Value, json};
use toolgate::content::{Content, File, Image, ResourceLink};
use toolgate::dialect::{Dialect, ToolsForModel};
use toolgate::provider::Provider;
use toolgate::{Code, Effect, Stage, ToolCall, ToolResult};

use super::golden::{assert_golden, pretty};
use super::registered;

const PAIRS: [(Provider, Dialect, &str); 5] = [
    (Provider::OpenAiChat, Dialect::OpenAi, "openai-chat"),
    (Provider::OpenAiResponses, Dialect::OpenAi, "openai-responses"),
    (Provider::Anthropic, Dialect::Anthropic, "anthropic"),
    (Provider::Gemini, Dialect::Gemini, "gemini"),
    (Provider::Mcp, Dialect::Mcp, "mcp"),
];

/// A whole response of each provider: two calls at once, after a few words.
fn response(provider: Provider) -> &'static str {
    match provider {
        Provider::OpenAiChat => {
            r#"{"id":"chatcmpl-9","object":"chat.completion","model":"gpt","choices":[{"index":0,"finish_reason":"tool_calls",
            "message":{"role":"assistant","content":"I look first.","refusal":null,"tool_calls":[
            {"id":"call_a","type":"function","function":{"name":"look","arguments":"{\"service\": \"orders\"}"}},
            {"id":"call_b","type":"function","function":{"name":"list_services","arguments":"{}"}}]}}],
            "usage":{"total_tokens":99}}"#
        }
        Provider::OpenAiResponses => {
            r#"{"id":"resp_1","object":"response","status":"completed","output":[
            {"type":"reasoning","id":"rs_1","summary":[]},
            {"type":"message","id":"msg_1","role":"assistant","content":[{"type":"output_text","text":"I look first.","annotations":[]}]},
            {"type":"function_call","id":"fc_1","call_id":"call_a","name":"look","arguments":"{\"service\": \"orders\"}"},
            {"type":"function_call","id":"fc_2","call_id":"call_b","name":"list_services","arguments":"{}"}]}"#
        }
        Provider::Anthropic => {
            r#"{"id":"msg_1","type":"message","role":"assistant","model":"claude","stop_reason":"tool_use","content":[
            {"type":"thinking","thinking":"hm","signature":"s"},
            {"type":"text","text":"I look first."},
            {"type":"tool_use","id":"call_a","name":"look","input":{"service": "orders"}},
            {"type":"tool_use","id":"call_b","name":"list_services","input":{}}],"usage":{"output_tokens":9}}"#
        }
        Provider::Gemini => {
            r#"{"candidates":[{"content":{"role":"model","parts":[
            {"text":"hm","thought":true},
            {"text":"I look first."},
            {"functionCall":{"id":"call_a","name":"look","args":{"service": "orders"}},"thoughtSignature":"c2ln"},
            {"functionCall":{"id":"call_b","name":"list_services","args":{}}}]},"finishReason":"STOP"}]}"#
        }
        _ => {
            r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"look","arguments":{"service": "orders"}}}"#
        }
    }
}

fn tools(dialect: Dialect) -> ToolsForModel {
    ToolsForModel::new(dialect, &registered(super::facts::TOOLS.entries).0)
}

fn calls(provider: Provider, dialect: Dialect, message: &str) -> Vec<ToolCall> {
    provider.calls(&tools(dialect), message).unwrap_or_else(|error| panic!("{error}: {message}"))
}

fn arguments(call: &ToolCall) -> Option<&str> {
    call.arguments.as_deref().map(|bytes| std::str::from_utf8(bytes).unwrap())
}

fn result(ok: bool, data: Option<Value>, content: Vec<Content>) -> ToolResult {
    ToolResult {
        call_id: "call_01".to_owned(),
        ok,
        code: if ok { Code::Ok } else { Code::InvalidArgument },
        stage: if ok { Stage::Clip } else { Stage::Contract },
        message: if ok { "done".to_owned() } else { "arguments: no such argument".to_owned() },
        data,
        content,
        retryable: !ok,
        effect: Effect::None,
        truncated: false,
        duration_ms: 3,
        details: Map::new(),
    }
}

#[test]
fn parallel_calls_are_heard_in_order_with_their_ids_and_what_was_said_before() {
    for (provider, dialect, _) in PAIRS.into_iter().filter(|(provider, ..)| *provider != Provider::Mcp) {
        let calls = calls(provider, dialect, response(provider));
        let heard: Vec<_> = calls
            .iter()
            .map(|call| {
                (call.tool.as_str(), arguments(call), call.provider_call_id.as_deref(), call.reasoning.as_deref())
            })
            .collect();
        let said = Some("I look first.");
        let expected = [
            ("look", Some(r#"{"service": "orders"}"#), Some("call_a"), said),
            ("list_services", Some("{}"), Some("call_b"), said),
        ];
        assert_eq!(heard, expected, "{provider}");
    }
}

#[test]
fn a_request_of_mcp_is_one_call_and_its_id_is_the_connections() {
    let whole = calls(Provider::Mcp, Dialect::Mcp, response(Provider::Mcp)).remove(0);
    let params = calls(Provider::Mcp, Dialect::Mcp, r#"{"name":"look","arguments":{"service": "orders"}}"#).remove(0);
    for call in [whole, params] {
        assert_eq!((call.tool.as_str(), arguments(&call)), ("look", Some(r#"{"service": "orders"}"#)));
        assert_eq!(call.provider_call_id, None);
    }
    let without = calls(
        Provider::Mcp,
        Dialect::Mcp,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_services"}}"#,
    );
    assert_eq!(without[0].arguments, None);
}

#[test]
fn the_models_message_alone_is_read_as_the_whole_response_is() {
    let part = |provider, pointer: &str| {
        let whole: Value = serde_json::from_str(response(provider)).unwrap();
        whole.pointer(pointer).unwrap().to_string()
    };
    for (provider, dialect, pointer) in [
        (Provider::OpenAiChat, Dialect::OpenAi, "/choices/0/message"),
        (Provider::OpenAiResponses, Dialect::OpenAi, "/output"),
        (Provider::Gemini, Dialect::Gemini, "/candidates/0/content"),
        (Provider::Gemini, Dialect::Gemini, "/candidates/0"),
    ] {
        let tools: Vec<String> =
            calls(provider, dialect, &part(provider, pointer)).into_iter().map(|call| call.tool).collect();
        assert_eq!(tools, ["look", "list_services"], "{provider} {pointer}");
    }
    let one = calls(Provider::OpenAiResponses, Dialect::OpenAi, &part(Provider::OpenAiResponses, "/output/2"));
    assert_eq!((one.len(), one[0].tool.as_str()), (1, "look"));
    let bare = r#"{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"look","input":{}}]}"#;
    assert_eq!(calls(Provider::Anthropic, Dialect::Anthropic, bare).len(), 1);
}

#[test]
fn arguments_keep_the_bytes_that_the_model_wrote() {
    let odd = r#"{"service":"a","service":"b","n":1e400,"big":12345678901234567890.10}"#;
    let quoted = Value::from(odd).to_string();
    for (provider, dialect, message) in [
        (
            Provider::OpenAiChat,
            Dialect::OpenAi,
            format!(
                r#"{{"role":"assistant","tool_calls":[{{"id":"a","function":{{"name":"look","arguments":{quoted}}}}}]}}"#
            ),
        ),
        (
            Provider::OpenAiResponses,
            Dialect::OpenAi,
            format!(r#"[{{"type":"function_call","call_id":"a","name":"look","arguments":{quoted}}}]"#),
        ),
        (
            Provider::Anthropic,
            Dialect::Anthropic,
            format!(r#"{{"content":[{{"type":"tool_use","id":"a","name":"look","input":{odd}}}]}}"#),
        ),
        (
            Provider::Gemini,
            Dialect::Gemini,
            format!(r#"{{"parts":[{{"functionCall":{{"name":"look","args":{odd}}}}}]}}"#),
        ),
        (Provider::Mcp, Dialect::Mcp, format!(r#"{{"name":"look","arguments":{odd}}}"#)),
    ] {
        assert_eq!(arguments(&calls(provider, dialect, &message)[0]), Some(odd), "{provider}");
    }
}

#[tokio::test]
async fn a_malformed_call_among_others_is_refused_and_answered_and_the_others_run() {
    let task = super::accepted::task().await.1;
    let cut = r#"{\"service\": \"ord"#;
    let openai = format!(
        r#"{{"role":"assistant","content":"go","tool_calls":[
        {{"id":"a","function":{{"name":"list_services","arguments":"{{}}"}}}},
        {{"id":"b","function":{{"name":"look","arguments":"{cut}"}}}},
        {{"id":"c","function":{{"name":"look"}}}},
        {{"id":"d","function":{{"arguments":"{{}}"}}}},
        {{"id":"e"}},
        17,
        {{"id":"f","function":{{"name":"look","name":"list_services","arguments":"{{}}"}}}},
        {{"id":"g","function":{{"name":"look","arguments":7}}}},
        {{"id":"h","type":"custom","custom":{{"name":"look","input":"free text"}}}}]}}"#
    );
    let tools = task.tools_for_model(Dialect::OpenAi);
    let calls = Provider::OpenAiChat.calls(&tools, &openai).unwrap();
    let expected = [
        Code::Ok,
        Code::MalformedCall,
        Code::InvalidArgument,
        Code::ToolNotFound,
        Code::ToolNotFound,
        Code::MalformedCall,
        Code::MalformedCall,
        Code::MalformedCall,
        Code::MalformedCall,
    ];
    let mut answered = Vec::new();
    for (call, expected) in calls.into_iter().zip(expected) {
        let result = task.call(call.clone()).await;
        assert_eq!(result.code, expected, "{:?} {result:?}", call.provider_call_id);
        answered.push((call, result));
    }
    let results = Provider::OpenAiChat.results(&tools, &answered);
    let ids: Vec<&str> =
        results.as_array().unwrap().iter().map(|each| each["tool_call_id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["a", "b", "c", "d", "e", "", "f", "g", "h"], "each has its answer");
}

#[test]
fn what_the_length_cut_off_does_not_run() {
    let message = r#"{"role":"assistant","stop_reason":"max_tokens","content":[
        {"type":"tool_use","id":"a","name":"list_services","input":{}},
        {"type":"tool_use","id":"b","name":"list_services","input":{}}]}"#;
    let calls = calls(Provider::Anthropic, Dialect::Anthropic, message);
    assert_eq!((arguments(&calls[0]), arguments(&calls[1])), (Some("{}"), Some("")), "the gate refuses an empty text");
}

#[test]
fn a_message_without_calls_has_none() {
    for (provider, dialect, message) in [
        (Provider::OpenAiChat, Dialect::OpenAi, r#"{"role":"assistant","content":"done","tool_calls":null}"#),
        (Provider::OpenAiChat, Dialect::OpenAi, r#"{"role":"assistant","content":[{"type":"text","text":"done"}]}"#),
        (Provider::OpenAiResponses, Dialect::OpenAi, r#"{"object":"response","output":[]}"#),
        (Provider::Anthropic, Dialect::Anthropic, r#"{"role":"assistant","content":"done"}"#),
        (Provider::Anthropic, Dialect::Anthropic, r#"{"role":"assistant","content":[]}"#),
        (Provider::Gemini, Dialect::Gemini, r#"{"candidates":[{"finishReason":"SAFETY"}]}"#),
        (Provider::Gemini, Dialect::Gemini, r#"{"promptFeedback":{"blockReason":"OTHER"}}"#),
    ] {
        assert!(calls(provider, dialect, message).is_empty(), "{provider}: {message}");
    }
}

#[test]
fn a_message_of_another_provider_says_what_was_expected_where() {
    for (provider, dialect, _) in PAIRS {
        for (other, _, _) in PAIRS.into_iter().filter(|(other, ..)| *other != provider) {
            let error = provider.calls(&tools(dialect), response(other)).expect_err("another provider's");
            let text = error.to_string();
            assert!(text.starts_with("no message of ") && text.contains("expected"), "{provider} of {other}: {text}");
            assert!(!text.contains("orders") && !text.contains("I look"), "values are not said back: {text}");
        }
        for text in ["", "{", "[1]", "7", r#"{"error":{"message":"secret"}}"#] {
            let error = provider.calls(&tools(dialect), text).expect_err("no message").to_string();
            assert!(error.contains("expected") && !error.contains("secret"), "{provider}: {error}");
        }
    }
    let said = |message: &str| Provider::OpenAiChat.calls(&tools(Dialect::OpenAi), message).unwrap_err().to_string();
    assert_eq!(
        said(r#"{"choices":[{"message":"x"}]}"#),
        "no message of OpenAI chat completions: expected an object at `choices[0].message`, got an object"
    );
    assert_eq!(
        said(r#"{"role":"assistant","tool_calls":{}}"#),
        "no message of OpenAI chat completions: expected an array at `tool_calls`, got an object"
    );
}

#[test]
fn answers_go_back_in_each_providers_form() {
    let png = [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', 0];
    let blocks = vec![
        Content::from(Image::new("image/png", png).unwrap()),
        File::new("log.txt", "text/plain", "all is well").unwrap().into(),
        File::new("a b.bin", "application/octet-stream", [1, 2, 3]).unwrap().into(),
        ResourceLink::new("https://example.com/runbook", "runbook").unwrap().into(),
    ];
    let data = json!({"service": "orders", "load": 0.5});
    for (provider, dialect, name) in PAIRS {
        let calls = calls(provider, dialect, response(provider));
        let mut results =
            vec![result(true, Some(data.clone()), blocks.clone()), result(false, None, Vec::new())].into_iter();
        let answered: Vec<_> = calls.into_iter().filter_map(|call| Some((call, results.next()?))).collect();
        let told = provider.results(&tools(dialect), &answered);
        assert_golden(&format!("messages/{name}.json"), &pretty(&told.to_string()));
    }
}

#[test]
fn a_mapped_name_goes_back_as_the_model_knows_it() {
    use toolgate::DynamicTool;
    let schema = json!({"type": "object"});
    let tool = DynamicTool::new("9.lives", "", schema).reads().handler(|_, value| async move { Ok(value) }).unwrap();
    let tools = ToolsForModel::new(Dialect::Gemini, [&tool]);
    let name = &tools.tools()[0].name;
    let message = json!({"parts": [{"functionCall": {"name": name, "args": {}}}]}).to_string();
    let call = Provider::Gemini.calls(&tools, &message).unwrap().remove(0);
    assert_eq!(call.tool, "9.lives");
    let told = Provider::Gemini.results(&tools, &[(call, result(true, None, Vec::new()))]);
    assert_eq!(told["parts"][0]["functionResponse"]["name"], name.as_str());
    assert!(told["parts"][0]["functionResponse"].get("id").is_none(), "none was given");
}

#[test]
fn one_of_several_answers_is_not_chosen_for_the_host() {
    let chat = r#"{"choices":[{"message":{"role":"assistant","content":"a"}},{"message":{"role":"assistant","tool_calls":[]}}]}"#;
    let gemini = r#"{"candidates":[{"content":{"parts":[]}},{"content":{"parts":[]}}]}"#;
    for (provider, dialect, message, place) in [
        (Provider::OpenAiChat, Dialect::OpenAi, chat, "choices"),
        (Provider::Gemini, Dialect::Gemini, gemini, "candidates"),
    ] {
        let error = provider.calls(&tools(dialect), message).unwrap_err().to_string();
        let says = format!("expected one answer at `{place}`, got 2; hand over the message of the one that goes on");
        assert!(error.contains(&says), "{error}");
    }
}
