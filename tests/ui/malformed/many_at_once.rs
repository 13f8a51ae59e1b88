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

#[tool(risk = "dangerous", idempotent, once, key = ["pth"], permissions = ["a b"], result_limit = 5,
    precondition(when = "result.ok"), failure_policy = "abort")]
const fn wipe(
    /// Which.
    #[arg(min_length = 9, max_length = 3, default = 7)]
    word: String,
    #[arg(sensitive)]
    (a, b): (u8, u8),
) {
    let _ = (a, b);
    std::mem::forget(word);
}

/// Calls them: the functions are still there.
fn caller() -> u32 {
    wipe(String::new(), (1, 2));
    act("", 1, String::new())
}

/// And the tools are, too.
fn lister() {
    caller();
    drop(toolgate::toolset![act, wipe]);
}

fn main() {}

//~ 3 0
//~ 3 tiemout
//~ 3 ""
//~ 7 patern
//~ 3 "a b"
//~ 4 act
//~ 11 u32
//~ 5 what
//~ 5 &str
//~ 7 5..=1
//~ 10 path
//~ 3 "writ"
//~ 3 "Do {waht}"
//~ 16 5
//~ 17 precondition
//~ 18 wipe
//~ 18 const
//~ 18 wipe
//~ 20 min_length
//~ 20 7
//~ 23 (a, b)
//~ 16 "pth"
//~ 17 failure_policy
//~ 16 risk
//~ 16 once
//~ 16 "a b"
