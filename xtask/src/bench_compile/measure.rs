//! Runs cargo on one crate of the generated workspace and counts processor seconds. Not the table.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::generate::EDIT;
use super::source;

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
    pub(super) lines_a_tool: f64,
    pub(super) bytes_one: f64,
    pub(super) bytes_a_tool: f64,
}

impl Figures {
    /// Measures a style by its crate of many tools and that of one.
    pub(super) fn take(many: &Crate, one: &Crate, repeats: usize) -> Result<Self, String> {
        // The crate of one tool first: it brings what both depend on.
        one.cargo(&["check"])?;
        let check = found("check", median(repeats, |_| many.cleaned(&["check"]))?);
        let edited = median(repeats, |round| {
            many.edit(round)?;
            many.cargo(&["check"])
        })?;
        found("check after an edit", edited);
        let lines_a_tool = found("expanded lines a tool", a_tool(many.expanded_lines()?, one.expanded_lines()?));
        one.cargo(&["build"])?;
        let build_one = found("debug build of one tool", median(repeats, |_| one.cleaned(&["build"]))?);
        let build = found("debug build", median(repeats, |_| many.cleaned(&["build"]))?);
        let bytes_one = one.stripped_bytes()?;
        let bytes_a_tool = found("stripped bytes a tool", a_tool(many.stripped_bytes()?, bytes_one));
        Ok(Self { check, edited, build, build_one, lines_a_tool, bytes_one: f64::from(bytes_one), bytes_a_tool })
    }
}

/// Says a figure as soon as it is there: a run that is ended early has told what it found.
fn found(what: &str, figure: f64) -> f64 {
    eprintln!("  {what}: {figure:.2}");
    figure
}

/// What each further tool adds.
fn a_tool(many: u32, one: u32) -> f64 {
    f64::from(many.saturating_sub(one)) / f64::from(u32::try_from(super::TOOLS - 1).unwrap_or(1))
}

/// The median of what is measured in rounds, which count from 1.
fn median(repeats: usize, mut measure: impl FnMut(usize) -> Result<f64, String>) -> Result<f64, String> {
    let mut times = (1..=repeats).map(&mut measure).collect::<Result<Vec<f64>, String>>()?;
    times.sort_by(f64::total_cmp);
    times.get(repeats / 2).copied().ok_or_else(|| "nothing was measured".to_owned())
}

impl Crate {
    pub(super) fn new(place: &Path, name: String) -> Self {
        Self { place: place.to_owned(), name }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("cargo");
        command.args(arguments).args(["--quiet", "--package", &self.name]);
        // Nothing of the run that started this one.
        for name in ["CARGO_TARGET_DIR", "CARGO_INCREMENTAL", "RUSTFLAGS", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER"] {
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

    fn stripped_bytes(&self) -> Result<u32, String> {
        self.cargo(&["build", "--release"])?;
        let binary = self.place.join("target/release").join(&self.name);
        let about = std::fs::metadata(binary).map_err(|error| error.to_string())?;
        u32::try_from(about.len()).map_err(|error| error.to_string())
    }

    /// The lines after all macros, as rustfmt writes them.
    fn expanded_lines(&self) -> Result<u32, String> {
        let mut expand = self.command(&["rustc", "--profile", "check"]);
        // Only the crate itself is compiled as if by a nightly compiler: for all crates, their build scripts
        // would run again, and all would be built a second time.
        let wrapper = self.place.join("nightly");
        script(&wrapper, "#!/bin/sh\nRUSTC_BOOTSTRAP=1 exec \"$@\"\n").map_err(|error| error.to_string())?;
        expand.env("RUSTC_WORKSPACE_WRAPPER", wrapper).args(["--", "-Zunpretty=expanded"]);
        let expanded = expand.output().map_err(|error| format!("cargo can't be run: {error}"))?;
        if !expanded.status.success() || expanded.stdout.is_empty() {
            return Err(format!("expanding {}:\n{}", self.name, String::from_utf8_lossy(&expanded.stderr)));
        }
        let path = self.place.join(&self.name).join("expanded.rs");
        std::fs::write(&path, &expanded.stdout).map_err(|error| error.to_string())?;
        let mut format = Command::new("rustfmt");
        let formatted = format.args(["--edition", "2024"]).arg(&path).output();
        let formatted = formatted.map_err(|error| format!("rustfmt can't be run: {error}"))?;
        if !formatted.status.success() {
            return Err(format!("rustfmt of {}:\n{}", path.display(), String::from_utf8_lossy(&formatted.stderr)));
        }
        let text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
        u32::try_from(text.lines().count()).map_err(|error| error.to_string())
    }
}

fn script(path: &Path, text: &str) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::write(path, text)?;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755))
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
