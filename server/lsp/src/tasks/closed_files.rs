//! Checking the files of the workspace that are not open.
//!
//! A client then shows what `admissible check` reports. The files are checked one after the other,
//! between other work, and again when a dependency of their findings changes.

use crate::capabilities::Capabilities;
use crate::convert::to_lsp;
use crate::session::Session;
use crate::state::State;
use crate::state::closed_files::{Checked, Report};
use crate::tasks::progress::Progress;
use crate::tasks::publish;
use crate::workers::{Lane, Stopped};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tower_lsp_server::ls_types as lsp;
use workspace::{ProjectLimits, find_manifests};

const TASK: &str = "check the workspace";

/// How long nothing must change before the files are checked: a keystroke in a definition can
/// affect hundreds of policies.
const QUIET: Duration = Duration::from_millis(250);

/// Checks the files whose findings may have changed. Ends early if something changes meanwhile,
/// because then it runs again.
pub(crate) async fn check(session: &Arc<Session>) {
    let state = &session.state;
    let is_outdated =
        || session.ended.is_cancelled() || session.renewals.closed_files.is_wanted(&());
    tokio::select! {
        () = tokio::time::sleep(QUIET) => {}
        () = session.ended.cancelled() => {}
    }
    if is_outdated() {
        return;
    }
    if state.closed_files.take_outdated() {
        search(session).await;
    }
    let affected = affected(session).await;
    let mut progress = Progress::new(session, "Checking the workspace", affected.len());
    for path in affected {
        if is_outdated() {
            break;
        }
        progress.advance().await;
        // The user can cancel the rest.
        if state.closed_files.contains(&path) {
            check_file(session, path).await;
        }
    }
    progress.end().await;
}

/// Searches the workspace folders for manifests.
async fn search(session: &Session) {
    let folders = session.state.settings.folder_paths();
    let configuration = session.state.documents.configuration();
    let work = tokio::task::spawn_blocking(move || {
        let limits = ProjectLimits::default();
        find_manifests(&folders, &configuration.files, limits.files)
    });
    let found: BTreeSet<PathBuf> = work.await.unwrap_or_default().into_iter().collect();
    for path in session.state.closed_files.replace(found) {
        publish_closed(session, &path, &[]).await;
    }
}

/// Returns the files that must be checked: those whose text, settings or project has changed.
async fn affected(session: &Session) -> Vec<PathBuf> {
    let state = Arc::clone(&session.state);
    let work = move || {
        let configuration = state.documents.configuration();
        let projects = state.documents.projects();
        let is_affected = |path: &Path, checked: Option<Checked>| {
            let Some(uri) = lsp::Uri::from_file_path(path) else {
                return false;
            };
            if state.documents.newest(&uri).is_some() {
                return false;
            }
            let settings = configuration.for_document(&uri);
            let project = || projects.project(path, settings.target);
            !checked.is_some_and(|it| it.is_same_for(path, &settings, project))
        };
        let all = state.closed_files.all().into_iter();
        all.filter_map(|(path, checked)| is_affected(&path, checked).then_some(path))
            .collect()
    };
    let lane = Lane::Background;
    let affected = session.workers.run(lane, TASK, 0, || true, work);
    affected.await.unwrap_or_default()
}

async fn check_file(session: &Arc<Session>, path: PathBuf) {
    let state = Arc::clone(&session.state);
    let client = session.capabilities().clone();
    let (ended, file) = (session.ended.clone(), path.clone());
    let is_needed = move || !ended.is_cancelled();
    let work = move || report(&state, &file, &client);
    let lane = Lane::Background;
    let size = usize::try_from(path.metadata().map_or(0, |it| it.len())).unwrap_or(usize::MAX);
    let (checked, report) = match session.workers.run(lane, TASK, size, is_needed, work).await {
        Ok(Some(checked)) => checked,
        Ok(None) => {
            session.state.closed_files.remove(&path);
            return publish_closed(session, &path, &[]).await;
        }
        Err(Stopped::Canceled) => return,
        Err(Stopped::Failed(reason)) => {
            let path = path.display();
            return session.log.error(&format!("{path}: {reason}")).await;
        }
    };
    let diagnostics = Arc::clone(&report.diagnostics);
    session.state.closed_files.record(&path, checked, report);
    publish_closed(session, &path, &diagnostics).await;
}

/// Returns the findings of a file. `None` if it cannot be read.
fn report(state: &State, path: &Path, client: &Capabilities) -> Option<(Checked, Report)> {
    let uri = lsp::Uri::from_file_path(path)?;
    let configuration = state.documents.configuration();
    let settings = configuration.for_document(&uri);
    if settings.excluded || settings.only_open {
        return Some((Checked::independent(settings), Report::default()));
    }
    let roots = configuration.files.roots();
    let text = roots.read_near(path.parent()?, path).ok()?;
    let snapshot = state.documents.closed(uri, &text);
    let inputs = state
        .inputs
        .for_closed(&snapshot, &state.documents.snapshots());
    let file = snapshot.file();
    let checked = Checked::new(&snapshot, inputs.is_inputs_file);
    let findings = snapshot.findings(inputs);
    let diagnostics = to_lsp::diagnostics(file, &snapshot.uri, &findings, client);
    let report = Report {
        revision: snapshot.revision,
        diagnostics: Arc::new(diagnostics),
    };
    Some((checked, report))
}

/// Publishes the findings of a file, unless it is open or the client requests them.
async fn publish_closed(session: &Session, path: &Path, diagnostics: &[lsp::Diagnostic]) {
    let uri = lsp::Uri::from_file_path(path);
    let is_open = |uri: &lsp::Uri| session.state.documents.newest(uri).is_some();
    if let Some(uri) = uri.filter(|uri| !is_open(uri))
        && !session.capabilities().diagnostics.pull
    {
        publish::publish_closed(session, &uri, diagnostics).await;
    }
}
