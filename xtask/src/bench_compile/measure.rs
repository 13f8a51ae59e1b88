//! Runs cargo on one crate of the generated workspace and counts processor seconds. Not the table.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::generate::EDIT;
use super::source;

const ROUNDS: usize = 3;

/// A crate of the workspace.
pub(super) struct Crate {
    place: PathBuf,
    name: String,
}

/// What one style was measured to cost.
pub(super) struct Figures {
    pub(super) check: f64,
    pub(super) edited: f64,
    pub(super) build: f64,
    pub(super) build_one: f64,
    pub(super) lines: usize,
    pub(super) bytes_one: u64,
    pub(super) bytes_a_tool: f64,
}

impl Figures {
    /// Measures a style by its crate of many tools and that of one. Expanded lines are counted later.
    pub(super) fn take(many: &Crate, one: &Crate) -> Result<Self, String> {
        many.cargo(&["check"])?;
        let check = median(|_| many.cleaned(&["check"]))?;
        let edited = median(|round| {
            many.edit(round)?;
            many.cargo(&["check"])
        })?;
        many.cargo(&["build"])?;
        one.cargo(&["build"])?;
        let build = median(|_| many.cleaned(&["build"]))?;
        let build_one = median(|_| one.cleaned(&["build"]))?;
        let (bytes_many, bytes_one) = (many.stripped_bytes()?, one.stripped_bytes()?);
        let more = u32::try_from(bytes_many.saturating_sub(bytes_one)).unwrap_or(u32::MAX);
        let tools = u32::try_from(super::TOOLS - 1).unwrap_or(1);
        let bytes_a_tool = f64::from(more) / f64::from(tools);
        Ok(Self { check, edited, build, build_one, lines: 0, bytes_one, bytes_a_tool })
    }
}

fn median(mut measure: impl FnMut(usize) -> Result<f64, String>) -> Result<f64, String> {
    let mut times = (1..=ROUNDS).map(&mut measure).collect::<Result<Vec<f64>, String>>()?;
    times.sort_by(f64::total_cmp);
    times.get(ROUNDS / 2).copied().ok_or_else(|| "nothing was measured".to_owned())
}

impl Crate {
    pub(super) fn new(place: &Path, name: String) -> Self {
        Self { place: place.to_owned(), name }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("cargo");
        command.args(arguments).args(["--quiet", "--package", &self.name]);
        // Nothing of the run that started this one.
        for name in ["CARGO_TARGET_DIR", "CARGO_INCREMENTAL", "RUSTFLAGS", "RUSTC_WRAPPER"] {
            command.env_remove(name);
        }
        command.current_dir(&self.place).stdin(Stdio::null());
        command
    }

    /// Processor seconds of cargo and of all that it waited for.
    fn cargo(&self, arguments: &[&str]) -> Result<f64, String> {
        let before = children_seconds()?;
        let output = self.command(arguments).output().map_err(|error| format!("cargo can't be run: {error}"))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(format!("cargo {} of {}:\n{said}", arguments.join(" "), self.name));
        }
        Ok(children_seconds()? - before)
    }

    /// The same with the crate itself cleaned, and nothing else.
    fn cleaned(&self, arguments: &[&str]) -> Result<f64, String> {
        self.cargo(&["clean"])?;
        self.cargo(arguments)
    }

    /// Changes the body of one tool.
    fn edit(&self, round: usize) -> Result<(), String> {
        let path = source(&self.place, &self.name);
        let text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
        let edited = text.replace(&format!("{EDIT}{}", round - 1), &format!("{EDIT}{round}"));
        std::fs::write(&path, edited).map_err(|error| error.to_string())
    }

    fn stripped_bytes(&self) -> Result<u64, String> {
        self.cargo(&["build", "--release"])?;
        let binary = self.place.join("target/release").join(&self.name);
        std::fs::metadata(binary).map(|about| about.len()).map_err(|error| error.to_string())
    }

    /// The lines after all macros, as rustfmt writes them.
    pub(super) fn expanded_lines(&self) -> Result<usize, String> {
        let mut expand = self.command(&["rustc"]);
        expand.args(["--", "-Zunpretty=expanded"]).env("RUSTC_BOOTSTRAP", "1");
        let expanded = expand.output().map_err(|error| format!("cargo can't be run: {error}"))?;
        if !expanded.status.success() {
            return Err(format!("expanding {}:\n{}", self.name, String::from_utf8_lossy(&expanded.stderr)));
        }
        let path = self.place.join("expanded.rs");
        std::fs::write(&path, &expanded.stdout).map_err(|error| error.to_string())?;
        let formatted = Command::new("rustfmt").args(["--edition", "2024"]).arg(&path).output();
        formatted.map_err(|error| format!("rustfmt can't be run: {error}"))?;
        let text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
        Ok(text.lines().count())
    }
}

/// Processor seconds, in user and system, of all processes that were waited for: fields 16 and 17 of
/// `/proc/self/stat`, counted after the command name, which may hold anything.
fn children_seconds() -> Result<f64, String> {
    let stat =
        std::fs::read_to_string("/proc/self/stat").map_err(|error| format!("no /proc/self/stat here: {error}"))?;
    let fields = stat.rsplit_once(')').map(|(_, fields)| fields).unwrap_or_default();
    let ticks: u32 = fields.split_whitespace().skip(13).take(2).filter_map(|field| field.parse::<u32>().ok()).sum();
    let a_second = u32::try_from(rustix::param::clock_ticks_per_second()).unwrap_or(100);
    Ok(f64::from(ticks) / f64::from(a_second))
}
