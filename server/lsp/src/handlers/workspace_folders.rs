//! `workspace/didChangeWorkspaceFolders`: the folders of the workspace.
//!
//! Each folder may have settings of its own.

use super::configuration::reload;
use crate::projects;
use crate::samples;
use crate::session::Session;
use std::sync::Arc;
use tower_lsp_server::ls_types as lsp;

pub(crate) fn did_change(session: &Arc<Session>, event: lsp::WorkspaceFoldersChangeEvent) {
    session.sources.change_folders(|folders| {
        folders.retain(|folder| {
            !event
                .removed
                .iter()
                .any(|removed| removed.uri == folder.uri)
                && !event.added.iter().any(|added| added.uri == folder.uri)
        });
        folders.extend(event.added);
    });
    reload(session);
    projects::search(session);
    samples::search(session);
}
