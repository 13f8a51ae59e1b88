use toolgate::tool_type;

/// A side.
#[tool_type]
struct Side {
    /// Its name.
    #[arg(not_a_resource = "a word")]
    name: String,
}

fn main() {}

//~ 7 not_a_resource
