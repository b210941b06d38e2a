//! What the files of the workspace say of each other, kept as they are.
//!
//! A search at the start finds them; then the client tells which files change. An open
//! document counts as it is in the editor, saved or not. A keystroke that changes nothing of
//! what other files want to know costs a comparison; else the findings of those documents are
//! renewed that see another project now.

mod view;

pub(crate) use view::ProjectView;

use crate::analysis::Lane;
use crate::coalescer::Coalescer;
use crate::configuration::Configuration;
use crate::convert::from_lsp;
use crate::documents::Snapshot;
use crate::handlers::configuration::reload_files;
use crate::publish::publish;
use crate::session::Session;
use ide::FileSummary;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tower_lsp_server::ls_types as lsp;
use view::Summaries;
use workspace::{Gathered, ProjectLimits, gather, is_manifest, read_summary};

/// What is known of the files of the session.
#[derive(Default)]
pub(crate) struct Projects {
    known: Mutex<Known>,
    searches: Coalescer<()>,
    changes: Coalescer<lsp::Uri>,
    renewals: Coalescer<()>,
}

#[derive(Default)]
struct Known {
    /// On disk.
    found: Summaries,
    /// In open documents, which count instead.
    open: Summaries,
    folders: Vec<PathBuf>,
    /// Whether the folders were searched, and to the end.
    is_whole: bool,
}

impl Projects {
    fn known(&self) -> MutexGuard<'_, Known> {
        // Each field is replaced as a whole.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes what an open document says; `None` where it is closed. True when that is new.
    fn note(&self, path: &Path, summary: Option<Arc<FileSummary>>) -> bool {
        let mut known = self.known();
        match summary {
            Some(summary) => {
                let old = known.open.insert(path.to_path_buf(), Arc::clone(&summary));
                let old = old.or_else(|| known.found.get(path).cloned());
                match old {
                    Some(old) => old != summary,
                    None => !summary.is_empty(),
                }
            }
            None => known.open.remove(path).is_some(),
        }
    }

    fn update(&self, path: PathBuf, summary: Option<Arc<FileSummary>>) {
        let mut known = self.known();
        match summary {
            Some(summary) => drop(known.found.insert(path, summary)),
            None => drop(known.found.remove(&path)),
        }
    }

    /// All files as they are now.
    fn view(&self, configuration: &Arc<Configuration>, older: &ProjectView) -> ProjectView {
        let known = self.known();
        let mut files = known.found.clone();
        for (path, summary) in &known.open {
            files.insert(path.clone(), Arc::clone(summary));
        }
        let folders = known.folders.clone();
        let is_whole = known.is_whole;
        drop(known);
        ProjectView::new(files, folders, is_whole, configuration, older)
    }
}

/// Searches the folders of the workspace, in a task of its own.
pub(crate) fn search(session: &Arc<Session>) {
    if !session.projects.searches.start(&()) {
        return;
    }
    let task = Arc::clone(session);
    tokio::spawn(async move {
        loop {
            let folders: Vec<PathBuf> = task.sources.folder_paths();
            let configuration = task.documents.configuration();
            let below = folders.clone();
            let work = tokio::task::spawn_blocking(move || {
                let limits = ProjectLimits::default();
                gather(&below, &configuration.files, limits, &|_| false)
            });
            let gathered: Gathered = work.await.unwrap_or_default();
            let found: BTreeMap<_, _> = gathered
                .files
                .into_iter()
                .map(|summary| (summary.file.to_path_buf(), summary))
                .collect();
            {
                let mut known = task.projects.known();
                known.found = found;
                known.folders = folders;
                known.is_whole = !gathered.is_cut;
            }
            renew(&task);
            if !task.projects.searches.again(&()) {
                return;
            }
        }
    });
}

/// Files have changed on disk.
pub(crate) fn files_changed(session: &Arc<Session>, uris: &[lsp::Uri]) {
    let paths = uris.iter().filter_map(from_lsp::path);
    let paths: Vec<PathBuf> = paths.filter(|path| is_manifest(path)).collect();
    if paths.is_empty() {
        return;
    }
    let task = Arc::clone(session);
    session.tasks.spawn(async move {
        let configuration = task.documents.configuration();
        let work = tokio::task::spawn_blocking(move || {
            let files = &configuration.files;
            let is_schema = paths.iter().any(|path| files.is_schema(path));
            let read = |path: PathBuf| {
                let summary = match files.excludes(&path) {
                    true => None,
                    false => read_summary(&path, ProjectLimits::default()),
                };
                (path, summary)
            };
            (is_schema, paths.into_iter().map(read).collect::<Vec<_>>())
        });
        let Ok((is_schema, read)) = work.await else {
            return;
        };
        for (path, summary) in read {
            task.projects.update(path, summary);
        }
        if is_schema {
            // The configuration has read it, and reads it again.
            reload_files(&task);
        } else {
            renew(&task);
        }
    });
}

/// An open document has changed, or is closed.
pub(crate) fn document_changed(session: &Arc<Session>, uri: &lsp::Uri) {
    if !session.projects.changes.start(uri) {
        return;
    }
    let (task, uri) = (Arc::clone(session), uri.clone());
    session.tasks.spawn(async move {
        loop {
            if note(&task, &uri).await {
                renew(&task);
            }
            if !task.projects.changes.again(&uri) {
                return;
            }
        }
    });
}

async fn note(session: &Session, uri: &lsp::Uri) -> bool {
    let Some(snapshot) = session.documents.snapshot(uri) else {
        let path = from_lsp::path(uri).unwrap_or_else(|| uri.as_str().into());
        return session.projects.note(&path, None);
    };
    let path = snapshot.path();
    let summary = session.analyse(Lane::Publish, "a look", &snapshot, |analysis, it| match it
        .governing()
        .excluded
    {
        true => None,
        false => Some(Arc::clone(it.file(analysis).summary())),
    });
    match summary.await {
        Ok(summary) => session.projects.note(&path, summary),
        Err(_) => false,
    }
}

/// Puts the projects together anew and renews the findings of the documents that see
/// another one.
pub(crate) fn renew(session: &Arc<Session>) {
    if !session.projects.renewals.start(&()) {
        return;
    }
    let task = Arc::clone(session);
    session.tasks.spawn(async move {
        loop {
            let (older, configuration) = task.documents.surroundings();
            let view = Arc::new(task.projects.view(&configuration, &older));
            let mut sees_another = HashMap::new();
            loop {
                compare(&task, &view, &mut sees_another).await;
                // Documents may be opened meanwhile.
                if task.documents.reproject(&view, &sees_another) {
                    break;
                }
            }
            let mut affected = task.documents.uris();
            affected.retain(|uri| sees_another.get(uri) == Some(&true));
            for uri in &affected {
                publish(&task, uri);
            }
            ask_again(&task, !affected.is_empty());
            if !task.projects.renewals.again(&()) {
                return;
            }
        }
    });
}

/// Adds the open documents that are not there yet, with whether they see another project than
/// before.
async fn compare(
    session: &Arc<Session>,
    view: &Arc<ProjectView>,
    sees_another: &mut HashMap<lsp::Uri, bool>,
) {
    let uris = session.documents.uris().into_iter();
    let new: Vec<Arc<Snapshot>> = uris
        .filter(|uri| !sees_another.contains_key(uri))
        .filter_map(|uri| session.documents.newest(&uri))
        .collect();
    // What cannot be compared is renewed.
    sees_another.extend(new.iter().map(|it| (it.uri.clone(), true)));
    let view = Arc::clone(view);
    let work = tokio::task::spawn_blocking(move || {
        let compare = |it: &Arc<Snapshot>| {
            let old = it.project();
            let new = view.project(&it.path(), it.governing().target);
            (it.uri.clone(), !old.is_same_for(&new, &it.path()))
        };
        new.iter().map(compare).collect::<Vec<_>>()
    });
    sees_another.extend(work.await.unwrap_or_default());
}

/// Tells a client that asks for findings to ask again.
pub(crate) fn ask_again(session: &Arc<Session>, is_needed: bool) {
    let client = session.capabilities();
    if is_needed && client.diagnostics.pull && client.workspace.diagnostic_refresh {
        let task = Arc::clone(session);
        tokio::spawn(async move {
            // A client that refuses asks again with the next change.
            let _ = task.client.workspace_diagnostic_refresh().await;
        });
    }
}
