//! The fleet that the tools work on: services in one JSON file and their log files beside it. A stand-in for
//! a real platform; what a tool changes here stays changed.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use toolgate::serde::{Deserialize, Serialize};
use toolgate::{serde_json, tool_type};

/// A service of the fleet.
#[tool_type(rename_all = "kebab-case")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(crate = "toolgate::serde", rename_all = "kebab-case")]
#[expect(clippy::enum_variant_names, reason = "so the services are called")]
pub(crate) enum ServiceName {
    /// Takes orders.
    OrderService,
    /// Charges cards.
    PaymentService,
    /// Answers searches.
    SearchService,
}

/// Where a service runs.
#[tool_type]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(crate = "toolgate::serde", rename_all = "snake_case")]
pub(crate) enum Environment {
    /// Customers use it.
    Production,
    /// Only we use it.
    Staging,
}

/// How a service is.
#[tool_type]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(crate = "toolgate::serde", rename_all = "snake_case")]
pub(crate) enum Health {
    /// It answers.
    Healthy,
    /// It answers with errors, or not at all.
    Unhealthy,
    /// It was stopped and nobody knows whether it comes back.
    Unreachable,
}

/// One service as the file keeps it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(crate = "toolgate::serde")]
pub(crate) struct Service {
    pub(crate) name: ServiceName,
    pub(crate) environment: Environment,
    pub(crate) health: Health,
    pub(crate) restarts: u32,
    pub(crate) error_rate: f64,
    pub(crate) latency_ms: f64,
    /// Whether it comes back after a restart.
    comes_back: bool,
}

/// The services in `fleet.json` and the files beside it. All clones are one fleet.
#[derive(Debug, Clone)]
pub(crate) struct Fleet {
    folder: PathBuf,
    one_at_a_time: Arc<Mutex<()>>,
}

impl Fleet {
    /// The fleet in `folder`; a new one where there is none.
    pub(crate) fn open(folder: &Path) -> io::Result<Self> {
        let fleet = Self { folder: folder.to_owned(), one_at_a_time: Arc::default() };
        if !fleet.state_file().exists() {
            fleet.write(&first_services())?;
            write_log_files(folder)?;
        }
        Ok(fleet)
    }

    /// Where the services are kept.
    pub(crate) fn state_file(&self) -> PathBuf {
        self.folder.join("fleet.json")
    }

    /// One service as it is now; `None` where it doesn't run there.
    pub(crate) fn find(&self, name: ServiceName, environment: Environment) -> io::Result<Option<Service>> {
        let services = self.read()?;
        Ok(services.into_iter().find(|service| service.name == name && service.environment == environment))
    }

    /// Stops and starts a service; the service afterwards.
    pub(crate) fn restart(&self, name: ServiceName, environment: Environment) -> io::Result<Option<Service>> {
        let _alone = self.one_at_a_time.lock().unwrap_or_else(PoisonError::into_inner);
        let mut services = self.read()?;
        let found = services.iter_mut().find(|service| service.name == name && service.environment == environment);
        let Some(service) = found else { return Ok(None) };
        service.restarts += 1;
        service.health = if service.comes_back { Health::Healthy } else { Health::Unreachable };
        (service.error_rate, service.latency_ms) = if service.comes_back { (0.2, 41.0) } else { (100.0, 0.0) };
        let after = service.clone();
        self.write(&services)?;
        Ok(Some(after))
    }

    /// The lines of a service's log, oldest first.
    pub(crate) fn log(&self, name: ServiceName, environment: Environment) -> io::Result<Vec<String>> {
        let text = fs::read_to_string(self.folder.join("logs").join(log_name(name, environment)))?;
        Ok(text.lines().map(str::to_owned).collect())
    }

    fn read(&self) -> io::Result<Vec<Service>> {
        Ok(serde_json::from_str(&fs::read_to_string(self.state_file())?)?)
    }

    fn write(&self, services: &[Service]) -> io::Result<()> {
        let new = self.folder.join("fleet.json.new");
        fs::write(&new, serde_json::to_string_pretty(services)?)?;
        fs::rename(new, self.state_file())
    }
}

fn log_name(name: ServiceName, environment: Environment) -> &'static str {
    match (name, environment) {
        (ServiceName::OrderService, Environment::Production) => "order-service.log",
        (ServiceName::PaymentService, Environment::Production) => "payment-service.log",
        (ServiceName::SearchService, Environment::Production) => "search-service.log",
        (_, Environment::Staging) => "staging.log",
    }
}

/// Two services are ill; one of them doesn't come back.
fn first_services() -> Vec<Service> {
    let service = |name, environment, health, error_rate, latency_ms, comes_back| Service {
        name,
        environment,
        health,
        restarts: 0,
        error_rate,
        latency_ms,
        comes_back,
    };
    vec![
        service(ServiceName::OrderService, Environment::Production, Health::Unhealthy, 37.5, 2_900.0, true),
        service(ServiceName::PaymentService, Environment::Production, Health::Unhealthy, 12.0, 810.0, false),
        service(ServiceName::SearchService, Environment::Production, Health::Healthy, 0.1, 25.0, true),
        service(ServiceName::OrderService, Environment::Staging, Health::Healthy, 0.0, 38.0, true),
    ]
}

/// The same lines in every run, so that a recorded story fits them.
fn write_log_files(folder: &Path) -> io::Result<()> {
    let archive = folder.join("logs").join("archive");
    fs::create_dir_all(&archive)?;
    for (name, lines) in [("order-service", 600), ("payment-service", 40), ("search-service", 20), ("staging", 5)] {
        let text: String = (0..lines).map(|line| log_line(name, line)).collect();
        fs::write(folder.join("logs").join(format!("{name}.log")), text)?;
    }
    fs::write(archive.join("order-service-2026-09.log"), "kept for the auditors\n")?;
    fs::write(archive.join("order-service-2026-10.log"), "rotated out\n")
}

fn log_line(name: &str, line: u32) -> String {
    let (minute, second) = (line / 60, line % 60);
    match line % 7 {
        3 => format!("12:{minute:02}:{second:02} ERROR {name} request {line}: no connection free in the pool of 20\n"),
        _ => format!("12:{minute:02}:{second:02} INFO  {name} request {line} done\n"),
    }
}
