//! The call hierarchy: variables that use variables.
//!
//! A client sends an item back as it got it. Its selection finds the variable again.

use crate::convert::{from_lsp, to_lsp};
use crate::session::Session;
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types as lsp;

pub(crate) async fn prepare(
    session: &Session,
    params: lsp::CallHierarchyPrepareParams,
) -> Result<Option<Vec<lsp::CallHierarchyItem>>> {
    let at = params.text_document_position_params;
    let encoding = session.capabilities().encoding;
    let task = "textDocument/prepareCallHierarchy";
    session
        .answer(task, &at.text_document.uri, move |it| {
            let file = it.file();
            let offset = from_lsp::offset(file, at.position, encoding);
            let item = it.analysis().hierarchy_item(file, offset)?;
            Some(vec![to_lsp::hierarchy_item(file, &it.uri, &item, encoding)])
        })
        .await
}

pub(crate) async fn incoming(
    session: &Session,
    params: lsp::CallHierarchyIncomingCallsParams,
) -> Result<Option<Vec<lsp::CallHierarchyIncomingCall>>> {
    let encoding = session.capabilities().encoding;
    let task = "callHierarchy/incomingCalls";
    session
        .answer(task, &params.item.uri, move |it| {
            let file = it.file();
            let offset = from_lsp::offset(file, params.item.selection_range.start, encoding);
            let calls = it.analysis().incoming_calls(file, offset);
            let calls = calls.iter().map(|call| {
                let (from, from_ranges) = to_lsp::hierarchy_call(file, &it.uri, call, encoding);
                lsp::CallHierarchyIncomingCall { from, from_ranges }
            });
            Some(calls.collect())
        })
        .await
}

pub(crate) async fn outgoing(
    session: &Session,
    params: lsp::CallHierarchyOutgoingCallsParams,
) -> Result<Option<Vec<lsp::CallHierarchyOutgoingCall>>> {
    let encoding = session.capabilities().encoding;
    let task = "callHierarchy/outgoingCalls";
    session
        .answer(task, &params.item.uri, move |it| {
            let file = it.file();
            let offset = from_lsp::offset(file, params.item.selection_range.start, encoding);
            let calls = it.analysis().outgoing_calls(file, offset);
            let calls = calls.iter().map(|call| {
                let (to, from_ranges) = to_lsp::hierarchy_call(file, &it.uri, call, encoding);
                lsp::CallHierarchyOutgoingCall { to, from_ranges }
            });
            Some(calls.collect())
        })
        .await
}
