//! Credentials from files that only the host's user may read. Not workspace paths: no model names them.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, Mode, OFlags, fstat, openat};

use super::broker::{BrokerError, CredentialBroker, CredentialRequest, Issued};
use super::{MAX_BYTES, secret_of};
use crate::tool::BoxFuture;

/// What others may do with a file, and what its group may change.
const TOO_OPEN: u32 = 0o027;

/// Reads a file each time it is asked, at most 16 KiB, without the line end behind it. The file must be a
/// regular one that belongs to this process's user or root, that others may neither read nor write, and
/// that its group may not write. A link may lead to it, as those of mounted secrets do.
#[derive(Debug, Clone, Default)]
pub struct FileCredentials {
    files: BTreeMap<String, PathBuf>,
}

impl FileCredentials {
    /// Without any name.
    pub fn new() -> Self {
        Self::default()
    }

    /// The credential of this name is what this file holds.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, file: impl Into<PathBuf>) -> Self {
        self.files.insert(name.into(), file.into());
        self
    }
}

impl CredentialBroker for FileCredentials {
    fn issue<'a>(&'a self, request: &'a CredentialRequest) -> BoxFuture<'a, Result<Issued, BrokerError>> {
        let file = self.files.get(&request.name).cloned().ok_or_else(|| BrokerError::unknown(&request.name));
        Box::pin(async move {
            let file = file?;
            let read = tokio::task::spawn_blocking(move || read(&file));
            read.await.map_err(|_| BrokerError::new("the file was not read to its end"))?
        })
    }
}

fn read(path: &Path) -> Result<Issued, BrokerError> {
    let shown = path.display();
    let told = |what: &str| BrokerError::new(format!("{shown} {what}"));
    // Opened first and looked at then, so that what is judged is what is read; a pipe doesn't block.
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
    let opened = openat(CWD, path, flags, Mode::empty());
    let opened = opened.map_err(|error| BrokerError::new(format!("{shown} can't be opened: {error}")))?;
    let facts = fstat(&opened).map_err(|error| BrokerError::new(format!("{shown} can't be looked at: {error}")))?;
    if !rustix::fs::FileType::from_raw_mode(facts.st_mode).is_file() {
        return Err(told("is no regular file"));
    }
    if facts.st_mode & TOO_OPEN != 0 {
        let mode = facts.st_mode & 0o7777;
        return Err(told(&format!(
            "has mode {mode:04o}; others may not read it, nor its group write it: `chmod 0600`"
        )));
    }
    if facts.st_uid != 0 && facts.st_uid != rustix::process::geteuid().as_raw() {
        return Err(told("belongs to another user"));
    }
    let mut bytes = Vec::with_capacity(MAX_BYTES + 1);
    let most = u64::try_from(MAX_BYTES).unwrap_or(u64::MAX) + 1;
    let read = File::from(opened).take(most).read_to_end(&mut bytes);
    read.map_err(|error| BrokerError::new(format!("{shown} can't be read: {error}")))?;
    let secret = secret_of(bytes).map_err(|error| told(&format!("can't be used: {error}")))?;
    Ok(Issued::new("file", secret))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("toolgate-credential-{name}-{}", std::process::id()));
            std::fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        fn file(&self, name: &str, text: &[u8], mode: u32) -> PathBuf {
            let path = self.0.join(name);
            std::fs::write(&path, text).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
            path
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    fn text(path: &Path) -> Result<String, String> {
        read(path).map(|issued| issued.secret.expose().to_owned()).map_err(|error| error.to_string())
    }

    #[test]
    fn one_line_end_is_left_out_and_nothing_else() {
        let folder = Folder::new("line-end");
        for (n, (given, value)) in
            [("tok-1\n", "tok-1"), ("tok-2\r\n", "tok-2"), (" tok-3 \n\n", " tok-3 \n")].iter().enumerate()
        {
            let path = folder.file(&n.to_string(), given.as_bytes(), 0o600);
            assert_eq!(text(&path).unwrap(), *value);
        }
        let link = folder.0.join("link");
        std::os::unix::fs::symlink("0", &link).unwrap();
        assert_eq!(text(&link).unwrap(), "tok-1");
    }

    #[test]
    fn a_file_that_others_may_read_is_refused_and_so_is_what_is_no_file() {
        let folder = Folder::new("refused");
        for (mode, refused) in
            [(0o600, false), (0o640, false), (0o644, true), (0o620, true), (0o604, true), (0o602, true)]
        {
            let path = folder.file("mode", b"tok-123456", mode);
            assert_eq!(text(&path).is_err_and(|error| error.contains("chmod 0600")), refused, "{mode:o}");
        }
        let pipe = folder.0.join("pipe");
        rustix::fs::mknodat(CWD, &pipe, rustix::fs::FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
        assert!(text(&pipe).unwrap_err().contains("no regular file"));
        assert!(text(&folder.0).unwrap_err().contains("no regular file"));
        assert!(text(&folder.0.join("missing")).unwrap_err().contains("can't be opened"));
        assert!(text(&folder.file("bytes", b"tok-\xff", 0o600)).unwrap_err().contains("UTF-8"));
        assert!(text(&folder.file("long", &vec![b'x'; MAX_BYTES + 1], 0o600)).unwrap_err().contains("more than"));
    }
}
