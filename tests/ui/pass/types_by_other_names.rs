//! Types behind aliases, imports and paths are the types they stand for, in the schema as in the call.

use toolgate::{ToolError, tool, tool_type, toolset};

type Amount = u32;
type Maybe<T> = std::option::Option<T>;
type Words = Vec<String>;
type AnswerResult<T> = std::result::Result<T, ToolError>;
type Reply = Pair;
use Pair as Both;

/// A pair.
#[tool_type]
#[derive(Debug, PartialEq)]
struct Pair {
    /// Left.
    left: Amount,
    /// Right.
    right: Maybe<Amount>,
}

/// Takes all.
#[tool(risk = "read")]
fn take(
    /// One.
    both: Both,
    /// Two.
    amount: Maybe<Amount>,
    /// Three.
    words: std::vec::Vec<std::string::String>,
    /// Four.
    more: self::Words,
) -> AnswerResult<Reply> {
    let _ = (amount, words, more);
    Ok(both)
}

fn main() {
    let spec = toolset![take].entries[0].spec;
    assert_eq!(spec.params.iter().map(|param| param.required).collect::<Vec<_>>(), [true, false, true, true]);
    let pair = Pair { left: 1, right: None };
    assert_eq!(take(pair, None, vec![], vec![]).unwrap(), Pair { left: 1, right: None });
}
