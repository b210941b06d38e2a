//! `textDocument/inlayHint`: the values of the expressions that the user has evaluated.

use crate::convert::{from_lsp, to_lsp};
use crate::session::Session;
use crate::trial::try_policies;
use ide::evaluate::{ExpressionEvaluation, Trial};
use ide::input::InputKey;
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types as lsp;

pub(crate) async fn inlay_hints(
    session: &Session,
    params: lsp::InlayHintParams,
) -> Result<Option<Vec<lsp::InlayHint>>> {
    let uri = params.text_document.uri;
    let Some(snapshot) = session.documents.snapshot(&uri) else {
        return Ok(None);
    };
    if session.evaluations.of(&uri).shown.is_empty() {
        return Ok(Some(Vec::new()));
    }
    let client = session.capabilities().clone();
    let task = "textDocument/inlayHint";
    try_policies(session, task, &snapshot, move |trial, choices| {
        let range = from_lsp::range(trial.file, params.range, client.encoding);
        let shown = choices.shown.iter();
        let values = shown.filter_map(|(policy, path)| {
            let wanted = choices.inputs.get(policy);
            value(trial, *policy, path, wanted)
        });
        let values = values.filter(|(it, _)| it.range.intersect(range).is_some());
        let values: Vec<_> = values.collect();
        Some(to_lsp::inlay_hints(trial.file, &values, &client))
    })
    .await
}

/// The value of an expression, which may be gone meanwhile, and the input that gave it.
pub(crate) fn value(
    trial: &Trial<'_>,
    policy: usize,
    path: &str,
    wanted: Option<&InputKey>,
) -> Option<(ExpressionEvaluation, InputKey)> {
    let expressions = trial.file.policies().get(policy)?.expressions();
    let expression = expressions
        .iter()
        .position(|it| it.path.to_string() == path)?;
    let candidate = trial.chosen(policy, expression, wanted)?;
    let evaluation = trial.expression(policy, expression, candidate)?;
    Some((evaluation, candidate.key().clone()))
}
