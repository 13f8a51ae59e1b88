//! Every form of `#[tool_type]`, with the derives that users put on.

use toolgate::{Argument, ToolError, ToolOutput, tool, tool_type};

/// Where it runs.
#[tool_type]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Environment {
    /// Nobody is hurt.
    Staging,
    #[arg(rename = "prod")]
    Production,
    InReview,
}

#[tool_type(rename_all = "kebab-case")]
#[derive(Debug, PartialEq)]
enum Style {
    AsIs,
}

/// A service.
#[tool_type(pattern = "^[a-z][a-z0-9-]*$", max_length = 40)]
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct ServiceName(String);

#[tool_type(range = 1..=5)]
#[derive(Debug, PartialEq)]
struct Stars(u8);

#[tool_type]
#[derive(Debug, Clone, PartialEq)]
struct Tree {
    /// What it is called.
    #[arg(max_length = 20, example = "root")]
    name: String,
    /// Of tree.
    #[arg(rename = "type", default = "leaf")]
    kind: String,
    /// Smaller ones.
    children: Vec<Tree>,
    /// The larger one.
    parent: Option<Box<Tree>>,
}

#[tool_type]
#[derive(Debug, Clone, PartialEq)]
enum Target {
    /// All of them.
    All,
    /// One of them.
    One(ServiceName),
    /// Some of them.
    Some {
        /// Which.
        names: Vec<ServiceName>,
        /// At most.
        #[arg(range = 1..)]
        limit: Option<u32>,
    },
}

/// Only told: it holds what can't be read.
#[tool_type(result)]
struct Report {
    text: &'static str,
}

/// Only read.
#[tool_type(argument)]
struct Filter {
    /// What passes.
    r#type: String,
}

/// Does it.
#[tool(risk = "read")]
fn look(
    /// Where.
    environment: Environment,
    /// How.
    style: Style,
    /// Of what.
    target: Target,
    /// How many.
    stars: Option<Stars>,
    /// A tree.
    tree: Tree,
    /// Which.
    filter: Filter,
) -> Result<Report, ToolError> {
    let _ = (style, target, stars, tree, filter.r#type);
    Ok(Report { text: if environment == Environment::Staging { "staging" } else { "other" } })
}

fn main() {
    assert_eq!(Environment::InReview.into_value().unwrap(), "in_review");
    assert_eq!(Environment::Production.into_value().unwrap(), "prod");
    assert_eq!(Style::AsIs.into_value().unwrap(), "as-is");
    assert_eq!(Stars(3).into_value().unwrap(), 3);
    let some = Target::Some { names: vec![ServiceName("a".into())], limit: None };
    assert_eq!(some.into_value().unwrap().to_string(), r#"{"some":{"limit":null,"names":["a"]}}"#);
    assert_eq!(Target::All.into_value().unwrap(), "all");
    let leaf = Tree { name: "x".into(), kind: "leaf".into(), children: vec![], parent: None };
    assert_eq!(leaf.clone().into_value().unwrap()["type"], "leaf");
    let _ = <Tree as Argument>::SHAPE;
    let _ = <Tree as ToolOutput>::SHAPE;
    let _ = look;
}
