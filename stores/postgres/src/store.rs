//! The store itself: hands writes to its queue and reads to its readers, on threads of its own, so that it can be
//! used from any runtime or none.

use std::sync::{Mutex, PoisonError, mpsc as threads};
use std::time::Duration;

use deadpool_postgres::{ClientWrapper, Manager, ManagerConfig, Object, Pool, RecyclingMethod};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{mpsc, oneshot};
use tokio_postgres::{Config, NoTls};
use toolgate_core::keys::GateKey;
use toolgate_core::store::{
    CallFilter, CallRecord, CallStory, KeyFilter, KeyRecord, OldFilter, OutcomeRecord, Past, Recalled, Stop, Store,
    StoreError, StoreFault, StoreReport, StoredResult, TicketFilter, TicketRecord, Write, Written,
};
use toolgate_core::tool::BoxFuture;

use crate::connect::Place;
use crate::migrate::{Standing, checked_key, standing};
use crate::options::{KeySource, PostgresOptions};
use crate::queue::{self, Job};
use crate::report::{self, Facts};
use crate::session::{Answer, Failure};
use crate::shift::{SERVER_MS, Shift};
use crate::writer::{ChainName, Writer};
use crate::{convert, fault, read};

/// A [`Store`] in one schema of a PostgreSQL database.
///
/// Any number of stores, in any number of processes on any number of machines, may have the same schema open, with
/// the same key. Each has a chain of events of its own, and goes on with one that an earlier store left. Dropping a
/// store finishes the writes that are queued.
///
/// Times that decide something are the server's: what is stored of a ticket is by its clock, and is given back by this
/// host's.
#[derive(Debug)]
pub struct PostgresStore {
    key: GateKey,
    facts: Facts,
    shift: Shift,
    pool: Pool,
    readers: usize,
    /// `None` where the store was opened for reading.
    jobs: Option<mpsc::Sender<Job>>,
    /// Says when the queue is served to its end.
    served: Mutex<Option<threads::Receiver<()>>>,
    wait: Duration,
    runtime: Option<Runtime>,
}

/// What a store is made of, once it is open.
struct Opened {
    key: GateKey,
    pool: Pool,
    chain: ChainName,
    jobs: Option<mpsc::Sender<Job>>,
    served: Option<threads::Receiver<()>>,
}

fn pool(config: Config, options: &PostgresOptions) -> Result<Pool, StoreError> {
    let recycling = ManagerConfig { recycling_method: RecyclingMethod::Fast };
    let manager = Manager::from_config(config, NoTls, recycling);
    Pool::builder(manager)
        .max_size(options.readers.max(1))
        .runtime(deadpool_postgres::Runtime::Tokio1)
        .wait_timeout(Some(options.wait))
        .create_timeout(Some(options.wait))
        .build()
        .map_err(|error| fault::error(StoreFault::Io, error.to_string()))
}

async fn open_for_writing(place: Place, options: PostgresOptions, shift: Shift) -> Result<Opened, StoreError> {
    let pool = pool(place.for_reading(), &options)?;
    let writer = Writer::open(place, &options, shift).await?;
    let (key, chain) = (writer.gate().clone(), writer.chain());
    let (jobs, waiting) = mpsc::channel(options.queue.max(1));
    let (done, served) = threads::channel();
    tokio::spawn(async move {
        Box::pin(queue::run(writer, waiting, options.batch.max(1))).await;
        // Nobody may be there to be told.
        let _ = done.send(());
    });
    Ok(Opened { key, pool, chain, jobs: Some(jobs), served: Some(served) })
}

async fn open_for_reading(place: Place, options: PostgresOptions, shift: Shift) -> Result<Opened, StoreError> {
    let pool = pool(place.for_audit(), &options)?;
    let client = pool.get().await.map_err(|error| fault::of_pool(&error))?;
    let check = match standing(&**client, place.schema()).await? {
        Standing::Empty => return Err(fault::error(StoreFault::Gone, "the schema holds no tables")),
        Standing::Version(_, check) => check,
    };
    let key = checked_key(&options.key, &check)?;
    let before = Shift::now();
    let row = client.query_one(SERVER_MS, &[]).await.map_err(|error| fault::of_postgres(&error))?;
    shift.measure(before, convert::get(&row, 0)?, Shift::now());
    drop(client);
    Ok(Opened { key, pool, chain: ChainName::default(), jobs: None, served: None })
}

impl PostgresStore {
    /// Opens the database at a URL such as `postgres://gate@/agents?host=/run/postgresql`, and makes the tables
    /// where there are none and its role may. Plain connections are taken on this host, and over a network only where
    /// the URL says `sslmode=disable`.
    ///
    /// # Errors
    /// [`StoreFault::Corrupt`] for a schema of another program, of a newer version or with another key,
    /// [`StoreFault::Gone`] where the server can't be reached or the key is missing, [`StoreFault::ReadOnly`] where the
    /// role may not do what is needed, [`StoreFault::Io`] for a URL that can't be used.
    pub async fn open(url: &str, options: PostgresOptions) -> Result<Self, StoreError> {
        let (store, opened) = Self::start(url, options, true)?;
        store.with(opened.await.map_err(|_| fault::ended())?)
    }

    /// As [`Self::open`], for a thread that may wait.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_blocking(url: &str, options: PostgresOptions) -> Result<Self, StoreError> {
        let (store, opened) = Self::start(url, options, true)?;
        store.with(wait_for(opened)?)
    }

    /// Opens the database for reading only, for audits, also with a role that may only read. Every write is
    /// [`StoreFault::ReadOnly`].
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_read_only(url: &str, options: PostgresOptions) -> Result<Self, StoreError> {
        let (store, opened) = Self::start(url, options, false)?;
        store.with(wait_for(opened)?)
    }

    fn start(
        url: &str,
        options: PostgresOptions,
        writes: bool,
    ) -> Result<(Starting, oneshot::Receiver<Result<Opened, StoreError>>), StoreError> {
        let place = Place::read(url, &options.schema, options.wait)?;
        let runtime = Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("toolgate-postgres")
            .enable_all()
            .build()
            .map_err(|error| StoreError::of_file("threads of the store", &error))?;
        let shift = Shift::default();
        let (tell, opened) = oneshot::channel();
        let starting = Starting {
            facts: Facts::new(&place, &options),
            shift: shift.clone(),
            readers: options.readers.max(1),
            wait: options.wait,
            runtime: Some(runtime),
        };
        let open = async move {
            let opened = if writes {
                open_for_writing(place, options, shift).await
            } else {
                open_for_reading(place, options, shift).await
            };
            // Whoever opens may have stopped waiting.
            let _ = tell.send(opened);
        };
        if let Some(runtime) = &starting.runtime {
            runtime.spawn(open);
        }
        Ok((starting, opened))
    }

    async fn queue(&self, writes: Vec<Write>) -> Result<Vec<Answer>, StoreError> {
        let Some(jobs) = &self.jobs else {
            return Err(fault::error(StoreFault::ReadOnly, "the store was opened for reading"));
        };
        let (answer, answered) = oneshot::channel();
        jobs.send(Job { writes, answer }).await.map_err(|_| fault::ended())?;
        answered.await.map_err(|_| fault::ended())
    }

    /// Runs a query on a connection of the pool, and again where the connection turns out to be lost.
    async fn read<T, F>(&self, run: impl Fn(Object) -> F + Send + 'static) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Failure>> + Send,
    {
        let (pool, tries) = (self.pool.clone(), self.readers + 1);
        let runtime = self.runtime.as_ref().ok_or_else(fault::ended)?;
        let reading = runtime.spawn(async move {
            let mut left = tries;
            loop {
                let client = pool.get().await.map_err(|error| fault::of_pool(&error))?;
                left -= 1;
                match run(client).await {
                    Err(failure) if failure.is_lost() && left > 0 => {}
                    answer => return answer.map_err(Failure::into_store),
                }
            }
        });
        reading.await.map_err(|_| fault::ended())?
    }
}

/// What is there before the database answered. Dropped, it leaves no thread behind.
struct Starting {
    facts: Facts,
    shift: Shift,
    readers: usize,
    wait: Duration,
    runtime: Option<Runtime>,
}

fn wait_for<T: Send>(opened: oneshot::Receiver<T>) -> Result<T, StoreError> {
    // A thread of a runtime may not block on its own account; another may.
    std::thread::scope(|scope| scope.spawn(|| opened.blocking_recv()).join())
        .map_err(|_| fault::ended())?
        .map_err(|_| fault::ended())
}

impl Starting {
    fn with(mut self, opened: Result<Opened, StoreError>) -> Result<PostgresStore, StoreError> {
        let Opened { key, pool, chain, jobs, served } = opened?;
        Ok(PostgresStore {
            key,
            facts: self.facts.clone().chain(chain),
            shift: self.shift.clone(),
            pool,
            readers: self.readers,
            jobs,
            served: Mutex::new(served),
            wait: self.wait,
            runtime: self.runtime.take(),
        })
    }
}

impl Drop for Starting {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl Drop for PostgresStore {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(served) = self.served.get_mut().unwrap_or_else(PoisonError::into_inner).take() {
            // A server that is away is waited for as long as a write would.
            let _ = served.recv_timeout(self.wait * 4);
        }
        self.pool.close();
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// The client of a connection out of the pool.
pub(crate) fn client(object: &Object) -> &ClientWrapper {
    object
}

impl Store for PostgresStore {
    fn write(&self, writes: Vec<Write>) -> BoxFuture<'_, Vec<Result<Written, StoreError>>> {
        let size = writes.len();
        Box::pin(async move { self.queue(writes).await.unwrap_or_else(|error| vec![Err(error); size]) })
    }

    fn recall<'a>(&'a self, keys: &'a [String], session: &'a str) -> BoxFuture<'a, Result<Recalled, StoreError>> {
        let (gate, keys, session) = (self.key.clone(), keys.to_vec(), session.to_owned());
        Box::pin(self.read(move |object| {
            let (gate, keys, session) = (gate.clone(), keys.clone(), session.clone());
            async move { read::recall(client(&object), &gate, &keys, &session).await }
        }))
    }

    fn outcomes<'a>(
        &'a self,
        session: &'a str,
        task: &'a str,
        tool: &'a str,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<OutcomeRecord>, StoreError>> {
        let place = [session, task, tool].map(str::to_owned);
        Box::pin(self.read(move |object| {
            let place = place.clone();
            async move { read::outcomes(client(&object), &place, limit).await }
        }))
    }

    fn result<'a>(&'a self, call_id: &'a str) -> BoxFuture<'a, Result<Option<StoredResult>, StoreError>> {
        let call_id = call_id.to_owned();
        Box::pin(self.read(move |object| {
            let call_id = call_id.clone();
            async move { read::result(client(&object), &call_id).await }
        }))
    }

    fn call<'a>(&'a self, call_id: &'a str) -> BoxFuture<'a, Result<Option<CallStory>, StoreError>> {
        let call_id = call_id.to_owned();
        Box::pin(self.read(move |object| {
            let call_id = call_id.clone();
            async move { read::story(client(&object), &call_id).await }
        }))
    }

    fn calls<'a>(&'a self, filter: &'a CallFilter) -> BoxFuture<'a, Result<Vec<CallRecord>, StoreError>> {
        let filter = filter.clone();
        Box::pin(self.read(move |object| {
            let filter = filter.clone();
            async move { read::calls(client(&object), &filter).await }
        }))
    }

    fn past<'a>(&'a self, tenant: &'a str, session: &'a str, task: &'a str) -> BoxFuture<'a, Result<Past, StoreError>> {
        let of = [tenant, session, task].map(str::to_owned);
        Box::pin(self.read(move |object| {
            let of = of.clone();
            async move { read::past(client(&object), &of).await }
        }))
    }

    fn ticket<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<Option<TicketRecord>, StoreError>> {
        let (gate, id) = (self.key.clone(), id.to_owned());
        let found = self.read(move |object| {
            let (gate, id) = (gate.clone(), id.clone());
            async move { read::ticket(client(&object), &gate, &id).await }
        });
        Box::pin(async move {
            let mut found = found.await?;
            found.iter_mut().for_each(|ticket| self.shift.ticket_to_host(ticket));
            Ok(found)
        })
    }

    fn tickets<'a>(&'a self, filter: &'a TicketFilter) -> BoxFuture<'a, Result<Vec<TicketRecord>, StoreError>> {
        let (gate, filter) = (self.key.clone(), filter.clone());
        let found = self.read(move |object| {
            let (gate, filter) = (gate.clone(), filter.clone());
            async move { read::tickets(client(&object), &gate, &filter).await }
        });
        Box::pin(async move {
            let mut found = found.await?;
            found.iter_mut().for_each(|ticket| self.shift.ticket_to_host(ticket));
            Ok(found)
        })
    }

    fn stops(&self) -> BoxFuture<'_, Result<Vec<Stop>, StoreError>> {
        Box::pin(self.read(move |object| async move { read::all_open_stops(client(&object)).await }))
    }

    fn keys<'a>(&'a self, filter: &'a KeyFilter) -> BoxFuture<'a, Result<Vec<KeyRecord>, StoreError>> {
        let (gate, filter) = (self.key.clone(), filter.clone());
        Box::pin(self.read(move |object| {
            let (gate, filter) = (gate.clone(), filter.clone());
            async move { read::keys(client(&object), &gate, &filter).await }
        }))
    }

    fn old<'a>(&'a self, filter: &'a OldFilter) -> BoxFuture<'a, Result<Vec<String>, StoreError>> {
        let mut filter = filter.clone();
        filter.before_ms += self.shift.ms();
        Box::pin(self.read(move |object| {
            let filter = filter.clone();
            async move { read::old(client(&object), &filter).await }
        }))
    }

    fn spans_hosts(&self) -> bool {
        true
    }

    fn key(&self) -> &GateKey {
        &self.key
    }

    fn report(&self) -> BoxFuture<'_, Result<StoreReport, StoreError>> {
        let (facts, gate, shift) = (self.facts.clone(), self.key.clone(), self.shift.clone());
        Box::pin(self.read(move |object| {
            let (facts, gate, shift) = (facts.clone(), gate.clone(), shift.ms());
            async move { report::report(object, &facts, &gate, shift).await }
        }))
    }
}

impl KeySource {
    /// What is wrong with a key file that others may read.
    pub(crate) fn fault(&self) -> Option<String> {
        use std::os::unix::fs::MetadataExt as _;
        let Self::File(path) = self else { return None };
        match std::fs::metadata(path) {
            Ok(about) => toolgate_core::key_file::exposed(about.mode()),
            Err(error) => Some(StoreError::of_file("key file", &error).to_string()),
        }
    }
}
