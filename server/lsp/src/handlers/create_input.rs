//! The edit that creates a first admission input for a policy.
//!
//! The edit is the client's to apply: nothing is written here. What stands in the file of
//! inputs already, saved or not, stays as it is.

use crate::convert::{from_lsp, to_lsp};
use crate::handlers::evaluation::evaluate;
use crate::session::Session;
use crate::state::choices::DocumentChoices;
use crate::state::documents::Snapshot;
use ide::SourceFile;
use ide::evaluate::Evaluator;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use text::Encoding;
use tower_lsp_server::jsonrpc::{Error, Result};
use tower_lsp_server::ls_types as lsp;

/// The policy that gets an input.
#[derive(Clone, Copy, Debug)]
pub(crate) enum OfPolicy {
    /// The one with this number.
    Numbered(usize),
    /// The one that holds a position.
    At(lsp::Position),
}

/// An edit, and the file of inputs that it changes.
pub(crate) struct NewInput {
    pub(crate) uri: lsp::Uri,
    pub(crate) edit: lsp::WorkspaceEdit,
}

/// The edit for a policy. `None` where there is none, or it looks at nothing.
pub(crate) async fn new_input(
    session: &Session,
    task: &'static str,
    snapshot: &Arc<Snapshot>,
    of: OfPolicy,
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
        let (open, uri) = (open.clone(), uri.clone());
        move |evaluator: &Evaluator<'_>, _: &DocumentChoices| {
            let policy = place(evaluator.file, of, encoding)?;
            let input = ide::skeleton(evaluator, policy)?;
            let existing = match &open {
                Some(open) => Some((open.text(), Some(open.version).filter(|_| versioned))),
                None if path.exists() => Some((workspace::read_file(&path).ok()?, None)),
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
    // An edit that cannot name its version would be applied to whatever text is there.
    let is_old = |open: &Arc<Snapshot>| {
        let newest = session.state.documents.snapshot(&open.uri);
        newest.is_none_or(|newest| newest.version != open.version)
    };
    if !versioned && open.as_ref().is_some_and(is_old) {
        return Err(Error::content_modified());
    }
    Ok(edit.map(|edit| NewInput { uri, edit }))
}

/// The number of the policy.
fn place(file: &SourceFile, of: OfPolicy, encoding: Encoding) -> Option<usize> {
    let position = match of {
        OfPolicy::Numbered(policy) => return Some(policy),
        OfPolicy::At(position) => position,
    };
    let offset = from_lsp::offset(file, position, encoding);
    file.policies().iter().position(|document| {
        let range = document.root().range();
        document.is_evaluated() && range.contains_inclusive(offset)
    })
}

/// The file of inputs beside a policy file.
fn inputs_of(policy: &Path) -> Option<PathBuf> {
    let stem = policy.file_stem()?.to_str()?;
    Some(policy.with_file_name(format!("{stem}.inputs.yaml")))
}
