//! Indexing the files of the workspace: summaries for projects, manifests for evaluations.
//!
//! A search at the start finds the files; after that the client reports which of them change. An
//! open document has its text in the editor, saved or not.

use crate::convert::from_lsp;
use crate::session::Session;
use crate::state::documents::Snapshot;
use crate::state::project_view::ProjectView;
use crate::workers::Lane;
use evaluation::samples::ParamKinds;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tower_lsp_server::ls_types as lsp;
use workspace::{
    ConfigCache, ProjectLimits, SampleFile, SampleLimits, find_samples, gather, is_manifest,
    read_samples, read_summary,
};

const TASK: &str = "index a document";

/// Searches the workspace folders for the files of projects.
pub(crate) async fn search_projects(session: &Session) {
    let folders = session.state.settings.folder_paths();
    let configuration = session.state.documents.configuration();
    let searched = folders.clone();
    let work = tokio::task::spawn_blocking(move || {
        let limits = ProjectLimits::default();
        gather(&searched, &configuration.files, limits, &|_| false)
    });
    let gathered = work.await.unwrap_or_default();
    let summaries = gathered.files.into_iter();
    let files = summaries.map(|summary| (summary.file.to_path_buf(), summary));
    let projects = &session.state.projects;
    projects.replace(files.collect(), folders, !gathered.is_cut);
}

/// Reads the summaries of files that have changed on disk. Returns whether one of them is a
/// schema that a configuration file names.
pub(crate) async fn read_summaries(session: &Session, paths: Vec<PathBuf>) -> bool {
    let configuration = session.state.documents.configuration();
    let work = tokio::task::spawn_blocking(move || {
        let files = &configuration.files;
        let is_schema = paths.iter().any(|path| files.is_schema(path));
        let read = |path: PathBuf| {
            let is_included = !files.excludes(&path);
            let summary = is_included.then(|| read_summary(&path, ProjectLimits::default()));
            (path, summary.flatten())
        };
        (is_schema, paths.into_iter().map(read).collect::<Vec<_>>())
    });
    let (is_schema, summaries) = work.await.unwrap_or_default();
    for (path, summary) in summaries {
        session.state.projects.set_on_disk(path, summary);
    }
    is_schema
}

/// Updates the summary of a document. Returns whether it has changed.
pub(crate) async fn summarize(session: &Session, uri: &lsp::Uri) -> bool {
    let projects = &session.state.projects;
    let replaced = session.state.documents.take_replaced(uri);
    let Some(snapshot) = session.state.documents.snapshot(uri) else {
        let path = from_lsp::path(uri).unwrap_or_else(|| uri.as_str().into());
        return projects.set_open(&path, None);
    };
    let work = |it: &Snapshot| (!it.is_excluded()).then(|| Arc::clone(it.file().summary()));
    let summary = session
        .analyze(Lane::Background, TASK, &snapshot, work)
        .await;
    let has_changed = summary.is_ok_and(|summary| projects.set_open(snapshot.path(), summary));
    if replaced.is_some() {
        let free = move || drop(replaced);
        let lane = Lane::Background;
        let _ = session.workers.run(lane, TASK, 0, || true, free).await;
    }
    has_changed
}

/// Builds the projects again. Returns the documents whose project has changed.
pub(crate) async fn renew_projects(session: &Session) -> Vec<lsp::Uri> {
    let state = &session.state;
    let older = state.documents.projects();
    let configuration = state.documents.configuration();
    let view = Arc::new(state.projects.view(&configuration, &older));
    let mut affected = HashMap::new();
    loop {
        compare(session, &view, &mut affected).await;
        // Documents may have been opened meanwhile.
        if state.documents.replace_projects(&view, &affected) {
            break;
        }
    }
    let mut uris = state.documents.uris();
    uris.retain(|uri| affected.get(uri) == Some(&true));
    uris
}

/// Adds the open documents that are missing, with whether their project has changed.
async fn compare(
    session: &Session,
    view: &Arc<ProjectView>,
    affected: &mut HashMap<lsp::Uri, bool>,
) {
    let uris = session.state.documents.uris().into_iter();
    let new: Vec<Arc<Snapshot>> = uris
        .filter(|uri| !affected.contains_key(uri))
        .filter_map(|uri| session.state.documents.newest(&uri))
        .collect();
    // A document that cannot be compared counts as affected.
    affected.extend(new.iter().map(|it| (it.uri.clone(), true)));
    let view = Arc::clone(view);
    let work = tokio::task::spawn_blocking(move || {
        let mut known = HashMap::new();
        let compare = |it: &Arc<Snapshot>| {
            let old = it.project();
            let new = view.project(it.path(), it.settings().target);
            let key = (Arc::as_ptr(&old).addr(), Arc::as_ptr(&new).addr());
            let (_, _, changed) = known.entry(key).or_insert_with(|| {
                let changed = old.changed_files(&new);
                // As long as they exist, no other project has their addresses.
                (old, new, changed)
            });
            let is_affected = match changed {
                Some(files) => files.iter().any(|file| **file != *it.path()),
                None => true,
            };
            (it.uri.clone(), is_affected)
        };
        new.iter().map(compare).collect::<Vec<_>>()
    });
    affected.extend(work.await.unwrap_or_default());
}

/// Searches the workspace folders for manifests. Returns whether there are or were some.
pub(crate) async fn search_samples(session: &Session) -> bool {
    let folders = session.state.settings.folder_paths();
    let work = tokio::task::spawn_blocking(move || {
        let configs = Arc::new(ConfigCache::default());
        let limits = SampleLimits::default();
        find_samples(&folders, &configs, limits, &ParamKinds::new())
    });
    let found = work.await.unwrap_or_default().into_iter();
    let files = found.map(|(path, file)| (path, Arc::new(file)));
    session.state.samples.replace(files.collect())
}

/// Reads the manifests in files that have changed on disk, and those that lack objects of a kind
/// that a changed policy names.
pub(crate) async fn reread_samples(session: &Session, paths: Vec<PathBuf>) {
    read_again(session, paths).await;
    let mut incomplete = session.state.samples.incomplete();
    incomplete.retain(|path| is_manifest(path));
    if !incomplete.is_empty() {
        read_again(session, incomplete).await;
    }
}

async fn read_again(session: &Session, paths: Vec<PathBuf>) {
    let wanted = session.state.samples.param_kinds();
    let work = tokio::task::spawn_blocking(move || {
        let configs = ConfigCache::default();
        let limits = SampleLimits::default();
        let read = |path: PathBuf| {
            let is_included = !configs.excludes(&path);
            let file = is_included.then(|| read_samples(&path, limits, &wanted));
            (path, file.unwrap_or_default())
        };
        paths
            .into_iter()
            .map(read)
            .collect::<Vec<(PathBuf, SampleFile)>>()
    });
    for (path, file) in work.await.unwrap_or_default() {
        session.state.samples.set_on_disk(path, file);
    }
}

/// Returns whether a file may have manifests, or belong to inputs.
pub(crate) fn may_have_samples(path: &Path) -> bool {
    is_manifest(path) || path.extension().is_some_and(|it| it == "txt")
}

/// Updates whether a document has manifests or belongs to the inputs of an open policy. Returns
/// whether evaluations may have changed.
pub(crate) async fn index_samples(session: &Session, uri: &lsp::Uri) -> bool {
    let has_samples = match session.state.documents.snapshot(uri) {
        Some(snapshot) => has_samples(session, &snapshot).await,
        None => false,
    };
    session.state.samples.set_open(uri, has_samples)
}

async fn has_samples(session: &Session, snapshot: &Arc<Snapshot>) -> bool {
    let work = |it: &Snapshot| !it.sample_file().is_empty();
    let found = session.analyze(Lane::Background, TASK, snapshot, work);
    found.await.unwrap_or(false) || session.state.inputs.contains(snapshot.path())
}

/// Compares the findings about inputs with those that are shown. Returns the documents in which
/// they differ.
pub(crate) async fn check_inputs(session: &Session) -> Vec<lsp::Uri> {
    let state = Arc::clone(&session.state);
    let open = state.documents.snapshots();
    let work = move || state.inputs.outdated(&open);
    // A panic is reported when the findings of the document are computed.
    let lane = Lane::Background;
    let outdated = session.workers.run(lane, "check inputs", 0, || true, work);
    let affected = outdated.await.unwrap_or_default();
    session.state.documents.renew_revisions(&affected);
    affected
}
