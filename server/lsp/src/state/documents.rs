//! The documents that are open in the client.
//!
//! A change creates a new [`Snapshot`]; work on an older one is not affected. A snapshot keeps its
//! results, so that the findings, the outline and the quick fixes of one version share one parse.

mod buffer;
mod open_documents;
mod sync_error;
mod use_of_text;
mod with_inputs;

pub(crate) use buffer::EditError;
pub(crate) use open_documents::OpenDocuments;
pub(crate) use sync_error::SyncError;

use crate::analysis::Analysis;
use crate::convert::from_lsp;
use crate::state::configuration::{Configuration, DocumentSettings};
use crate::state::evaluation_cache::EvaluationContext;
use crate::state::project_view::ProjectView;
use evaluation::run::{PolicyServer, Programs, bindings_of};
use ide::{FileInputs, Project, Results, SourceFile};
use open_documents::OpenMap;
use ropey::Rope;
use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use text::Encoding;
use tower_lsp_server::ls_types as lsp;
use use_of_text::UseOfText;
use with_inputs::WithInputs;
use workspace::SampleFile;

/// A document at one moment, with the settings of that moment.
#[derive(Debug)]
pub(crate) struct Snapshot {
    pub(crate) uri: lsp::Uri,
    path: Arc<Path>,
    /// The version from the client.
    pub(crate) version: i32,
    /// Unique among all snapshots of the server: changes with the text and the settings.
    pub(crate) revision: u64,
    rope: Rope,
    /// Shared between the snapshots of one text.
    pub(crate) use_of_text: Arc<UseOfText>,
    analysis: Arc<dyn Analysis>,
    context: DocumentContext,
    /// Shared between the snapshots of one document.
    results: Arc<Results>,
    settings: OnceLock<DocumentSettings>,
    /// Shared between the snapshots of one text.
    parsed: Arc<OnceLock<SourceFile>>,
    /// Shared between snapshots that are equal in everything that findings depend on.
    file: Arc<OnceLock<SourceFile>>,
    findings: Arc<OnceLock<Vec<ide::Diagnostic>>>,
    /// The file with its inputs, if it has any: the one whose findings are shown. Shared like
    /// `file`.
    with_inputs: Arc<Mutex<Option<Arc<WithInputs>>>>,
    /// Shared like `file`.
    programs: Arc<OnceLock<Programs>>,
    /// Shared like `parsed`.
    samples: Arc<OnceLock<Arc<SampleFile>>>,
    /// Shared like `file`.
    policy_setup: Arc<Mutex<Option<Arc<PolicySetup>>>>,
}

/// The policies of a snapshot, prepared for evaluation in their context.
#[derive(Debug)]
pub(crate) struct PolicySetup {
    pub(crate) context: Arc<EvaluationContext>,
    pub(crate) setup: PolicyServer,
}

impl Snapshot {
    /// Returns the parsed text. The first call parses it.
    pub(crate) fn file(&self) -> &SourceFile {
        self.file.get_or_init(|| {
            let project = self.project();
            let parsed = self.parsed.get_or_init(|| {
                let (project, results) = (Arc::clone(&project), Arc::clone(&self.results));
                let file = self.analysis.parse(self.text(), project, results);
                file.at(Arc::clone(&self.path))
            });
            parsed.with_project(project)
        })
    }

    /// Returns the parsed text, unless a configuration file excludes the document.
    pub(crate) fn included_file(&self) -> Option<&SourceFile> {
        (!self.is_excluded()).then(|| self.file())
    }

    /// Returns the project of the document.
    pub(crate) fn project(&self) -> Arc<Project> {
        let target = self.settings().target;
        self.context.projects.project(&self.path, target)
    }

    /// Returns the settings of the document. The first call looks for configuration files.
    pub(crate) fn settings(&self) -> &DocumentSettings {
        self.settings
            .get_or_init(|| self.context.configuration.for_document(&self.uri))
    }

    /// Returns whether a configuration file excludes the document.
    pub(crate) fn is_excluded(&self) -> bool {
        self.settings().excluded
    }

    /// Returns the findings in the file with these inputs.
    pub(crate) fn findings(&self, inputs: FileInputs) -> Vec<ide::Diagnostic> {
        if self.is_excluded() {
            return Vec::new();
        }
        let with_inputs = self.set_inputs(inputs);
        let (file, findings) = match &with_inputs {
            Some(it) => (&it.file, &it.findings),
            None => (self.file(), &*self.findings),
        };
        let levels = &self.settings().levels;
        let findings = findings.get_or_init(|| self.analysis.diagnostics(file, levels));
        findings.clone()
    }

    /// Returns the compiled expressions of the file. The first call compiles them.
    pub(crate) fn programs(&self) -> &Programs {
        self.programs
            .get_or_init(|| Programs::new(self.file().policies()))
    }

    /// Returns the manifests, kinds and bindings in the document. The first call
    /// reads them.
    pub(crate) fn sample_file(&self) -> &Arc<SampleFile> {
        self.samples.get_or_init(|| {
            let file = self.file();
            Arc::new(SampleFile {
                samples: evaluation::samples::read(&self.path, file.text()),
                resources: evaluation::samples::resources(file.text()),
                bindings: bindings_of(file),
                ..SampleFile::default()
            })
        })
    }

    /// Returns the policies, prepared for evaluation. The first call with a context prepares
    /// them.
    pub(crate) fn policy_setup(&self, context: Arc<EvaluationContext>) -> Arc<PolicySetup> {
        // A pointer is never half-written.
        let cached = self.policy_setup.lock();
        let mut cached = cached.unwrap_or_else(PoisonError::into_inner);
        if let Some(cached) = &*cached
            && Arc::ptr_eq(&cached.context, &context)
        {
            return Arc::clone(cached);
        }
        let setup = PolicyServer::new(self.file().policies(), self.programs(), &context.api_server);
        let new = Arc::new(PolicySetup { context, setup });
        *cached = Some(Arc::clone(&new));
        new
    }

    /// Returns the features of the editor.
    pub(crate) fn analysis(&self) -> &dyn Analysis {
        &*self.analysis
    }

    /// Returns the length of the text in bytes.
    pub(crate) fn len(&self) -> usize {
        self.rope.len_bytes()
    }

    /// Returns the text.
    pub(crate) fn text(&self) -> String {
        self.rope.to_string()
    }

    /// Returns the path of the document. For a document that was never saved, it is the URI.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the text of a file on disk that belongs to the project of the document.
    pub(crate) fn read_near(&self, path: &Path) -> Result<String, workspace::Error> {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        self.configuration().files.roots().read_near(folder, path)
    }

    /// Reuses the results for the same text in an equal context.
    fn keep_results(&mut self, old: &Self) {
        self.file = Arc::clone(&old.file);
        self.programs = Arc::clone(&old.programs);
        self.policy_setup = Arc::clone(&old.policy_setup);
        self.findings = Arc::clone(&old.findings);
        self.with_inputs = Arc::clone(&old.with_inputs);
    }

    /// Returns the configuration that the settings come from.
    pub(crate) fn configuration(&self) -> &Arc<Configuration> {
        &self.context.configuration
    }
}

/// An open document.
struct Document {
    snapshot: Arc<Snapshot>,
    /// The snapshot before the last change, until it is taken.
    replaced: Option<Arc<Snapshot>>,
    /// False if the client has content that the server could not follow.
    in_sync: bool,
}

/// The inputs of the findings in a document besides its text.
#[derive(Clone, Debug, Default)]
struct DocumentContext {
    configuration: Arc<Configuration>,
    projects: Arc<ProjectView>,
}

/// The open documents.
///
/// Invariant: no guard of the map lives across another access to it. The lock of the context
/// is taken before one, never after.
pub(crate) struct Documents {
    analysis: Arc<dyn Analysis>,
    open: Arc<OpenMap>,
    /// The context of newly opened documents.
    context: Mutex<DocumentContext>,
    revisions: AtomicU64,
}

impl Documents {
    pub(crate) fn new(analysis: Arc<dyn Analysis>) -> Self {
        Self {
            analysis,
            open: Arc::default(),
            context: Mutex::default(),
            revisions: AtomicU64::new(0),
        }
    }

    /// Opens a document, or replaces all of an open one.
    pub(crate) fn open(&self, uri: lsp::Uri, version: i32, text: &str) -> Result<(), SyncError> {
        let (rope, error) = buffer::bounded(text);
        // Held until the document is inserted, so that a new configuration does not miss it.
        let current = self.current();
        let snapshot = self.new_snapshot(uri.clone(), version, rope, current.clone());
        let document = Document {
            snapshot: Arc::new(snapshot),
            replaced: None,
            in_sync: error.is_none(),
        };
        if let Some(old) = self.open.insert(uri, document) {
            old.snapshot.use_of_text.outdate();
        }
        drop(current);
        error.map_or(Ok(()), Err)
    }

    /// Applies changes in order. After an error the document is out of sync until a change
    /// replaces the whole text.
    pub(crate) fn change(
        &self,
        uri: &lsp::Uri,
        version: i32,
        changes: &[lsp::TextDocumentContentChangeEvent],
        encoding: Encoding,
    ) -> Result<(), SyncError> {
        let Some(mut document) = self.open.get_mut(uri) else {
            return Err(SyncError::NotOpen);
        };
        let mut rope = document.snapshot.rope.clone();
        let applied = self.apply_all(&mut rope, document.in_sync, changes, encoding);
        document.in_sync = applied.is_ok();
        if applied == Err(SyncError::TooLarge) {
            rope = Rope::new();
        }
        self.replace(&mut document, version, rope);
        drop(document);
        self.open.text_changed(uri);
        applied
    }

    /// Replaces the snapshot of a document by one with another text.
    fn replace(&self, document: &mut Document, version: i32, rope: Rope) {
        let old = &document.snapshot;
        let mut new = self.new_snapshot(old.uri.clone(), version, rope, old.context.clone());
        new.results = Arc::clone(&old.results);
        old.use_of_text.outdate();
        document.replaced = Some(std::mem::replace(&mut document.snapshot, Arc::new(new)));
    }

    fn apply_all(
        &self,
        rope: &mut Rope,
        mut in_sync: bool,
        changes: &[lsp::TextDocumentContentChangeEvent],
        encoding: Encoding,
    ) -> Result<(), SyncError> {
        for change in changes {
            in_sync |= change.range.is_none();
            if !in_sync {
                return Err(SyncError::Lost);
            }
            buffer::apply(rope, change, encoding).map_err(SyncError::Edit)?;
        }
        if !in_sync {
            return Err(SyncError::Lost);
        }
        buffer::too_large(rope).map_or(Ok(()), Err)
    }

    /// Takes the text that the client has saved. Returns whether it differs from the known
    /// one.
    pub(crate) fn save(&self, uri: &lsp::Uri, text: &str) -> bool {
        let Some(mut document) = self.open.get_mut(uri) else {
            return false;
        };
        if document.in_sync && document.snapshot.rope == text {
            return false;
        }
        let (rope, error) = buffer::bounded(text);
        document.in_sync = error.is_none();
        let version = document.snapshot.version;
        self.replace(&mut document, version, rope);
        drop(document);
        self.open.text_changed(uri);
        true
    }

    /// Returns a snapshot of a file that is not open.
    pub(crate) fn closed(&self, uri: lsp::Uri, text: &str) -> Snapshot {
        let context = self.current().clone();
        self.new_snapshot(uri, 0, Rope::from_str(text), context)
    }

    /// Marks a document as out of sync until its whole text arrives. Returns false if it was
    /// already.
    pub(crate) fn mark_out_of_sync(&self, uri: &lsp::Uri) -> bool {
        let document = self.open.get_mut(uri);
        document.is_some_and(|mut document| std::mem::replace(&mut document.in_sync, false))
    }

    /// Closes a document. Returns false if it was not open.
    pub(crate) fn close(&self, uri: &lsp::Uri) -> bool {
        self.open.remove(uri).is_some_and(|document| {
            document.snapshot.use_of_text.close();
            true
        })
    }

    /// Returns the newest snapshot, or `None` if the document is not open or out of sync.
    pub(crate) fn snapshot(&self, uri: &lsp::Uri) -> Option<Arc<Snapshot>> {
        self.open.snapshot(uri)
    }

    /// Returns the snapshot before the last change, once.
    ///
    /// A thread for analysis should drop it: its memory was allocated there, and neither the change
    /// nor its findings should wait until all of it is freed.
    pub(crate) fn take_replaced(&self, uri: &lsp::Uri) -> Option<Arc<Snapshot>> {
        self.open.get_mut(uri)?.replaced.take()
    }

    /// Returns the newest snapshot, even if the document is out of sync.
    pub(crate) fn newest(&self, uri: &lsp::Uri) -> Option<Arc<Snapshot>> {
        let document = self.open.get(uri)?;
        Some(Arc::clone(&document.snapshot))
    }

    /// Returns whether a snapshot is still the newest of its document.
    pub(crate) fn is_newest(&self, snapshot: &Snapshot) -> bool {
        self.snapshot(&snapshot.uri)
            .is_some_and(|newest| newest.revision == snapshot.revision)
    }

    /// Returns the open documents, in no particular order.
    pub(crate) fn uris(&self) -> Vec<lsp::Uri> {
        self.open.iter().map(|entry| entry.key().clone()).collect()
    }

    /// Returns the newest snapshots of the documents that are in sync.
    pub(crate) fn snapshots(&self) -> OpenDocuments {
        OpenDocuments::new(Arc::clone(&self.open))
    }

    /// Returns the configuration of newly opened documents.
    pub(crate) fn configuration(&self) -> Arc<Configuration> {
        Arc::clone(&self.current().configuration)
    }

    /// Returns the projects of newly opened documents.
    pub(crate) fn projects(&self) -> Arc<ProjectView> {
        Arc::clone(&self.current().projects)
    }

    /// Replaces the configuration of all documents, open ones and those opened later. A
    /// document that is `unaffected` keeps its revision and its results.
    pub(crate) fn reconfigure(
        &self,
        configuration: &Arc<Configuration>,
        unaffected: impl Fn(&lsp::Uri) -> bool,
    ) {
        let mut current = self.current();
        current.configuration = Arc::clone(configuration);
        self.renew(&current, unaffected);
    }

    /// Replaces the projects of all documents, open ones and those opened later. A document
    /// whose project is not `affected` keeps its revision and its results. Returns false, and
    /// changes nothing, if `affected` does not cover every open document.
    pub(crate) fn replace_projects(
        &self,
        projects: &Arc<ProjectView>,
        affected: &HashMap<lsp::Uri, bool>,
    ) -> bool {
        let mut current = self.current();
        if !self.open.iter().all(|it| affected.contains_key(it.key())) {
            return false;
        }
        current.projects = Arc::clone(projects);
        self.renew(&current, |uri| affected.get(uri) == Some(&false));
        true
    }

    fn renew(&self, current: &DocumentContext, unaffected: impl Fn(&lsp::Uri) -> bool) {
        for mut document in self.open.iter_mut() {
            let old = &document.snapshot;
            let mut new = self.new_snapshot_of_text(old, current.clone());
            if unaffected(&old.uri) {
                new.revision = old.revision;
                new.keep_results(old);
            }
            document.snapshot = Arc::new(new);
        }
    }

    /// Sets a new revision of open documents, because findings outside their text have changed.
    /// They keep their results.
    pub(crate) fn renew_revisions(&self, affected: &[lsp::Uri]) {
        for uri in affected {
            let Some(mut document) = self.open.get_mut(uri) else {
                continue;
            };
            let old = &document.snapshot;
            let mut new = self.new_snapshot_of_text(old, old.context.clone());
            new.keep_results(old);
            document.snapshot = Arc::new(new);
        }
    }

    fn current(&self) -> MutexGuard<'_, DocumentContext> {
        // A pointer is never half-written.
        self.context.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn new_snapshot_of_text(&self, old: &Snapshot, context: DocumentContext) -> Snapshot {
        let rope = old.rope.clone();
        let mut new = self.new_snapshot(old.uri.clone(), old.version, rope, context);
        new.results = Arc::clone(&old.results);
        new.use_of_text = Arc::clone(&old.use_of_text);
        new.parsed = Arc::clone(&old.parsed);
        new.samples = Arc::clone(&old.samples);
        new
    }

    fn new_snapshot(
        &self,
        uri: lsp::Uri,
        version: i32,
        rope: Rope,
        context: DocumentContext,
    ) -> Snapshot {
        let path = from_lsp::path(&uri).unwrap_or_else(|| uri.as_str().into());
        Snapshot {
            uri,
            path: path.into(),
            version,
            revision: self.revisions.fetch_add(1, Ordering::Relaxed),
            rope,
            use_of_text: Arc::default(),
            analysis: Arc::clone(&self.analysis),
            context,
            results: Arc::default(),
            settings: OnceLock::new(),
            parsed: Arc::default(),
            file: Arc::default(),
            findings: Arc::default(),
            with_inputs: Arc::default(),
            programs: Arc::default(),
            samples: Arc::default(),
            policy_setup: Arc::default(),
        }
    }
}

#[cfg(test)]
mod tests;
