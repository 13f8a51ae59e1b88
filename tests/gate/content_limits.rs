//! Results that are too much: links count against the limit, and what is too large is left out before
//! anything is looked for in it; names and addresses that deceive are refused.

use toolgate::content::{Content, ContentError, File, ResourceLink};
use toolgate::redact::Redactor;
use toolgate::{Capabilities, Code, Risk, SessionOptions, Task, ToolCall, ToolError, tool, toolset};

use super::support::{Bench, KINDS, Kind};

/// Many long links.
#[tool(risk = "read", result_limit = 700)]
async fn links() -> Result<Vec<Content>, ToolError> {
    let long = "d".repeat(300);
    let link =
        |n: u32| ResourceLink::new("https://example.com/a", &format!("n{n}")).map(|link| link.description(&long));
    (0..40).map(|n| Ok(link(n)?.into())).collect()
}

/// Long texts.
#[tool(risk = "read", result_limit = 200)]
async fn texts() -> Result<Vec<Content>, ToolError> {
    Ok((0..3).map(|_| Content::from("abcdefgh".repeat(256 << 10))).collect())
}

/// Data that is too much.
#[tool(risk = "read", result_limit = 200)]
async fn data() -> Result<String, ToolError> {
    Ok("abcdefgh".repeat(3 << 20))
}

async fn bench(kind: Kind) -> (Bench, Task) {
    let redactor = Redactor::default().with_secret("hunter2-hunter2-hunter2");
    let bench = Bench::with(kind, |builder| builder.redactor(redactor).tools(toolset![links, texts, data])).await;
    let may = Capabilities::none().allow_tools(["links", "texts", "data", "read_result"]).allow_risks(Risk::ALL);
    let options = SessionOptions::new("agent").capabilities(may.permissions(["*"]));
    let session = bench.gate.session(options).unwrap();
    (bench, session.task("demo", "I"))
}

#[tokio::test]
async fn links_count_against_the_limit_and_those_beyond_it_are_named() {
    for kind in KINDS {
        let (_bench, task) = bench(kind).await;
        let told = task.call(ToolCall::without_arguments("links")).await;
        assert_eq!((told.code, told.truncated), (Code::Ok, true));
        let chars = |block: &Content| block.to_json().to_string().chars().count();
        assert!(told.content.iter().map(chars).sum::<usize>() < 1_000, "{:?}", told.content);
        let left_out = told.details["left_out"].as_array().unwrap();
        assert!(left_out[0].as_str().unwrap().contains("more than the 700 characters"), "{left_out:?}");
    }
}

#[tokio::test]
async fn texts_count_against_the_bytes_of_a_result() {
    for kind in KINDS {
        let (_bench, task) = bench(kind).await;
        let told = task.call(ToolCall::without_arguments("texts")).await;
        assert_eq!((told.code, told.truncated), (Code::Ok, true));
        let left_out = told.details["left_out"].as_array().unwrap();
        assert_eq!(left_out.len(), 1, "two of them are 4 MiB: {left_out:?}");
    }
}

#[tokio::test]
async fn data_that_is_too_large_is_left_out_and_said_to_be() {
    for kind in KINDS {
        let (_bench, task) = bench(kind).await;
        let told = task.call(ToolCall::without_arguments("data")).await;
        assert_eq!((told.code, told.truncated), (Code::Ok, true), "{told:?}");
        let left_out = told.details["left_out"][0].as_str().unwrap();
        assert!(left_out.starts_with("data, 25165824 bytes: more than the 16777216 bytes"), "{left_out}");
    }
}

#[test]
fn names_and_addresses_that_deceive_are_refused() {
    for name in ["..", ".", " ", "", "a\u{202e}txt.exe", "a\u{200b}b", "a/b"] {
        assert!(matches!(File::new(name, "text/plain", "x"), Err(ContentError::Name)), "{name:?}");
    }
    for name in [" ", "na\u{202e}me", "a\u{1b}[31m"] {
        assert!(matches!(ResourceLink::new("https://e.com/", name), Err(ContentError::Name)), "{name:?}");
    }
    for uri in ["javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x", "https://e.com/\u{202e}gpj.exe"] {
        assert!(matches!(ResourceLink::new(uri, "n"), Err(ContentError::Uri)), "{uri}");
    }
    let link = ResourceLink::new("https://e.com/", "n").unwrap();
    let link = link.title("x\u{1b}[31m\u{202e}").description("one\ntwo\u{0}");
    assert_eq!((link.title_text(), link.description_text()), (Some("x[31m"), Some("one\ntwo")));
}
