//! A module without any prelude.

#![no_implicit_prelude]
#![allow(dead_code)]

/// One of two.
#[::toolgate::tool_type]
enum Side {
    /// The left.
    Left,
    /// The right.
    Right,
}

/// One of three.
#[::toolgate::tool_type]
enum Place {
    /// Nowhere.
    Nowhere,
    /// On a side.
    On(Side),
    /// Between two.
    Between {
        /// The lower one.
        #[arg(default = 1)]
        low: u8,
        /// The higher one.
        high: ::core::option::Option<u8>,
    },
}

/// A name.
#[::toolgate::tool_type(max_length = 9)]
struct Name(::std::string::String);

/// A thing.
#[::toolgate::tool_type]
struct Thing {
    /// Its name.
    name: Name,
    /// Where it is.
    #[arg(max_items = 3)]
    places: ::std::vec::Vec<Place>,
}

/// Puts a thing.
#[::toolgate::tool(risk = "write", once, key = ["count"])]
async fn put(
    _ctx: &::toolgate::Context,
    /// The thing.
    thing: Thing,
    /// How many.
    #[arg(range = 1..=9)]
    count: u8,
) -> ::core::result::Result<Thing, ::toolgate::ToolError> {
    let _ = count;
    ::core::result::Result::Ok(thing)
}

/// Looks.
#[::toolgate::tool(risk = "read", precondition(tool = put, unbound = "any", max_age = "5m"))]
fn look() -> ::core::result::Result<(), ::toolgate::ToolError> {
    ::core::result::Result::Ok(())
}

::toolgate::toolset! {
    static ALL = [put, look];
}

fn main() {
    ::core::assert!(ALL.entries.len() == 2);
}
