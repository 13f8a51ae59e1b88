//! Labelled lines: a short word, then a text, with further lines below the text.

use std::io::{self, Write};

use crate::text::{DIM, styled};

const WIDTH: usize = 13;

/// `label  text`. The text must be escaped.
pub(super) fn put(out: &mut dyn Write, label: &str, text: &str) -> io::Result<()> {
    let gap = " ".repeat(WIDTH.saturating_sub(label.len()));
    writeln!(out, "{}{gap}{text}", styled(DIM, label))
}

/// Lines below one another, the label at the first; nothing where there are none.
pub(super) fn put_all(out: &mut dyn Write, label: &str, texts: &[String]) -> io::Result<()> {
    texts.iter().enumerate().try_for_each(|(index, text)| put(out, if index == 0 { label } else { "" }, text))
}
