//! The call hierarchy: variables that use variables.
//!
//! A client returns an item unchanged. Its selection identifies the variable.

use crate::convert::{from_lsp, to_lsp};
use crate::session::Session;
use ide::{HierarchyCall, SourceFile};
use text::TextSize;
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
            let item = ide::hierarchy_item(file, offset)?;
            Some(vec![to_lsp::hierarchy_item(file, &it.uri, &item, encoding)])
        })
        .await
}

pub(crate) async fn incoming(
    session: &Session,
    params: lsp::CallHierarchyIncomingCallsParams,
) -> Result<Option<Vec<lsp::CallHierarchyIncomingCall>>> {
    let task = "callHierarchy/incomingCalls";
    let call = |(from, from_ranges)| lsp::CallHierarchyIncomingCall { from, from_ranges };
    calls(session, task, params.item, ide::incoming_calls, call).await
}

pub(crate) async fn outgoing(
    session: &Session,
    params: lsp::CallHierarchyOutgoingCallsParams,
) -> Result<Option<Vec<lsp::CallHierarchyOutgoingCall>>> {
    let task = "callHierarchy/outgoingCalls";
    let call = |(to, from_ranges)| lsp::CallHierarchyOutgoingCall { to, from_ranges };
    calls(session, task, params.item, ide::outgoing_calls, call).await
}

/// Returns the calls that `find` finds at an item, each converted by `call` from the other item and
/// the ranges.
async fn calls<T: Send + 'static>(
    session: &Session,
    task: &'static str,
    item: lsp::CallHierarchyItem,
    find: fn(&SourceFile, TextSize) -> Vec<HierarchyCall>,
    call: fn((lsp::CallHierarchyItem, Vec<lsp::Range>)) -> T,
) -> Result<Option<Vec<T>>> {
    let encoding = session.capabilities().encoding;
    session
        .answer(task, &item.uri, move |it| {
            let file = it.file();
            let offset = from_lsp::offset(file, item.selection_range.start, encoding);
            let found = find(file, offset);
            let calls = found
                .iter()
                .map(|found| to_lsp::hierarchy_call(file, &it.uri, found, encoding));
            Some(calls.map(call).collect())
        })
        .await
}
