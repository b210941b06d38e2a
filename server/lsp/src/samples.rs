//! The manifests on which policies are tried, kept as they are.
//!
//! A search at the start finds them; then the client tells which files change. An open
//! document counts as it is in the editor, saved or not. When samples change, the client is
//! asked to look at its lenses and values again, and never more than one such request is on
//! its way.

use crate::coalescer::Coalescer;
use crate::convert::from_lsp;
use crate::documents::Snapshot;
use crate::session::Session;
use ide::evaluate::{Candidate, surroundings};
use ide::input::Input;
use ide::{Catalog, Cluster, Resources, Sample};
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tower_lsp_server::ls_types as lsp;
use workspace::{Configs, SampleFile, SampleLimits, find_samples, is_manifest, read_samples};

/// The manifests of the session.
#[derive(Default)]
pub(crate) struct Samples {
    /// On disk, by path.
    found: Mutex<Arc<BTreeMap<PathBuf, Arc<SampleFile>>>>,
    /// The open documents that have some.
    holding: Mutex<HashSet<lsp::Uri>>,
    searches: Coalescer<()>,
    changes: Coalescer<lsp::Uri>,
    refreshes: Coalescer<()>,
}

/// What policies are tried on.
pub(crate) type Candidates = Vec<Arc<Candidate>>;

/// The manifests at one moment.
pub(crate) struct SampleView {
    found: Arc<BTreeMap<PathBuf, Arc<SampleFile>>>,
    open: Vec<Arc<Snapshot>>,
}

impl SampleView {
    /// All manifests and kinds. What is open counts as it is in the editor.
    pub(crate) fn gather(&self) -> (Vec<Sample>, Resources) {
        let files = self.files();
        let mut resources = Resources::default();
        let mut samples = Vec::new();
        for file in files.values() {
            resources.extend(&file.resources);
            samples.extend(file.samples.iter().cloned());
        }
        (samples, resources)
    }

    fn files(&self) -> BTreeMap<PathBuf, Arc<SampleFile>> {
        let mut files = BTreeMap::new();
        for (path, file) in &*self.found {
            files.insert(path.clone(), Arc::clone(file));
        }
        for snapshot in &self.open {
            if !snapshot.governing().excluded {
                files.insert(snapshot.path(), Arc::clone(snapshot.sample_file()));
            }
        }
        files
    }

    /// What lies around the policies of a file, and the manifests on which they are tried, in
    /// no order. What is open counts as it is in the editor.
    pub(crate) fn around(&self, own: &Path, kinds: &Arc<Catalog>) -> (Cluster, Candidates) {
        let files = self.files();
        let mut resources = Resources::default();
        let mut candidates = Candidates::new();
        for file in files.values() {
            resources.extend(&file.resources);
        }
        let samples = || files.values().flat_map(|file| &file.samples);
        for sample in samples() {
            let input = Arc::new(Input::of_sample(sample));
            candidates.push(Arc::new(Candidate::new(input, kinds, &resources)));
        }
        // The documents of the file itself come with its text.
        let others = files.iter().filter(|(path, _)| *path != own);
        let lookups = others.flat_map(|(_, file)| &file.lookups);
        let cluster = surroundings(kinds, resources, lookups, samples());
        (cluster, candidates)
    }
}

impl Samples {
    fn found(&self) -> MutexGuard<'_, Arc<BTreeMap<PathBuf, Arc<SampleFile>>>> {
        // The pointer is never half-written.
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes whether a document has manifests. True when it has or had some.
    fn note(&self, uri: &lsp::Uri, holds: bool) -> bool {
        let mut holding = self.holding.lock().unwrap_or_else(PoisonError::into_inner);
        if holds {
            holding.insert(uri.clone());
            return true;
        }
        holding.remove(uri)
    }

    fn update(&self, path: PathBuf, file: SampleFile) {
        let mut found = self.found();
        let files = Arc::make_mut(&mut found);
        if file.is_empty() {
            files.remove(&path);
        } else {
            files.insert(path, Arc::new(file));
        }
    }
}

/// The manifests as they are now.
pub(crate) fn view(session: &Session) -> SampleView {
    let uris = session.documents.uris().into_iter();
    SampleView {
        found: Arc::clone(&session.samples.found()),
        open: uris
            .filter_map(|uri| session.documents.snapshot(&uri))
            .collect(),
    }
}

/// Searches the folders of the workspace, in a task of its own.
pub(crate) fn search(session: &Arc<Session>) {
    if !session.samples.searches.start(&()) {
        return;
    }
    let task = Arc::clone(session);
    tokio::spawn(async move {
        loop {
            let folders: Vec<PathBuf> = task.sources.folder_paths();
            let work = tokio::task::spawn_blocking(move || {
                let configs = Arc::new(Configs::default());
                find_samples(&folders, &configs, SampleLimits::default())
            });
            let files = work.await.unwrap_or_default().into_iter();
            let files = files.map(|(path, file)| (path, Arc::new(file)));
            let changed = {
                let mut found = task.samples.found();
                let had_some = !found.is_empty();
                *found = Arc::new(files.collect());
                had_some || !found.is_empty()
            };
            if changed {
                refresh(&task);
            }
            if !task.samples.searches.again(&()) {
                return;
            }
        }
    });
}

/// Files have changed on disk.
pub(crate) fn files_changed(session: &Arc<Session>, uris: &[lsp::Uri]) {
    let paths = uris.iter().filter_map(from_lsp::path);
    let paths: Vec<PathBuf> = paths.filter(|path| concerns(path)).collect();
    if paths
        .iter()
        .any(|path| path.ends_with(workspace::CONFIG_FILE))
    {
        return search(session);
    }
    if paths.is_empty() {
        return;
    }
    let task = Arc::clone(session);
    session.tasks.spawn(async move {
        let work = tokio::task::spawn_blocking(move || {
            let configs = Configs::default();
            let read = |path: PathBuf| {
                let file = match configs.excludes(&path) {
                    true => SampleFile::default(),
                    false => read_samples(&path, SampleLimits::default()),
                };
                (path, file)
            };
            paths.into_iter().map(read).collect::<Vec<_>>()
        });
        for (path, file) in work.await.unwrap_or_default() {
            task.samples.update(path, file);
        }
        refresh(&task);
    });
}

fn concerns(path: &Path) -> bool {
    is_manifest(path) || path.ends_with(workspace::CONFIG_FILE)
}

/// An open document has changed, or is closed.
pub(crate) fn document_changed(session: &Arc<Session>, uri: &lsp::Uri) {
    if !session.capabilities().evaluation.can_refresh() || !session.samples.changes.start(uri) {
        return;
    }
    let (task, uri) = (Arc::clone(session), uri.clone());
    session.tasks.spawn(async move {
        loop {
            let snapshot = task.documents.snapshot(&uri);
            let work = tokio::task::spawn_blocking(move || {
                snapshot.is_some_and(|snapshot| !snapshot.sample_file().is_empty())
            });
            let holds = work.await.unwrap_or(false);
            if task.samples.note(&uri, holds) {
                refresh(&task);
            }
            if !task.samples.changes.again(&uri) {
                return;
            }
        }
    });
}

/// Asks the client to look at its lenses and values again.
pub(crate) fn refresh(session: &Arc<Session>) {
    let client = session.capabilities().evaluation;
    if !client.can_refresh() || !session.samples.refreshes.start(&()) {
        return;
    }
    let task = Arc::clone(session);
    tokio::spawn(async move {
        loop {
            // A client that refuses asks again with the next change.
            if client.refreshes_lenses {
                let _ = task.client.code_lens_refresh().await;
            }
            if client.refreshes_hints {
                let _ = task.client.inlay_hint_refresh().await;
            }
            if !task.samples.refreshes.again(&()) {
                return;
            }
        }
    });
}
