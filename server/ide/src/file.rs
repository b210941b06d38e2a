//! A parsed file within its project.

use crate::definition::{self, Occurrence};
use crate::project::{FileSummary, Project, Surroundings};
use crate::report::Diagnostic;
use crate::results::Results;
use crate::suppression::{self, Suppression};
use evaluation::input::InputError;
use policy::typecheck::kinds::KindChecks;
use policy::{ParsedFile, PolicyDocument};
use std::ops::Deref;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// Limit: findings of one rule in one file. More are not useful, and slow down editors.
pub(crate) const MAX_FINDINGS: usize = 500;

/// Limit: findings of one rule in one file that is fixed. A file of the maximum size can have
/// millions, which would need more memory than the file.
const MAX_FIXED: usize = 50_000;

/// The admission inputs of a file, as far as findings depend on them.
///
/// The policies of an inputs file, and the files in directive comments, are found in the file
/// system, so the callers provide them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileInputs {
    /// Whether the file is an inputs file, whose comments are all read.
    pub is_inputs_file: bool,
    /// The errors in its inputs, and in comments that refer to inputs.
    pub errors: Vec<InputError>,
}

/// A parsed file in its project. It is immutable: a new text or a new project creates a new value.
#[derive(Debug)]
pub struct SourceFile {
    parsed: ParsedFile,
    results: Arc<Results>,
    project: Arc<Project>,
    path: Arc<Path>,
    inputs: FileInputs,
    max_findings: usize,
    /// Invariant: cached values depend on the text and the project, never on settings.
    suppressions: OnceLock<Vec<Suppression>>,
    findings: OnceLock<Vec<Diagnostic>>,
    optional_findings: OnceLock<Vec<Diagnostic>>,
    /// By the index of the document.
    kind_checks: Box<[OnceLock<KindChecks>]>,
    summary: OnceLock<Arc<FileSummary>>,
    names: OnceLock<Vec<Occurrence>>,
}

impl Deref for SourceFile {
    type Target = ParsedFile;

    fn deref(&self) -> &ParsedFile {
        &self.parsed
    }
}

impl SourceFile {
    /// Parses `text` outside any project. Invalid text is parsed as far as possible.
    #[must_use]
    pub fn new(text: impl Into<Arc<str>>) -> Self {
        Self::in_project(text, Arc::default())
    }

    /// Parses `text` as a file of a project.
    #[must_use]
    pub fn in_project(text: impl Into<Arc<str>>, project: Arc<Project>) -> Self {
        Self::next(text, project, Arc::default())
    }

    /// Parses the next version of a file of a project, with the results of earlier versions.
    #[must_use]
    pub fn next(text: impl Into<Arc<str>>, project: Arc<Project>, results: Arc<Results>) -> Self {
        let expressions = Arc::clone(&results.expressions);
        let parsed = ParsedFile::with_results(text.into(), project.target(), expressions);
        Self::from_parsed(parsed, project, results)
    }

    /// Returns the file with another text. Results for equal expressions are shared.
    #[must_use]
    pub fn edited(&self, text: impl Into<Arc<str>>) -> Self {
        let (project, results) = (Arc::clone(&self.project), Arc::clone(&self.results));
        Self::next(text, project, results).at(Arc::clone(&self.path))
    }

    /// Returns the file with its path in the project.
    #[must_use]
    pub fn at(self, path: Arc<Path>) -> Self {
        Self {
            path,
            summary: OnceLock::new(),
            ..self
        }
    }

    /// Returns the file with its inputs.
    #[must_use]
    pub fn with_inputs(&self, inputs: FileInputs) -> Self {
        Self {
            summary: self.summary.clone(),
            path: Arc::clone(&self.path),
            inputs,
            ..Self::from_parsed(
                self.parsed.clone(),
                Arc::clone(&self.project),
                Arc::clone(&self.results),
            )
        }
    }

    /// Returns the file with the findings beyond those that an editor shows.
    pub(crate) fn with_all_findings(&self) -> Self {
        Self {
            max_findings: MAX_FIXED,
            ..self.with_inputs(self.inputs.clone())
        }
    }

    /// Returns the number of findings that each rule may report.
    pub(crate) fn max_findings(&self) -> usize {
        self.max_findings
    }

    /// Returns the file in another project. Results that do not depend on the project are shared.
    #[must_use]
    pub fn with_project(&self, project: Arc<Project>) -> Self {
        let parsed = if project.target() == self.project.target() {
            self.parsed.clone()
        } else {
            self.parsed.with_target(project.target())
        };
        Self {
            // The summary does not depend on the project.
            summary: self.summary.clone(),
            path: Arc::clone(&self.path),
            inputs: self.inputs.clone(),
            ..Self::from_parsed(parsed, project, Arc::clone(&self.results))
        }
    }

    fn from_parsed(parsed: ParsedFile, project: Arc<Project>, results: Arc<Results>) -> Self {
        let documents = parsed.policies().len();
        Self {
            parsed,
            results,
            project,
            kind_checks: std::iter::repeat_with(OnceLock::new)
                .take(documents)
                .collect(),
            path: Arc::from(Path::new("")),
            inputs: FileInputs::default(),
            max_findings: MAX_FINDINGS,
            suppressions: OnceLock::new(),
            findings: OnceLock::new(),
            optional_findings: OnceLock::new(),
            summary: OnceLock::new(),
            names: OnceLock::new(),
        }
    }

    /// Returns the project of the file.
    #[must_use]
    pub fn project(&self) -> &Arc<Project> {
        &self.project
    }

    /// Returns the results that the versions of the file share.
    pub(crate) fn results(&self) -> &Results {
        &self.results
    }

    /// Returns the path of the file in the project. Empty if it is unknown.
    #[must_use]
    pub fn path(&self) -> &Arc<Path> {
        &self.path
    }

    /// Returns the summary of the file for other files.
    #[must_use]
    pub fn summary(&self) -> &Arc<FileSummary> {
        self.summary
            .get_or_init(|| Arc::new(FileSummary::new(&self.path, &self.parsed)))
    }

    /// Returns the names in the file, in its order.
    pub(crate) fn names(&self) -> &[Occurrence] {
        self.names
            .get_or_init(|| definition::names(&self.parsed, self.is_inputs()))
    }

    /// Returns the file among the other files of its project.
    pub(crate) fn surroundings(&self) -> Surroundings<'_> {
        Surroundings::new(self.summary(), &self.project)
    }

    /// Returns the expressions of the document at this index of [`ParsedFile::policies`], compiled
    /// for each kind that it matches.
    #[must_use]
    pub(crate) fn kind_checks(&self, index: usize) -> Option<&KindChecks> {
        let document = self.policies().get(index)?;
        let cell = self.kind_checks.get(index)?;
        Some(cell.get_or_init(|| KindChecks::new(document, self.project.kinds())))
    }

    /// Returns the compiled expressions of a document of this file.
    #[must_use]
    pub(crate) fn kind_checks_of(&self, document: &PolicyDocument) -> Option<&KindChecks> {
        let policies = self.policies();
        let start = document.root().range().start();
        // They are in the order of the file, except for items of a list that are aliases.
        let near = policies.partition_point(|it| it.root().range().start() < start);
        let is_it = |at: &usize| {
            policies
                .get(*at)
                .is_some_and(|it| std::ptr::eq(&**it, document))
        };
        self.kind_checks((near..policies.len()).chain(0..near).find(is_it)?)
    }

    /// Returns whether the file is an inputs file by its name.
    pub(crate) fn is_inputs(&self) -> bool {
        let name = self.path().file_stem().and_then(|stem| stem.to_str());
        let folder = self.path().parent().and_then(|it| it.extension());
        name.is_some_and(|name| name.ends_with(".inputs"))
            || folder.is_some_and(|extension| extension == "inputs")
    }

    /// Returns the inputs of the file.
    #[must_use]
    pub fn inputs(&self) -> &FileInputs {
        &self.inputs
    }

    /// Returns the comments that suppress findings, in the order of the file.
    pub(crate) fn suppressions(&self) -> &[Suppression] {
        self.suppressions
            .get_or_init(|| suppression::suppressions(&self.parsed, self.inputs.is_inputs_file))
    }

    /// Returns the findings that `find` returns for the file. They are computed once.
    pub(crate) fn findings(&self, find: impl FnOnce() -> Vec<Diagnostic>) -> &[Diagnostic] {
        self.findings.get_or_init(|| {
            let findings = find();
            self.parsed.drop_old_results();
            findings
        })
    }

    /// Returns the findings of the rules that are off by default. They are computed once.
    pub(crate) fn optional_findings(
        &self,
        find: impl FnOnce() -> Vec<Diagnostic>,
    ) -> &[Diagnostic] {
        self.optional_findings.get_or_init(find)
    }
}
