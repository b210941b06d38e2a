//! A file and what is known of it before any rule looks at it.

use crate::Diagnostic;
use crate::diagnostics;
use crate::suppression::{self, Suppression};
use crate::yaml_edit::Editor;
use policy::{NearMiss, PolicyDocument, Recognition};
use std::sync::{Arc, OnceLock};
use text::{LineIndex, TextRange, TextSize};
use yaml::Stream;

/// A file, parsed. It never changes: a new text makes a new value.
#[derive(Debug)]
pub struct SourceFile {
    text: Arc<str>,
    /// Only the documents that can be ours: most manifests hold none, and cost nothing.
    stream: Arc<Stream>,
    recognition: Recognition,
    /// Invariant: what is computed once here depends on the text alone, never on settings.
    line_index: OnceLock<LineIndex>,
    suppressions: OnceLock<Vec<Suppression>>,
    findings: OnceLock<Vec<Diagnostic>>,
}

impl SourceFile {
    /// Parses `text`. Broken text gives what can be read of it.
    #[must_use]
    pub fn new(text: impl Into<Arc<str>>) -> Self {
        let text = text.into();
        let candidates = policy::candidates(&text);
        let stream = Arc::new(yaml::parse_documents(Arc::clone(&text), &candidates));
        Self {
            recognition: policy::recognise(&stream),
            stream,
            text,
            line_index: OnceLock::new(),
            suppressions: OnceLock::new(),
            findings: OnceLock::new(),
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
        self.line_index.get_or_init(|| LineIndex::new(&self.text))
    }

    /// The documents that carry CEL, in the order of the file.
    #[must_use]
    pub fn policies(&self) -> &[PolicyDocument] {
        &self.recognition.policies
    }

    /// The documents that seem to be ours and are not.
    pub(crate) fn near_misses(&self) -> &[NearMiss] {
        &self.recognition.near_misses
    }

    /// The YAML of the documents that can be ours.
    pub(crate) fn stream(&self) -> &Stream {
        &self.stream
    }

    /// The bytes of `range`; nothing where it does not fit the text.
    pub(crate) fn slice(&self, range: TextRange) -> &str {
        self.stream.slice(range)
    }

    /// The bytes before `offset` on its line.
    pub(crate) fn column(&self, offset: TextSize) -> usize {
        let lines = self.line_index();
        let line = lines.line_range(lines.line(offset));
        line.map_or(0, |line| usize::from(offset - line.start().min(offset)))
    }

    /// The comments that want to silence findings, in the order of the file.
    pub(crate) fn suppressions(&self) -> &[Suppression] {
        self.suppressions
            .get_or_init(|| suppression::suppressions(self))
    }

    /// The findings that no comment silences, with the severities of the rules.
    pub(crate) fn findings(&self) -> &[Diagnostic] {
        self.findings.get_or_init(|| diagnostics::findings(self))
    }

    /// The file, to change it.
    pub(crate) fn editor(&self) -> Editor<'_> {
        Editor {
            text: &self.text,
            lines: self.line_index(),
        }
    }
}
