//! The table of what was measured, with the aims beside it. Not the measuring.

use super::TOOLS;
use super::generate::{RMCP, Style, TOOLGATE};
use super::measure::Figures;

/// What is aimed at for 100 tools of toolgate's.
#[derive(Clone, Copy)]
enum Aim {
    None,
    AtMost(f64),
    /// A part of what rmcp's macros take.
    OfRmcp(f64),
}

/// One line of the table: what it is, how it is written, what is aimed at, and where the figure stands.
struct Row {
    what: &'static str,
    decimals: usize,
    aim: Aim,
    figure: fn(&Figures) -> f64,
}

const ROWS: [Row; 7] = [
    row("cargo check, cold, CPU s", 2, Aim::AtMost(0.8), |figures| figures.check),
    row("cargo check after a body edit, CPU s", 2, Aim::AtMost(0.3), |figures| figures.edited),
    row("debug build, clean, CPU s", 2, Aim::OfRmcp(1.0 / 8.0), |figures| figures.build),
    row("the same with one tool, CPU s", 2, Aim::None, |figures| figures.build_one),
    row("expanded lines a tool", 0, Aim::AtMost(100.0), |figures| figures.lines_a_tool),
    row("stripped release binary, KB a tool", 1, Aim::AtMost(4.0), |figures| figures.bytes_a_tool / 1024.0),
    row("stripped release binary of one tool, KB", 0, Aim::None, |figures| figures.bytes_one / 1024.0),
];

const fn row(what: &'static str, decimals: usize, aim: Aim, figure: fn(&Figures) -> f64) -> Row {
    Row { what, decimals, aim, figure }
}

pub(super) fn print(measured: &[(&Style, Figures)], repeats: usize) {
    println!("\n{TOOLS} tools of five fields and an enum; medians of {repeats}; in brackets: times the first column");
    print!("{:<42}", "");
    measured.iter().for_each(|(style, _)| print!("{:>20}", style.name));
    println!("  toolgate's aim");
    for row in ROWS {
        print!("{:<42}", row.what);
        let first = measured.first().map(|(_, figures)| (row.figure)(figures)).unwrap_or_default();
        for (index, (_, figures)) in measured.iter().enumerate() {
            let figure = (row.figure)(figures);
            let ratio = if index == 0 { String::new() } else { format!(" ({:.1} x)", figure / first) };
            print!("{:>20}", format!("{figure:.*}{ratio}", row.decimals));
        }
        println!("  {}", judged(&row, measured));
    }
}

/// The aim of a line and whether it is kept; nothing where what it needs wasn't measured.
fn judged(row: &Row, measured: &[(&Style, Figures)]) -> String {
    let of =
        |short: &str| measured.iter().find(|(style, _)| style.short == short).map(|(_, figures)| (row.figure)(figures));
    let limit = match row.aim {
        Aim::None => None,
        Aim::AtMost(limit) => Some(limit),
        Aim::OfRmcp(part) => of(RMCP).map(|figure| figure * part),
    };
    let (Some(limit), Some(own)) = (limit, of(TOOLGATE)) else { return String::new() };
    let word = if own <= limit { "kept" } else { "missed" };
    format!("{limit:.*}, {word}", row.decimals)
}
