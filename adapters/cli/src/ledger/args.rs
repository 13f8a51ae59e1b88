//! How the commands of the ledger are written.

use clap::{Args, Subcommand, ValueEnum};
use toolgate_core::store::{Millis, Verdict};

use crate::args::{Common, Person, moment};

#[derive(Debug, Args)]
pub(crate) struct LedgerArgs {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) command: LedgerCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum LedgerCommand {
    /// Lists operations by their idempotency keys, those that were claimed last first.
    List(ListArgs),
    /// Shows one operation, or one call, with its keys and its story.
    Show {
        /// The call, or the key
        name: String,
    },
    /// Says what became of a call in doubt.
    Resolve(ResolveArgs),
    /// Lets go of old results, outcomes and tickets; of old keys only the fact stays.
    Prune {
        /// What is older: `90d`, or a time
        #[arg(long, value_name = "TIME", value_parser = moment)]
        older_than: Millis,
        /// Only say how much that is
        #[arg(long)]
        dry_run: bool,
    },
    /// Takes on a database that was restored from a backup: what was done after the backup is not known any more.
    AcceptRestore {
        #[command(flatten)]
        person: Person,
    },
}

#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// Only what is in doubt
    #[arg(long)]
    pub(crate) in_doubt: bool,
    /// Only what runs
    #[arg(long)]
    pub(crate) running: bool,
    /// Of this tool
    #[arg(long, value_name = "NAME")]
    pub(crate) tool: Option<String>,
    /// Of this session
    #[arg(long, value_name = "NAME")]
    pub(crate) session: Option<String>,
    /// Claimed before: `1h`, or a time
    #[arg(long, value_name = "TIME", value_parser = moment)]
    pub(crate) older_than: Option<Millis>,
    /// Most operations
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) limit: usize,
}

#[derive(Debug, Args)]
pub(crate) struct ResolveArgs {
    /// The call, or the key
    pub(crate) name: String,
    /// What became of it
    #[arg(value_enum)]
    pub(crate) verdict: Word,
    /// How you know; for the record
    #[arg(long, value_name = "TEXT")]
    pub(crate) why: String,
    /// What a repeat gets as its result, where it was applied
    #[arg(long, value_name = "JSON")]
    pub(crate) result: Option<String>,
    #[command(flatten)]
    pub(crate) person: Person,
}

/// A verdict as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Word {
    /// It happened: a repeat gets the recorded answer
    Applied,
    /// Nothing happened: a repeat runs
    NotApplied,
    /// Some of it happened: a repeat is told so
    Partial,
}

impl Word {
    pub(crate) const fn verdict(self) -> Verdict {
        match self {
            Self::Applied => Verdict::Applied,
            Self::NotApplied => Verdict::NotApplied,
            Self::Partial => Verdict::Partial,
        }
    }
}
