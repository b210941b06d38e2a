//! `textDocument/semanticTokens`: the tokens in expressions: all of them, those that have changed,
//! or those in a range.

use crate::convert::{from_lsp, to_lsp};
use crate::session::Session;
use text::{TextRange, TextSize};
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types as lsp;

pub(crate) async fn full(
    session: &Session,
    params: lsp::SemanticTokensParams,
) -> Result<Option<lsp::SemanticTokensResult>> {
    let uri = params.text_document.uri;
    let found = tokens(session, &uri, None).await?;
    let tokens = found.map(|tokens| session.state.semantic_tokens.full(&uri, tokens));
    Ok(tokens.map(lsp::SemanticTokensResult::Tokens))
}

pub(crate) async fn delta(
    session: &Session,
    params: lsp::SemanticTokensDeltaParams,
) -> Result<Option<lsp::SemanticTokensFullDeltaResult>> {
    let uri = params.text_document.uri;
    let found = tokens(session, &uri, None).await?;
    let results = &session.state.semantic_tokens;
    Ok(found.map(|tokens| results.delta(&uri, &params.previous_result_id, tokens)))
}

pub(crate) async fn range(
    session: &Session,
    params: lsp::SemanticTokensRangeParams,
) -> Result<Option<lsp::SemanticTokensRangeResult>> {
    let uri = params.text_document.uri;
    let found = tokens(session, &uri, Some(params.range)).await?;
    Ok(found.map(|data| {
        lsp::SemanticTokensRangeResult::Tokens(lsp::SemanticTokens {
            result_id: None,
            data,
        })
    }))
}

/// Returns the tokens of a document, or those in a range. `None` if it is not open.
async fn tokens(
    session: &Session,
    uri: &lsp::Uri,
    range: Option<lsp::Range>,
) -> Result<Option<Vec<lsp::SemanticToken>>> {
    let client = session.capabilities().clone();
    let task = "textDocument/semanticTokens";
    session
        .answer(task, uri, move |it| {
            let file = it.included_file()?;
            let range = match range {
                Some(range) => from_lsp::range(file, range, client.encoding),
                None => TextRange::up_to(TextSize::of(file.text())),
            };
            let tokens = ide::semantic_tokens(file, range);
            Some(to_lsp::semantic_tokens(file, &tokens, &client))
        })
        .await
}
