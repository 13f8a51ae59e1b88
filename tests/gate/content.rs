//! Results with images, files, links and text: given, bounded, masked, recorded without their bytes,
//! and given again as they were.

use toolgate::content::{Content, ContentError, File, Image, ResourceLink, WithContent};
use toolgate::redact::Redactor;
use toolgate::serde_json::json;
use toolgate::{
    Capabilities, Code, Effect, Gate, GateBuilder, ReadPath, Risk, SessionOptions, Task, ToolCall, ToolError,
    ToolResult, Workspace, tool, tool_type, toolset,
};

use super::support::{Bench, KINDS, Kind, World};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\nand then some";
const SECRET: &str = "hunter2-hunter2-hunter2";

/// Draws a picture.
#[tool(risk = "write", once)]
async fn draw(#[state] world: &World) -> Result<Image, ToolError> {
    world.act("drawn");
    Ok(Image::of_bytes(PNG)?)
}

/// Numbers and a picture of them.
#[tool_type(result)]
struct Report {
    /// How many.
    count: u32,
    /// Their picture.
    chart: Image,
}

/// Reports.
#[tool(risk = "write", idempotent)]
async fn report(
    /// What about.
    what: String,
) -> Result<WithContent<Report>, ToolError> {
    let link = ResourceLink::new("https://example.com/report", "report")?.description(&what);
    let report = Report { count: 3, chart: Image::new("image/png", PNG)? };
    Ok(WithContent::new(report).with("in words").with(link))
}

/// Only after a report of three.
#[tool(
    risk = "write",
    repeatable = "each time",
    precondition(tool = report, when = "result.count == 3 && result.chart.kind == 'image'", unbound = "any report")
)]
async fn publish(#[state] world: &World) -> Result<(), ToolError> {
    world.act("published");
    Ok(())
}

/// Texts of so many characters.
#[tool(risk = "read", result_limit = 400)]
async fn texts(
    /// How many texts.
    count: u32,
    /// Characters of each.
    chars: u32,
) -> Result<Vec<Content>, ToolError> {
    let image = Content::from(Image::of_bytes(PNG)?);
    let texts = (0..count).map(|n| Content::from(["A", "B", "C"][n as usize % 3].repeat(chars as usize)));
    Ok(std::iter::once(image).chain(texts).collect())
}

/// Files of so many bytes.
#[tool(risk = "read")]
async fn files(
    /// Bytes of each.
    sizes: Vec<u32>,
) -> Result<Vec<File>, ToolError> {
    let file = |(n, size): (usize, &u32)| File::new(&format!("{n}.bin"), "application/x-any", vec![0; *size as usize]);
    Ok(sizes.iter().enumerate().map(file).collect::<Result<_, ContentError>>()?)
}

/// Gives a file of the workspace.
#[tool(risk = "read")]
fn fetch(
    /// The file.
    path: ReadPath,
) -> Result<File, ToolError> {
    Ok(File::of_path(&path)?)
}

/// Gives the picture in a file.
#[tool(risk = "read")]
fn show(
    /// The file.
    path: ReadPath,
) -> Result<Option<Image>, ToolError> {
    Ok(Some(Image::of_path(&path)?))
}

const TOOLS: [&str; 7] = ["draw", "report", "publish", "texts", "files", "fetch", "show"];

async fn bench(kind: Kind, more: impl FnOnce(GateBuilder) -> GateBuilder) -> (Bench, Task) {
    let tools = toolset![draw, report, publish, texts, files, fetch, show];
    let bench = Bench::with(kind, |builder| more(builder.tools(tools))).await;
    let task = task_of(&bench.gate, &bench);
    (bench, task)
}

fn task_of(gate: &Gate, bench: &Bench) -> Task {
    let may = Capabilities::none().allow_tools(TOOLS).allow_risks(Risk::ALL).permissions(["*"]).readable(["."]);
    let workspace = Workspace::open(bench.folder.0.join("ws")).unwrap();
    let options = SessionOptions::new("agent").user("ann").capabilities(may).workspace(workspace).id("S");
    gate.session(options).unwrap().task("demo", "C")
}

async fn call(task: &Task, tool: &str, arguments: &str) -> ToolResult {
    task.call(ToolCall::new(tool, arguments)).await
}

#[tokio::test]
async fn a_picture_is_described_in_the_data_and_given_beside_it() {
    for kind in KINDS {
        let (bench, task) = bench(kind, |builder| builder).await;
        let drawn = call(&task, "draw", "{}").await;
        assert_eq!(drawn.code, Code::Ok);
        assert_eq!(drawn.data, Some(json!({"kind": "image", "media_type": "image/png", "bytes": PNG.len()})));
        assert_eq!(drawn.content, [Image::of_bytes(PNG).unwrap().into()]);
        assert_eq!(drawn.to_json()["content"], json!([drawn.data]), "bytes are for the provider's own form");

        let record = bench.story(&drawn.call_id).await.record;
        let [block] = &*record.content else { panic!("{:?}", record.content) };
        assert_eq!((&*block.kind, block.bytes), ("image", Some(PNG.len() as u64)));
        assert_eq!(block.sha256.as_ref().map(String::len), Some(64));
        bench.must_be_sound().await;
    }
}

#[tokio::test]
async fn a_repeat_gets_the_same_blocks_without_another_run() {
    for kind in KINDS {
        let (bench, task) = bench(kind, |builder| builder).await;
        let first = call(&task, "draw", "{}").await;
        let again = call(&task, "draw", "{}").await;
        assert_eq!((again.code, bench.world.effects()), (Code::IdempotentReplay, 1));
        assert_eq!((again.data, again.content), (first.data, first.content));
    }
}

#[tokio::test]
async fn blocks_stand_in_fields_and_beside_data_and_preconditions_read_the_data() {
    for kind in KINDS {
        let (bench, task) = bench(kind, |builder| builder).await;
        assert_eq!(call(&task, "publish", "{}").await.code, Code::PreconditionFailed);
        let given = call(&task, "report", r#"{"what":"all"}"#).await;
        let chart = json!({"kind": "image", "media_type": "image/png", "bytes": PNG.len()});
        assert_eq!(given.data, Some(json!({"count": 3, "chart": chart})));
        let kinds: Vec<&str> = given.content.iter().map(Content::kind).collect();
        assert_eq!(kinds, ["image", "text", "link"]);
        assert_eq!(call(&task, "publish", "{}").await.code, Code::Ok);
        assert_eq!(bench.world.effects(), 1);
    }
}

#[tokio::test]
async fn texts_share_the_limit_of_the_data_and_are_read_on_by_handle() {
    for kind in KINDS {
        let (_bench, task) = bench(kind, |builder| builder).await;
        let cut = call(&task, "texts", r#"{"count":3,"chars":100}"#).await;
        assert!(cut.truncated, "{cut:?}");
        let chars = cut.data.as_ref().unwrap().to_string().len()
            + cut
                .content
                .iter()
                .map(|block| if let Content::Text(text) = block { text.chars().count() } else { 0 })
                .sum::<usize>();
        assert!(chars <= 400, "{chars}");
        assert_eq!(cut.content[0], Image::of_bytes(PNG).unwrap().into(), "a picture counts no characters");

        let offset = &cut.details["next_offset"];
        let rest = call(&task, "read_result", &json!({"handle": cut.call_id, "offset": offset}).to_string()).await;
        assert_eq!(rest.content, [], "what was given is not given with every page");
        let text = rest.data.unwrap()["text"].as_str().unwrap().to_owned();
        let given = |letter| -> usize {
            let count =
                |block: &Content| if let Content::Text(text) = block { text.matches(letter).count() } else { 0 };
            cut.content.iter().map(count).sum()
        };
        for letter in ["A", "B", "C"] {
            assert_eq!(given(letter) + text.matches(letter).count(), 100, "of {letter}: {text}");
        }

        let whole = call(&task, "read_result", &json!({"handle": cut.call_id}).to_string()).await;
        assert_eq!(whole.content, [Image::of_bytes(PNG).unwrap().into()], "from its beginning, all of it");
    }
}

#[tokio::test]
async fn what_is_too_large_is_left_out_and_said() {
    for kind in KINDS {
        let (bench, task) = bench(kind, |builder| builder.content_limit(100)).await;
        let given = call(&task, "files", r#"{"sizes":[60,50,40]}"#).await;
        assert_eq!((given.code, given.truncated, given.effect), (Code::Ok, true, Effect::None));
        let names: Vec<_> = given.content.iter().filter_map(Content::name).collect();
        assert_eq!(names, ["0.bin", "2.bin"]);
        let said = given.details["left_out"].to_string();
        assert!(said.contains("1.bin") && said.contains("50 bytes") && said.contains("100 bytes"), "{said}");
        assert!(given.message.contains("left_out"), "{}", given.message);
        assert_eq!(given.details.get("handle"), None, "there is nothing more to read");
        let record = bench.story(&given.call_id).await.record;
        assert!(record.content.iter().any(|block| block.left_out.is_some()));
    }
}

#[tokio::test]
async fn a_file_of_the_workspace_is_given_by_name_and_type() {
    let (bench, task) = bench(Kind::Memory, |builder| builder).await;
    std::fs::write(bench.folder.file("a.csv"), "a,b\n").unwrap();
    let given = call(&task, "fetch", r#"{"path":"a.csv"}"#).await;
    assert_eq!(given.content, [File::new("a.csv", "text/csv", "a,b\n").unwrap().into()]);

    let refused = call(&task, "show", r#"{"path":"a.csv"}"#).await;
    assert_eq!((refused.code, refused.message.contains("PNG")), (Code::ExecutionError, true), "{}", refused.message);
}

#[tokio::test]
async fn known_secrets_are_masked_in_texts_and_hold_back_other_bytes() {
    let (bench, task) = bench(Kind::Memory, |builder| builder.redactor(Redactor::default().with_secret(SECRET))).await;
    std::fs::write(bench.folder.file("a.txt"), format!("the key is {SECRET}\n")).unwrap();
    let masked = call(&task, "fetch", r#"{"path":"a.txt"}"#).await;
    let [Content::File(file)] = &*masked.content else { panic!("{masked:?}") };
    assert_eq!(file.bytes(), b"the key is [REDACTED]\n");

    let picture = [PNG, b"\xff\xfe", SECRET.as_bytes(), b"\xff"].concat();
    std::fs::write(bench.folder.file("a.png"), picture).unwrap();
    let held = call(&task, "show", r#"{"path":"a.png"}"#).await;
    assert_eq!((held.code, held.content.len(), held.truncated), (Code::Ok, 0, true));
    assert!(held.details["left_out"].to_string().contains("secret"), "{:?}", held.details);
}

/// A picture that nobody may see.
#[tool_type(result)]
struct Hidden {
    /// The picture.
    #[arg(sensitive)]
    picture: Vec<Image>,
}

/// Would give it all the same.
#[tool(risk = "read")]
async fn hide() -> Result<Hidden, ToolError> {
    Ok(Hidden { picture: Vec::new() })
}

#[test]
fn a_block_that_is_sensitive_is_refused_when_the_gate_is_built() {
    let store = std::sync::Arc::new(toolgate::MemoryStore::new().unwrap());
    let built = Gate::builder(store).tools(toolset![hide]).build_blocking();
    let text = built.unwrap_err().to_string();
    assert!(text.contains("`sensitive`") && text.contains("hide"), "{text}");
}

#[test]
fn a_block_is_what_it_says() {
    assert!(matches!(Image::new("image/jpeg", PNG), Err(ContentError::OtherBytes { .. })));
    assert!(matches!(Image::new("text/plain", PNG), Err(ContentError::OtherFamily { .. })));
    assert!(matches!(Image::new("image/png; q=1", PNG), Err(ContentError::MediaType)));
    assert!(matches!(Image::of_bytes("text"), Err(ContentError::UnknownImage)));
    assert!(matches!(Image::new("image/tiff", ""), Err(ContentError::Empty)));
    assert!(matches!(File::new("../a", "text/plain", ""), Err(ContentError::Name)));
    assert!(matches!(ResourceLink::new("no-address", "a"), Err(ContentError::Uri)));
    assert!(matches!(ResourceLink::new("https://a b", "a"), Err(ContentError::Uri)));
    assert_eq!(Image::new("IMAGE/PNG", PNG).unwrap().media_type(), "image/png");
}
