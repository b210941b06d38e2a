//! The manifests on which policies are tried, kept as they are.
//!
//! A search at the start finds them; then the client tells which files change. An open
//! document counts as it is in the editor, saved or not. When samples change, the client is
//! asked to look at its lenses and values again.

use crate::analysis::{Analysis, Lane};
use crate::coalescer::Coalescer;
use crate::convert::from_lsp;
use crate::documents::Snapshot;
use crate::inputs;
use crate::refresh::refresh;
use crate::session::Session;
use ide::{Resources, Sample};
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tower_lsp_server::ls_types as lsp;
use workspace::{Configs, SampleFile, SampleLimits, find_samples, is_manifest, read_samples};

/// The manifests of the session.
#[derive(Default)]
pub(crate) struct Samples {
    /// On disk, by path.
    found: Mutex<Arc<Files>>,
    /// The open documents that have some.
    holding: Mutex<HashSet<lsp::Uri>>,
    searches: Coalescer<()>,
    changes: Coalescer<lsp::Uri>,
}

/// What files give, by path.
pub(crate) type Files = BTreeMap<PathBuf, Arc<SampleFile>>;

/// The manifests on disk and the open documents at one moment.
pub(crate) struct Manifests {
    found: Arc<Files>,
    open: Vec<Arc<Snapshot>>,
}

/// The manifests that one file sees. What is open counts as it is in the editor.
#[derive(Clone, Debug)]
pub(crate) struct SampleView {
    found: Arc<Files>,
    /// What counts instead; `None` for nothing.
    open: BTreeMap<PathBuf, Option<Arc<SampleFile>>>,
}

impl Manifests {
    /// All manifests and kinds.
    pub(crate) fn gather(&self, analysis: &dyn Analysis) -> (Vec<Sample>, Resources) {
        let files = self.seen_by(Path::new(""), analysis).files();
        let mut resources = Resources::default();
        let mut samples = Vec::new();
        for file in files.values() {
            resources.extend(&file.resources);
            samples.extend(file.samples.iter().cloned());
        }
        (samples, resources)
    }

    /// The open documents.
    pub(crate) fn open(&self) -> &[Arc<Snapshot>] {
        &self.open
    }

    /// What the file at `own` sees. What admission looks up in that file itself comes with
    /// its policies, so a file that has nothing else is left out.
    pub(crate) fn seen_by(&self, own: &Path, analysis: &dyn Analysis) -> SampleView {
        let mut open = BTreeMap::new();
        for snapshot in &self.open {
            let path = snapshot.path();
            let file = (!snapshot.governing().excluded).then(|| snapshot.sample_file(analysis));
            let file = file.filter(|file| match path == own {
                true => !file.samples.is_empty() || !file.resources.is_empty(),
                false => !file.is_empty(),
            });
            if file.is_some() || self.found.contains_key(&path) {
                open.insert(path, file.cloned());
            }
        }
        SampleView {
            found: Arc::clone(&self.found),
            open,
        }
    }
}

impl SampleView {
    /// All files that give something.
    pub(crate) fn files(&self) -> Files {
        let mut files = Files::clone(&self.found);
        for (path, file) in &self.open {
            match file {
                Some(file) => drop(files.insert(path.clone(), Arc::clone(file))),
                None => drop(files.remove(path)),
            }
        }
        files
    }

    /// Whether it is made of the same files.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let address = |file: &Option<Arc<SampleFile>>| file.as_ref().map(Arc::as_ptr);
        Arc::ptr_eq(&self.found, &other.found)
            && self.open.len() == other.open.len()
            && self
                .open
                .iter()
                .zip(&other.open)
                .all(|(new, old)| new.0 == old.0 && address(new.1) == address(old.1))
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
pub(crate) fn view(session: &Session) -> Manifests {
    let uris = session.documents.uris().into_iter();
    Manifests {
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
            task.inputs.files_changed();
            inputs::renew(&task);
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
    session.inputs.files_changed();
    inputs::renew(session);
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
    is_manifest(path)
        || path.extension().is_some_and(|it| it == "txt")
        || path.ends_with(workspace::CONFIG_FILE)
}

/// An open document has changed, or is closed.
pub(crate) fn document_changed(session: &Arc<Session>, uri: &lsp::Uri) {
    if !session.capabilities().evaluation.can_refresh() || !session.samples.changes.start(uri) {
        return;
    }
    let (task, uri) = (Arc::clone(session), uri.clone());
    session.tasks.spawn(async move {
        loop {
            let holds = holds(&task, &uri).await;
            if task.samples.note(&uri, holds) {
                refresh(&task);
            }
            if !task.samples.changes.again(&uri) {
                return;
            }
        }
    });
}

/// Whether a document has something that policies are tried on.
async fn holds(session: &Session, uri: &lsp::Uri) -> bool {
    let Some(snapshot) = session.documents.snapshot(uri) else {
        return false;
    };
    let work = |analysis: &dyn Analysis, it: &Snapshot| !it.sample_file(analysis).is_empty();
    let work = session.analyse(Lane::Publish, "a look", &snapshot, work);
    work.await.unwrap_or(false) || session.inputs.hold(&snapshot.path())
}
