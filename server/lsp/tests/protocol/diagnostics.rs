//! Findings that the client requests.

use crate::analysis::{RULE, Scripted};
use crate::server::{TestServer, URI, ranges};
use serde_json::{Value, json};
use std::sync::atomic::Ordering;

fn pulling() -> Value {
    json!({ "textDocument": { "diagnostic": {} } })
}

fn params(previous: Option<&Value>) -> Value {
    let mut params = json!({ "textDocument": { "uri": URI } });
    if let Some(previous) = previous {
        params["previousResultId"] = previous.clone();
    }
    params
}

#[tokio::test]
async fn a_report_is_full_or_unchanged() {
    let analysis = Scripted::new();
    let mut server = TestServer::with(&analysis, pulling()).await;
    server.open(URI, 1, "bad").await;
    let full = server
        .request("textDocument/diagnostic", params(None))
        .await;
    let full = &full["result"];
    assert_eq!(full["kind"], "full");
    assert_eq!(full["items"][0]["code"], RULE);
    assert_eq!(ranges(&full["items"]), ["0:0-0:3"]);
    let id = &full["resultId"];
    let unchanged = server
        .request("textDocument/diagnostic", params(Some(id)))
        .await;
    assert_eq!(
        unchanged["result"],
        json!({ "kind": "unchanged", "resultId": id })
    );
    server.replace(URI, 2, "good").await;
    let full = server
        .request("textDocument/diagnostic", params(Some(id)))
        .await;
    assert_eq!(full["result"]["kind"], "full");
    assert_eq!(full["result"]["items"], json!([]));
    assert_ne!(full["result"]["resultId"], *id);
    assert_eq!(analysis.analyzed.load(Ordering::SeqCst), 2);
    server.finish().await;
}

#[tokio::test]
async fn a_document_that_is_not_open_has_no_findings() {
    let mut server = TestServer::with(&Scripted::new(), pulling()).await;
    let answer = server
        .request("textDocument/diagnostic", params(None))
        .await;
    assert_eq!(answer["result"], json!({ "kind": "full", "items": [] }));
    server.finish().await;
}

#[tokio::test]
async fn a_result_is_never_reused_for_a_document_that_was_opened_again() {
    let mut server = TestServer::with(&Scripted::new(), pulling()).await;
    server.open(URI, 1, "bad").await;
    let first = server
        .request("textDocument/diagnostic", params(None))
        .await;
    server.close(URI).await;
    server.open(URI, 1, "good").await;
    let id = &first["result"]["resultId"];
    let second = server
        .request("textDocument/diagnostic", params(Some(id)))
        .await;
    assert_eq!(second["result"]["items"], json!([]));
    server.finish().await;
}

#[tokio::test]
async fn an_answer_is_that_of_the_newest_text() {
    let analysis = Scripted::new();
    let mut server = TestServer::with(&analysis, pulling()).await;
    server.open(URI, 1, "bad").await;
    analysis.gate.close();
    let old = server.ask("textDocument/diagnostic", params(None)).await;
    analysis.gate.holds(1).await;
    server.replace(URI, 2, "bad bad").await;
    let new = server.ask("textDocument/diagnostic", params(None)).await;
    analysis.gate.holds(2).await;
    analysis.gate.open();
    for id in [old, new] {
        let answer = server.answer(id).await;
        assert_eq!(ranges(&answer["result"]["items"]).len(), 2);
    }
    assert_eq!(analysis.analyzed.load(Ordering::SeqCst), 2);
    server.finish().await;
}

#[tokio::test]
async fn a_client_that_gets_findings_pushed_may_ask_as_well() {
    let analysis = Scripted::new();
    let mut server = TestServer::with(&analysis, json!({})).await;
    server.open(URI, 1, "bad").await;
    server.published(URI).await;
    let answer = server
        .request("textDocument/diagnostic", params(None))
        .await;
    assert_eq!(ranges(&answer["result"]["items"]), ["0:0-0:3"]);
    assert_eq!(analysis.analyzed.load(Ordering::SeqCst), 1);
    server.finish().await;
}
