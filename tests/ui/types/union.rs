use toolgate::tool_type;

#[tool_type]
union Pair {
    left: u8,
}

fn main() {}

//~ 4 union Pair {
