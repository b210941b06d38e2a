//! Open, change, save and close.
//!
//! The client owns the text. A change is applied before the next message is read. If it does not
//! fit, the text is not guessed: the findings are removed until the whole text arrives, with the
//! next save at the latest.

use crate::events;
use crate::session::Session;
use crate::state::documents::SyncError;
use std::sync::Arc;
use tower_lsp_server::ls_types as lsp;

pub(crate) async fn did_open(session: &Arc<Session>, params: lsp::DidOpenTextDocumentParams) {
    let lsp::TextDocumentItem {
        uri, version, text, ..
    } = params.text_document;
    let documents = &session.state.documents;
    let opened = documents.open(uri.clone(), version, &text);
    // A client that opens a document again may have dropped the findings that it was sent.
    session.state.published.forget(&uri);
    events::document_changed(session, &uri);
    if let Err(error) = opened {
        report(session, &uri, error).await;
    }
}

pub(crate) async fn did_change(session: &Arc<Session>, params: lsp::DidChangeTextDocumentParams) {
    let lsp::VersionedTextDocumentIdentifier { uri, version } = params.text_document;
    let encoding = session.capabilities().encoding;
    let documents = &session.state.documents;
    let changed = documents.change(&uri, version, &params.content_changes, encoding);
    if changed != Err(SyncError::NotOpen) {
        events::document_changed(session, &uri);
    }
    if let Err(error) = changed {
        report(session, &uri, error).await;
    }
}

pub(crate) async fn did_save(session: &Arc<Session>, params: lsp::DidSaveTextDocumentParams) {
    let uri = params.text_document.uri;
    events::document_saved(session, &uri);
    let Some(text) = params.text else {
        return;
    };
    if session.state.documents.save(&uri, &text) {
        events::document_changed(session, &uri);
        let uri = uri.as_str();
        let line = format!(
            "The saved text of {uri} differs from the edits received; using the saved text."
        );
        session.log.warning(line).await;
    }
}

pub(crate) async fn did_close(session: &Arc<Session>, params: lsp::DidCloseTextDocumentParams) {
    let uri = params.text_document.uri;
    if session.state.documents.close(&uri) {
        events::document_closed(session, &uri);
    } else {
        report(session, &uri, SyncError::NotOpen).await;
    }
}

/// Marks a document as out of sync, because a change of it could not be read.
pub(crate) async fn lose(session: &Arc<Session>, uri: &lsp::Uri, reason: &str) {
    if session.state.documents.mark_out_of_sync(uri) {
        events::document_lost(session, uri);
        warn_of_missing_findings(session, uri, reason).await;
    }
}

async fn report(session: &Session, uri: &lsp::Uri, error: SyncError) {
    match error {
        SyncError::Edit(_) | SyncError::TooLarge => {
            warn_of_missing_findings(session, uri, &error.to_string()).await;
        }
        SyncError::NotOpen | SyncError::Lost => {
            let uri = uri.as_str();
            let line = format!("Ignored a message about {uri}: {error}.");
            session.log.warning(line).await;
        }
    }
}

/// Shows a warning: without it the user would not notice that findings are missing.
async fn warn_of_missing_findings(session: &Session, uri: &lsp::Uri, reason: &str) {
    let name = uri.path().as_str().rsplit('/').next().unwrap_or_default();
    let message = format!(
        "Admissible cannot show findings in {name}: {reason}. Save the file, or close and reopen \
         it."
    );
    session.log.warning(message.clone()).await;
    session.log.show_once(message).await;
}
