//! What is run: the command line, the same for the driver and its workers, and the files between them.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use toolgate_core::store::Store;
use toolgate_sqlite::SqliteStore;

use crate::broken::{Broken, BrokenStore};
use crate::chance::Chance;
use crate::log::Log;

/// Anything that keeps a run from being one.
pub(crate) type Error = Box<dyn std::error::Error + Send + Sync>;

/// How many workers call each operation.
const CALLERS: usize = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Driver,
    Worker(usize),
}

#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) role: Role,
    pub(crate) seed: u64,
    pub(crate) keys: u64,
    pub(crate) processes: usize,
    pub(crate) place: PathBuf,
    pub(crate) broken: Option<Broken>,
}

impl Plan {
    pub(crate) fn read(arguments: impl Iterator<Item = String>) -> Result<Self, Error> {
        let place = std::env::temp_dir().join(format!("toolgate-history-{}", std::process::id()));
        let mut plan = Self { role: Role::Driver, seed: 1, keys: 2_000, processes: 8, place, broken: None };
        let mut arguments = arguments;
        while let Some(name) = arguments.next() {
            let value = arguments.next().ok_or_else(|| format!("`{name}` needs a value"))?;
            match name.as_str() {
                "--seed" => plan.seed = value.parse()?,
                "--keys" => plan.keys = value.parse()?,
                "--processes" => plan.processes = value.parse::<usize>()?.max(1),
                "--place" => plan.place = value.into(),
                "--worker" => plan.role = Role::Worker(value.parse()?),
                "--broken" => plan.broken = Some(Broken::parse(&value).ok_or("no such fault")?),
                "--store" if value == "sqlite" => {}
                "--store" => return Err(format!("unknown store `{value}`, expected `sqlite`").into()),
                _ => return Err(format!("unknown option `{name}`").into()),
            }
        }
        Ok(plan)
    }

    /// The command line of a worker.
    pub(crate) fn of_worker(&self, number: usize) -> Vec<String> {
        let mut words: Vec<String> = vec!["--worker".to_owned(), number.to_string()];
        words.extend(["--seed".to_owned(), self.seed.to_string(), "--keys".to_owned(), self.keys.to_string()]);
        words.extend(["--processes".to_owned(), self.processes.to_string()]);
        words.extend(["--place".to_owned(), self.place.display().to_string()]);
        words.extend(self.broken.iter().flat_map(|broken| ["--broken".to_owned(), broken.as_str().to_owned()]));
        words
    }

    /// The store, and before it what breaks its promises, where that is asked for.
    pub(crate) fn open(&self) -> Result<Arc<dyn Store>, Error> {
        let store: Arc<dyn Store> = Arc::new(SqliteStore::open(self.place.join("gate.db"))?);
        Ok(match self.broken {
            Some(broken) => Arc::new(BrokenStore::new(store, broken)),
            None => store,
        })
    }

    /// What happened to the world: number, key and call of each effect.
    pub(crate) fn effects(&self) -> Log {
        Log::at(self.place.join("effects"))
    }

    /// What callers were told: number, call, code, effect and key.
    pub(crate) fn answers(&self) -> Log {
        Log::at(self.place.join("answers"))
    }

    /// What a worker need not ask again.
    pub(crate) fn over(&self, worker: usize) -> Log {
        Log::at(self.place.join(format!("over-{worker}")))
    }

    /// The operations of a worker, in an order of its own.
    pub(crate) fn operations(&self, worker: usize) -> Result<Vec<u64>, Error> {
        let over: HashSet<String> = self.over(worker).lines()?.into_iter().flatten().collect();
        let callers = CALLERS.min(self.processes);
        let is_own = |number: &u64| {
            let first = usize::try_from(*number).unwrap_or_default();
            (0..callers).any(|caller| (first + caller) % self.processes == worker)
        };
        let left = (0..self.keys).filter(is_own).filter(|number| !over.contains(&number.to_string()));
        let mut left: Vec<u64> = left.collect();
        // Callers of one operation should meet: the same order, but for neighbours.
        let mut chance = Chance::new(self.seed ^ ((worker as u64) << 32));
        left.chunks_mut(32).for_each(|chunk| chance.shuffle(chunk));
        Ok(left)
    }
}

/// Every tenth operation may be done twice.
pub(crate) const fn is_once(number: u64) -> bool {
    number % 10 != 9
}
