//! Open, change, save and close.
//!
//! The client owns the text. A change is applied before anything else is read, and a text
//! that can no longer be followed is given up rather than guessed: its findings are taken
//! back until the whole text comes, with the next save at the latest.

use crate::convert::from_lsp;
use crate::documents::SyncError;
use crate::handlers::configuration;
use crate::inputs;
use crate::projects;
use crate::publish::publish;
use crate::refresh;
use crate::samples;
use crate::session::Session;
use std::sync::Arc;
use tower_lsp_server::ls_types as lsp;

pub(crate) async fn did_open(session: &Arc<Session>, params: lsp::DidOpenTextDocumentParams) {
    let document = params.text_document;
    let uri = document.uri;
    let opened = session
        .documents
        .open(uri.clone(), document.version, &document.text);
    refresh::document_changed(session, &uri);
    publish(session, &uri);
    projects::document_changed(session, &uri);
    samples::document_changed(session, &uri);
    inputs::renew(session);
    if let Err(error) = opened {
        lost(session, &uri, error).await;
    }
}

pub(crate) async fn did_change(session: &Arc<Session>, params: lsp::DidChangeTextDocumentParams) {
    let lsp::VersionedTextDocumentIdentifier { uri, version } = params.text_document;
    let encoding = session.capabilities().encoding;
    let changes = &params.content_changes;
    let changed = session.documents.change(&uri, version, changes, encoding);
    if changed != Err(SyncError::NotOpen) {
        refresh::document_changed(session, &uri);
        publish(session, &uri);
        projects::document_changed(session, &uri);
        samples::document_changed(session, &uri);
        inputs::renew(session);
    }
    if let Err(error) = changed {
        lost(session, &uri, error).await;
    }
}

pub(crate) async fn did_save(session: &Arc<Session>, params: lsp::DidSaveTextDocumentParams) {
    configuration::saved(session);
    let uri = params.text_document.uri;
    if !session.capabilities().workspace.watches_files {
        projects::files_changed(session, std::slice::from_ref(&uri));
        samples::files_changed(session, std::slice::from_ref(&uri));
    }
    let Some(text) = params.text else {
        return;
    };
    if session.documents.save(&uri, &text) {
        publish(session, &uri);
        projects::document_changed(session, &uri);
        inputs::renew(session);
        let uri = uri.as_str();
        session
            .log
            .warning(format!("The saved text of {uri} is used from now on: it is not the one that the changes gave."))
            .await;
    }
}

pub(crate) async fn did_close(session: &Arc<Session>, params: lsp::DidCloseTextDocumentParams) {
    let uri = params.text_document.uri;
    if session.documents.close(&uri) {
        publish(session, &uri);
        session.evaluations.forget(&uri);
        session.inputs.untell(&uri);
        if let Some(path) = from_lsp::path(&uri) {
            session.inputs.forget(&path);
            session.candidates.forget(&path);
        }
        projects::document_changed(session, &uri);
        samples::document_changed(session, &uri);
        inputs::renew(session);
    } else {
        lost(session, &uri, SyncError::NotOpen).await;
    }
}

/// Gives a document up whose changes cannot be read.
pub(crate) async fn give_up(session: &Arc<Session>, uri: &lsp::Uri, reason: &str) {
    if session.documents.give_up(uri) {
        publish(session, uri);
        tell(session, uri, reason).await;
    }
}

async fn lost(session: &Session, uri: &lsp::Uri, error: SyncError) {
    match error {
        SyncError::Edit(_) | SyncError::TooLarge => tell(session, uri, &error.to_string()).await,
        SyncError::NotOpen | SyncError::Lost => {
            let uri = uri.as_str();
            let line = format!("Ignored a message about {uri}: {error}.");
            session.log.warning(line).await;
        }
    }
}

/// The user has to act: nothing shows that findings are missing.
async fn tell(session: &Session, uri: &lsp::Uri, reason: &str) {
    let name = uri.path().as_str().rsplit('/').next().unwrap_or_default();
    let message = format!(
        "Admissible shows no findings in {name}: {reason}. Save the file, or close it and open it again."
    );
    session.log.warning(message.clone()).await;
    session.log.tell_once(message).await;
}
