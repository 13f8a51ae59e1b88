use toolgate::tool_type;

#[tool_type]
struct Side {
    #[arg(reason)]
    left: String,
}

fn main() {}
