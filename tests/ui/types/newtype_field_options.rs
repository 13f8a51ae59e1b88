use toolgate::tool_type;

#[tool_type]
struct Name(#[arg(max_length = 40)] String);

fn main() {
    let _ = Name(String::new());
}

//~ 4 #[arg(max_length = 40)]
