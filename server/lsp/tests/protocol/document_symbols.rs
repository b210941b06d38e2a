//! The outline.

use crate::analysis::Scripted;
use crate::server::{TestServer, URI, range};
use serde_json::{Value, json};

async fn outline(capabilities: Value) -> Value {
    let mut server = TestServer::with(&Scripted::new(), capabilities).await;
    server.open(URI, 1, "a: 😀\r\n").await;
    server.published(URI).await;
    let params = json!({ "textDocument": { "uri": URI } });
    let mut answer = server.request("textDocument/documentSymbol", params).await;
    server.finish().await;
    answer["result"][0].take()
}

#[tokio::test]
async fn symbols_have_their_own_ranges_where_the_client_knows_that() {
    let document_symbol = json!({ "hierarchicalDocumentSymbolSupport": true });
    let symbol = outline(json!({ "textDocument": { "documentSymbol": document_symbol } })).await;
    assert_eq!(range(&symbol["range"]), "0:0-1:0");
    assert_eq!(range(&symbol["selectionRange"]), "0:0-1:0");
}

#[tokio::test]
async fn symbols_are_a_flat_list_for_other_clients() {
    let symbol = outline(json!({})).await;
    assert_eq!(symbol["location"]["uri"], URI);
    assert_eq!(range(&symbol["location"]["range"]), "0:0-1:0");
    assert_eq!(symbol.get("selectionRange"), None);
}

#[tokio::test]
async fn a_document_that_is_not_open_has_no_outline() {
    let mut server = TestServer::with(&Scripted::new(), json!({})).await;
    let params = json!({ "textDocument": { "uri": URI } });
    let answer = server.request("textDocument/documentSymbol", params).await;
    assert_eq!(answer["result"], Value::Null);
    assert_eq!(answer.get("error"), None);
    server.finish().await;
}
