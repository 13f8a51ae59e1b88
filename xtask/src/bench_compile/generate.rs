//! Writes the workspace that is measured: each style with many tools and with one. Not the measuring.

use std::fmt::Write as _;
use std::io;
use std::path::Path;

use super::source;

/// A way to write tools.
pub(super) struct Style {
    pub(super) name: &'static str,
    pub(super) short: &'static str,
    /// Its dependencies, `ROOT` standing for the repository.
    needs: &'static str,
    write: fn(usize) -> String,
}

const SERDE: &str =
    "schemars = \"1.2.3\"\nserde = { version = \"1.0.229\", features = [\"derive\"] }\nserde_json = \"1.0.154\"\n";

pub(super) const TOOLGATE: &str = "toolgate";
pub(super) const RMCP: &str = "rmcp";

pub(super) const STYLES: [Style; 3] = [
    Style {
        name: "toolgate",
        short: TOOLGATE,
        needs: "toolgate = { path = \"ROOT\", default-features = false }\n",
        write: toolgate,
    },
    Style {
        name: "rmcp's macros",
        short: RMCP,
        needs: "rmcp = { version = \"3.11.0\", default-features = false, features = [\"macros\", \"server\"] }\n",
        write: rmcp,
    },
    Style { name: "serde + schemars", short: "by-hand", needs: "", write: by_hand },
];

const TYPES: [&str; 7] = ["String", "u32", "Option<String>", "bool", "f64", "Vec<String>", "i64"];
const WORDS: [&str; 11] =
    ["amount", "label", "region", "owner", "limit", "reason", "target", "window", "weight", "channel", "note"];

/// The four fields of a tool beside its enum: name, type, description.
fn fields(tool: usize) -> Vec<(String, &'static str, String)> {
    let pick = |field: usize| {
        let word = WORDS.get((tool * 3 + field * 2) % WORDS.len()).copied().unwrap_or("field");
        let kind = TYPES.get((tool + field * 3) % TYPES.len()).copied().unwrap_or("String");
        (format!("{word}_{tool}_{field}"), kind, format!("The {word} of job {tool}."))
    };
    (0..4).map(pick).collect()
}

fn variants(tool: usize) -> [String; 3] {
    ["Quick", "Careful", "Nightly"].map(|word| format!("{word}{tool}"))
}

/// The body of a tool. The number of the edit is found and changed by the measuring.
fn body(tool: usize) -> String {
    let names: Vec<String> = fields(tool).into_iter().map(|(name, ..)| name).collect();
    let edit = if tool == 0 { format!(" {EDIT}0") } else { String::new() };
    format!(
        "format!(\"job {tool}{edit}: {{:?}}\", (&mode, {}))",
        names.iter().map(|name| format!("&{name}")).collect::<Vec<_>>().join(", ")
    )
}

/// What stands before the number of the edit.
pub(super) const EDIT: &str = "edit";

/// What is measured in release is the tools' own crate, at the level that everyone ships. The crates below
/// it are the same for one tool and for many: they aren't optimized, which would take most of the time.
const PROFILE: &str = "
[profile.release]
strip = true

[profile.release.package.\"*\"]
opt-level = 0
";

/// The workspace at `place`, with path dependencies to the repository at `root`.
pub(super) fn workspace(root: &Path, place: &Path, tools: usize) -> io::Result<()> {
    let mut members = Vec::new();
    for style in STYLES {
        for count in [tools, 1] {
            let name = style.krate(count);
            std::fs::create_dir_all(place.join(&name).join("src"))?;
            let serde = if style.needs.contains("ROOT") { "" } else { SERDE };
            let needs = style.needs.replace("ROOT", &root.display().to_string());
            let tokio = "tokio = { version = \"1.54.1\", default-features = false, features = [\"rt\", \"time\"] }\n";
            let manifest = format!(
                "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n{needs}{serde}{tokio}"
            );
            std::fs::write(place.join(&name).join("Cargo.toml"), manifest)?;
            std::fs::write(source(place, &name), (style.write)(count))?;
            members.push(format!("\"{name}\""));
        }
    }
    let members = members.join(", ");
    let manifest = format!("[workspace]\nmembers = [{members}]\nresolver = \"3\"\n{PROFILE}");
    std::fs::write(place.join("Cargo.toml"), manifest)?;
    std::fs::copy(root.join("rust-toolchain.toml"), place.join("rust-toolchain.toml"))?;
    // The expansion is counted as rustfmt writes it by default, not as this repository has it.
    std::fs::write(place.join("rustfmt.toml"), "")?;
    // Versions as the other bench with rivals has them.
    std::fs::copy(root.join("benches/peers/Cargo.lock"), place.join("Cargo.lock"))?;
    Ok(())
}

fn toolgate(tools: usize) -> String {
    let mut out = String::from("//! Generated.\nuse toolgate::{ToolError, tool, tool_type, toolset};\n");
    for tool in 0..tools {
        let [a, b, c] = variants(tool);
        let _ = writeln!(
            out,
            "\n/// How job {tool} is done.\n#[tool_type]\n#[derive(Debug)]\npub enum Mode{tool} {{\n/// One.\n{a},\n/// Two.\n{b},\n/// Three.\n{c},\n}}"
        );
        let _ = writeln!(
            out,
            "\n/// Does job {tool}.\n#[tool(risk = \"read\")]\npub async fn job_{tool}(\n/// How.\nmode: Mode{tool},"
        );
        for (name, kind, doc) in fields(tool) {
            let _ = writeln!(out, "/// {doc}\n{name}: {kind},");
        }
        let _ = writeln!(out, ") -> Result<String, ToolError> {{\nOk({})\n}}", body(tool));
    }
    let names: Vec<String> = (0..tools).map(|tool| format!("job_{tool}")).collect();
    let names = names.join(", ");
    let _ = writeln!(out, "\ntoolset! {{\n/// All.\npub static TOOLS = [{names}];\n}}");
    out.push_str(
        "\nfn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(async {
        let store = std::sync::Arc::new(toolgate::MemoryStore::new().unwrap());
        let gate = toolgate::Gate::builder(store).tools(TOOLS).build().await.unwrap();
        let task = gate.session(toolgate::SessionOptions::new(\"agent\")).unwrap().task(\"bench\", \"1\");
        let answer = task.call(toolgate::ToolCall::new(std::env::args().nth(1).unwrap(), \"{}\")).await;
        println!(\"{answer:?}\");
    });
}\n",
    );
    out
}

/// The struct and the enum of a tool as serde and schemars derive them.
fn derived(tool: usize) -> String {
    let [a, b, c] = variants(tool);
    let derive = "#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]";
    let mut out = format!(
        "\n/// How job {tool} is done.\n{derive}\n#[serde(rename_all = \"snake_case\")]\npub enum Mode{tool} {{\n/// One.\n{a},\n/// Two.\n{b},\n/// Three.\n{c},\n}}\n"
    );
    let _ = writeln!(
        out,
        "\n/// What job {tool} takes.\n{derive}\n#[serde(deny_unknown_fields)]\npub struct Job{tool} {{\n/// How.\npub mode: Mode{tool},"
    );
    for (name, kind, doc) in fields(tool) {
        let _ = writeln!(out, "/// {doc}\npub {name}: {kind},");
    }
    out.push_str("}\n");
    out
}

fn taken(tool: usize) -> String {
    let names: Vec<String> = fields(tool).into_iter().map(|(name, ..)| name).collect();
    format!("Job{tool} {{ mode, {} }}", names.join(", "))
}

fn rmcp(tools: usize) -> String {
    let mut out = String::from(
        "//! Generated.
use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::{ServerHandler, ServiceExt as _, tool, tool_handler, tool_router};

pub struct Server {
    tool_router: ToolRouter<Self>,
}
",
    );
    (0..tools).for_each(|tool| out.push_str(&derived(tool)));
    out.push_str("\n#[tool_router]\nimpl Server {\n");
    for tool in 0..tools {
        let taken = taken(tool);
        let _ = writeln!(
            out,
            "/// Does job {tool}.\n#[tool]\nasync fn job_{tool}(&self, Parameters({taken}): Parameters<Job{tool}>) -> String {{\n{}\n}}",
            body(tool)
        );
    }
    out.push_str(
        "}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Server {}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(async {
        let server = Server { tool_router: Server::tool_router() };
        let service = server.serve(tokio::io::duplex(64).0).await;
        println!(\"{}\", service.is_ok());
    });
}\n",
    );
    out
}

fn by_hand(tools: usize) -> String {
    let mut out = String::from("//! Generated.\n");
    for tool in 0..tools {
        out.push_str(&derived(tool));
        let taken = taken(tool);
        let _ = writeln!(
            out,
            "\n/// Does job {tool}.\npub async fn job_{tool}({taken}: Job{tool}) -> Result<String, String> {{\nOk({})\n}}",
            body(tool)
        );
    }
    out.push_str("\nfn schemas() -> Vec<schemars::Schema> {\nvec![");
    for tool in 0..tools {
        let _ = write!(out, "schemars::schema_for!(Job{tool}), ");
    }
    out.push_str("]\n}\n\nasync fn call(name: &str, arguments: &[u8]) -> Result<String, String> {\nmatch name {\n");
    for tool in 0..tools {
        let _ = writeln!(
            out,
            "\"job_{tool}\" => job_{tool}(serde_json::from_slice(arguments).map_err(|error| error.to_string())?).await,"
        );
    }
    out.push_str(
        "_ => Err(\"no such tool\".to_owned()),
}
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    println!(\"{:?}\", schemas());
    println!(\"{:?}\", runtime.block_on(call(&std::env::args().nth(1).unwrap(), b\"{}\")));
}\n",
    );
    out
}
