//! Values that YAML parses in an unintended way.
//!
//! Such a value is cut off or replaced by another value, so it has one finding, and the other rules
//! skip it.

use super::unquoted::Unquoted;
use crate::file::SourceFile;
use text::{TextRange, TextSize};
use yaml::SyntaxErrorKind;

/// The misparsed values of a file.
pub(super) struct Misparsed<'f> {
    file: &'f SourceFile,
    unquoted: &'f [Unquoted],
    /// The positions of YAML errors, in order.
    errors: Vec<TextSize>,
}

impl<'f> Misparsed<'f> {
    pub(super) fn new(file: &'f SourceFile, unquoted: &'f [Unquoted]) -> Self {
        let errors = file.stream().errors().iter();
        // A value that contains a colon is parsed as a whole.
        let errors = errors.filter(|error| error.kind != SyntaxErrorKind::ColonInValue);
        Self {
            file,
            unquoted,
            errors: errors.map(|error| error.range.start()).collect(),
        }
    }

    /// Returns whether an error in the value, or after it on its line, affects it.
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
