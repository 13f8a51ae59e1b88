//! What tools cost the compiler: 100 tools of five fields and an enum each, all different, written three
//! ways and measured in one run, in processor seconds of cargo and all it starts. Not a judge: the aims
//! stand beside the figures, and nothing fails for missing them.

mod generate;
mod measure;
mod table;

use std::path::{Path, PathBuf};

use generate::{STYLES, Style};
use measure::{Crate, Figures};

/// How many tools are compared.
const TOOLS: usize = 100;

/// What the command line asks for.
pub(super) struct Options {
    repeats: usize,
    only: Option<&'static str>,
}

impl Options {
    /// Nothing where an option isn't known or its value makes no sense.
    pub(super) fn read(mut words: &[&str]) -> Option<Self> {
        let mut options = Self { repeats: 1, only: None };
        while let [option, value, rest @ ..] = words {
            match *option {
                "--repeats" => options.repeats = value.parse().ok().filter(|repeats| *repeats > 0)?,
                "--only" => options.only = Some(STYLES.iter().find(|style| style.short == *value)?.short),
                _ => return None,
            }
            words = rest;
        }
        words.is_empty().then_some(options)
    }
}

/// Measures and prints the table.
///
/// # Errors
/// What cargo says when a crate doesn't build.
pub(super) fn run(options: &Options) -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("no folder above this crate")?;
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    // Kept beside what this was built into: the next run finds the dependencies built.
    let place = own.parent().and_then(Path::parent).ok_or("no folder above this program")?.join("bench-compile");
    generate::workspace(root, &place, TOOLS).map_err(|error| error.to_string())?;
    let mut measured = Vec::new();
    for style in STYLES.iter().filter(|style| options.only.is_none_or(|only| only == style.short)) {
        let many = Crate::new(&place, style.krate(TOOLS));
        let one = Crate::new(&place, style.krate(1));
        eprintln!("{} ..", style.name);
        measured.push((style, Figures::take(&many, &one, options.repeats)?));
    }
    table::print(&measured, options.repeats);
    Ok(())
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
