//! The consequences of a change.
//!
//! Handlers apply a change and report it here; only this module decides what is indexed again,
//! published and refreshed. A task returns what it has changed, which is handled here too, so
//! the effects of each event can be read in one place.
//!
//! No function waits. Each task runs at most once at a time for its key: while it runs, any number
//! of further events cause one more run.

use crate::coalescer::Coalescer;
use crate::convert::from_lsp;
use crate::session::{Session, detach};
use crate::state::documents::Snapshot;
use crate::tasks::{closed_files, config_problems, index, publish, refresh, settings};
use std::hash::Hash;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tower_lsp_server::ls_types as lsp;
use workspace::{CONFIG_FILE, is_manifest};

/// Limit: how long changed documents are awaited before what follows from them is computed.
const LONGEST_WAIT: Duration = Duration::from_secs(1);

/// How long no document must change before that: a client opens many one after the other.
const QUIET: Duration = Duration::from_millis(20);

/// Handles `initialized`: the client is ready.
pub(crate) fn initialized(session: &Arc<Session>) {
    let task = Arc::clone(session);
    detach(async move { settings::register(&task).await });
    if session.capabilities().workspace.configuration {
        settings_changed(session);
    }
    search_projects(session);
    search_samples(session);
}

/// Handles a document that was opened, or whose text or settings have changed.
pub(crate) fn document_changed(session: &Arc<Session>, uri: &lsp::Uri) {
    if session.state.is_live(uri) {
        refresh(session);
    }
    text_changed(session, uri);
}

/// Handles a closed document.
pub(crate) fn document_closed(session: &Arc<Session>, uri: &lsp::Uri) {
    let state = &session.state;
    let path = from_lsp::path(uri);
    state.choices.forget(uri);
    state.semantic_tokens.forget(uri);
    state.inputs.forget(uri, path.as_deref());
    if let Some(path) = path {
        state.evaluation_cache.forget(&path);
        state.closed_files.files_changed(&[path]);
    }
    text_changed(session, uri);
    check_closed_files(session);
}

fn text_changed(session: &Arc<Session>, uri: &lsp::Uri) {
    inputs_changed(session);
    index_document(session, uri);
    // Last: tokio runs the newest task first, so the findings get the thread that was used last.
    publish_findings(session, uri);
}

/// Removes the findings of a document whose changes can no longer be applied.
pub(crate) fn document_lost(session: &Arc<Session>, uri: &lsp::Uri) {
    publish_findings(session, uri);
}

/// Handles a saved document. If the client does not watch files, its file and all configuration
/// files may have changed.
pub(crate) fn document_saved(session: &Arc<Session>, uri: &lsp::Uri) {
    if !session.capabilities().workspace.watches_files {
        config_files_changed(session);
        files_changed_on_disk(session, from_lsp::path(uri).into_iter().collect());
    }
}

/// Files that the client watches have changed.
pub(crate) fn files_changed(session: &Arc<Session>, uris: &[lsp::Uri]) {
    let paths: Vec<PathBuf> = uris.iter().filter_map(from_lsp::path).collect();
    if paths.iter().any(|path| path.ends_with(CONFIG_FILE)) {
        config_files_changed(session);
    }
    files_changed_on_disk(session, paths);
}

/// Handles files or folders that the user has created, renamed or deleted in the client.
pub(crate) fn files_or_folders_changed(session: &Arc<Session>, uris: &[lsp::Uri]) {
    let mut others = uris.iter().filter_map(from_lsp::path).filter(|path| {
        !is_manifest(path) && !path.ends_with(CONFIG_FILE) && !index::may_have_samples(path)
    });
    // There are no separate notifications for the files in a folder.
    if others.next().is_some() {
        return folders_changed(session);
    }
    files_changed(session, uris);
}

fn files_changed_on_disk(session: &Arc<Session>, mut paths: Vec<PathBuf>) {
    let mut manifests = paths.clone();
    manifests.retain(|path| is_manifest(path));
    if !manifests.is_empty() {
        session.state.closed_files.files_changed(&manifests);
        let task = Arc::clone(session);
        session.spawn(async move {
            if index::read_summaries(&task, manifests).await {
                config_files_changed(&task);
            } else {
                renew_projects(&task);
            }
        });
    }
    if paths.iter().any(|path| path.ends_with(CONFIG_FILE)) {
        // Other files may be excluded now.
        return search_samples(session);
    }
    paths.retain(|path| index::may_have_samples(path));
    if !paths.is_empty() {
        session.state.inputs.files_changed();
        inputs_changed(session);
        let task = Arc::clone(session);
        session.spawn(async move {
            index::reread_samples(&task, paths).await;
            refresh(&task);
        });
    }
}

/// Handles a change of the workspace folders.
pub(crate) fn folders_changed(session: &Arc<Session>) {
    // A configuration file may name files in the folders.
    config_files_changed(session);
    search_projects(session);
    search_samples(session);
}

fn config_files_changed(session: &Arc<Session>) {
    session.state.settings.values().files_changed = true;
    settings_changed(session);
}

/// Handles a possible change of the client's settings or of configuration files.
pub(crate) fn settings_changed(session: &Arc<Session>) {
    let task = &session.renewals.settings;
    task.renew(session, (), |session, ()| async move {
        tokio::select! {
            () = reload_settings(&session) => {}
            () = session.ended.cancelled() => {}
        }
    });
}

async fn reload_settings(session: &Arc<Session>) {
    if let Some(reloaded) = settings::reload(session).await {
        search_projects(session);
        config_problems::publish(session, &reloaded.configuration).await;
        findings_changed(session, &reloaded.affected);
        if reloaded.changes_hints {
            refresh(session);
        }
    }
    session.state.settings.settle();
}

/// Handles a choice of the user about evaluations.
pub(crate) fn choices_changed(session: &Arc<Session>) {
    refresh(session);
}

/// Checks the findings about inputs again, after a change in the editor or on disk.
fn inputs_changed(session: &Arc<Session>) {
    session.state.inputs.advance_generation();
    check_inputs(session);
}

/// Findings about inputs were shown that may be outdated.
pub(crate) fn check_inputs(session: &Arc<Session>) {
    let task = &session.renewals.input_findings;
    task.renew(session, (), |session, ()| async move {
        documents_read(&session).await;
        let affected = index::check_inputs(&session).await;
        findings_changed(&session, &affected);
    });
}

fn index_document(session: &Arc<Session>, uri: &lsp::Uri) {
    let task = &session.renewals.summary;
    task.renew(session, uri.clone(), |session, uri| async move {
        if index::summarize(&session, &uri).await {
            renew_projects(&session);
        }
    });
    if !session.capabilities().evaluation.can_refresh() {
        return;
    }
    let task = &session.renewals.samples;
    task.renew(session, uri.clone(), |session, uri| async move {
        if index::index_samples(&session, &uri).await {
            refresh(&session);
        }
    });
}

fn renew_projects(session: &Arc<Session>) {
    let task = &session.renewals.projects;
    task.renew(session, (), |session, ()| async move {
        documents_read(&session).await;
        let affected = index::renew_projects(&session).await;
        findings_changed(&session, &affected);
        check_closed_files(&session);
        publish_config_problems(&session).await;
    });
}

/// Waits until the changed documents are read: what follows from all of them is computed once.
async fn documents_read(session: &Session) {
    let generation = || session.state.inputs.generation();
    let read = async {
        loop {
            let before = generation();
            session.renewals.summary.idle().await;
            tokio::time::sleep(QUIET).await;
            if generation() == before {
                return;
            }
        }
    };
    let _ = tokio::time::timeout(LONGEST_WAIT, read).await;
}

fn search_projects(session: &Arc<Session>) {
    session.state.closed_files.set_outdated();
    let task = &session.renewals.project_search;
    task.renew_detached(session, |session, ()| async move {
        index::search_projects(&session).await;
        renew_projects(&session);
        // The schemas of the projects may take long to read.
        publish_config_problems(&session).await;
    });
}

/// Publishes the problems of configuration files, some of which only a project finds: those of
/// the schemas that it reads.
async fn publish_config_problems(session: &Arc<Session>) {
    let configuration = session.state.documents.configuration();
    config_problems::publish(session, &configuration).await;
}

/// Handles a request for the findings of a document, whose configuration file may have problems.
pub(crate) fn findings_requested(session: &Arc<Session>, snapshot: &Snapshot) {
    let (task, configuration) = (Arc::clone(session), Arc::clone(snapshot.configuration()));
    detach(async move { config_problems::publish(&task, &configuration).await });
}

/// Handles a request for the findings in files that are not open.
pub(crate) fn workspace_diagnostics_requested(session: &Arc<Session>) {
    if session.state.closed_files.request() {
        check_closed_files(session);
    }
}

/// Checks the files that are not open. A client that requests findings gets them when it requests
/// those of the workspace.
fn check_closed_files(session: &Arc<Session>) {
    if session.capabilities().diagnostics.pull && !session.state.closed_files.is_requested() {
        return;
    }
    let task = &session.renewals.closed_files;
    task.renew_detached(session, |session, ()| async move {
        closed_files::check(&session).await;
    });
}

fn search_samples(session: &Arc<Session>) {
    let task = &session.renewals.sample_search;
    task.renew_detached(session, |session, ()| async move {
        let has_changed = index::search_samples(&session).await;
        session.state.inputs.files_changed();
        inputs_changed(&session);
        if has_changed {
            refresh(&session);
        }
    });
}

/// Handles documents whose findings have changed, but not their text.
fn findings_changed(session: &Arc<Session>, affected: &[lsp::Uri]) {
    for uri in affected {
        publish_findings(session, uri);
    }
    let client = session.capabilities();
    let asks_again = client.diagnostics.pull && client.workspace.diagnostic_refresh;
    if asks_again && !affected.is_empty() {
        let task = Arc::clone(session);
        detach(async move { refresh::diagnostics(&task).await });
    }
    // A kind or a version of the project may have changed.
    if client.workspace.semantic_tokens_refresh && !affected.is_empty() {
        let task = &session.renewals.semantic_tokens;
        task.renew_detached(session, |session, ()| async move {
            refresh::semantic_tokens(&session).await;
        });
    }
}

/// Publishes the findings of a document: none if it is closed. A client that requests findings
/// does not get any.
///
/// Invariant: there is one task per document, which publishes the newest snapshot. So findings
/// are published in the order of their versions, and outdated versions are skipped.
fn publish_findings(session: &Arc<Session>, uri: &lsp::Uri) {
    if session.capabilities().diagnostics.pull || !session.renewals.findings.start(uri) {
        return;
    }
    let (task, uri) = (Arc::clone(session), uri.clone());
    session.spawn(async move {
        task.state.settings.settled().await;
        let mut published = None;
        loop {
            match task.state.documents.snapshot(&uri) {
                None => publish::publish_none(&task, &uri).await,
                // The run before has seen the change that started this one.
                Some(newest) if published == Some(newest.revision) => {}
                Some(newest) => {
                    published = Some(newest.revision);
                    let may_be_outdated = publish::publish(&task, &newest).await;
                    config_problems::publish(&task, newest.configuration()).await;
                    if may_be_outdated {
                        check_inputs(&task);
                    }
                }
            }
            if !task.renewals.findings.again(&uri) {
                return;
            }
        }
    });
}

/// Sends requests to refresh values and lenses. Values do not wait for lenses.
fn refresh(session: &Arc<Session>) {
    let client = session.capabilities().evaluation;
    if client.refreshes_hints {
        let task = &session.renewals.hints;
        task.renew_detached(session, |session, ()| async move {
            refresh::hints(&session).await;
        });
    }
    if client.refreshes_lenses {
        let task = &session.renewals.lenses;
        task.renew_detached(session, |session, ()| async move {
            refresh::lenses(&session).await;
        });
    }
}

impl<K: Clone + Eq + Hash + Send + Sync + 'static> Coalescer<K> {
    /// Starts a task that the end of the session waits for.
    fn renew<R, F>(&self, session: &Arc<Session>, key: K, run: R)
    where
        R: Fn(Arc<Session>, K) -> F + Send + 'static,
        F: Future<Output = ()> + Send + 'static,
    {
        if let Some(task) = self.renewal(session, key, run) {
            session.spawn(task);
        }
    }

    /// Returns the task that calls `run` until no further run is wanted. `None` if it is running.
    fn renewal<R, F>(
        &self,
        session: &Arc<Session>,
        key: K,
        run: R,
    ) -> Option<impl Future<Output = ()> + use<K, R, F>>
    where
        R: Fn(Arc<Session>, K) -> F,
        F: Future<Output = ()>,
    {
        if !self.start(&key) {
            return None;
        }
        let (session, coalescer) = (Arc::clone(session), self.clone());
        Some(async move {
            loop {
                run(Arc::clone(&session), key.clone()).await;
                if !coalescer.again(&key) {
                    return;
                }
            }
        })
    }
}

impl Coalescer<()> {
    /// Starts a detached task.
    fn renew_detached<R, F>(&self, session: &Arc<Session>, run: R)
    where
        R: Fn(Arc<Session>, ()) -> F + Send + 'static,
        F: Future<Output = ()> + Send + 'static,
    {
        if let Some(task) = self.renewal(session, (), run) {
            detach(task);
        }
    }
}
