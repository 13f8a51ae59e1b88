//! The audit trail in numbers: counts by code, stage, tool and effect, and how long calls took.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde_json::{Value, json};
use toolgate_core::store::CallRecord;

use super::calls::elapsed;
use crate::table::{self, Cell};
use crate::text::code_style;

type Counts<'a> = BTreeMap<&'a str, usize>;

struct Stats<'a> {
    calls: usize,
    groups: [(&'static str, Counts<'a>); 4],
    /// From receipt to answer, sorted.
    answered: Vec<i64>,
    /// From the tool's start to the answer, sorted.
    ran: Vec<i64>,
}

impl<'a> Stats<'a> {
    fn of(calls: &'a [CallRecord]) -> Self {
        let count = |part: fn(&CallRecord) -> &str| {
            let mut counts = Counts::new();
            for call in calls {
                let name = part(call);
                *counts.entry(if name.is_empty() { "-" } else { name }).or_default() += 1;
            }
            counts
        };
        let sorted = |span: fn(&CallRecord) -> Option<i64>| {
            let mut spans: Vec<i64> = calls.iter().filter_map(span).collect();
            spans.sort_unstable();
            spans
        };
        Self {
            calls: calls.len(),
            groups: [
                ("code", count(|call| &call.code)),
                ("stage", count(|call| &call.stage)),
                ("tool", count(|call| &call.tool)),
                ("effect", count(|call| &call.effect)),
            ],
            answered: sorted(elapsed),
            ran: sorted(|call| Some(call.finished_ms?.saturating_sub(call.started_ms?).max(0))),
        }
    }
}

/// The value that `percent` of all are at or below: nearest rank.
fn percentile(sorted: &[i64], percent: usize) -> Option<i64> {
    let rank = (sorted.len() * percent).div_ceil(100);
    sorted.get(rank.saturating_sub(1)).copied()
}

/// Prints counts by code, stage, tool and effect, and the 50th and 95th percentiles of durations.
///
/// # Errors
/// As `out` says.
pub fn audit_stats(out: &mut dyn Write, calls: &[CallRecord]) -> io::Result<()> {
    let stats = Stats::of(calls);
    for (group, counts) in &stats.groups {
        let mut counts: Vec<(&str, usize)> = counts.iter().map(|(name, count)| (*name, *count)).collect();
        counts.sort_by_key(|(name, count)| (std::cmp::Reverse(*count), *name));
        let named = |(name, count): (&str, usize)| {
            let name = if *group == "code" { Cell::styled(code_style(name), name) } else { Cell::plain(name) };
            vec![name, Cell::plain(&count.to_string())]
        };
        let mut rows: Vec<Vec<Cell>> = counts.into_iter().map(named).collect();
        rows.push(vec![Cell::plain("total"), Cell::plain(&stats.calls.to_string())]);
        table::put(out, &[group, ">calls"], &rows)?;
        writeln!(out)?;
    }
    let shown = |ms: Option<i64>| ms.map_or_else(|| "-".to_owned(), |ms| ms.to_string());
    let durations = [("receipt to answer", &stats.answered), ("tool's start to answer", &stats.ran)];
    let rows: Vec<Vec<Cell>> = durations
        .iter()
        .map(|(name, spans)| {
            let count = spans.len().to_string();
            [*name, &count, &shown(percentile(spans, 50)), &shown(percentile(spans, 95))].map(Cell::plain).into()
        })
        .collect();
    table::put(out, &["duration", ">calls", ">p50 ms", ">p95 ms"], &rows)
}

/// The same for machines.
pub(crate) fn stats_json(calls: &[CallRecord]) -> Value {
    let stats = Stats::of(calls);
    let span =
        |spans: &[i64]| json!({"calls": spans.len(), "p50": percentile(spans, 50), "p95": percentile(spans, 95)});
    let mut object = json!({
        "calls": stats.calls,
        "answer_ms": span(&stats.answered),
        "run_ms": span(&stats.ran),
    });
    if let Some(object) = object.as_object_mut() {
        for (group, counts) in &stats.groups {
            object.insert((*group).to_owned(), json!(counts));
        }
    }
    object
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_that_occurred() {
        let hundred: Vec<i64> = (1..=100).collect();
        assert_eq!(percentile(&hundred, 50), Some(50));
        assert_eq!(percentile(&hundred, 95), Some(95));
        assert_eq!(percentile(&[7], 95), Some(7));
        assert_eq!(percentile(&[1, 9], 50), Some(1));
        assert_eq!(percentile(&[], 50), None);
    }
}
