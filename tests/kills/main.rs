//! The process of a call is killed at every named place of its life, and at any moment; the next start
//! names the call truthfully. Not the machine's own death: what is torn on the medium is tested in
//! `toolgate-sqlite`.
//!
//! `TOOLGATE_KILLS` says how often at each place (20). The histogram is printed.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests and their helpers may fail loudly"
)]

mod scene;
mod sigstop;
mod sigterm;
mod truth;
mod undo;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::hash::{BuildHasher as _, RandomState};
use std::path::Path;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use scene::{Kind, Place, approve, call, start, task, to_its_end};
use toolgate::gate::FaultPoint;
use toolgate_testing::kill::{self, Again, End, KillAt, told};
use truth::{Left, Named};

const CHILD: &str = "the_process_that_dies";
const UNDISTURBED: usize = 3;

/// Does one call, in a process of its own; does nothing where it wasn't told what.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_process_that_dies() {
    let (Some(place), Some(kind), Some(operation)) = (told("PLACE"), told("KIND"), told("OPERATION")) else {
        return;
    };
    let operation = operation.into_string().unwrap();
    let kind = Kind::parse(kind.to_str().unwrap()).unwrap();
    let point = told("POINT").map(|point| KillAt::new(FaultPoint::parse(point.to_str().unwrap()).unwrap()));
    let gate = start(Path::new(&place), point).await;
    let task = task(&gate, &operation);
    kill::ready().unwrap();
    let began = Instant::now();
    let answer = match told("TICKET") {
        Some(ticket) => task.resume(ticket.to_str().unwrap()).await,
        None => task.call(call(kind, &operation)).await,
    };
    let answer = to_its_end(&task, answer).await;
    let took = began.elapsed().as_micros();
    kill::say(&format!("answered {} {took}", answer.code.as_str())).unwrap();
}

/// How often at each place.
fn rounds() -> usize {
    std::env::var("TOOLGATE_KILLS").map_or(20, |text| text.parse().expect("TOOLGATE_KILLS is a number"))
}

/// Runs jobs on a few threads, and gives back what each found.
fn side_by_side<J: Send, T: Send>(jobs: Vec<J>, work: impl Fn(J) -> T + Sync) -> Vec<T> {
    let workers = thread::available_parallelism().map_or(2, usize::from).min(8) + 1;
    let (queue, found) = (Mutex::new(jobs), Mutex::new(Vec::new()));
    let next = || queue.lock().unwrap().pop();
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(job) = next() {
                    let one = work(job);
                    found.lock().unwrap().push(one);
                }
            });
        }
    });
    found.into_inner().unwrap()
}

/// One call, one death, one start, and the same call again.
async fn round(place: &Path, kind: Kind, number: usize, die: impl FnOnce(Again) -> End) -> (End, Named) {
    let operation = format!("{}-{number}", kind.as_str());
    let resume = number % 2 == 1;
    let ticket = match kind {
        Kind::Confirmed => Some(approve(&start(place, None::<KillAt>).await, &operation).await),
        _ => None,
    };
    let mut child = Again::test(CHILD).unwrap().tell("PLACE", place).tell("KIND", kind.as_str());
    child = child.tell("OPERATION", &operation);
    if let Some(ticket) = ticket.as_ref().filter(|_| resume) {
        child = child.tell("TICKET", ticket);
    }
    let end = die(child);
    let gate = start(place, None::<KillAt>).await;
    let left = Left { gate: &gate, place, kind, operation: &operation, ticket: ticket.as_deref() };
    let named = left.named().await;
    // Every other time through the other door.
    left.asked_again(named, number % 4 < 2).await;
    (end, named)
}

fn wait_for<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

/// How often each death was named how; a row for each tool and place.
#[derive(Debug, Default)]
struct Histogram(BTreeMap<(Kind, usize), BTreeMap<Named, usize>>);

impl Histogram {
    fn count(&mut self, kind: Kind, row: usize, named: Named) {
        *self.0.entry((kind, row)).or_default().entry(named).or_default() += 1;
    }

    /// In one piece, since tests print side by side.
    fn print(&self, row_name: impl Fn(usize) -> &'static str) {
        let heads = Named::ALL.map(|named| format!("{:>20}", named.as_str())).concat();
        let mut text = format!("{:<12}{:<16}{heads}\n", "call", "killed");
        for ((kind, row), counts) in &self.0 {
            let counts = Named::ALL.map(|named| format!("{:>20}", counts.get(&named).copied().unwrap_or(0)));
            writeln!(text, "{:<12}{:<16}{}", kind.as_str(), row_name(*row), counts.concat()).unwrap();
        }
        println!("\n{text}");
    }
}

#[test]
fn death_at_every_place_is_named_truthfully() {
    let rounds = rounds();
    let rows = 0..FaultPoint::ALL.len();
    let jobs = Kind::ALL.into_iter().flat_map(|kind| rows.clone().map(move |row| (kind, row)));
    // A read has no transaction A.
    let passed = |(kind, row): &(Kind, usize)| *kind != Kind::Read || FaultPoint::ALL[*row] != FaultPoint::BeforeClaim;
    let jobs: Vec<_> = jobs.filter(passed).collect();
    let places = jobs.len();
    let found = side_by_side(jobs, |(kind, row)| {
        let (place, point) = (Place::new(), FaultPoint::ALL[row]);
        let one = |number| {
            let die = |child: Again| child.tell("POINT", point.as_str()).to_its_end().unwrap();
            let (end, named) = wait_for(round(place.path(), kind, number, die));
            assert!(end.killed, "{kind:?} lives on at {point:?}: {end:?}");
            assert_eq!(named, Named::due(kind, point), "{kind:?} killed at {point:?}");
            (kind, row, named)
        };
        (0..rounds).map(one).collect::<Vec<_>>()
    });
    let mut histogram = Histogram::default();
    found.into_iter().flatten().for_each(|(kind, row, named)| histogram.count(kind, row, named));
    histogram.print(|row| FaultPoint::ALL[row].as_str());
    assert_eq!(histogram.0.len(), places);
}

/// What the child said of its call: the code of the answer, and how long it took.
fn answer(end: &End) -> Option<(&str, Duration)> {
    let (code, took) = end.said.iter().find_map(|line| line.strip_prefix("answered "))?.split_once(' ')?;
    Some((code, Duration::from_micros(took.parse().unwrap())))
}

/// Within the time that an undisturbed call takes, or a little later.
fn random_moment(usual: Duration) -> Duration {
    let parts = RandomState::new().hash_one(0_u8) % 1_000;
    usual * u32::try_from(parts).unwrap() / 900
}

/// The fastest of a few calls that nobody kills.
fn usual_time(place: &Path, kind: Kind) -> Duration {
    let one = |number| {
        let (end, named) = wait_for(round(place, kind, number, |child| child.to_its_end().unwrap()));
        assert_eq!((end.code, named), (Some(0), Named::Succeeded), "undisturbed: {end:?}");
        answer(&end).unwrap().1
    };
    (0..UNDISTURBED).map(one).min().unwrap()
}

#[test]
fn death_at_any_moment_is_named_truthfully() {
    let rounds = rounds() * 5 / Kind::ALL.len();
    let found = side_by_side(Kind::ALL.to_vec(), |kind| {
        let place = Place::new();
        let usual = usual_time(place.path(), kind);
        let one = |number| {
            let die = |child: Again| child.killed_after(random_moment(usual)).unwrap();
            let (end, named) = wait_for(round(place.path(), kind, number, die));
            let heard = answer(&end).map(|(code, _)| code);
            assert!(heard.is_none() || (heard, named) == (Some("OK"), Named::Succeeded), "{kind:?}: {end:?} {named:?}");
            (kind, usize::from(heard.is_some()), named)
        };
        (UNDISTURBED..UNDISTURBED + rounds).map(one).collect::<Vec<_>>()
    });
    let mut histogram = Histogram::default();
    found.into_iter().flatten().for_each(|(kind, row, named)| histogram.count(kind, row, named));
    histogram.print(|row| if row == 0 { "before answer" } else { "after answer" });
}
