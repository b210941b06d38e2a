//! A first admission input for the policy at the cursor.
//!
//! The edit is the client's to apply: nothing is written here. What stands in the file of
//! inputs already, saved or not, stays as it is.

use crate::analysis::{Analysis, Lane};
use crate::convert::{from_lsp, to_lsp};
use crate::documents::Snapshot;
use crate::session::Session;
use std::path::PathBuf;
use std::sync::Arc;
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types as lsp;

/// Offers an input for the policy at the start of a range.
pub(super) async fn create_input(
    session: &Session,
    snapshot: &Arc<Snapshot>,
    range: lsp::Range,
) -> Result<Option<lsp::CodeActionOrCommand>> {
    let Some(path) = from_lsp::path(&snapshot.uri).and_then(|path| inputs_of(&path)) else {
        return Ok(None);
    };
    let Some(uri) = lsp::Uri::from_file_path(&path) else {
        return Ok(None);
    };
    let open = session.documents.snapshot(&uri);
    let encoding = session.capabilities().encoding;
    let task = "textDocument/codeAction";
    let work = move |analysis: &dyn Analysis, it: &Snapshot| {
        if it.governing().excluded {
            return None;
        }
        let file = it.file(analysis);
        let offset = from_lsp::offset(file, range.start, encoding);
        let mut policies = file.policies().iter().enumerate();
        let policy = policies.find(|(_, document)| {
            let range = document.root().range();
            document.kind().is_policy() && range.contains_inclusive(offset)
        });
        let input = ide::input::skeleton(file, policy?.0)?;
        let there = match &open {
            Some(open) => Some((open.text(), Some(open.version))),
            None if path.exists() => Some((workspace::read_file(&path).ok()?, None)),
            None => None,
        };
        Some(to_lsp::create_input(&uri, there.as_ref(), &input, encoding))
    };
    session.analyse(Lane::Request, task, snapshot, work).await
}

/// The file of inputs beside a policy file.
fn inputs_of(policy: &std::path::Path) -> Option<PathBuf> {
    let stem = policy.file_stem()?.to_str()?;
    Some(policy.with_file_name(format!("{stem}.inputs.yaml")))
}
