//! Tools that a `macro_rules!` writes: names, types, docs, options and visibility come from elsewhere.

#![deny(warnings)]

use toolgate::{ToolError, tool, toolset};

macro_rules! reader {
    ($(#[$attribute:meta])* $vis:vis $name:ident, $risk:literal, $title:expr, $($argument:ident: $ty:ty = $doc:literal),*) => {
        $(#[$attribute])*
        #[tool(risk = $risk, title = $title)]
        $vis fn $name($(#[doc = $doc] $argument: $ty),*) -> Result<usize, ToolError> {
            let mut given = 0;
            $(let _ = $argument; given += 1;)*
            Ok(given)
        }
    };
}

mod inner {
    use super::*;

    reader!(
        /// Counts two.
        #[inline]
        pub(crate) two, "read", "Two", left: String = "Left.", right: Option<u8> = "Right."
    );
}

reader!(
    /// Counts one.
    one, "read", "One", args: Vec<String> = "What is counted."
);

macro_rules! writer {
    ($name:ident($($parameters:tt)*) $body:block $($options:tt)*) => {
        /// Writes.
        #[tool(risk = "write", idempotent, $($options)*)]
        async fn $name($($parameters)*) -> Result<String, ToolError> $body
    };
}

writer!(
    write(
        /// What.
        #[arg(max_length = 20)]
        text: String,
    ) { Ok(text) }
    confirm = "Write {text}?", timeout = 5,
);

macro_rules! all {
    ($($path:path),* $(,)?) => { toolset! { static TOOLS = [$($path),*]; } };
}

all![inner::two, one, write];

fn main() {
    let names: Vec<_> = TOOLS.entries.iter().map(|entry| entry.spec.name).collect();
    assert_eq!(names, ["two", "one", "write"]);
    assert_eq!(TOOLS.entries[0].spec.doc, "Counts two.");
    assert_eq!(TOOLS.entries[0].spec.params[1].doc, "Right.");
    assert_eq!(inner::two("a".into(), None).unwrap() + one(vec![]).unwrap(), 3);
    drop(write("a".into()));
}
