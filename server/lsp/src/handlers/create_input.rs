//! The edit that creates a first admission input for a policy.
//!
//! The client applies the edit: nothing is written here. The existing content of the inputs file,
//! saved or not, is kept.

use crate::commands::PolicySelector;
use crate::convert::{from_lsp, to_lsp};
use crate::handlers::evaluation::evaluate;
use crate::session::Session;
use crate::state::choices::DocumentChoices;
use crate::state::documents::Snapshot;
use evaluation::run::Evaluator;
use policy::ParsedFile;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use text::Encoding;
use tower_lsp_server::jsonrpc::{Error, Result};
use tower_lsp_server::ls_types as lsp;

/// An edit, and the inputs file that it changes.
pub(crate) struct NewInput {
    pub(crate) uri: lsp::Uri,
    pub(crate) edit: lsp::WorkspaceEdit,
}

/// Returns the edit for a policy. `None` if there is no policy, or it matches no request.
pub(crate) async fn new_input(
    session: &Session,
    task: &'static str,
    snapshot: &Arc<Snapshot>,
    policy: PolicySelector,
) -> Result<Option<NewInput>> {
    let path = from_lsp::path(&snapshot.uri).and_then(|path| inputs_of(&path));
    let uri = path.as_deref().and_then(lsp::Uri::from_file_path);
    let Some((path, uri)) = path.zip(uri) else {
        return Ok(None);
    };
    let client = session.capabilities();
    let (encoding, versioned) = (client.encoding, client.answers.versioned_edits);
    let open = session.state.documents.snapshot(&uri);
    let work = {
        let (open, uri, source) = (open.clone(), uri.clone(), Arc::clone(snapshot));
        move |evaluator: &Evaluator<'_>, _: &DocumentChoices| {
            let policy = policy_index(source.file(), policy, encoding)?;
            let input = ide::skeleton(source.file(), evaluator, policy)?;
            let existing = match &open {
                Some(open) => Some((open.text(), Some(open.version).filter(|_| versioned))),
                None if path.exists() => Some((source.read_near(&path).ok()?, None)),
                None => None,
            };
            Some(to_lsp::create_input(
                &uri,
                existing.as_ref(),
                &input,
                encoding,
            ))
        }
    };
    let edit = evaluate(session, task, snapshot, work).await?;
    // An edit without a version would be applied to any text.
    let is_old = |open: &Arc<Snapshot>| {
        let newest = session.state.documents.snapshot(&open.uri);
        newest.is_none_or(|newest| newest.version != open.version)
    };
    if !versioned && open.as_ref().is_some_and(is_old) {
        return Err(Error::content_modified());
    }
    Ok(edit.map(|edit| NewInput { uri, edit }))
}

/// Returns the index of the policy.
fn policy_index(file: &ParsedFile, policy: PolicySelector, encoding: Encoding) -> Option<usize> {
    let position = match policy {
        PolicySelector::Index { policy } => return Some(policy),
        PolicySelector::At { position } => position,
    };
    let offset = from_lsp::offset(file, position, encoding);
    file.policies().iter().position(|document| {
        let range = document.root().range();
        document.is_evaluated() && range.contains_inclusive(offset)
    })
}

/// Returns the inputs file next to a policy file.
fn inputs_of(policy: &Path) -> Option<PathBuf> {
    let stem = policy.file_stem()?.to_str()?;
    Some(policy.with_file_name(format!("{stem}.inputs.yaml")))
}
