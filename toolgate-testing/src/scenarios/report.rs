//! What became of each scenario, as a table for people.

use std::fmt;

use tokio::task::JoinError;

use super::Scenario;

/// How a scenario ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// What it is about holds.
    Held,
    /// It has no meaning for this store, for this reason.
    NotHere(&'static str),
    /// A promise is broken; how.
    Broken(String),
}

/// One scenario and its end.
#[derive(Debug, Clone)]
pub struct Row {
    /// Which.
    pub scenario: &'static Scenario,
    /// How it ended.
    pub outcome: Outcome,
}

/// All scenarios and their ends.
#[derive(Debug, Clone)]
pub struct Report {
    /// In the order of the list.
    pub rows: Vec<Row>,
}

impl Report {
    /// Panics where a promise is broken.
    ///
    /// # Panics
    /// As said.
    #[track_caller]
    pub fn must_hold(&self) {
        let broken = self.rows.iter().filter(|row| matches!(row.outcome, Outcome::Broken(_)));
        let broken: Vec<String> = broken.map(ToString::to_string).collect();
        assert!(broken.is_empty(), "broken promises:\n{}", broken.join("\n"));
    }

    /// How many hold.
    pub fn held(&self) -> usize {
        self.rows.iter().filter(|row| row.outcome == Outcome::Held).count()
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.scenario.name;
        match &self.outcome {
            Outcome::Held => write!(f, "held      {name}"),
            Outcome::NotHere(why) => write!(f, "not here  {name}: {why}"),
            Outcome::Broken(how) => write!(f, "BROKEN    {name}: {how}"),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rows.iter().try_for_each(|row| writeln!(f, "{row}"))
    }
}

pub(super) fn panic_text(error: JoinError) -> String {
    let Ok(payload) = error.try_into_panic() else {
        return "it was cancelled".to_owned();
    };
    match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(payload) => payload.downcast_ref::<&str>().map_or("a panic without a text", |text| text).to_owned(),
    }
}
