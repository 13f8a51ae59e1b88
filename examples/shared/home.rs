//! Where an example works: its database and its workspace, in a temporary folder of its own unless told
//! otherwise.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use super::{Failure, Options};

/// The places of one run. Dropping it removes the temporary folder, unless it is to be kept.
#[derive(Debug)]
pub(crate) struct Home {
    temporary: Option<PathBuf>,
    keep: bool,
    database: PathBuf,
    workspace: PathBuf,
}

impl Home {
    /// Makes what isn't there. A story begins in an empty workspace, so one with anything in it is refused.
    pub(crate) fn open(program: &str, options: &Options) -> Result<Self, Failure> {
        if let Some(used) = options.workspace.as_deref().filter(|folder| is_used(folder)) {
            let text =
                "is not empty, and the story begins in an empty folder; name another one, or leave `--workspace` out";
            return Err(format!("`{}` {text}", used.display()).into());
        }
        let mut temporary = None;
        if options.database.is_none() || options.workspace.is_none() {
            temporary = Some(private_folder(program)?);
        }
        let place = |given: &Option<PathBuf>, name: &str| match (given, &temporary) {
            (Some(given), _) => given.clone(),
            (None, Some(folder)) => folder.join(name),
            (None, None) => PathBuf::from(name),
        };
        let (database, workspace) = (place(&options.database, "toolgate.db"), place(&options.workspace, "workspace"));
        fs::create_dir_all(&workspace)?;
        Ok(Self { temporary, keep: options.keep, database, workspace })
    }

    /// The SQLite file.
    pub(crate) fn database(&self) -> &Path {
        &self.database
    }

    /// The folder the tools work in.
    pub(crate) fn workspace(&self) -> &Path {
        &self.workspace
    }

    /// What becomes of the temporary folder, in words; nothing where there is none.
    pub(crate) fn fate(&self) -> Option<String> {
        let folder = self.temporary.as_ref()?.display();
        let fate = if self.keep { "is kept" } else { "is removed now; --keep keeps it" };
        Some(format!("{folder} {fate}"))
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        if let (Some(folder), false) = (&self.temporary, self.keep)
            && let Err(error) = fs::remove_dir_all(folder)
        {
            eprintln!("{} could not be removed: {error}", folder.display());
        }
    }
}

fn is_used(folder: &Path) -> bool {
    fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some())
}

/// A new folder that only this user may enter.
fn private_folder(program: &str) -> io::Result<PathBuf> {
    for count in 0_u32.. {
        let folder = std::env::temp_dir().join(format!("toolgate-{program}-{}-{count}", std::process::id()));
        match DirBuilder::new().mode(0o700).create(&folder) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => return made.map(|()| folder),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}
