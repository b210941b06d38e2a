//! The documents that are open in the client.
//!
//! A change makes a new [`Snapshot`]; who works on an older one is not disturbed. What is
//! computed from a snapshot is kept in it, so that the findings, the outline and the quick
//! fixes of one version share one parse.

mod buffer;

pub(crate) use buffer::EditError;

use crate::analysis::Analysis;
use crate::candidates::Around;
use crate::configuration::{Configuration, Governing};
use crate::convert::from_lsp;
use crate::projects::ProjectView;
use dashmap::DashMap;
use ide::evaluate::{Programs, Setup, lookups_of};
use ide::{Project, SourceFile};
use ropey::Rope;
use std::collections::HashMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use text::Encoding;
use tower_lsp_server::ls_types as lsp;
use workspace::SampleFile;

/// A document as it was at one moment, with the settings of that moment.
#[derive(Debug)]
pub(crate) struct Snapshot {
    pub(crate) uri: lsp::Uri,
    /// The version that the client has given it.
    pub(crate) version: i32,
    /// Unlike any other snapshot of this server: changes with the text and the settings.
    pub(crate) revision: u64,
    rope: Rope,
    configuration: Arc<Configuration>,
    projects: Arc<ProjectView>,
    governing: OnceLock<Governing>,
    /// Shared between the snapshots of one text.
    parsed: Arc<OnceLock<SourceFile>>,
    /// Shared between snapshots that differ in nothing that findings depend on.
    file: Arc<OnceLock<SourceFile>>,
    findings: Arc<OnceLock<Vec<ide::Diagnostic>>>,
    /// Shared as the file is.
    programs: Arc<OnceLock<Programs>>,
    /// Shared as the text is.
    samples: Arc<OnceLock<Arc<SampleFile>>>,
    /// Shared as the file is.
    tried: Arc<Mutex<Option<Arc<Tried>>>>,
}

/// The policies of a snapshot among what lies around them.
#[derive(Debug)]
pub(crate) struct Tried {
    pub(crate) around: Arc<Around>,
    pub(crate) setup: Setup,
}

impl Snapshot {
    /// The parsed text. The first who asks parses it.
    pub(crate) fn file(&self, analysis: &dyn Analysis) -> &SourceFile {
        self.file.get_or_init(|| {
            let project = self.project();
            let parsed = self.parsed.get_or_init(|| {
                let file = analysis.parse(self.rope.to_string(), Arc::clone(&project));
                file.at(self.path().into())
            });
            parsed.with_project(project)
        })
    }

    /// What is known beyond the document.
    pub(crate) fn project(&self) -> Arc<Project> {
        let target = self.governing().target;
        self.projects.project(&self.path(), target)
    }

    /// The settings of the document. The first who asks looks for configuration files.
    pub(crate) fn governing(&self) -> &Governing {
        self.governing
            .get_or_init(|| self.configuration.governing(&self.uri))
    }

    /// The findings. The first who asks computes them.
    pub(crate) fn findings(&self, analysis: &dyn Analysis) -> &[ide::Diagnostic] {
        self.findings.get_or_init(|| {
            let governing = self.governing();
            if governing.excluded {
                return Vec::new();
            }
            analysis.diagnostics(self.file(analysis), &governing.settings)
        })
    }

    /// The expressions of the file, ready to run. The first who asks compiles them.
    pub(crate) fn programs(&self, analysis: &dyn Analysis) -> &Programs {
        self.programs
            .get_or_init(|| Programs::new(self.file(analysis)))
    }

    /// What the document gives to try policies on. The first who asks reads it.
    pub(crate) fn sample_file(&self, analysis: &dyn Analysis) -> &Arc<SampleFile> {
        self.samples.get_or_init(|| {
            let file = self.file(analysis);
            Arc::new(SampleFile {
                samples: ide::samples(&self.path(), file.text()),
                resources: ide::resources(file.text()),
                lookups: lookups_of(file),
            })
        })
    }

    /// The policies among what lies around them. The first who asks puts them there.
    pub(crate) fn tried(&self, analysis: &dyn Analysis, around: Arc<Around>) -> Arc<Tried> {
        // A pointer is never half-written.
        let mut tried = self.tried.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tried) = &*tried
            && Arc::ptr_eq(&tried.around, &around)
        {
            return Arc::clone(tried);
        }
        let (file, programs) = (self.file(analysis), self.programs(analysis));
        let setup = Setup::new(file, programs, &around.cluster);
        let new = Arc::new(Tried { around, setup });
        *tried = Some(Arc::clone(&new));
        new
    }

    /// The text.
    pub(crate) fn text(&self) -> String {
        self.rope.to_string()
    }

    /// The path of the document; of one that was never saved, what stands for it.
    pub(crate) fn path(&self) -> PathBuf {
        from_lsp::path(&self.uri).unwrap_or_else(|| self.uri.as_str().into())
    }

    /// Takes what is known about the same text in the same surroundings.
    fn keep(&mut self, old: &Self) {
        self.file = Arc::clone(&old.file);
        self.programs = Arc::clone(&old.programs);
        self.tried = Arc::clone(&old.tried);
        self.findings = Arc::clone(&old.findings);
    }

    fn surroundings(&self) -> Surroundings {
        Surroundings {
            configuration: Arc::clone(&self.configuration),
            projects: Arc::clone(&self.projects),
        }
    }

    /// The configuration that the settings come from.
    pub(crate) fn configuration(&self) -> &Arc<Configuration> {
        &self.configuration
    }
}

/// Why a document does not follow its client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SyncError {
    /// It was never opened, or is closed.
    NotOpen,
    /// An earlier change could not be followed; this one is not the whole text either.
    Lost,
    /// The change does not fit the text.
    Edit(EditError),
    /// The text has more bytes than the analysis reads.
    TooLarge,
}

impl fmt::Display for SyncError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SyncError::NotOpen => f.write_str("the document is not open"),
            SyncError::Lost => f.write_str("an earlier change could not be followed"),
            SyncError::Edit(error) => write!(f, "a change does not fit the text: {error}"),
            SyncError::TooLarge => write!(
                f,
                "the text is larger than {} MiB",
                workspace::MAX_FILE_SIZE / (1024 * 1024)
            ),
        }
    }
}

/// An open document.
struct Document {
    snapshot: Arc<Snapshot>,
    /// False when the client has a text that the server does not know.
    in_sync: bool,
}

/// What is not in a document and changes what is found in it.
#[derive(Clone, Default)]
struct Surroundings {
    configuration: Arc<Configuration>,
    projects: Arc<ProjectView>,
}

/// The open documents.
///
/// Invariant: no guard of the map lives across another access to it. The lock of the
/// configuration is taken before one, never after.
#[derive(Default)]
pub(crate) struct Documents {
    open: DashMap<lsp::Uri, Document>,
    /// What newly opened documents get.
    surroundings: Mutex<Surroundings>,
    revisions: AtomicU64,
}

impl Documents {
    /// Opens a document, or replaces all of an open one.
    pub(crate) fn open(&self, uri: lsp::Uri, version: i32, text: &str) -> Result<(), SyncError> {
        let rope = Rope::from_str(text);
        let error = too_large(&rope);
        // Held until the document is there, so that a new configuration does not miss it.
        let current = self.current();
        let snapshot = self.snapshot_of(uri.clone(), version, rope, current.clone());
        let document = Document {
            snapshot: Arc::new(snapshot),
            in_sync: error.is_none(),
        };
        self.open.insert(uri, document);
        drop(current);
        error.map_or(Ok(()), Err)
    }

    /// Applies changes in their order. After an error the document is out of sync, until a
    /// change brings the whole text.
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
        let surroundings = document.snapshot.surroundings();
        let snapshot = self.snapshot_of(uri.clone(), version, rope, surroundings);
        document.snapshot = Arc::new(snapshot);
        applied
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
        too_large(rope).map_or(Ok(()), Err)
    }

    /// Takes the text that the client has saved. True when it is not the one known here.
    pub(crate) fn save(&self, uri: &lsp::Uri, text: &str) -> bool {
        let Some(mut document) = self.open.get_mut(uri) else {
            return false;
        };
        if document.in_sync && document.snapshot.rope == text {
            return false;
        }
        let rope = Rope::from_str(text);
        document.in_sync = too_large(&rope).is_none();
        let version = document.snapshot.version;
        let surroundings = document.snapshot.surroundings();
        let snapshot = self.snapshot_of(uri.clone(), version, rope, surroundings);
        document.snapshot = Arc::new(snapshot);
        true
    }

    /// Gives a document up until its whole text comes. True when it was not already.
    pub(crate) fn give_up(&self, uri: &lsp::Uri) -> bool {
        let document = self.open.get_mut(uri);
        document.is_some_and(|mut document| std::mem::replace(&mut document.in_sync, false))
    }

    /// Closes a document.
    pub(crate) fn close(&self, uri: &lsp::Uri) -> bool {
        self.open.remove(uri).is_some()
    }

    /// The newest snapshot; `None` when the document is not open or not in sync.
    pub(crate) fn snapshot(&self, uri: &lsp::Uri) -> Option<Arc<Snapshot>> {
        let document = self.open.get(uri)?;
        document.in_sync.then(|| Arc::clone(&document.snapshot))
    }

    /// The newest snapshot, also of a document that is not in sync.
    pub(crate) fn newest(&self, uri: &lsp::Uri) -> Option<Arc<Snapshot>> {
        let document = self.open.get(uri)?;
        Some(Arc::clone(&document.snapshot))
    }

    /// Whether a snapshot is still the newest of its document.
    pub(crate) fn is_newest(&self, snapshot: &Snapshot) -> bool {
        self.snapshot(&snapshot.uri)
            .is_some_and(|newest| newest.revision == snapshot.revision)
    }

    /// The open documents, in no order.
    pub(crate) fn uris(&self) -> Vec<lsp::Uri> {
        self.open.iter().map(|entry| entry.key().clone()).collect()
    }

    /// The configuration of newly opened documents.
    pub(crate) fn configuration(&self) -> Arc<Configuration> {
        Arc::clone(&self.current().configuration)
    }

    /// The projects and the configuration of newly opened documents.
    pub(crate) fn surroundings(&self) -> (Arc<ProjectView>, Arc<Configuration>) {
        let current = self.current();
        (
            Arc::clone(&current.projects),
            Arc::clone(&current.configuration),
        )
    }

    /// Puts all documents under another configuration, open ones and those to come. A
    /// document that is `unaffected` keeps its revision and what is known about it.
    pub(crate) fn reconfigure(
        &self,
        configuration: &Arc<Configuration>,
        unaffected: impl Fn(&lsp::Uri) -> bool,
    ) {
        let mut current = self.current();
        current.configuration = Arc::clone(configuration);
        self.renew(&current, unaffected);
    }

    /// Puts all documents into other projects, open ones and those to come. A document that
    /// does not see another one keeps its revision and what is known about it. False, and
    /// nothing is done, where it is not said of every open document.
    pub(crate) fn reproject(
        &self,
        projects: &Arc<ProjectView>,
        sees_another: &HashMap<lsp::Uri, bool>,
    ) -> bool {
        let mut current = self.current();
        if !self
            .open
            .iter()
            .all(|it| sees_another.contains_key(it.key()))
        {
            return false;
        }
        current.projects = Arc::clone(projects);
        self.renew(&current, |uri| sees_another.get(uri) == Some(&false));
        true
    }

    fn renew(&self, current: &Surroundings, unaffected: impl Fn(&lsp::Uri) -> bool) {
        for mut document in self.open.iter_mut() {
            let old = Arc::clone(&document.snapshot);
            let mut new = self.snapshot_of(
                old.uri.clone(),
                old.version,
                old.rope.clone(),
                current.clone(),
            );
            new.parsed = Arc::clone(&old.parsed);
            new.samples = Arc::clone(&old.samples);
            if unaffected(&old.uri) {
                new.revision = old.revision;
                new.keep(&old);
            }
            document.snapshot = Arc::new(new);
        }
    }

    /// Gives open documents another revision, since something is shown of them that is not in
    /// their text. What is known about them is kept.
    pub(crate) fn renew_revisions(&self, affected: &[lsp::Uri]) {
        for uri in affected {
            let Some(mut document) = self.open.get_mut(uri) else {
                continue;
            };
            let old = Arc::clone(&document.snapshot);
            let (rope, surroundings) = (old.rope.clone(), old.surroundings());
            let mut new = self.snapshot_of(uri.clone(), old.version, rope, surroundings);
            new.parsed = Arc::clone(&old.parsed);
            new.samples = Arc::clone(&old.samples);
            new.keep(&old);
            document.snapshot = Arc::new(new);
        }
    }

    fn current(&self) -> MutexGuard<'_, Surroundings> {
        // A pointer is never half-written.
        self.surroundings
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn snapshot_of(
        &self,
        uri: lsp::Uri,
        version: i32,
        rope: Rope,
        surroundings: Surroundings,
    ) -> Snapshot {
        Snapshot {
            uri,
            version,
            revision: self.revisions.fetch_add(1, Ordering::Relaxed),
            rope,
            configuration: surroundings.configuration,
            projects: surroundings.projects,
            governing: OnceLock::new(),
            parsed: Arc::default(),
            file: Arc::default(),
            findings: Arc::default(),
            programs: Arc::default(),
            samples: Arc::default(),
            tried: Arc::default(),
        }
    }
}

fn too_large(rope: &Rope) -> Option<SyncError> {
    let too_large = rope.len_bytes() as u64 > workspace::MAX_FILE_SIZE;
    too_large.then_some(SyncError::TooLarge)
}

#[cfg(test)]
mod tests;
