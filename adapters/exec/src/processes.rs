//! How programs are run here, said once by the host: where they are looked for, what they may read, what they are given.

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::limits::Limits;
use crate::program;
use crate::sandbox::{Grant, Sandbox, Support};

/// What most programs of a system need to start: themselves, their libraries, and public tables.
const READABLE: [&str; 16] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/ssl/certs",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/stat",
    // Of the process that becomes the program; its children have others.
    "/proc/self",
];
const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// How programs are run here. The host makes one and gives it to the gate's builder with `state(..)`; tools use it
/// through [`CommandContext::command`](crate::CommandContext::command). Clones share it.
#[derive(Clone)]
pub struct Processes {
    pub(crate) inner: Arc<ProcessesBuilder>,
}

/// [`Processes`] under construction.
#[derive(Debug, Clone)]
#[must_use = "it is made by `build`"]
pub struct ProcessesBuilder {
    pub(crate) search: Vec<String>,
    pub(crate) environment: Vec<(String, String)>,
    pub(crate) named: Vec<(Grant, String)>,
    pub(crate) temporary: String,
    pub(crate) limits: Limits,
    pub(crate) sandbox: Sandbox,
    pub(crate) time: Duration,
    pub(crate) grace: Duration,
    pub(crate) supervisor: Option<String>,
    pub(crate) support: fn() -> Support,
}

/// What is wrong with how a host set programs up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetupError {
    text: String,
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for SetupError {}

impl fmt::Debug for Processes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Values of variables may be secret.
        f.debug_struct("Processes").field("search", &self.inner.search).finish_non_exhaustive()
    }
}

fn strings<I: IntoIterator<Item = S>, S: Into<String>>(items: I) -> Vec<String> {
    items.into_iter().map(Into::into).collect()
}

impl Processes {
    /// The defaults: programs of `/usr/local/bin`, `/usr/bin` and `/bin`; the system's folders readable, the workspace
    /// as the task's capabilities have it, nothing else; `PATH` and `LANG`, and a folder of its own as `HOME` and
    /// `TMPDIR`; a sandbox required; 10 minutes where the call has no end; 2 s between TERM and KILL.
    pub fn builder() -> ProcessesBuilder {
        let named = READABLE.map(|path| (Grant::Read, path.to_owned())).into_iter();
        let devices = DEVICES.map(|path| (Grant::Device, path.to_owned()));
        ProcessesBuilder {
            search: strings(["/usr/local/bin", "/usr/bin", "/bin"]),
            environment: vec![("LANG".to_owned(), "C.UTF-8".to_owned())],
            named: named.chain(devices).collect(),
            temporary: "/tmp".to_owned(),
            limits: Limits::default(),
            sandbox: Sandbox::Required,
            time: Duration::from_mins(10),
            grace: Duration::from_secs(2),
            supervisor: None,
            support: Support::of_kernel,
        }
    }
}

impl ProcessesBuilder {
    /// Only these folders are searched for programs, in this order; absolute paths.
    pub fn search_path(mut self, folders: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.search = strings(folders);
        self
    }

    /// Every program gets this variable too; one given before under this name is replaced, also `LANG`, `HOME` and
    /// `TMPDIR`.
    pub fn env(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        let name = name.into();
        self.environment.retain(|(given, _)| *given != name);
        self.environment.push((name, value.into()));
        self
    }

    /// Also these files and folders may be read, and programs in them run, inside the sandbox: a toolchain.
    pub fn readable(mut self, paths: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.named.extend(strings(paths).into_iter().map(|path| (Grant::Read, path)));
        self
    }

    /// Also these files and folders may be written inside the sandbox: a cache. No program is run from there.
    pub fn writable(mut self, paths: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.named.extend(strings(paths).into_iter().map(|path| (Grant::Write, path)));
        self
    }

    /// Where each run gets a folder of its own, which is removed when it ends.
    pub fn temporary(mut self, folder: impl Into<String>) -> Self {
        self.temporary = folder.into();
        self
    }

    /// What a run may use, unless its tool says otherwise.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Whether a run needs a sandbox, unless its tool says otherwise.
    pub fn sandbox(mut self, sandbox: Sandbox) -> Self {
        self.sandbox = sandbox;
        self
    }

    /// How long a run may take, unless its tool says otherwise; never longer than the call may.
    pub fn time(mut self, time: Duration) -> Self {
        self.time = time;
        self
    }

    /// How long the processes of a run that is to end have between TERM and KILL.
    pub fn grace(mut self, grace: Duration) -> Self {
        self.grace = grace;
        self
    }

    /// The supervisor as a binary of its own (`toolgate-supervisor`, by its absolute path), for hosts that can't call
    /// [`init`](crate::init) first thing in `main`.
    pub fn supervisor(mut self, binary: impl Into<String>) -> Self {
        self.supervisor = Some(binary.into());
        self
    }

    /// What the kernel can enforce, asked in another way: for tests of what happens where it can't.
    pub fn support(mut self, support: fn() -> Support) -> Self {
        self.support = support;
        self
    }

    /// The places outside of the workspace that programs may change.
    pub(crate) fn written(&self) -> impl Iterator<Item = &Path> {
        self.named.iter().filter(|(grant, _)| *grant == Grant::Write).map(|(_, path)| Path::new(path))
    }

    /// Checks and makes it.
    ///
    /// # Errors
    /// A path that isn't absolute, a variable that can't be set, no folder to search.
    pub fn build(mut self) -> Result<Processes, SetupError> {
        let wrong = |text: String| Err(SetupError { text });
        if self.search.is_empty() {
            return wrong("the search path is empty, so no program would ever be found".to_owned());
        }
        let named = self.named.iter().map(|(_, path)| path);
        let paths = self.search.iter().chain(named).chain(&self.supervisor).chain([&self.temporary]);
        for path in paths {
            if !program::is_absolute(path.trim_end_matches('/')) {
                return wrong(format!("`{path}` is no absolute path without `.`, `..` and empty parts"));
            }
        }
        for (name, value) in &self.environment {
            if !can_be_set(name, value) {
                return wrong(format!(
                    "the variable `{}` can't be set: its name is empty or holds `=`, or there is a NUL",
                    name.escape_debug()
                ));
            }
        }
        if !self.environment.iter().any(|(name, _)| name == "PATH") {
            self.environment.push(("PATH".to_owned(), self.search.join(":")));
        }
        Ok(Processes { inner: Arc::new(self) })
    }
}

/// Whether the kernel passes the variable on as it is.
pub(crate) fn can_be_set(name: &str, value: &str) -> bool {
    !name.is_empty() && !name.contains(['=', '\0']) && !value.contains('\0')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setup_that_depends_on_where_the_host_stands_is_refused() {
        for wrong in ["bin", "./bin", "/usr/../bin", "", "~/bin"] {
            assert!(Processes::builder().search_path([wrong]).build().is_err(), "{wrong:?}");
            assert!(Processes::builder().readable([wrong]).build().is_err(), "{wrong:?}");
            assert!(Processes::builder().supervisor(wrong).build().is_err(), "{wrong:?}");
        }
        assert!(Processes::builder().search_path(Vec::<String>::new()).build().is_err());
        assert!(Processes::builder().env("A=B", "c").build().is_err());
        assert!(Processes::builder().env("A", "c\0d").build().is_err());
        assert!(Processes::builder().search_path(["/usr/bin/"]).build().is_ok());
    }

    #[test]
    fn a_variable_given_again_is_replaced() {
        let built = Processes::builder().env("LANG", "de_DE.UTF-8").env("PATH", "/opt/bin").build().unwrap();
        let mut names: Vec<&(String, String)> = built.inner.environment.iter().collect();
        names.sort();
        let expected = [("LANG", "de_DE.UTF-8"), ("PATH", "/opt/bin")].map(|(name, value)| (name.into(), value.into()));
        assert_eq!(names, expected.iter().collect::<Vec<_>>());
    }
}
