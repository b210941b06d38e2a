//! `textDocument/codeAction`: quick fixes.

use crate::analysis::Lane;
use crate::convert::{from_lsp, to_lsp};
use crate::session::Session;
use tower_lsp_server::jsonrpc::{Error, Result};
use tower_lsp_server::ls_types as lsp;

pub(crate) async fn code_actions(
    session: &Session,
    params: lsp::CodeActionParams,
) -> Result<Option<lsp::CodeActionResponse>> {
    let snapshot = session.documents.snapshot(&params.text_document.uri);
    let Some(snapshot) = snapshot.filter(|_| wants_quick_fixes(&params.context)) else {
        return Ok(None);
    };
    let client = session.capabilities().clone();
    let versioned = client.answers.versioned_edits;
    let task = "textDocument/codeAction";
    let actions = session
        .analyse(Lane::Request, task, &snapshot, move |analysis, it| {
            let governing = it.governing();
            if governing.excluded {
                return Vec::new();
            }
            let file = it.file(analysis);
            let range = from_lsp::range(file, params.range, client.encoding);
            let actions = analysis.code_actions(file, &governing.settings, range);
            to_lsp::code_actions(file, &it.uri, it.version, &actions, &client)
        })
        .await?;
    // An edit that cannot name its version would be applied to whatever text is there.
    if !versioned && !session.documents.is_newest(&snapshot) {
        return Err(Error::content_modified());
    }
    Ok(Some(actions))
}

/// Whether the client asks for quick fixes, or for everything.
fn wants_quick_fixes(context: &lsp::CodeActionContext) -> bool {
    let Some(only) = &context.only else {
        return true;
    };
    only.iter()
        .any(|kind| matches!(kind.as_str(), "" | "quickfix"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_asked_for_with_everything_below_them() {
        let wants = |only: Option<&[&str]>| {
            wants_quick_fixes(&lsp::CodeActionContext {
                only: only
                    .map(|kinds| kinds.iter().map(|kind| (*kind).to_owned().into()).collect()),
                ..lsp::CodeActionContext::default()
            })
        };
        assert!(wants(None));
        assert!(wants(Some(&["refactor", "quickfix"])));
        assert!(wants(Some(&[""])));
        assert!(!wants(Some(&["source.fixAll"])));
        assert!(!wants(Some(&["quickfix.admissible.other"])));
        assert!(!wants(Some(&[])));
    }
}
