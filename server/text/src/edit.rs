//! Text edits.
//!
//! A quick fix and an edit of the client are the same thing: a range and its replacement. Edits
//! are data until they are applied, so a feature can offer one without touching a file.

use crate::{TextRange, TextSize};
use std::fmt;

/// Replaces the bytes of `range` with `insert`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TextEdit {
    /// The range to replace.
    pub range: TextRange,
    /// The replacement.
    pub insert: String,
}

impl TextEdit {
    /// Returns an edit that replaces `range` with `insert`.
    #[must_use]
    pub fn replace(range: TextRange, insert: impl Into<String>) -> Self {
        Self {
            range,
            insert: insert.into(),
        }
    }

    /// Returns an edit that inserts at `offset`.
    #[must_use]
    pub fn insert(offset: TextSize, insert: impl Into<String>) -> Self {
        Self::replace(TextRange::empty(offset), insert)
    }

    /// Returns an edit that removes `range`.
    #[must_use]
    pub fn delete(range: TextRange) -> Self {
        Self::replace(range, String::new())
    }
}

/// The reason why edits cannot be applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditError {
    /// Two edits touch the same bytes.
    Overlap,
    /// An edit is outside the text or splits a character.
    OutOfBounds,
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EditError::Overlap => "two edits overlap",
            EditError::OutOfBounds => "an edit lies outside the text",
        })
    }
}

impl std::error::Error for EditError {}

/// Returns the text after all `edits`, whose ranges refer to the original text and may be in any
/// order. Insertions at one offset keep their order.
///
/// # Errors
/// [`EditError`] when edits overlap or do not fit the text; nothing is applied then.
pub fn apply_edits(text: &str, edits: &[TextEdit]) -> Result<String, EditError> {
    let mut sorted: Vec<&TextEdit> = edits.iter().collect();
    sorted.sort_by_key(|edit| (edit.range.start(), edit.range.end()));
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for edit in sorted {
        let (start, end) = (
            usize::from(edit.range.start()),
            usize::from(edit.range.end()),
        );
        if start < done {
            return Err(EditError::Overlap);
        }
        if end > text.len() || !text.is_char_boundary(end) {
            return Err(EditError::OutOfBounds);
        }
        out.push_str(text.get(done..start).ok_or(EditError::OutOfBounds)?);
        out.push_str(&edit.insert);
        done = end;
    }
    out.push_str(text.get(done..).ok_or(EditError::OutOfBounds)?);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(start: u32, end: u32) -> TextRange {
        TextRange::new(start.into(), end.into())
    }

    #[test]
    fn edits_apply_in_any_order() {
        let edits = [
            TextEdit::replace(range(4, 5), "X"),
            TextEdit::insert(0.into(), "<"),
            TextEdit::delete(range(1, 2)),
        ];
        assert_eq!(apply_edits("abcde", &edits).unwrap(), "<acdX");
    }

    #[test]
    fn insertions_at_one_place_keep_their_order() {
        let edits = [
            TextEdit::insert(1.into(), "1"),
            TextEdit::insert(1.into(), "2"),
        ];
        assert_eq!(apply_edits("ab", &edits).unwrap(), "a12b");
    }

    #[test]
    fn overlap_is_refused() {
        let edits = [TextEdit::delete(range(0, 3)), TextEdit::delete(range(2, 4))];
        assert_eq!(apply_edits("abcde", &edits), Err(EditError::Overlap));
    }

    #[test]
    fn a_split_character_is_refused() {
        let edits = [TextEdit::delete(range(0, 1))];
        assert_eq!(apply_edits("é", &edits), Err(EditError::OutOfBounds));
    }
}
