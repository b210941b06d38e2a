//! Values that YAML does not read as their author means them.
//!
//! What else is wrong in such a value is not known: it is cut, or it is another value. One
//! finding says that it cannot be read, and the other rules leave it alone.

use super::unquoted::Unquoted;
use crate::file::SourceFile;
use text::{TextRange, TextSize};
use yaml::SyntaxErrorKind;

/// The damage in a file.
pub(super) struct Damage<'f> {
    file: &'f SourceFile,
    unquoted: &'f [Unquoted],
    /// Where YAML cannot go on, in order.
    errors: Vec<TextSize>,
}

impl<'f> Damage<'f> {
    pub(super) fn new(file: &'f SourceFile, unquoted: &'f [Unquoted]) -> Self {
        let errors = file.stream().errors().iter();
        // A value with a colon in it is read as a whole.
        let errors = errors.filter(|error| error.kind != SyntaxErrorKind::ColonInValue);
        Self {
            file,
            unquoted,
            errors: errors.map(|error| error.range.start()).collect(),
        }
    }

    /// Whether the value at `range` is damaged: by an error in it, or after it on its line.
    pub(super) fn touches(&self, range: TextRange) -> bool {
        let unquoted = self
            .unquoted
            .partition_point(|expression| expression.range.end() < range.start());
        let unquoted = self.unquoted.get(unquoted);
        if unquoted.is_some_and(|expression| expression.range.contains_inclusive(range.start())) {
            return true;
        }
        let first = self.errors.partition_point(|error| *error < range.start());
        self.errors.get(first).is_some_and(|error| {
            let lines = self.file.line_index();
            *error <= range.end() || lines.line(*error) == lines.line(range.end())
        })
    }
}
