//! The lines that belong to a value by their indentation, regardless of how YAML parses them.

use crate::file::SourceFile;
use text::{TextRange, TextSize};

/// Limit: lines of an unquoted value.
const MAX_LINES: u32 = 200;

/// Returns the content of the lines below `line` that are indented more than `column`, up to the
/// first line that is not or that is blank.
pub(super) fn lines_below(
    file: &SourceFile,
    line: u32,
    column: TextSize,
) -> impl Iterator<Item = TextRange> {
    let index = file.line_index();
    (line + 1..=line.saturating_add(MAX_LINES)).map_while(move |line| {
        let content = index.line_content(file.text(), line)?;
        let written = file.slice(content);
        let words = TextSize::of(written.trim_start_matches(' '));
        let words = TextRange::new(content.end() - words, content.end());
        let is_inside = !words.is_empty() && words.start() - content.start() > column;
        is_inside.then_some(words)
    })
}
