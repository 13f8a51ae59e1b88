use toolgate::tool;

#[tool(risk = "writ", timeout = 0, tiemout = 5, confirm = "Do {waht}", name = "a b", title = "")]
fn act(
    what: &str,
    /// How often.
    #[arg(range = 5..=1, patern = "x")]
    times: u32,
    /// Where.
    path: String,
) -> u32 {
    let _ = (what, times, path);
    0
}

/// Calls it: the function is still there.
fn caller() -> u32 {
    act("", 1, String::new())
}

/// And the tool is, too.
fn lister() {
    caller();
    drop(toolgate::toolset![act]);
}

fn main() {}
