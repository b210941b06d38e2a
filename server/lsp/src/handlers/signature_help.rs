//! `textDocument/signatureHelp`: the signatures of the call around the cursor.

use crate::convert::{from_lsp, to_lsp};
use crate::session::Session;
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types as lsp;

pub(crate) async fn signature_help(
    session: &Session,
    params: lsp::SignatureHelpParams,
) -> Result<Option<lsp::SignatureHelp>> {
    let at = params.text_document_position_params;
    let client = session.capabilities().clone();
    let active_help = params.context.and_then(|it| it.active_signature_help);
    let task = "textDocument/signatureHelp";
    session
        .answer(task, &at.text_document.uri, move |it| {
            let file = it.included_file()?;
            let offset = from_lsp::offset(file, at.position, client.encoding);
            let chosen = active_help.as_ref().and_then(from_lsp::active_signature);
            let help = ide::signature_help(file, offset, chosen)?;
            Some(to_lsp::signature_help(help, &client))
        })
        .await
}
