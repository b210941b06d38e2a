//! The parsed text of a file, without its project.
//!
//! Directives, the summaries of a project and evaluation need no more than this. A file in its
//! project is `ide::SourceFile`, which dereferences to it.

use crate::recognition::recognize_with;
use crate::results::Rounds;
use crate::{NearMiss, PolicyDocument, Recognition, Results, Unsupported};
use kubernetes::Target;
use std::sync::{Arc, OnceLock};
use text::{LineIndex, TextRange, TextSize};
use yaml::edit::Editor;
use yaml::{Stream, SyntaxErrorKind};

/// The text of a file with its documents.
#[derive(Clone, Debug)]
pub struct ParsedFile {
    text: Arc<str>,
    /// Only the documents that can hold a supported kind: most manifests hold none, and cost
    /// nothing.
    stream: Arc<Stream>,
    recognition: Arc<Recognition>,
    results: Arc<Results>,
    rounds: Rounds,
    line_index: OnceLock<LineIndex>,
}

impl ParsedFile {
    /// Parses `text` for these servers. Invalid YAML is parsed as far as possible.
    #[must_use]
    pub fn new(text: Arc<str>, target: Target) -> Self {
        Self::with_results(text, target, Arc::default())
    }

    /// Parses the next version of a file, with the results of earlier versions.
    #[must_use]
    pub fn with_results(text: Arc<str>, target: Target, results: Arc<Results>) -> Self {
        let rounds = results.begin();
        let candidates = crate::documents(&text);
        let stream = Arc::new(yaml::parse_documents(Arc::clone(&text), &candidates));
        Self {
            recognition: Arc::new(recognize_with(&stream, target, &results)),
            results,
            rounds,
            text,
            stream,
            line_index: OnceLock::new(),
        }
    }

    /// Returns the same text, with its documents recognized for other servers.
    #[must_use]
    pub fn with_target(&self, target: Target) -> Self {
        Self {
            recognition: Arc::new(recognize_with(&self.stream, target, &self.results)),
            ..self.clone()
        }
    }

    /// Drops the results that only older versions of the text have used. Called when this version
    /// is analyzed completely.
    pub fn drop_old_results(&self) {
        self.results.end(self.rounds);
    }

    /// Returns the text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the text, shared.
    #[must_use]
    pub fn shared_text(&self) -> Arc<str> {
        Arc::clone(&self.text)
    }

    /// Returns the range of the YAML document with a document, which may be an item of a list.
    #[must_use]
    pub fn range_around(&self, document: &PolicyDocument) -> Option<TextRange> {
        let whole = self.stream.document_around(document.root().range())?;
        Some(whole.range())
    }

    /// Returns whether a document is a part of a template, which Kubernetes cannot read.
    #[must_use]
    pub fn is_template(&self, document: &PolicyDocument) -> bool {
        let Some(whole) = self.range_around(document) else {
            return false;
        };
        let mut errors = self.stream.errors().iter();
        errors.any(|error| {
            error.kind == SyntaxErrorKind::Template && whole.contains_inclusive(error.range.start())
        })
    }

    /// Returns the lines of the text.
    #[must_use]
    pub fn line_index(&self) -> &LineIndex {
        self.line_index.get_or_init(|| LineIndex::new(&self.text))
    }

    /// Returns the documents that carry CEL, in the order of the file.
    #[must_use]
    pub fn policies(&self) -> &[Arc<PolicyDocument>] {
        &self.recognition.policies
    }

    /// Returns the documents that seem to be ours and are not.
    #[must_use]
    pub fn near_misses(&self) -> &[NearMiss] {
        &self.recognition.near_misses
    }

    /// Returns the documents that carry CEL and are not supported.
    #[must_use]
    pub fn unsupported(&self) -> &[Unsupported] {
        &self.recognition.unsupported
    }

    /// Returns how many documents are not checked, or only in part: those that carry CEL and are
    /// not supported, templates and patches.
    #[must_use]
    pub fn not_checked(&self) -> usize {
        let mut errors = self.stream.errors().iter();
        let has_template = errors.any(|error| error.kind == SyntaxErrorKind::Template);
        let is_partial =
            |it: &&Arc<PolicyDocument>| it.is_patch() || (has_template && self.is_template(it));
        self.unsupported().len() + self.policies().iter().filter(is_partial).count()
    }

    /// Returns the YAML of the documents that can be ours.
    #[must_use]
    pub fn stream(&self) -> &Stream {
        &self.stream
    }

    /// Returns the bytes of `range`; empty if it does not fit the text.
    #[must_use]
    pub fn slice(&self, range: TextRange) -> &str {
        self.stream.slice(range)
    }

    /// Returns the bytes before `offset` on its line.
    #[must_use]
    pub fn column(&self, offset: TextSize) -> usize {
        let lines = self.line_index();
        let line = lines.line_range(lines.line(offset));
        line.map_or(0, |line| usize::from(offset - line.start().min(offset)))
    }

    /// Returns the file, to change it.
    #[must_use]
    pub fn editor(&self) -> Editor<'_> {
        Editor {
            text: &self.text,
            lines: self.line_index(),
        }
    }
}
