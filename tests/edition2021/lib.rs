//! The macros in a crate of the edition of 2021, whose keywords, preludes and captures are others. Not a
//! crate to depend on.

pub mod hostile;

use toolgate::{tool, tool_type, toolset, Context, ToolError};

/// What tools of this crate share.
#[derive(Debug, Default)]
pub struct Pool {
    /// What it holds.
    pub words: Vec<String>,
}

/// Where something stands.
#[tool_type(rename_all = "kebab-case")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In front.
    InFront,
    /// Behind.
    Behind,
}

/// What was found.
#[tool_type(result)]
#[derive(Debug, PartialEq, Eq)]
pub struct Found {
    /// How many.
    pub count: usize,
    /// The first of them.
    pub first: Option<String>,
}

/// Generates words; `gen` is a name here, and a keyword in the next edition.
///
/// # Errors
/// Never.
#[tool(risk = "read", timeout = "1s", failure_policy = retry(max = 2))]
pub async fn gen(
    ctx: &Context,
    /// How many.
    #[arg(range = 1..=5, default = 1)]
    gen: u8,
    /// Where.
    r#dyn: Option<Place>,
    #[state] pool: &Pool,
) -> Result<Found, ToolError> {
    let _ = (ctx.attempt(), r#dyn);
    let words: Vec<String> = pool.words.iter().take(usize::from(gen)).cloned().collect();
    Ok(Found { count: words.len(), first: words.into_iter().next() })
}

/// Keeps a word.
///
/// # Errors
/// Where the word is empty.
#[tool(
    risk = "external",
    once,
    key = ["word"],
    confirm = "Keep {word}?",
    precondition(tool = gen, when = "result.count > 0", unbound = "it takes no word"),
    failure_policy = "abort",
)]
pub fn keep(
    /// The word.
    #[arg(pattern = "^[a-z]+$", max_length = 20)]
    word: String,
    /// Why.
    #[arg(reason)]
    why: String,
) -> Result<String, ToolError> {
    let _ = why;
    if word.is_empty() {
        return Err(ToolError::no_effect("nothing to keep"));
    }
    Ok(word)
}

toolset! {
    /// All tools of this crate.
    pub static TOOLS = [r#gen, keep, hostile::add, #[cfg(any())] absent];
}

#[cfg(test)]
mod tests {
    use toolgate::{Capabilities, Code, Gate, MemoryStore, Risk, SessionOptions, ToolCall};

    use super::*;

    #[tokio::test]
    async fn a_crate_of_2021_serves_its_tools() {
        let store = std::sync::Arc::new(MemoryStore::new().unwrap());
        let pool = Pool { words: vec!["one".to_owned(), "two".to_owned()] };
        let gate = Gate::builder(store).tools(TOOLS).state(pool).build().await.unwrap();
        let may = Capabilities::none().allow_tools(["gen", "keep", "add"]).allow_risks(Risk::ALL).permissions(["*"]);
        let session = gate.session(SessionOptions::new("agent").user("ann").capabilities(may)).unwrap();
        let task = session.task("demo", "T");
        let found = task.call(ToolCall::new("gen", r#"{"gen":2,"dyn":"in-front"}"#)).await;
        assert_eq!(found.code, Code::Ok, "{found:?}");
        assert_eq!(found.data.unwrap()["first"], "one");
        let refused = task.call(ToolCall::new("gen", r#"{"gen":9}"#)).await;
        assert_eq!(refused.code, Code::InvalidArgument);
        let asked = task.call(ToolCall::new("keep", r#"{"word":"one","why":"it is first"}"#)).await;
        assert_eq!(asked.code, Code::ConfirmationRequired, "{asked:?}");
        let added = task.call(ToolCall::new("add", r#"{"pair":{"left":1,"right":2},"side":"left"}"#)).await;
        assert_eq!(added.code, Code::Ok, "{added:?}");
    }
}
