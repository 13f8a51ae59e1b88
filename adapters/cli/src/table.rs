//! Rows as aligned columns, one line each, with cells in colour. Not what stands in them.

use std::io::{self, Write};

use anstyle::Style;
use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, ContentArrangement};

use crate::text::{BOLD, styled, visible};

/// One cell: its text, escaped, and how it is drawn.
#[derive(Debug)]
pub(crate) struct Cell {
    text: String,
    style: Style,
}

impl Cell {
    pub(crate) fn plain(text: &str) -> Self {
        Self::styled(Style::new(), text)
    }

    pub(crate) fn styled(style: Style, text: &str) -> Self {
        Self { text: visible(text), style }
    }
}

/// Prints a table; columns whose name begins with `>` stand right.
pub(crate) fn put(out: &mut dyn Write, names: &[&str], rows: &[Vec<Cell>]) -> io::Result<()> {
    let header: Vec<Cell> =
        names.iter().map(|name| Cell::styled(BOLD, name.strip_prefix('>').unwrap_or(name))).collect();
    let mut table = comfy_table::Table::new();
    table.load_style(NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(header.iter().map(|cell| cell.text.clone()));
    for row in rows {
        table.add_row(row.iter().map(|cell| cell.text.clone()));
    }
    for (column, name) in table.column_iter_mut().zip(names) {
        column.set_padding((0, 2));
        if name.starts_with('>') {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    for (line, cells) in table.lines().zip([&header].into_iter().chain(rows)) {
        writeln!(out, "{}", coloured(line.trim_end(), cells))?;
    }
    Ok(())
}

/// The line with its cells in colour: they stand in order, with nothing but spaces between.
fn coloured(line: &str, cells: &[Cell]) -> String {
    let mut painted = String::new();
    let mut rest = line;
    for cell in cells {
        let text = cell.text.trim();
        let start = rest.trim_start();
        let Some(after) = start.strip_prefix(text).filter(|_| !text.is_empty()) else { continue };
        painted.push_str(&" ".repeat(rest.len() - start.len()));
        painted.push_str(&styled(cell.style, text));
        rest = after;
    }
    painted + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::BAD;

    #[test]
    fn cells_are_aligned_and_only_they_are_coloured() {
        let rows = [vec![Cell::plain("a\nb"), Cell::styled(BAD, "7")], vec![Cell::plain(""), Cell::plain("1000")]];
        let mut out = Vec::new();
        put(&mut out, &["name", ">ms"], &rows).unwrap();
        let text = String::from_utf8(out).unwrap();
        let plain = anstream::adapter::strip_str(&text).to_string();
        assert_eq!(plain, "name    ms\na\\nb     7\n      1000\n");
        assert!(text.contains(&styled(BAD, "7")), "{text:?}");
    }
}
