//! Stage 9: the result on its way to the model.

use serde_json::json;
use toolgate_core::call::{Code, Stage};
use toolgate_core::redact::Redactor;
use toolgate_core::spec::{DynamicTool, Repeat};

use crate::support::{Bench, Runs, body, texts};

#[tokio::test]
async fn cut_result_keeps_its_shape_and_says_so() {
    let tool = DynamicTool::new("list", "Lists.", texts([])).reads().result_limit(200);
    let tool = body(tool, &Runs::default(), |_, _| Ok(json!({"items": (0..100).collect::<Vec<u8>>(), "next": null})));
    let bench = Bench::new(vec![tool]).await;
    let result = bench.call("list", "{}").await;
    assert_eq!((result.code, result.stage, result.truncated), (Code::Ok, Stage::Clip, true));
    let data = result.data.as_ref().unwrap();
    assert!(data["items"].is_array() && data.to_string().chars().count() <= 200, "{data}");
    assert!(result.details["total_chars"].as_u64().unwrap() > 200);
    assert_eq!(result.details["handle"], result.call_id.as_str());
    let record = bench.record(&result).await;
    assert_eq!((record.truncated, record.result_chars), (true, result.details["total_chars"].as_u64()));
}

#[tokio::test]
async fn reading_on_from_where_a_result_was_cut_loses_nothing() {
    let value = json!({"items": (0..500).map(|n| format!("\"item\" {n}")).collect::<Vec<_>>(), "next": null});
    let whole = value.to_string();
    let tool = DynamicTool::new("list", "Lists.", texts([])).writes(Repeat::Once).result_limit(700);
    let bench = Bench::new(vec![body(tool, &Runs::default(), move |_, _| Ok(value.clone()))]).await;
    let first = bench.call("list", "{}").await;
    let again = bench.call("list", "{}").await;
    assert_eq!(again.code, Code::IdempotentReplay);
    for result in [first, again] {
        let given = result.data.as_ref().unwrap().to_string();
        let from = result.details["next_offset"].as_u64().unwrap();
        let said = format!("cut to {} of {} characters", given.chars().count(), whole.chars().count());
        assert!(result.message.contains(&said) && result.message.contains(&format!("offset {from}")), "{result:?}");
        let handle = result.details["handle"].as_str().unwrap();
        let rest = bench.call("read_result", &format!(r#"{{"handle":"{handle}","offset":{from}}}"#)).await;
        let rest = rest.data.unwrap()["text"].as_str().unwrap().to_owned();
        let front: String = given.chars().take(usize::try_from(from).unwrap()).collect();
        assert!(from > 500 && whole.starts_with(&(front + &rest)), "{given}");
    }
}

#[tokio::test]
async fn pages_of_the_worst_text_are_whole() {
    let text = "\"\\\u{1}ü".repeat(5_000);
    let whole = text.clone();
    let tool = body(DynamicTool::new("text", "Texts.", texts([])).reads(), &Runs::default(), move |_, _| {
        Ok(text.clone().into())
    });
    let bench = Bench::new(vec![tool]).await;
    let result = bench.call("text", "{}").await;
    let handle = result.details["handle"].as_str().unwrap();
    let (mut read, mut offset) = (String::new(), Some(0));
    while let Some(from) = offset {
        let page = bench.call("read_result", &format!(r#"{{"handle":"{handle}","offset":{from}}}"#)).await;
        assert!(page.code == Code::Ok && !page.truncated, "{page:?}");
        let data = page.data.unwrap();
        read.push_str(data["text"].as_str().unwrap());
        offset = data["next_offset"].as_u64();
    }
    assert!(read == whole);
}

#[tokio::test]
async fn known_secrets_are_masked_and_what_is_stored_is_redacted_further() {
    let tool = DynamicTool::new("env", "Shows.", texts([])).writes(Repeat::Once);
    let tool = body(tool, &Runs::default(), |_, _| {
        Ok(json!({"a": "the-hosts-own-secret", "password": "hunter2-hunter2", "plain": "x"}))
    });
    let redactor = Redactor::default().with_secret("the-hosts-own-secret");
    let bench = Bench::with(vec![tool], |builder| builder.redactor(redactor)).await;
    let result = bench.call("env", "{}").await;
    let data = result.data.as_ref().unwrap().to_string();
    assert!(!data.contains("hosts-own"), "{data}");
    let preview = bench.record(&result).await.result_preview.unwrap().to_string();
    assert!(!preview.contains("hosts-own") && !preview.contains("hunter2") && preview.contains("plain"), "{preview}");
    let again = bench.call("env", "{}").await;
    assert_eq!((again.code, again.data), (Code::IdempotentReplay, result.data), "a replay is masked the same way");
}
