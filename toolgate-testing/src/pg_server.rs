//! A PostgreSQL server of one's own: made in a folder that goes with it, on a free port and a socket, and
//! stopped when it is dropped or when the process ends, however it ends. Not for data that matters.

use std::fs;
use std::io::{self, Write as _};
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Runs the server until standard input closes, which it does with the process that holds the other end. The
/// folder goes, too, unless that process says that it is to be kept.
const SUPERVISE: &str = r#"folder=$1; shift; "$@" & server=$!; read -r word; kill -INT $server; wait $server
[ "$word" = keep ] || rm -rf "$folder""#;

/// How long a server may take to start.
const PATIENCE: Duration = Duration::from_secs(30);

static COUNT: AtomicU32 = AtomicU32::new(0);

/// A running server, with a superuser `postgres` who needs no password.
#[derive(Debug)]
pub struct PgServer {
    binaries: PathBuf,
    folder: PathBuf,
    port: u16,
    user: Option<(u32, u32)>,
    settings: Vec<String>,
    supervisor: Option<Child>,
}

/// The newest of the installed versions.
fn binaries() -> Option<PathBuf> {
    let version = |path: &Path| path.file_name()?.to_str()?.parse::<u32>().ok();
    let installed = fs::read_dir("/usr/lib/postgresql").ok()?.flatten().map(|entry| entry.path());
    let newest = installed.filter(|path| path.join("bin/initdb").is_file()).max_by_key(|path| version(path))?;
    Some(newest.join("bin"))
}

/// The server refuses to run for root: whom it runs for then.
fn other_user() -> Option<(u32, u32)> {
    let own = fs::metadata("/proc/self").ok()?.uid();
    if own != 0 {
        return None;
    }
    let users = fs::read_to_string("/etc/passwd").ok()?;
    let of = |name: &str| {
        let line = users.lines().find(|line| line.split(':').next() == Some(name))?;
        let mut numbers = line.split(':').skip(2).map(str::parse);
        Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
    };
    of("postgres").or_else(|| of("nobody"))
}

fn failed(what: &str, output: &Output) -> io::Error {
    io::Error::other(format!("{what}: {}{}", text(&output.stdout), text(&output.stderr)))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

impl PgServer {
    /// A new server; `None`, with a line that says `skipped`, where PostgreSQL isn't installed.
    ///
    /// # Panics
    /// Where it is installed and can't be started.
    pub fn start() -> Option<Self> {
        Self::start_with(&[])
    }

    /// As [`Self::start`], with settings such as `max_connections=20`.
    ///
    /// # Panics
    /// As [`Self::start`].
    #[expect(clippy::panic, reason = "a test that needs the server can't go on without it")]
    pub fn start_with(settings: &[&str]) -> Option<Self> {
        let Some(binaries) = binaries() else {
            println!("skipped: PostgreSQL isn't installed here");
            return None;
        };
        match Self::create(binaries, settings) {
            Ok(server) => Some(server),
            Err(error) => panic!("PostgreSQL could not be started: {error}"),
        }
    }

    fn create(binaries: PathBuf, settings: &[&str]) -> io::Result<Self> {
        let name = format!("toolgate-pg-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::SeqCst));
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder)?;
        let user = other_user();
        if let Some((uid, gid)) = user {
            chown(&folder, Some(uid), Some(gid))?;
        }
        let settings = settings.iter().map(|setting| (*setting).to_owned()).collect();
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let mut server = Self { binaries, folder, port, user, settings, supervisor: None };
        let data = server.folder.join("data");
        let made = server
            .command("initdb")
            .args(["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync", "-D"])
            .arg(&data)
            .output()?;
        if !made.status.success() {
            return Err(failed("initdb", &made));
        }
        server.run()?;
        Ok(server)
    }

    fn command(&self, program: &str) -> Command {
        self.as_user(Command::new(self.binaries.join(program)))
    }

    fn as_user(&self, mut command: Command) -> Command {
        command.current_dir(&self.folder).stdin(Stdio::null()).env_remove("LC_ALL");
        if let Some((uid, gid)) = self.user {
            command.uid(uid).gid(gid);
        }
        command
    }

    fn run(&mut self) -> io::Result<()> {
        let log = fs::OpenOptions::new().create(true).append(true).open(self.folder.join("log"))?;
        let mut shell = self.as_user(Command::new("sh"));
        shell.args(["-c", SUPERVISE, "sh"]).arg(&self.folder).arg(self.binaries.join("postgres"));
        shell.arg("-D").arg(self.folder.join("data")).arg("-k").arg(&self.folder);
        shell.args(["-p", &self.port.to_string(), "-c", "listen_addresses=127.0.0.1"]);
        for setting in &self.settings {
            shell.args(["-c", setting]);
        }
        let shell = shell.stdin(Stdio::piped()).stdout(log.try_clone()?).stderr(log).process_group(0).spawn()?;
        self.supervisor = Some(shell);
        let start = Instant::now();
        loop {
            match self.psql("postgres", "SELECT 1") {
                Ok(_) => return Ok(()),
                Err(_) if start.elapsed() < PATIENCE => thread::sleep(Duration::from_millis(50)),
                Err(error) => {
                    let log = fs::read_to_string(self.folder.join("log")).unwrap_or_default();
                    return Err(io::Error::other(format!("{error}\n{log}")));
                }
            }
        }
    }

    /// The URL of a database over TCP, for the superuser.
    pub fn url(&self, database: &str) -> String {
        self.url_of("postgres", database)
    }

    /// As [`Self::url`], for another role.
    pub fn url_of(&self, role: &str, database: &str) -> String {
        format!("postgres://{role}@127.0.0.1:{}/{database}", self.port)
    }

    /// The port on 127.0.0.1.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The folder of the socket, and of all else.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Makes an empty database and gives its URL.
    ///
    /// # Errors
    /// What the server says.
    pub fn create_database(&self, name: &str) -> io::Result<String> {
        self.psql("postgres", &format!("CREATE DATABASE \"{name}\""))?;
        Ok(self.url(name))
    }

    /// Runs SQL as the superuser and gives its rows, one a line, columns apart by `|`.
    ///
    /// # Errors
    /// What the server says.
    pub fn psql(&self, database: &str, sql: &str) -> io::Result<String> {
        self.psql_as("postgres", database, sql)
    }

    /// As [`Self::psql`], for another role.
    ///
    /// # Errors
    /// What the server says.
    pub fn psql_as(&self, role: &str, database: &str, sql: &str) -> io::Result<String> {
        let output = self
            .command("psql")
            .args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-U", role, "-p", &self.port.to_string()])
            .args(["-d", database, "-c", sql, "-h"])
            .arg(&self.folder)
            .output()?;
        if !output.status.success() {
            return Err(failed("psql", &output));
        }
        Ok(text(&output.stdout).trim_end().to_owned())
    }

    /// Stops the server: connections are cut, what was committed stays.
    ///
    /// # Errors
    /// Where its end can't be waited for.
    pub fn stop(&mut self) -> io::Result<()> {
        let Some(mut supervisor) = self.supervisor.take() else { return Ok(()) };
        if let Some(mut word) = supervisor.stdin.take() {
            word.write_all(b"keep\n")?;
        }
        supervisor.wait().map(drop)
    }

    /// Starts a stopped server again, with what was committed.
    ///
    /// # Errors
    /// What the server says.
    pub fn start_again(&mut self) -> io::Result<()> {
        if self.supervisor.is_some() { Ok(()) } else { self.run() }
    }

    /// Kills the server without a chance to finish anything; [`Self::start_again`] recovers it.
    ///
    /// # Errors
    /// Where it can't be killed.
    pub fn crash(&mut self) -> io::Result<()> {
        let control =
            self.command("pg_ctl").args(["stop", "-m", "immediate", "-D"]).arg(self.folder.join("data")).output()?;
        if !control.status.success() {
            return Err(failed("pg_ctl", &control));
        }
        self.stop()
    }
}

impl Drop for PgServer {
    fn drop(&mut self) {
        // Whatever is left is in a folder for temporary files.
        let _ = self.stop();
        let _ = fs::remove_dir_all(&self.folder);
    }
}
