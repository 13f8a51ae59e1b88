use toolgate::{ToolError, tool};

/// Acts.
#[tool(risk = "read")]
async fn act() -> Result<(), ToolError> {
    let held = std::rc::Rc::new(());
    std::future::ready(()).await;
    drop(held);
    Ok(())
}

fn main() {
    drop(act);
}

//~ 5 act
