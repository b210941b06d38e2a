//! The text of a document while it is edited.
//!
//! A rope applies an edit without moving the rest of the text, and cloning it costs nothing.
//! Positions come from the client and may be wrong: positions that all editors interpret the same
//! way are accepted, anything else is an error, because a guess would leave content that differs
//! from the one that the user sees.

use super::SyncError;
use ropey::{Rope, RopeSlice};
use std::fmt;
use text::Encoding;
use tower_lsp_server::ls_types as lsp;

/// Returns the content of a document, or the error that it is too large. Such content is not kept.
pub(super) fn bounded(text: &str) -> (Rope, Option<SyncError>) {
    if text.len() as u64 > workspace::MAX_FILE_SIZE {
        (Rope::new(), Some(SyncError::TooLarge))
    } else {
        (Rope::from_str(text), None)
    }
}

/// Returns the error of a document that is too large.
pub(super) fn too_large(rope: &Rope) -> Option<SyncError> {
    let too_large = rope.len_bytes() as u64 > workspace::MAX_FILE_SIZE;
    too_large.then_some(SyncError::TooLarge)
}

/// The reason why an edit cannot be applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EditError {
    /// It starts on a line that the text does not have.
    NoSuchLine {
        /// The line, starting at 0.
        line: u32,
        /// The number of lines.
        lines: usize,
    },
    /// It starts or ends inside a character.
    SplitsCharacter(lsp::Position),
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EditError::NoSuchLine { line, lines } => {
                write!(
                    f,
                    "it starts on line {}, but the text ends on line {lines}",
                    line + 1
                )
            }
            EditError::SplitsCharacter(at) => write!(
                f,
                "line {}, column {} is inside a character",
                at.line + 1,
                at.character + 1
            ),
        }
    }
}

/// Applies one change. Without a range it replaces the whole text.
///
/// A column past the end of its line is that end, and a range may end past the last line: editors
/// express "everything" that way. A reversed range is swapped.
pub(super) fn apply(
    rope: &mut Rope,
    change: &lsp::TextDocumentContentChangeEvent,
    encoding: Encoding,
) -> Result<(), EditError> {
    let Some(range) = change.range else {
        *rope = Rope::from_str(&change.text);
        return Ok(());
    };
    let (mut start, mut end) = (range.start, range.end);
    if (end.line, end.character) < (start.line, start.character) {
        (start, end) = (end, start);
    }
    // After the last line is where an editor appends to a text without a final line break.
    let lines = rope.len_lines();
    if start.line as usize > lines {
        let line = start.line;
        return Err(EditError::NoSuchLine { line, lines });
    }
    let start = offset(rope, start, encoding)?;
    let end = offset(rope, end, encoding)?.max(start);
    rope.remove(start..end);
    rope.insert(start, &change.text);
    Ok(())
}

/// Returns the position as a number of characters, the unit of a rope.
fn offset(rope: &Rope, at: lsp::Position, encoding: Encoding) -> Result<usize, EditError> {
    let Some(line) = rope.get_line(at.line as usize) else {
        return Ok(rope.len_chars());
    };
    let start = rope.line_to_char(at.line as usize);
    column(line, at.character as usize, encoding)
        .map(|column| start + column)
        .ok_or(EditError::SplitsCharacter(at))
}

/// Returns the column as a number of characters. `None` inside a character.
fn column(line: RopeSlice<'_>, column: usize, encoding: Encoding) -> Option<usize> {
    let characters = content_length(line);
    let width = |characters| match encoding {
        Encoding::Utf8 => line.try_char_to_byte(characters).ok(),
        Encoding::Utf16 => line.try_char_to_utf16_cu(characters).ok(),
        Encoding::Utf32 => Some(characters),
    };
    if column >= width(characters)? {
        return Some(characters);
    }
    let at = match encoding {
        Encoding::Utf8 => line.try_byte_to_char(column).ok()?,
        Encoding::Utf16 => line.try_utf16_cu_to_char(column).ok()?,
        Encoding::Utf32 => column,
    };
    (width(at)? == column).then_some(at)
}

/// Returns the number of characters before the line break.
fn content_length(line: RopeSlice<'_>) -> usize {
    let length = line.len_chars();
    let ends_with = |back: usize, break_character| {
        length >= back && line.get_char(length - back) == Some(break_character)
    };
    if ends_with(1, '\n') {
        return length - if ends_with(2, '\r') { 2 } else { 1 };
    }
    length - usize::from(ends_with(1, '\r'))
}

#[cfg(test)]
mod tests;
