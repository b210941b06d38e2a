//! A file and what is known of it before any rule looks at it.

use std::sync::Arc;
use text::LineIndex;

/// A file, parsed. It never changes: a new text makes a new value.
#[derive(Debug)]
pub struct SourceFile {
    text: Arc<str>,
    line_index: LineIndex,
}

impl SourceFile {
    /// Parses `text`. Broken text gives what can be read of it.
    #[must_use]
    pub fn new(text: impl Into<Arc<str>>) -> Self {
        let text = text.into();
        Self {
            line_index: LineIndex::new(&text),
            text,
        }
    }

    /// The text as it was given.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The lines of the text.
    #[must_use]
    pub fn line_index(&self) -> &LineIndex {
        &self.line_index
    }
}
