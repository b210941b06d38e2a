//! `textDocument/codeAction` and `codeAction/resolve`: quick fixes, and a first input for a policy.

mod ignore_in_project;

use crate::capabilities::{Capabilities, FIX_ALL};
use crate::commands::PolicySelector;
use crate::convert::to_lsp::FixData;
use crate::convert::{from_lsp, to_lsp};
use crate::handlers::create_input::new_input;
use crate::session::Session;
use crate::state::documents::Snapshot;
use crate::workers::Lane;
use ide::{FixAll, Safety, SourceFile};
use std::sync::Arc;
use text::TextSize;
use tower_lsp_server::jsonrpc::{Error, Result};
use tower_lsp_server::ls_types as lsp;

const TASK: &str = "textDocument/codeAction";

/// The kinds of refactorings.
const REFACTORINGS: [&str; 3] = ["refactor.extract", "refactor.inline", "refactor.rewrite"];

pub(crate) async fn code_actions(
    session: &Session,
    params: lsp::CodeActionParams,
) -> Result<Option<lsp::CodeActionResponse>> {
    let Some(snapshot) = session.state.documents.snapshot(&params.text_document.uri) else {
        return Ok(None);
    };
    let wants_fixes = wants(&params.context, "quickfix");
    // Clients run it when a document is saved, and then they name it.
    let wants_all = params.context.only.is_some() && wants(&params.context, FIX_ALL);
    // A search for an input needs many evaluations, too many for each move of the cursor.
    let is_automatic = params.context.trigger_kind == Some(lsp::CodeActionTriggerKind::AUTOMATIC);
    let wants_input = !is_automatic
        && session.capabilities().answers.creates_files
        && wants(&params.context, "refactor");
    // A light bulb at every expression would be noise.
    let mut kinds = REFACTORINGS.iter();
    let wants_refactorings = !is_automatic && kinds.any(|kind| wants(&params.context, kind));
    if !wants_fixes && !wants_all && !wants_refactorings && !wants_input {
        return Ok(None);
    }
    let mut actions = Vec::new();
    if wants_fixes {
        actions = quick_fixes(session, &snapshot, params.range).await?;
        actions.extend(ignore_in_project::actions(session, &snapshot, params.range).await?);
    }
    if wants_all {
        let edit = fixed(session, TASK, &snapshot, Safety::Safe, None).await?;
        actions.extend(edit.map(to_lsp::fix_all));
    }
    if wants_refactorings {
        let found = refactorings(session, &snapshot, params.range).await?;
        actions.extend(
            found
                .into_iter()
                .filter(|it| is_wanted(&params.context, it)),
        );
    }
    if wants_input {
        actions.extend(first_input(session, &snapshot, params.range.start).await?);
    }
    Ok(Some(actions))
}

async fn first_input(
    session: &Session,
    snapshot: &Arc<Snapshot>,
    position: lsp::Position,
) -> Result<Option<lsp::CodeActionOrCommand>> {
    let policy = PolicySelector::At { position };
    let new = new_input(session, TASK, snapshot, policy).await?;
    Ok(new.map(|new| to_lsp::create_input_action(new.edit)))
}

async fn quick_fixes(
    session: &Session,
    snapshot: &Arc<Snapshot>,
    range: lsp::Range,
) -> Result<lsp::CodeActionResponse> {
    let client = session.capabilities().clone();
    let (mut actions, rules) = session
        .analyze(Lane::Request, TASK, snapshot, move |it| {
            if it.is_excluded() {
                return (Vec::new(), Vec::new());
            }
            with_file(it, |file| {
                let range = from_lsp::range(file, range, client.encoding);
                let levels = &it.settings().levels;
                let actions = it.analysis().code_actions(file, levels, range);
                let rules = ide::fixable_rules(file, levels, range);
                let actions = to_lsp::code_actions(file, &it.uri, it.version, &actions, &client);
                (actions, rules)
            })
        })
        .await?;
    for rule in rules {
        let data = FixData::new(&snapshot.uri, snapshot.version, &rule);
        let edit = if session.capabilities().answers.resolved_edits {
            None
        } else {
            fixed(
                session,
                TASK,
                snapshot,
                rule.safety,
                Some(data.code.clone()),
            )
            .await?
        };
        actions.push(to_lsp::rule_fix(&rule, &data, edit));
    }
    refuse_old(session, snapshot)?;
    Ok(actions)
}

async fn refactorings(
    session: &Session,
    snapshot: &Arc<Snapshot>,
    range: lsp::Range,
) -> Result<lsp::CodeActionResponse> {
    let client = session.capabilities().clone();
    let actions = session
        .analyze(Lane::Request, TASK, snapshot, move |it| {
            if it.is_excluded() {
                return Vec::new();
            }
            let file = it.file();
            let range = from_lsp::range(file, range, client.encoding);
            let actions = ide::refactorings(file, range);
            let mut actions = to_lsp::code_actions(file, &it.uri, it.version, &actions, &client);
            actions.extend(binding_file(it, range.start(), &client));
            actions
        })
        .await?;
    refuse_old(session, snapshot)?;
    Ok(actions)
}

/// Returns the action that writes a binding to a new file next to the policy. `None` if the client
/// cannot create files, or there is a file with that name.
fn binding_file(
    snapshot: &Snapshot,
    cursor: TextSize,
    client: &Capabilities,
) -> Option<lsp::CodeActionOrCommand> {
    if !client.answers.creates_files {
        return None;
    }
    let new = ide::binding_file(snapshot.file(), cursor)?;
    let path = from_lsp::path(&snapshot.uri)?.with_file_name(&new.name);
    if path.exists() {
        return None;
    }
    let uri = lsp::Uri::from_file_path(&path)?;
    Some(to_lsp::new_file(&uri, &new, client))
}

/// Returns the action with its edit.
pub(crate) async fn resolve(session: &Session, action: lsp::CodeAction) -> Result<lsp::CodeAction> {
    let Some(data) = action.data.clone() else {
        return Ok(action);
    };
    let data: FixData = serde_json::from_value(data).map_err(|error| {
        Error::invalid_params(format!("The data of the action is not valid: {error}."))
    })?;
    let snapshot = session.state.documents.snapshot(&data.uri);
    let Some(snapshot) = snapshot.filter(|it| it.version == data.version) else {
        return Err(Error::content_modified());
    };
    let task = "codeAction/resolve";
    let safety = data.safety();
    let edit = fixed(session, task, &snapshot, safety, Some(data.code)).await?;
    Ok(lsp::CodeAction { edit, ..action })
}

/// Returns the edit that applies the fixes of a document, or of one rule. `None` if there are none.
async fn fixed(
    session: &Session,
    task: &'static str,
    snapshot: &Arc<Snapshot>,
    safety: Safety,
    code: Option<String>,
) -> Result<Option<lsp::WorkspaceEdit>> {
    let client = session.capabilities().clone();
    let edit = session
        .analyze(Lane::Request, task, snapshot, move |it| {
            if it.is_excluded() {
                return None;
            }
            with_file(it, |file| {
                let fix = FixAll {
                    settings: &it.settings().levels,
                    safety,
                    code: code.as_deref(),
                };
                let text = ide::fixed_text(file, fix)?;
                let document = (&it.uri, it.version);
                Some(to_lsp::replacement(file, document, &text, safety, &client))
            })
        })
        .await?;
    refuse_old(session, snapshot)?;
    Ok(edit)
}

/// Calls a function with the file whose findings are shown.
fn with_file<T>(snapshot: &Snapshot, with: impl FnOnce(&SourceFile) -> T) -> T {
    let with_inputs = snapshot.with_inputs().clone();
    let with_inputs = with_inputs.as_ref().map(|it| &it.file);
    with(with_inputs.unwrap_or_else(|| snapshot.file()))
}

/// Fails if edits without a version would be applied to another text.
fn refuse_old(session: &Session, snapshot: &Snapshot) -> Result<()> {
    let is_versioned = session.capabilities().answers.versioned_edits;
    if !is_versioned && !session.state.documents.is_newest(snapshot) {
        return Err(Error::content_modified());
    }
    Ok(())
}

/// Returns whether the client requests actions of the kind of an action.
fn is_wanted(context: &lsp::CodeActionContext, action: &lsp::CodeActionOrCommand) -> bool {
    let lsp::CodeActionOrCommand::CodeAction(action) = action else {
        return false;
    };
    let kind = action.kind.as_ref();
    kind.is_some_and(|kind| wants(context, kind.as_str()))
}

/// Returns whether the client requests actions of a kind, of a kind above it, or all actions.
fn wants(context: &lsp::CodeActionContext, wanted: &str) -> bool {
    let Some(only) = &context.only else {
        return true;
    };
    only.iter().any(|kind| {
        let below = wanted.strip_prefix(kind.as_str());
        kind.as_str().is_empty() || below.is_some_and(|it| it.is_empty() || it.starts_with('.'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_asked_for_with_everything_below_them() {
        let wants_of = |only: Option<&[&str]>, kind| {
            let context = lsp::CodeActionContext {
                only: only
                    .map(|kinds| kinds.iter().map(|kind| (*kind).to_owned().into()).collect()),
                ..lsp::CodeActionContext::default()
            };
            super::wants(&context, kind)
        };
        let wants = |only: Option<&[&str]>| wants_of(only, "quickfix");
        let wants_all = |only: &[&str]| wants_of(Some(only), FIX_ALL);
        assert!(wants(None));
        assert!(wants(Some(&["refactor", "quickfix"])));
        assert!(wants(Some(&[""])));
        assert!(wants_all(&["source.fixAll"]) && wants_all(&["source"]) && wants_all(&[FIX_ALL]));
        assert!(!wants_all(&["source.fix", "quickfix"]));
        assert!(!wants(Some(&["source.fixAll"])));
        assert!(!wants(Some(&["quickfix.admissible.other"])));
        assert!(!wants(Some(&[])));
    }
}
