//! Slow documents leave the threads to others.

use crate::analysis::Scripted;
use crate::server::{TestServer, URI};
use serde_json::{Value, json};

#[tokio::test]
async fn documents_that_are_parsed_delay_no_findings() {
    let analysis = Scripted::new();
    let mut server = TestServer::with(&analysis, json!({})).await;
    analysis.parser.close();
    let held: [_; 8] = std::array::from_fn(|number| format!("file:///nowhere/{number}.yaml"));
    for uri in &held {
        server.open(uri, 1, "held").await;
    }
    analysis.parser.holds(8).await;
    server.open(URI, 1, "bad").await;
    assert_eq!(server.published(URI).await.1, ["0:0-0:3"]);
    analysis.parser.open();
    for uri in &held {
        server.published(uri).await;
    }
    server.finish().await;
}

#[tokio::test]
async fn the_lenses_of_a_document_delay_no_requests() {
    let analysis = Scripted::new();
    let mut server = TestServer::with(&analysis, json!({})).await;
    server.open(URI, 1, "bad").await;
    server.published(URI).await;
    analysis.parser.close();
    let held = "file:///nowhere/held.yaml";
    server.open(held, 1, "held").await;
    analysis.parser.holds(1).await;
    let start = json!({ "line": 0, "character": 0 });
    let range = json!({ "start": start, "end": start });
    let lens = json!({ "range": range, "data": { "uri": held, "policy": 0 } });
    let mut lenses = Vec::new();
    for _ in 0..40 {
        lenses.push(server.ask("codeLens/resolve", lens.clone()).await);
    }
    let [symbols] = server.ask_symbols(URI).await;
    assert_eq!(server.answer(symbols).await["result"][0]["name"], "bad");
    analysis.parser.open();
    server.published(held).await;
    for lens in lenses {
        // There is no such policy.
        assert_eq!(server.answer(lens).await["error"]["code"], -32801);
    }
    server.finish().await;
}

#[tokio::test]
async fn an_outdated_response_does_not_replace_a_newer_one() {
    let start = json!({ "line": 0, "character": 0 });
    let range = json!({ "start": start, "end": { "line": 9, "character": 0 } });
    let params = json!({ "textDocument": { "uri": URI }, "range": range });
    for method in ["textDocument/inlayHint", "textDocument/codeLens"] {
        let analysis = Scripted::new();
        let mut server = TestServer::with(&analysis, json!({})).await;
        analysis.parser.close();
        server.open(URI, 1, "held").await;
        analysis.parser.holds(1).await;
        let mut asked = Vec::new();
        for _ in 0..100 {
            asked.push(server.ask(method, params.clone()).await);
        }
        analysis.parser.open();
        let mut answered = Vec::new();
        for _ in &asked {
            let is_response = |it: &Value| it.get("method").is_none();
            answered.push(server.message(is_response).await["id"].as_i64().unwrap());
        }
        assert_eq!(answered, asked, "{method}");
        server.published(URI).await;
        server.finish().await;
    }
}
