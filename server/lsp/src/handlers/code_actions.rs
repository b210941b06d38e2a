//! `textDocument/codeAction`: quick fixes, and a first input for a policy.

use crate::commands::PolicySelector;
use crate::convert::{from_lsp, to_lsp};
use crate::handlers::create_input::new_input;
use crate::session::Session;
use crate::state::documents::Snapshot;
use crate::workers::Lane;
use std::sync::Arc;
use tower_lsp_server::jsonrpc::{Error, Result};
use tower_lsp_server::ls_types as lsp;

const TASK: &str = "textDocument/codeAction";

pub(crate) async fn code_actions(
    session: &Session,
    params: lsp::CodeActionParams,
) -> Result<Option<lsp::CodeActionResponse>> {
    let Some(snapshot) = session.state.documents.snapshot(&params.text_document.uri) else {
        return Ok(None);
    };
    let wants_fixes = wants(&params.context, "quickfix");
    // Searching an input takes many evaluations: too many for each move of the cursor.
    let is_automatic = params.context.trigger_kind == Some(lsp::CodeActionTriggerKind::AUTOMATIC);
    let wants_input = !is_automatic
        && session.capabilities().answers.creates_files
        && wants(&params.context, "refactor");
    if !wants_fixes && !wants_input {
        return Ok(None);
    }
    let mut actions = Vec::new();
    if wants_fixes {
        actions = quick_fixes(session, &snapshot, params.range).await?;
    }
    if wants_input {
        let position = params.range.start;
        let policy = PolicySelector::At { position };
        let new = new_input(session, TASK, &snapshot, policy).await?;
        actions.extend(new.map(|new| to_lsp::create_input_action(new.edit)));
    }
    Ok(Some(actions))
}

async fn quick_fixes(
    session: &Session,
    snapshot: &Arc<Snapshot>,
    range: lsp::Range,
) -> Result<lsp::CodeActionResponse> {
    let client = session.capabilities().clone();
    let versioned = client.answers.versioned_edits;
    let actions = session
        .analyze(Lane::Request, TASK, snapshot, move |it| {
            if it.is_excluded() {
                return Vec::new();
            }
            let with_inputs = it.with_inputs().clone();
            let file = with_inputs
                .as_ref()
                .map_or_else(|| it.file(), |it| &it.file);
            let range = from_lsp::range(file, range, client.encoding);
            let levels = &it.settings().levels;
            let actions = it.analysis().code_actions(file, levels, range);
            to_lsp::code_actions(file, &it.uri, it.version, &actions, &client)
        })
        .await?;
    // An edit without a version would be applied to any text.
    if !versioned && !session.state.documents.is_newest(snapshot) {
        return Err(Error::content_modified());
    }
    Ok(actions)
}

/// Returns whether the client requests actions of a kind, or all actions.
fn wants(context: &lsp::CodeActionContext, wanted: &str) -> bool {
    let Some(only) = &context.only else {
        return true;
    };
    only.iter()
        .any(|kind| kind.as_str().is_empty() || kind.as_str() == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_asked_for_with_everything_below_them() {
        let wants = |only: Option<&[&str]>| {
            let context = lsp::CodeActionContext {
                only: only
                    .map(|kinds| kinds.iter().map(|kind| (*kind).to_owned().into()).collect()),
                ..lsp::CodeActionContext::default()
            };
            super::wants(&context, "quickfix")
        };
        assert!(wants(None));
        assert!(wants(Some(&["refactor", "quickfix"])));
        assert!(wants(Some(&[""])));
        assert!(!wants(Some(&["source.fixAll"])));
        assert!(!wants(Some(&["quickfix.admissible.other"])));
        assert!(!wants(Some(&[])));
    }
}
