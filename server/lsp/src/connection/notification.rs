//! Invalid notifications.
//!
//! A notification has no response, so the router ignores invalid params silently. For a change of a
//! document that would leave the wrong text, with findings at wrong positions: such a document is
//! out of sync until its whole text arrives, and the log states why.

use crate::handlers::text_document;
use crate::session::Session;
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;
use tower_lsp_server::jsonrpc::Request;
use tower_lsp_server::ls_types::Uri;
use tower_lsp_server::ls_types::notification::{
    DidChangeConfiguration, DidChangeTextDocument, DidChangeWatchedFiles,
    DidChangeWorkspaceFolders, DidCloseTextDocument, DidCreateFiles, DidDeleteFiles,
    DidOpenTextDocument, DidRenameFiles, DidSaveTextDocument, Notification, SetTrace,
};

/// Returns the request with params that its handler can read.
///
/// `shutdown` has no params, but some clients send an empty object; `initialized` has an empty
/// object, which some omit. Some clients do not percent-encode all characters in the path of a URI.
/// A URI that is not valid is dropped from a list, so that the others are still processed.
pub(super) fn with_params(request: Request) -> Request {
    let (method, id, params) = request.into_parts();
    let params = match (&*method, params) {
        ("shutdown", _) => None,
        ("initialized", None) => Some(Value::Object(serde_json::Map::new())),
        ("initialize", params) => params.map(with_folders),
        ("workspace/didChangeWatchedFiles", params) => {
            params.map(|it| with_uris(it, &["/changes"]))
        }
        ("workspace/didCreateFiles" | "workspace/didDeleteFiles", params) => {
            params.map(|it| with_uris(it, &["/files"]))
        }
        ("workspace/didChangeWorkspaceFolders", params) => {
            params.map(|it| with_uris(it, &["/event/added", "/event/removed"]))
        }
        (_, params) => params.map(with_uri),
    };
    let mut builder = Request::build(method);
    if let Some(params) = params {
        builder = builder.params(params);
    }
    if let Some(id) = id {
        builder = builder.id(id);
    }
    builder.finish()
}

fn with_uri(mut params: Value) -> Value {
    if let Some(uri) = params.pointer_mut("/textDocument/uri") {
        encode(uri);
    }
    params
}

fn with_folders(params: Value) -> Value {
    let mut params = with_uris(params, &["/workspaceFolders"]);
    if let Some(root) = params.get_mut("rootUri")
        && !encode(root)
    {
        *root = Value::Null;
    }
    params
}

/// Drops the elements without a valid URI from these lists.
fn with_uris(mut params: Value, lists: &[&str]) -> Value {
    for list in lists {
        if let Some(Value::Array(elements)) = params.pointer_mut(list) {
            elements.retain_mut(|element| element.get_mut("uri").is_some_and(encode));
        }
    }
    params
}

/// Percent-encodes the characters that a URI must not contain. Returns whether the result is valid.
fn encode(uri: &mut Value) -> bool {
    let Value::String(uri) = uri else {
        return false;
    };
    if uri.contains(is_foreign) {
        *uri = encoded(uri);
    }
    uri.parse::<Uri>().is_ok()
}

/// Returns whether a URI must percent-encode a character.
fn is_foreign(character: char) -> bool {
    !character.is_ascii_graphic()
        || matches!(
            character,
            '"' | '<' | '>' | '[' | ']' | '\\' | '^' | '`' | '{' | '|' | '}'
        )
}

fn encoded(uri: &str) -> String {
    let mut out = String::with_capacity(uri.len() + 8);
    for character in uri.chars() {
        if !is_foreign(character) {
            out.push(character);
            continue;
        }
        let mut bytes = [0; 4];
        for byte in character.encode_utf8(&mut bytes).bytes() {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

/// Checks whether the handler can read the params of a notification.
pub(super) fn check(request: &Request) -> Result<(), String> {
    let params = request.params().unwrap_or(&Value::Null);
    match request.method() {
        DidOpenTextDocument::METHOD => read::<DidOpenTextDocument>(params),
        DidChangeTextDocument::METHOD => read::<DidChangeTextDocument>(params),
        DidSaveTextDocument::METHOD => read::<DidSaveTextDocument>(params),
        DidCloseTextDocument::METHOD => read::<DidCloseTextDocument>(params),
        DidChangeConfiguration::METHOD => read::<DidChangeConfiguration>(params),
        DidChangeWorkspaceFolders::METHOD => read::<DidChangeWorkspaceFolders>(params),
        DidChangeWatchedFiles::METHOD => read::<DidChangeWatchedFiles>(params),
        DidCreateFiles::METHOD => read::<DidCreateFiles>(params),
        DidRenameFiles::METHOD => read::<DidRenameFiles>(params),
        DidDeleteFiles::METHOD => read::<DidDeleteFiles>(params),
        SetTrace::METHOD => read::<SetTrace>(params),
        _ => Ok(()),
    }
}

fn read<N: Notification>(params: &Value) -> Result<(), String> {
    N::Params::deserialize(params)
        .map(drop)
        .map_err(|error| error.to_string())
}

/// Logs that a notification is ignored, and marks its document as out of sync.
pub(super) async fn reject(session: &Arc<Session>, request: &Request, reason: &str) {
    let method = request.method();
    session
        .log
        .warning(format!("The params of `{method}` are not valid: {reason}."))
        .await;
    let uri = request
        .params()
        .and_then(|params| params.pointer("/textDocument/uri"))
        .and_then(Value::as_str)
        .and_then(|uri| uri.parse().ok());
    if let (DidChangeTextDocument::METHOD, Some(uri)) = (method, uri) {
        text_document::lose(session, &uri, reason).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uri_is_encoded_only_where_it_has_to_be() {
        assert_eq!(
            encoded("file:///a[1] é%20.yaml"),
            "file:///a%5B1%5D%20%C3%A9%20.yaml"
        );
        assert!(!"file:///c%3A/a-b_(1)!.yaml?x#W0sZ".contains(is_foreign));
    }

    #[test]
    fn a_bad_uri_costs_itself_only() {
        let bad = [
            serde_json::json!({"uri": "file:///%zz"}),
            serde_json::json!({"uri": 1}),
        ];
        let good = serde_json::json!({"uri": "file:///a b", "type": 2});
        let kept = serde_json::json!([{"uri": "file:///a%20b", "type": 2}]);
        let list = serde_json::json!([bad[0], good, bad[1]]);
        let check = |method: &'static str, params: Value, pointer: &str| {
            let request = with_params(Request::build(method).params(params).finish());
            assert_eq!(request.params().unwrap().pointer(pointer), Some(&kept));
        };
        let files = serde_json::json!({ "changes": list });
        check("workspace/didChangeWatchedFiles", files, "/changes");
        let folders = serde_json::json!({ "event": { "added": list, "removed": [] } });
        check(
            "workspace/didChangeWorkspaceFolders",
            folders,
            "/event/added",
        );
        let params = serde_json::json!({ "workspaceFolders": list, "rootUri": "file:///%zz" });
        check("initialize", params, "/workspaceFolders");
    }

    #[test]
    fn shutdown_takes_any_params() {
        let request = Request::build("shutdown")
            .id(1)
            .params(serde_json::json!({}));
        assert_eq!(with_params(request.finish()).params(), None);
    }
}
