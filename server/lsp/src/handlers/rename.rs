//! `textDocument/prepareRename` and `textDocument/rename`: another name in all files.

use crate::convert::{from_lsp, to_lsp};
use crate::handlers::other_files::OtherFiles;
use crate::session::Session;
use crate::state::documents::Snapshot;
use crate::transport::error;
use crate::workers::Lane;
use ide::RenameError;
use text::{Encoding, TextSize};
use tower_lsp_server::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp_server::ls_types as lsp;
use tower_lsp_server::ls_types::error_codes::REQUEST_FAILED;

pub(crate) async fn prepare_rename(
    session: &Session,
    at: lsp::TextDocumentPositionParams,
) -> Result<Option<lsp::PrepareRenameResponse>> {
    let Some(snapshot) = session.state.documents.snapshot(&at.text_document.uri) else {
        return Ok(None);
    };
    let encoding = session.capabilities().encoding;
    let work = move |it: &Snapshot| {
        if it.is_excluded() {
            return Ok(None);
        }
        let file = it.file();
        let offset = from_lsp::offset(file, at.position, encoding);
        let name = it.analysis().prepare_rename(file, offset).map_err(text)?;
        Ok(
            name.map(|name| lsp::PrepareRenameResponse::RangeWithPlaceholder {
                range: to_lsp::range(file, name.range, encoding),
                placeholder: file.slice(name.range).to_owned(),
            }),
        )
    };
    let task = "textDocument/prepareRename";
    let prepared = session
        .analyze(Lane::Request, task, &snapshot, work)
        .await?;
    prepared.map_err(rejected)
}

pub(crate) async fn rename(
    session: &Session,
    params: lsp::RenameParams,
) -> Result<Option<lsp::WorkspaceEdit>> {
    let at = params.text_document_position;
    let Some(snapshot) = session.state.documents.snapshot(&at.text_document.uri) else {
        return Ok(None);
    };
    let client = session.capabilities().clone();
    let versioned = client.answers.versioned_edits;
    let others = OtherFiles::new(session);
    let work = move |it: &Snapshot| {
        if it.is_excluded() {
            return Ok(None);
        }
        let offset = from_lsp::offset(it.file(), at.position, client.encoding);
        let edits = edits(it, offset, &params.new_name, &others, client.encoding)?;
        Ok(edits.map(|edits| to_lsp::document_edits(edits, &client)))
    };
    let task = "textDocument/rename";
    let edit = session
        .analyze(Lane::Request, task, &snapshot, work)
        .await?;
    // An edit without a version would be applied to any text.
    if !versioned && !session.state.documents.is_newest(&snapshot) {
        return Err(Error::content_modified());
    }
    edit.map_err(rejected)
}

/// Returns the edits in each file. `None` where no name is.
fn edits(
    snapshot: &Snapshot,
    offset: TextSize,
    new: &str,
    others: &OtherFiles,
    encoding: Encoding,
) -> std::result::Result<Option<Vec<lsp::TextDocumentEdit>>, String> {
    let (file, analysis) = (snapshot.file(), snapshot.analysis());
    let Some(name) = analysis.prepare_rename(file, offset).map_err(text)? else {
        return Ok(None);
    };
    let of = &name.definition;
    let own = analysis.rename(file, of, new).map_err(text)?;
    let identity = (&snapshot.uri, Some(snapshot.version));
    let mut edits = vec![to_lsp::text_edits(file, identity, &own, encoding)];
    let mut rejected = None;
    let unread = others.for_each(&analysis.related_files(file, of), file, |other| {
        let identity = (other.uri, other.version);
        match analysis.rename(other.file, of, new) {
            Ok(found) => edits.push(to_lsp::text_edits(other.file, identity, &found, encoding)),
            Err(reason) => rejected = Some(reason.to_string()),
        }
    });
    if let Some(path) = unread {
        rejected = Some(format!("{} cannot be read.", path.display()));
    }
    edits.retain(|document| !document.edits.is_empty());
    rejected.map_or(Ok(Some(edits)), Err)
}

#[expect(clippy::needless_pass_by_value, reason = "as `map_err` passes it")]
fn text(reason: RenameError) -> String {
    reason.to_string()
}

fn rejected(reason: String) -> Error {
    error(ErrorCode::from(REQUEST_FAILED), reason)
}
