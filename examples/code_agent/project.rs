//! The project that the agent works on: a copy of `workspace/`, with what can't be kept in a repository:
//! a `.git` folder, a link that leads out, and a file that is too long to be read at once.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// Makes the project in an empty folder, and `<folder>-outside` beside it, where the link leads.
pub(crate) fn copy_into(folder: &Path) -> io::Result<()> {
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/code_agent/workspace"), folder)?;
    fs::create_dir_all(folder.join(".git"))?;
    fs::write(folder.join(".git").join("config"), "[core]\n")?;
    let mut outside = folder.as_os_str().to_owned();
    outside.push("-outside");
    let outside = PathBuf::from(outside);
    fs::create_dir_all(&outside)?;
    fs::write(outside.join("notes.txt"), "not of this project\n")?;
    symlink(&outside, folder.join("src").join("vendored"))?;
    let changes: Vec<String> = (1..=400).rev().map(|number| format!("0.{number}.0: release number {number}")).collect();
    fs::write(folder.join("docs").join("changes.txt"), changes.join("\n"))
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
