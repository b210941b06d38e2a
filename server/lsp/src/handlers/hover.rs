//! `textDocument/hover`: documentation and types, and the value if values are shown.

use super::inlay_hints::value_of;
use crate::convert::{from_lsp, to_lsp};
use crate::handlers::evaluation::evaluate;
use crate::session::Session;
use crate::state::choices::DocumentChoices;
use crate::state::documents::Snapshot;
use crate::workers::Lane;
use evaluation::run::Evaluator;
use ide::Hover;
use std::sync::Arc;
use text::TextRange;
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types as lsp;

pub(crate) async fn hover(
    session: &Session,
    params: lsp::HoverParams,
) -> Result<Option<lsp::Hover>> {
    let at = params.text_document_position_params;
    let Some(snapshot) = session.state.documents.snapshot(&at.text_document.uri) else {
        return Ok(None);
    };
    let client = session.capabilities().clone();
    let task = "textDocument/hover";
    let hover = session
        .analyze(Lane::Request, task, &snapshot, move |it| {
            let file = it.included_file()?;
            let offset = from_lsp::offset(file, at.position, client.encoding);
            ide::hover(file, offset)
        })
        .await?;
    let hover = match hover {
        Some(hover) => with_value(session, &snapshot, hover).await?,
        None => return Ok(None),
    };
    let client = session.capabilities().clone();
    session
        .analyze(Lane::Request, task, &snapshot, move |it| {
            Some(to_lsp::hover(it.file(), &hover, &client))
        })
        .await
}

/// Adds the value of the part, if values of its expression are shown.
async fn with_value(session: &Session, snapshot: &Arc<Snapshot>, hover: Hover) -> Result<Hover> {
    let is_live = session.state.is_live(&snapshot.uri);
    let shows_some = is_live
        || !session
            .state
            .choices
            .for_document(&snapshot.uri)
            .shown_expressions
            .is_empty();
    let Some(part) = hover.part.filter(|_| shows_some) else {
        return Ok(hover);
    };
    let bare = hover.clone();
    let work = move |evaluator: &Evaluator<'_>, choices: &DocumentChoices| {
        let (policy, expression) = shown_at(evaluator, choices, is_live, part)?;
        let wanted = choices.inputs.get(&policy);
        let (evaluation, input) = value_of(evaluator, policy, expression, wanted)?;
        Some(hover.with_value(&evaluation, &input.name))
    };
    let found = evaluate(session, "textDocument/hover", snapshot, work).await?;
    Ok(found.unwrap_or(bare))
}

/// Returns the expression that contains a part, if its values are shown.
fn shown_at(
    evaluator: &Evaluator<'_>,
    choices: &DocumentChoices,
    is_live: bool,
    part: TextRange,
) -> Option<(usize, usize)> {
    let policies = evaluator.policies.iter().enumerate();
    policies
        .flat_map(|(policy, document)| {
            let expressions = document.expressions().iter().enumerate();
            expressions.map(move |(index, expression)| (policy, document, index, expression))
        })
        .find_map(|(policy, document, index, expression)| {
            let holds = document.node(expression.node).range().contains_range(part);
            let path = || expression.path.to_string();
            let is_shown =
                holds && (is_live || choices.shown_expressions.contains(&(policy, path())));
            is_shown.then_some((policy, index))
        })
}
