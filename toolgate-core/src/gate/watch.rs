//! A policy file that is looked at again and again, and taken on when it has changed. Not the taking on itself, which is
//! [`Gate::reload_policy`].

use std::path::PathBuf;
use std::time::Duration;

use tokio::sync::oneshot;

use super::Gate;
use crate::policy::Policy as _;
use crate::policy::file::PolicyFile;

/// The shortest time between two looks.
const SHORTEST: Duration = Duration::from_millis(50);

/// What a watch saw at its last look, and what it told operators of last.
#[derive(Debug, Default)]
struct Seen {
    last: Option<String>,
    told: Option<String>,
}

/// Looks at a policy file until it is dropped.
#[derive(Debug)]
#[must_use = "a watch ends when it is dropped"]
pub struct PolicyWatch {
    _ends: oneshot::Sender<()>,
}

impl Gate {
    /// Looks at a policy file every so often (at least 50 ms), and takes it on when its text, or that of a list beside
    /// it, is another and the same at two looks: a file that is being written is not taken on by half, where a rule that
    /// denies may still be missing. Replace it by renaming another all the same; two looks may miss a slow writer. A file that can't be read or doesn't fit the tools changes nothing: the old policy stays, and
    /// operators are told once of each such text. The file becomes the whole policy of the gate: where it is one of
    /// several, look at it yourself and give [`Gate::reload_policy`] all of them.
    pub fn watch_policy_file(&self, path: impl Into<PathBuf>, every: Duration) -> PolicyWatch {
        let (ends, mut ended) = oneshot::channel();
        let (gate, path) = (self.clone(), path.into());
        let watch = async move {
            let mut seen = Seen::default();
            loop {
                tokio::select! {
                    _ = &mut ended => return,
                    () = tokio::time::sleep(every.max(SHORTEST)) => {}
                }
                let path = path.clone();
                let Ok(read) = tokio::task::spawn_blocking(move || PolicyFile::load(path)).await else { continue };
                gate.take_on(read, &mut seen);
            }
        };
        self.inner.home.spawn(Box::pin(watch));
        PolicyWatch { _ends: ends }
    }

    /// Takes on what was read twice, where it is another than what counts and than what was told of last.
    fn take_on(&self, read: Result<PolicyFile, crate::policy::file::LoadError>, seen: &mut Seen) {
        let text = match &read {
            Ok(file) => file.digest().to_owned(),
            Err(error) => error.to_string(),
        };
        let before = seen.last.replace(text.clone());
        if before.as_ref() != Some(&text) {
            return;
        }
        match read {
            Ok(file) if file.version() == self.policy_version() => seen.told = None,
            _ if seen.told.as_ref() == Some(&text) => {}
            Ok(file) => seen.told = self.reload_policy(file).err().map(|_| text),
            Err(_) => {
                self.policy_was_not_loaded(&text);
                seen.told = Some(text);
            }
        }
    }
}
