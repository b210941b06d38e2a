//! Changes of the workspace: settings, folders and watched files.

use crate::events;
use crate::session::Session;
use crate::tasks::progress::TOKEN;
use crate::tasks::settings;
use serde_json::Value;
use std::sync::Arc;
use tower_lsp_server::ls_types as lsp;

pub(crate) async fn did_change_configuration(session: &Arc<Session>, settings: &Value) {
    settings::push(session, settings).await;
    events::settings_changed(session);
}

/// Cancels the check of the files that are not open.
pub(crate) async fn cancel_progress(session: &Session, token: &lsp::ProgressToken) {
    if *token != lsp::ProgressToken::String(TOKEN.to_owned()) {
        return;
    }
    let count = session.state.closed_files.remove_unchecked();
    let line = format!(
        "The check of the workspace was canceled. {count} files will not be checked until they \
         are opened, or the settings or folders change."
    );
    session.log.info(line).await;
}

pub(crate) fn did_change_folders(session: &Arc<Session>, event: lsp::WorkspaceFoldersChangeEvent) {
    let changed = || event.removed.iter().chain(&event.added);
    let mut values = session.state.settings.values();
    let folders = &mut values.folders;
    folders.retain(|folder| !changed().any(|changed| changed.uri == folder.uri));
    folders.extend(event.added);
    drop(values);
    events::folders_changed(session);
}

pub(crate) fn did_change_watched_files(session: &Arc<Session>, changes: Vec<lsp::FileEvent>) {
    let uris: Vec<lsp::Uri> = changes.into_iter().map(|it| it.uri).collect();
    events::files_changed(session, &uris);
}

pub(crate) fn did_create_files(session: &Arc<Session>, params: &lsp::CreateFilesParams) {
    files_changed(session, params.files.iter().map(|it| &it.uri));
}

pub(crate) fn did_rename_files(session: &Arc<Session>, params: &lsp::RenameFilesParams) {
    let files = params.files.iter();
    files_changed(session, files.flat_map(|it| [&it.old_uri, &it.new_uri]));
}

pub(crate) fn did_delete_files(session: &Arc<Session>, params: &lsp::DeleteFilesParams) {
    files_changed(session, params.files.iter().map(|it| &it.uri));
}

fn files_changed<'a>(session: &Arc<Session>, uris: impl Iterator<Item = &'a String>) {
    let uris: Vec<lsp::Uri> = uris.filter_map(|uri| uri.parse().ok()).collect();
    events::files_or_folders_changed(session, &uris);
}
