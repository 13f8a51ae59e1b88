//! `lint`: the review of the agent's tools, and what is allowed in spite of it. Not the rules, which are
//! `toolgate_core::review`'s.

use std::io::{self, Write};
use std::path::Path;

use serde::Deserialize;
use serde_json::json;
use toolgate_core::review::{Allowed, Finding, Report, Review, Severity, rules};

use crate::args::{Format, LintArgs};
use crate::host::Host;
use crate::out::{Failure, Verdict, put_json, stdout};
use crate::table::{self, Cell};
use crate::text::{DIM, GOOD, WARN, styled, visible};
use crate::tools::need_tools;

pub(crate) fn run(args: &LintArgs, host: Option<&Host>) -> Result<Verdict, Failure> {
    let json = args.common.json || args.format == Format::Json;
    let mut out = stdout();
    if args.rules {
        put_rules(&mut out, json)?;
        return Ok(Verdict::Yes);
    }
    let host = need_tools(host, &args.common)?;
    let mut review = Review::of(host.gate().tools());
    for capabilities in host.granted() {
        review = review.grants(capabilities.clone());
    }
    for Allow { rule, at, reason } in args.allow.as_deref().map(read).transpose()?.unwrap_or_default() {
        review = review.allow(rule, at, reason);
    }
    let report = review.run().map_err(|fault| Failure::Cannot(visible(&fault.faults.join("; "))))?;
    if json {
        put_findings(&mut out, &report)?;
    } else {
        put_report(&mut out, &report)?;
    }
    Ok(Verdict::of(report.findings.is_empty()))
}

/// A file of allowances. An unknown field is a mistake, never ignored.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    allow: Vec<Allow>,
}

/// What is right here, and why.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Allow {
    rule: String,
    at: String,
    reason: String,
}

fn read(path: &Path) -> Result<Vec<Allow>, Failure> {
    let place = path.display();
    let cannot = |text: String| Failure::Cannot(visible(&text));
    let text = std::fs::read_to_string(path)
        .map_err(|error| cannot(format!("the allowances `{place}` can't be read: {error}")))?;
    let is_json = path.extension().is_some_and(|ending| ending == "json");
    let file: Result<File, String> = if is_json {
        serde_json::from_str(&text).map_err(|error| error.to_string())
    } else {
        toml::from_str(&text).map_err(|error| told(&error, &text))
    };
    match file {
        Ok(file) => Ok(file.allow),
        Err(error) => Err(cannot(format!("the allowances `{place}` are wrong: {error}"))),
    }
}

/// What is wrong with a TOML file, in one line.
fn told(error: &toml::de::Error, text: &str) -> String {
    let before = error.span().and_then(|span| text.get(..span.start));
    let line = before.map(|before| format!(" at line {}", before.matches('\n').count() + 1));
    format!("{}{}", error.message(), line.unwrap_or_default())
}

fn put_rules(out: &mut dyn Write, json: bool) -> io::Result<()> {
    if json {
        return rules().try_for_each(|rule| {
            put_json(out, &json!({"rule": rule.id, "severity": rule.severity.as_str(), "about": rule.about}))
        });
    }
    let row = |rule: &toolgate_core::review::Rule| {
        vec![Cell::plain(rule.id), severity(rule.severity), Cell::plain(rule.about)]
    };
    table::put(out, &["rule", "severity", "finds"], &rules().map(row).collect::<Vec<_>>())
}

fn severity(severity: Severity) -> Cell {
    match severity {
        Severity::Warning => Cell::styled(WARN, severity.as_str()),
        Severity::Note => Cell::plain(severity.as_str()),
    }
}

fn put_report(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    for finding in &report.findings {
        let word = finding.severity.as_str();
        let word = if finding.severity == Severity::Warning { styled(WARN, word) } else { word.to_owned() };
        writeln!(out, "{word}[{}] {}: {}", finding.rule, visible(&finding.at()), visible(&finding.message))?;
    }
    for Allowed { finding, reason } in &report.allowed {
        let line = format!("allowed[{}] {}: {}", finding.rule, visible(&finding.at()), visible(reason));
        writeln!(out, "{}", styled(DIM, &line))?;
    }
    let count = format!("{} found, {} allowed", report.findings.len(), report.allowed.len());
    let style = if report.findings.is_empty() { GOOD } else { WARN };
    writeln!(out, "{}", styled(style, &count))
}

fn put_findings(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    let of = |finding: &Finding, reason: Option<&str>| {
        json!({
            "rule": finding.rule,
            "severity": finding.severity.as_str(),
            "tool": finding.tool,
            "pointer": finding.place,
            "at": finding.at(),
            "message": finding.message,
            "allowed": reason,
        })
    };
    report.findings.iter().try_for_each(|finding| put_json(out, &of(finding, None)))?;
    report.allowed.iter().try_for_each(|allowed| put_json(out, &of(&allowed.finding, Some(&allowed.reason))))?;
    put_json(out, &json!({"found": report.findings.len(), "allowed": report.allowed.len()}))
}
