//! Canceled requests.

use crate::analysis::Scripted;
use crate::server::{TestServer, URI};
use serde_json::{Value, json};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

#[tokio::test]
async fn a_canceled_request_is_answered_at_once() {
    let analysis = Scripted::new();
    let mut server = TestServer::held(&analysis).await;
    let [first, second] = server.ask_symbols(URI).await;
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
    let mut server = TestServer::held(&analysis).await;
    let ids = server.ask_symbols::<200>(URI).await;
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

#[tokio::test]
async fn too_many_requests_wait() {
    let analysis = Scripted::new();
    let mut server = TestServer::held(&analysis).await;
    let ids = server.ask_symbols::<2_100>(URI).await;
    analysis.gate.open();
    for id in ids {
        assert_eq!(server.answer(id).await["result"][0]["name"], "a");
    }
    server.finish().await;
}

/// Waits until as many endless analyses run.
async fn running(analysis: &Scripted, count: usize) {
    let started = Instant::now();
    while analysis.endless.load(Ordering::SeqCst) != count {
        assert!(started.elapsed() < Duration::from_secs(20), "{analysis:?}");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

#[tokio::test]
async fn slow_documents_delay_no_others_and_end_when_they_are_not_needed() {
    let analysis = Scripted::new();
    let mut server = TestServer::with(&analysis, json!({})).await;
    let uri = |number: usize| format!("file:///nowhere/{number}.yaml");
    for number in 0..8 {
        server.open(&uri(number), 1, "endless").await;
    }
    running(&analysis, 8).await;
    let started = Instant::now();
    server.open(URI, 1, "bad").await;
    assert_eq!(server.published(URI).await.1, ["0:0-0:3"]);
    assert!(started.elapsed() < Duration::from_secs(5));
    server.replace(&uri(0), 2, "bad").await;
    assert_eq!(server.published(&uri(0)).await.1, ["0:0-0:3"]);
    for number in 1..8 {
        server.close(&uri(number)).await;
        server.published(&uri(number)).await;
    }
    running(&analysis, 0).await;
    server.finish().await;
}

#[tokio::test]
async fn a_canceled_request_ends_its_work() {
    let analysis = Scripted::new();
    let capabilities = json!({ "textDocument": { "diagnostic": {} } });
    let mut server = TestServer::with(&analysis, capabilities).await;
    server.open(URI, 1, "endless").await;
    let params = json!({ "textDocument": { "uri": URI } });
    let outline = server
        .ask("textDocument/documentSymbol", params.clone())
        .await;
    let findings = server.ask("textDocument/diagnostic", params).await;
    running(&analysis, 2).await;
    server
        .notify("$/cancelRequest", json!({ "id": outline }))
        .await;
    assert_eq!(server.answer(outline).await["error"]["code"], -32800);
    running(&analysis, 1).await;
    server.close(URI).await;
    assert_eq!(server.answer(findings).await["result"]["items"], json!([]));
    running(&analysis, 0).await;
    server.finish().await;
}
