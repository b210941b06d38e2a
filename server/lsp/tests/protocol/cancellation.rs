//! Cancelled requests.

use crate::analysis::Scripted;
use crate::server::{TestServer, URI};
use serde_json::{Value, json};

#[tokio::test]
async fn a_cancelled_request_is_answered_at_once() {
    let analysis = Scripted::new();
    let mut server = TestServer::with(&analysis, json!({})).await;
    server.open(URI, 1, "a").await;
    server.published(URI).await;
    analysis.gate.close();
    let params = json!({ "textDocument": { "uri": URI } });
    let first = server
        .ask("textDocument/documentSymbol", params.clone())
        .await;
    let second = server.ask("textDocument/documentSymbol", params).await;
    analysis.gate.holds(1).await;
    server
        .notify("$/cancelRequest", json!({ "id": first }))
        .await;
    // The analysis still waits at the gate.
    let answer = server.answer(first).await;
    assert_eq!(answer["error"]["code"], -32800, "{answer}");
    analysis.gate.open();
    assert_eq!(server.answer(second).await["result"][0]["name"], "a");
    server.finish().await;
}

#[tokio::test]
async fn cancellation_passes_many_requests_that_wait() {
    let analysis = Scripted::new();
    let mut server = TestServer::with(&analysis, json!({})).await;
    server.open(URI, 1, "a").await;
    server.published(URI).await;
    analysis.gate.close();
    let params = json!({ "textDocument": { "uri": URI } });
    let mut ids = Vec::new();
    for _ in 0..200 {
        ids.push(
            server
                .ask("textDocument/documentSymbol", params.clone())
                .await,
        );
    }
    for id in &ids {
        server.notify("$/cancelRequest", json!({ "id": id })).await;
    }
    for id in ids {
        assert_eq!(server.answer(id).await["error"]["code"], -32800);
    }
    analysis.gate.open();
    server.finish().await;
}

#[tokio::test]
async fn cancelling_what_is_unknown_or_over_does_nothing() {
    let mut server = TestServer::with(&Scripted::new(), json!({})).await;
    let answer = server.request("no/such", Value::Null).await;
    server
        .notify("$/cancelRequest", json!({ "id": answer["id"] }))
        .await;
    server
        .notify("$/cancelRequest", json!({ "id": "never" }))
        .await;
    server.notify("$/cancelRequest", json!({ "id": [] })).await;
    assert_eq!(
        server.request("no/such", Value::Null).await["error"]["code"],
        -32601
    );
    server.finish().await;
}

/// A client that never reads responses cannot fill the memory with requests.
#[tokio::test]
async fn too_many_requests_are_refused() {
    let analysis = Scripted::new();
    let mut server = TestServer::with(&analysis, json!({})).await;
    server.open(URI, 1, "a").await;
    server.published(URI).await;
    analysis.gate.close();
    let params = json!({ "textDocument": { "uri": URI } });
    let mut ids = Vec::new();
    for _ in 0..600 {
        ids.push(
            server
                .ask("textDocument/documentSymbol", params.clone())
                .await,
        );
    }
    let refused = ids.split_off(512);
    for id in refused {
        assert_eq!(server.answer(id).await["error"]["code"], -32803);
    }
    analysis.gate.open();
    for id in ids {
        assert_eq!(server.answer(id).await["result"][0]["name"], "a");
    }
    server.finish().await;
}
