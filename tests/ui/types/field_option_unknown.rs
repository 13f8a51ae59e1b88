use toolgate::tool_type;

#[tool_type]
struct Side {
    #[arg(max_lenght = 3)]
    left: String,
}

fn main() {}
