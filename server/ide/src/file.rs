//! A file and what is known of it before any rule looks at it.

use crate::project::Surroundings;
use crate::suppression::{self, Suppression};
use crate::yaml_edit::Editor;
use crate::{Diagnostic, FileSummary, Project, diagnostics};
use policy::typecheck::kinds::KindChecks;
use policy::{NearMiss, PolicyDocument, Recognition, Unsupported};
use std::path::Path;
use std::sync::{Arc, OnceLock};
use text::{LineIndex, TextRange, TextSize};
use yaml::{Stream, SyntaxErrorKind};

/// A file, parsed, within its project. It never changes: a new text, or a new project, makes
/// a new value.
#[derive(Debug)]
pub struct SourceFile {
    text: Arc<str>,
    /// Only the documents that can be ours: most manifests hold none, and cost nothing.
    stream: Arc<Stream>,
    recognition: Arc<Recognition>,
    project: Arc<Project>,
    path: Arc<Path>,
    /// Invariant: what is computed once here depends on the text and the project, never on
    /// settings.
    line_index: OnceLock<LineIndex>,
    suppressions: OnceLock<Vec<Suppression>>,
    findings: OnceLock<Vec<Diagnostic>>,
    /// By document.
    kind_checks: Box<[OnceLock<KindChecks>]>,
    summary: OnceLock<Arc<FileSummary>>,
}

impl SourceFile {
    /// Parses `text`, of whose surroundings nothing is known. Broken text gives what can be
    /// read of it.
    #[must_use]
    pub fn new(text: impl Into<Arc<str>>) -> Self {
        Self::in_project(text, Arc::default())
    }

    /// Parses `text` as a file of a project.
    #[must_use]
    pub fn in_project(text: impl Into<Arc<str>>, project: Arc<Project>) -> Self {
        let text = text.into();
        let candidates = policy::documents(&text);
        let stream = Arc::new(yaml::parse_documents(Arc::clone(&text), &candidates));
        let recognition = policy::recognise_for(&stream, project.target());
        Self::of(text, stream, Arc::new(recognition), project)
    }

    /// The same file under the path by which its project knows it.
    #[must_use]
    pub fn at(self, path: Arc<Path>) -> Self {
        Self {
            path,
            summary: OnceLock::new(),
            ..self
        }
    }

    /// The same text in another project. What does not depend on it is shared.
    #[must_use]
    pub fn with_project(&self, project: Arc<Project>) -> Self {
        let recognition = if project.target() == self.project.target() {
            Arc::clone(&self.recognition)
        } else {
            Arc::new(policy::recognise_for(&self.stream, project.target()))
        };
        let (text, stream) = (Arc::clone(&self.text), Arc::clone(&self.stream));
        let path = Arc::clone(&self.path);
        Self {
            // It does not depend on the project.
            summary: self.summary.clone(),
            ..Self::of(text, stream, recognition, project).at(path)
        }
    }

    fn of(
        text: Arc<str>,
        stream: Arc<Stream>,
        recognition: Arc<Recognition>,
        project: Arc<Project>,
    ) -> Self {
        let documents = recognition.policies.len();
        Self {
            text,
            stream,
            recognition,
            project,
            kind_checks: std::iter::repeat_with(OnceLock::new)
                .take(documents)
                .collect(),
            path: Arc::from(Path::new("")),
            line_index: OnceLock::new(),
            suppressions: OnceLock::new(),
            findings: OnceLock::new(),
            summary: OnceLock::new(),
        }
    }

    /// The text as it was given.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What is known beyond the file.
    #[must_use]
    pub fn project(&self) -> &Arc<Project> {
        &self.project
    }

    /// The path by which the project knows the file. Empty where nobody has told it.
    #[must_use]
    pub fn path(&self) -> &Arc<Path> {
        &self.path
    }

    /// What other files want to know of this one.
    #[must_use]
    pub fn summary(&self) -> &Arc<FileSummary> {
        self.summary
            .get_or_init(|| Arc::new(FileSummary::new(&self.path, self)))
    }

    /// The file among the others of its project.
    pub(crate) fn surroundings(&self) -> Surroundings<'_> {
        Surroundings::new(self.summary(), &self.project)
    }

    /// Whether a document is a part of a template, which Kubernetes cannot read.
    pub(crate) fn is_template(&self, document: &PolicyDocument) -> bool {
        let range = document.root().range();
        let mut documents = self.stream.documents().map(yaml::Document::range);
        let Some(whole) = documents.find(|whole| whole.contains_range(range)) else {
            return false;
        };
        let mut errors = self.stream.errors().iter();
        errors.any(|error| {
            error.kind == SyntaxErrorKind::Template && whole.contains_inclusive(error.range.start())
        })
    }

    /// The lines of the text.
    #[must_use]
    pub fn line_index(&self) -> &LineIndex {
        self.line_index.get_or_init(|| LineIndex::new(&self.text))
    }

    /// The documents that carry CEL, in the order of the file.
    #[must_use]
    pub fn policies(&self) -> &[Arc<PolicyDocument>] {
        &self.recognition.policies
    }

    /// The expressions of the document at this place of [`SourceFile::policies`], compiled for
    /// each kind that it matches.
    #[must_use]
    pub fn kind_checks(&self, index: usize) -> Option<&KindChecks> {
        let document = self.policies().get(index)?;
        let cell = self.kind_checks.get(index)?;
        Some(cell.get_or_init(|| KindChecks::new(document, self.project.kinds())))
    }

    /// The same for a document of this file.
    #[must_use]
    pub fn kind_checks_of(&self, document: &PolicyDocument) -> Option<&KindChecks> {
        let mut policies = self.policies().iter();
        let index = policies.position(|it| std::ptr::eq(&**it, document))?;
        self.kind_checks(index)
    }

    /// The documents that seem to be ours and are not.
    pub(crate) fn near_misses(&self) -> &[NearMiss] {
        &self.recognition.near_misses
    }

    /// The documents that carry CEL and are not supported.
    pub(crate) fn unsupported(&self) -> &[Unsupported] {
        &self.recognition.unsupported
    }

    /// How many documents are not checked, or only in part: those that carry CEL and are not
    /// supported, templates and patches.
    #[must_use]
    pub fn not_checked(&self) -> usize {
        let mut errors = self.stream.errors().iter();
        let has_template = errors.any(|error| error.kind == SyntaxErrorKind::Template);
        let is_partial =
            |it: &&Arc<PolicyDocument>| it.is_patch() || (has_template && self.is_template(it));
        self.unsupported().len() + self.policies().iter().filter(is_partial).count()
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
