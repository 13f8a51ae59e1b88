//! What tools cost the compiler: 100 tools of five fields and an enum each, all different, written three
//! ways and measured in one run, in processor seconds of cargo and all it starts. Not a judge: the aims
//! stand beside the figures, and nothing fails for missing them.

mod generate;
mod measure;

use std::path::{Path, PathBuf};

use generate::{STYLES, Style};
use measure::{Crate, Figures};

/// How many tools are compared.
const TOOLS: usize = 100;

/// What is aimed at for 100 tools of toolgate's.
const AIMS: [&str; 7] = ["0.8 s", "0.3 s", "1/8 of rmcp's", "", "100 a tool", "4 KB a tool", ""];

/// Measures and prints the table.
///
/// # Errors
/// What cargo says when a crate doesn't build.
pub(super) fn run() -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("no folder above this crate")?;
    let place = std::env::temp_dir().join(format!("toolgate-bench-compile-{}", std::process::id()));
    let outcome =
        generate::workspace(root, &place, TOOLS).map_err(|error| error.to_string()).and_then(|()| all(&place));
    // What was made is removed, whether it could be measured or not.
    let _ = std::fs::remove_dir_all(&place);
    outcome
}

fn all(place: &Path) -> Result<(), String> {
    let mut measured = Vec::new();
    for style in STYLES {
        eprintln!("building {} and what it needs ..", style.name);
        let many = Crate::new(place, style.krate(TOOLS));
        let one = Crate::new(place, style.krate(1));
        measured.push(Figures::take(&many, &one)?);
    }
    // Last: a compiler that is told to be a nightly one builds what asks for that again.
    for (style, figures) in STYLES.iter().zip(&mut measured) {
        eprintln!("expanding {} ..", style.name);
        let (many, one) = (Crate::new(place, style.krate(TOOLS)), Crate::new(place, style.krate(1)));
        figures.lines = many.expanded_lines()?.saturating_sub(one.expanded_lines()?) / (TOOLS - 1);
    }
    print(&measured);
    Ok(())
}

/// One line of the table: what it is, each style's figure, and how it is written.
struct Row {
    what: &'static str,
    figures: Vec<f64>,
    decimals: usize,
}

fn rows(measured: &[Figures]) -> Vec<Row> {
    let per_tool = |bytes: u64| f64::from(u32::try_from(bytes / 1024).unwrap_or(u32::MAX));
    let row = |what, decimals, of: &dyn Fn(&Figures) -> f64| Row {
        what,
        figures: measured.iter().map(of).collect(),
        decimals,
    };
    vec![
        row("cargo check, cold, CPU s", 2, &|figures| figures.check),
        row("cargo check after a body edit, CPU s", 2, &|figures| figures.edited),
        row("debug build, clean, CPU s", 2, &|figures| figures.build),
        row("the same with one tool, CPU s", 2, &|figures| figures.build_one),
        row("expanded lines a tool", 0, &|figures| f64::from(u32::try_from(figures.lines).unwrap_or(u32::MAX))),
        row("stripped release binary, KB a tool", 1, &|figures| figures.bytes_a_tool / 1024.0),
        row("stripped release binary of one tool, KB", 0, &|figures| per_tool(figures.bytes_one)),
    ]
}

fn print(measured: &[Figures]) {
    println!("\n{TOOLS} tools of five fields and an enum; medians of 3; in brackets: times toolgate's");
    print!("{:<42}", "");
    STYLES.iter().for_each(|style| print!("{:>24}", style.name));
    println!("  aim");
    for (row, aim) in rows(measured).iter().zip(AIMS) {
        print!("{:<42}", row.what);
        let own = row.figures.first().copied().unwrap_or_default();
        for (index, figure) in row.figures.iter().enumerate() {
            let ratio = if index == 0 { String::new() } else { format!(" ({:.1} x)", figure / own) };
            let text = format!("{figure:.*}{ratio}", row.decimals);
            print!("{text:>24}");
        }
        println!("  {aim}");
    }
}

/// Where a crate of the measured workspace lies.
fn source(place: &Path, name: &str) -> PathBuf {
    place.join(name).join("src").join("main.rs")
}

impl Style {
    fn krate(&self, tools: usize) -> String {
        format!("{}-{tools}", self.short)
    }
}
