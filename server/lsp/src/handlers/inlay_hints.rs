//! `textDocument/inlayHint` and `inlayHint/resolve`: types, and the values of the expressions that
//! the user has evaluated, or of all expressions in live mode.

use crate::convert::{from_lsp, to_lsp};
use crate::handlers::evaluation::evaluate;
use crate::session::Session;
use crate::state::choices::DocumentChoices;
use crate::state::documents::Snapshot;
use crate::workers::Lane;
use evaluation::input::InputKey;
use evaluation::run::{Evaluator, ExpressionEvaluation};
use ide::{InlayHint, Tooltip};
use policy::ParsedFile;
use std::collections::HashSet;
use std::sync::Arc;
use text::TextRange;
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types as lsp;

type HintWithTooltip = (lsp::InlayHint, Option<Tooltip>);

/// The name of the task.
const TASK: &str = "textDocument/inlayHint";

pub(crate) async fn inlay_hints(
    session: &Session,
    params: lsp::InlayHintParams,
) -> Result<Option<Vec<lsp::InlayHint>>> {
    let uri = params.text_document.uri;
    let Some(snapshot) = session.state.documents.snapshot(&uri) else {
        return Ok(None);
    };
    let _turn = snapshot.use_of_text.hints.lock().await;
    let types = type_hints(session, &snapshot, params.range);
    let is_live = session.state.is_live(&uri);
    let choices = session.state.choices.for_document(&uri);
    if !is_live && choices.shown_expressions.is_empty() {
        return Ok(Some(deferred(session, types.await?)));
    }
    let client = session.capabilities().clone();
    let own = Arc::clone(&snapshot);
    let values = evaluate(session, TASK, &snapshot, move |evaluator, choices| {
        let file = own.file();
        let range = from_lsp::range(file, params.range, client.encoding);
        let hints = hints(file, evaluator, choices, is_live, range);
        to_lsp::inlay_hints(file, hints, &client)
    });
    let (mut found, values) = tokio::try_join!(types, values)?;
    found.extend(values);
    Ok(Some(deferred(session, found)))
}

/// Keeps the tooltips, if the client requests them when they are shown.
fn deferred(session: &Session, hints: Vec<HintWithTooltip>) -> Vec<lsp::InlayHint> {
    let (mut hints, tooltips): (Vec<_>, Vec<_>) = hints.into_iter().unzip();
    if !session.capabilities().answers.resolved_tooltips {
        return hints;
    }
    let has_tooltip: Vec<bool> = tooltips.iter().map(Option::is_some).collect();
    let list = session.state.tooltips.keep(tooltips);
    for (item, hint) in hints.iter_mut().enumerate() {
        let data = to_lsp::CompletionData { list, item };
        if has_tooltip.get(item) == Some(&true) {
            hint.data = serde_json::to_value(data).ok();
        }
    }
    hints
}

/// Adds the tooltip of a hint.
pub(crate) fn resolve(session: &Session, mut hint: lsp::InlayHint) -> lsp::InlayHint {
    if let Some(tooltip) = session.state.tooltips.description(hint.data.as_ref()) {
        hint.tooltip = Some(tooltip.text().into());
    }
    hint
}

/// Returns the hints that need no evaluation.
async fn type_hints(
    session: &Session,
    snapshot: &Arc<Snapshot>,
    range: lsp::Range,
) -> Result<Vec<HintWithTooltip>> {
    let client = session.capabilities().clone();
    let settings = session.state.documents.configuration().hints(&snapshot.uri);
    session
        .analyze(Lane::Request, TASK, snapshot, move |it| {
            if it.is_excluded() {
                return Vec::new();
            }
            let file = it.file();
            let range = from_lsp::range(file, range, client.encoding);
            let hints = ide::type_hints(file, range, settings);
            to_lsp::inlay_hints(file, hints, &client)
        })
        .await
}

/// Returns the values in a range.
fn hints(
    file: &ParsedFile,
    evaluator: &Evaluator<'_>,
    choices: &DocumentChoices,
    is_live: bool,
    range: TextRange,
) -> Vec<InlayHint> {
    let mut hints = Vec::new();
    // Thousands of aliases may refer to one expression.
    let mut shown = HashSet::new();
    for (policy, document) in evaluator.policies.iter().enumerate() {
        for (index, expression) in document.expressions().iter().enumerate() {
            let expression_range = document.node(expression.node).range();
            let path = || expression.path.to_string();
            let is_shown = is_live || choices.shown_expressions.contains(&(policy, path()));
            let is_touched = expression_range.intersect(range).is_some();
            if !is_shown || !is_touched || shown.contains(&expression_range) {
                continue;
            }
            // An expression with an error has a finding, which is more useful.
            let programs = evaluator.programs.get(policy);
            if is_live && programs.is_none_or(|it| it.refusal(index).is_some()) {
                continue;
            }
            let wanted = choices.inputs.get(&policy);
            if let Some((evaluation, input)) = value_of(evaluator, policy, index, wanted) {
                shown.insert(expression_range);
                let name = input.name.as_str().into();
                hints.extend(ide::inlay_hints(file, &evaluation, &name));
            }
        }
    }
    hints
}

/// Returns the value of the expression at a path, and its input. `None` if the expression no longer
/// exists.
pub(crate) fn value(
    evaluator: &Evaluator<'_>,
    policy: usize,
    path: &str,
    wanted: Option<&InputKey>,
) -> Option<(Arc<ExpressionEvaluation>, InputKey)> {
    let expression = evaluator.policies.get(policy)?.expression_index(path)?;
    value_of(evaluator, policy, expression, wanted)
}

/// Returns the value of an expression, and its input.
pub(crate) fn value_of(
    evaluator: &Evaluator<'_>,
    policy: usize,
    expression: usize,
    wanted: Option<&InputKey>,
) -> Option<(Arc<ExpressionEvaluation>, InputKey)> {
    let candidate = evaluator.chosen(policy, expression, wanted)?;
    let evaluation = evaluator.expression(policy, expression, candidate)?;
    Some((evaluation, candidate.key().clone()))
}
