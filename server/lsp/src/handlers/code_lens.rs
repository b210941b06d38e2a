//! `textDocument/codeLens` and `codeLens/resolve`: values and decisions above expressions.

use crate::convert::to_lsp;
use crate::convert::to_lsp::LensData;
use crate::handlers::evaluation::evaluate;
use crate::session::Session;
use std::sync::Arc;
use tower_lsp_server::jsonrpc::{Error, Result};
use tower_lsp_server::ls_types as lsp;

pub(crate) async fn code_lens(
    session: &Session,
    params: lsp::CodeLensParams,
) -> Result<Option<Vec<lsp::CodeLens>>> {
    let Some(snapshot) = session.state.documents.snapshot(&params.text_document.uri) else {
        return Ok(None);
    };
    let _turn = snapshot.use_of_text.lenses.lock().await;
    let client = session.capabilities().clone();
    let task = "textDocument/codeLens";
    let own = Arc::clone(&snapshot);
    evaluate(session, task, &snapshot, move |evaluator, _| {
        let lenses = ide::code_lenses(evaluator);
        Some(to_lsp::code_lenses(own.file(), &own.uri, &lenses, &client))
    })
    .await
}

/// The title of a lens. `None` if there is no input.
struct Title(Option<String>);

/// Returns the lens with its title and command. A lens of an outdated text is rejected, and the
/// client requests new ones.
pub(crate) async fn resolve(session: &Session, lens: lsp::CodeLens) -> Result<lsp::CodeLens> {
    let data: LensData =
        serde_json::from_value(lens.data.clone().unwrap_or_default()).map_err(|error| {
            Error::invalid_params(format!("The data of the lens is not valid: {error}."))
        })?;
    let Some(snapshot) = session.state.documents.snapshot(&data.uri) else {
        return Err(Error::content_modified());
    };
    let _turn = snapshot.use_of_text.lens_titles.lock().await;
    let (wanted, own) = (data.clone(), Arc::clone(&snapshot));
    let title = evaluate(
        session,
        "codeLens/resolve",
        &snapshot,
        move |evaluator, choices| {
            let target = wanted.target(own.file())?;
            let input = choices.inputs.get(&wanted.policy);
            let title = ide::lens_title(evaluator, target, input);
            Some(Title(title))
        },
    )
    .await?;
    let Title(title) = title.ok_or_else(Error::content_modified)?;
    Ok(lsp::CodeLens {
        command: Some(data.command(title, session.capabilities())),
        ..lens
    })
}
