//! `textDocument/formatting`, `textDocument/rangeFormatting` and `textDocument/onTypeFormatting`.
//!
//! The edits are small and apply only to one version of the text. The options of the client are
//! about the indentation of files and do not apply to expressions.

use crate::convert::{from_lsp, to_lsp};
use crate::session::Session;
use crate::state::documents::Snapshot;
use crate::workers::Lane;
use std::sync::Arc;
use text::TextEdit;
use tower_lsp_server::jsonrpc::{Error, Result};
use tower_lsp_server::ls_types as lsp;

pub(crate) async fn formatting(
    session: &Session,
    params: lsp::DocumentFormattingParams,
) -> Result<Option<Vec<lsp::TextEdit>>> {
    let task = "textDocument/formatting";
    let edits = |it: &Snapshot| ide::formatting(it.file(), it.settings().line_width, None).edits;
    edit(session, task, &params.text_document.uri, edits).await
}

pub(crate) async fn range_formatting(
    session: &Session,
    params: lsp::DocumentRangeFormattingParams,
) -> Result<Option<Vec<lsp::TextEdit>>> {
    let encoding = session.capabilities().encoding;
    let task = "textDocument/rangeFormatting";
    let edits = move |it: &Snapshot| {
        let range = from_lsp::range(it.file(), params.range, encoding);
        ide::formatting(it.file(), it.settings().line_width, Some(range)).edits
    };
    edit(session, task, &params.text_document.uri, edits).await
}

pub(crate) async fn on_type_formatting(
    session: &Session,
    params: lsp::DocumentOnTypeFormattingParams,
) -> Result<Option<Vec<lsp::TextEdit>>> {
    let encoding = session.capabilities().encoding;
    let at = params.text_document_position;
    let task = "textDocument/onTypeFormatting";
    let edits = move |it: &Snapshot| {
        let offset = from_lsp::offset(it.file(), at.position, encoding);
        ide::format_on_type(it.file(), offset).into_iter().collect()
    };
    edit(session, task, &at.text_document.uri, edits).await
}

/// Returns the edits of a document. `None` if it is unknown.
async fn edit(
    session: &Session,
    task: &'static str,
    uri: &lsp::Uri,
    edits: impl FnOnce(&Snapshot) -> Vec<TextEdit> + Send + 'static,
) -> Result<Option<Vec<lsp::TextEdit>>> {
    let Some(snapshot) = session.state.documents.snapshot(uri) else {
        return Ok(None);
    };
    let encoding = session.capabilities().encoding;
    let edits = session
        .analyze(Lane::Request, task, &snapshot, move |it| {
            if it.is_excluded() {
                return Vec::new();
            }
            to_lsp::formatting(it.file(), &edits(it), encoding)
        })
        .await?;
    is_current(session, &snapshot).map(|()| Some(edits))
}

/// Checks that the document is current: the client applies the edits to its current text.
fn is_current(session: &Session, snapshot: &Arc<Snapshot>) -> Result<()> {
    if session.state.documents.is_newest(snapshot) {
        Ok(())
    } else {
        Err(Error::content_modified())
    }
}
