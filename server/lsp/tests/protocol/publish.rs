//! Findings that are pushed: the newest, in order, with their version.

use crate::analysis::Scripted;
use crate::server::{TestServer, URI};
use serde_json::{Value, json};
use std::sync::atomic::Ordering;

fn one_finding() -> Vec<String> {
    vec!["0:0-0:3".to_owned()]
}

#[tokio::test]
async fn findings_come_with_their_version() {
    let mut server = TestServer::with(&Scripted::new(), json!({})).await;
    server.open(URI, 7, "bad").await;
    assert_eq!(server.published(URI).await, (json!(7), one_finding()));
    server.replace(URI, 8, "good").await;
    assert_eq!(server.published(URI).await, (json!(8), vec![]));
    server.finish().await;
}

#[tokio::test]
async fn closing_takes_the_findings_back() {
    let mut server = TestServer::with(&Scripted::new(), json!({})).await;
    server.open(URI, 1, "bad").await;
    server.published(URI).await;
    server.close(URI).await;
    assert_eq!(server.published(URI).await, (Value::Null, vec![]));
    server.finish().await;
}

#[tokio::test]
async fn closing_during_the_analysis_leaves_no_findings_behind() {
    let analysis = Scripted::new();
    let mut server = TestServer::with(&analysis, json!({})).await;
    analysis.gate.close();
    server.open(URI, 1, "bad").await;
    analysis.gate.holds(1).await;
    server.close(URI).await;
    server.request("no/such", Value::Null).await;
    analysis.gate.open();
    assert_eq!(server.published(URI).await, (Value::Null, vec![]));
    server.finish().await;
}

#[tokio::test]
async fn a_document_that_is_opened_again_gets_the_same_findings_again() {
    let analysis = Scripted::new();
    let mut server = TestServer::with(&analysis, json!({})).await;
    server.open(URI, 0, "bad").await;
    assert_eq!(server.published(URI).await, (json!(0), one_finding()));
    // The document is open again before the server would remove its findings.
    analysis.gate.close();
    server.replace(URI, 1, "bad").await;
    analysis.gate.holds(1).await;
    server.close(URI).await;
    server.open(URI, 0, "bad").await;
    server.request("no/such", Value::Null).await;
    analysis.gate.open();
    assert_eq!(server.published(URI).await, (json!(0), one_finding()));
    server.finish().await;
}

#[tokio::test]
async fn versions_that_are_outdated_before_they_are_ready_are_skipped() {
    let analysis = Scripted::new();
    let mut server = TestServer::with(&analysis, json!({})).await;
    analysis.gate.close();
    server.open(URI, 1, "bad").await;
    analysis.gate.holds(1).await;
    for version in 2..=100 {
        server.replace(URI, version, "bad").await;
    }
    server.request("no/such", Value::Null).await;
    analysis.gate.open();
    assert_eq!(server.published(URI).await, (json!(100), one_finding()));
    assert_eq!(analysis.analyzed.load(Ordering::SeqCst), 2);
    server.finish().await;
}

/// The worst case: fast typing while many requests are pending.
#[tokio::test(flavor = "multi_thread")]
async fn two_thousand_changes_keep_their_order_while_requests_are_in_flight() {
    const SLOW: &str = "file:///nowhere/slow.yaml";
    let analysis = Scripted::new();
    let mut server = TestServer::with(&analysis, json!({})).await;
    server.open(SLOW, 1, "slow").await;
    server.published(SLOW).await;
    server.open(URI, 0, "|").await;
    server.published(URI).await;
    analysis.gate.close();
    let slow = server.ask_symbols::<40>(SLOW).await;
    analysis.gate.holds(2).await;
    for version in 1..=2000 {
        let at = json!({ "line": 0, "character": version - 1 });
        let change = json!([{ "range": { "start": at, "end": at }, "text": "x" }]);
        server.change(URI, version, change).await;
    }
    server.request("no/such", Value::Null).await;
    analysis.gate.open();
    let mut last = 0;
    while last < 2000 {
        let (version, _) = server.published(URI).await;
        let version = version.as_i64().unwrap();
        assert!(version > last, "{version} after {last}");
        last = version;
    }
    for id in slow {
        assert_eq!(server.answer(id).await["result"][0]["name"], "slow");
    }
    assert_eq!(server.text(URI).await, format!("{}|", "x".repeat(2000)));
    server.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_that_wait_do_not_hold_findings_back() {
    let analysis = Scripted::new();
    let mut server = TestServer::held(&analysis).await;
    let waiting = server.ask_symbols::<100>(URI).await;
    analysis.gate.holds(2).await;
    let waiting_for_symbols = analysis.analyzed.load(Ordering::SeqCst);
    server.replace(URI, 2, "bad").await;
    while analysis.analyzed.load(Ordering::SeqCst) == waiting_for_symbols {
        tokio::task::yield_now().await;
    }
    analysis.gate.open();
    assert_eq!(server.published(URI).await, (json!(2), one_finding()));
    for id in waiting {
        assert_eq!(server.answer(id).await["result"][0]["name"], "a");
    }
    server.finish().await;
}

#[tokio::test]
async fn a_request_sees_the_text_as_it_was_when_it_was_sent() {
    let analysis = Scripted::new();
    let mut server = TestServer::with(&analysis, json!({})).await;
    server.open(URI, 1, "one").await;
    server.published(URI).await;
    analysis.gate.close();
    let [id] = server.ask_symbols(URI).await;
    server.replace(URI, 2, "two").await;
    analysis.gate.holds(2).await;
    analysis.gate.open();
    assert_eq!(server.answer(id).await["result"][0]["name"], "one");
    assert_eq!(server.published(URI).await.0, 2);
    server.finish().await;
}

#[tokio::test]
async fn one_version_is_parsed_once() {
    let analysis = Scripted::new();
    let mut server = TestServer::with(&analysis, json!({})).await;
    server.open(URI, 1, "bad").await;
    server.published(URI).await;
    for _ in 0..5 {
        assert_eq!(server.text(URI).await, "bad");
    }
    assert_eq!(analysis.parsed.load(Ordering::SeqCst), 1);
    server.finish().await;
}

#[tokio::test]
async fn a_client_that_asks_gets_nothing_pushed() {
    let analysis = Scripted::new();
    let capabilities = json!({ "textDocument": { "diagnostic": {} } });
    let mut server = TestServer::with(&analysis, capabilities).await;
    server.open(URI, 1, "bad").await;
    server.replace(URI, 2, "bad bad").await;
    assert_eq!(server.text(URI).await, "bad bad");
    server.close(URI).await;
    assert_eq!(analysis.analyzed.load(Ordering::SeqCst), 0);
    server.finish().await;
}

#[tokio::test]
async fn a_large_document_does_not_hold_up_a_small_one() {
    const LARGE: &str = "file:///nowhere/large.yaml";
    let analysis = Scripted::new();
    let mut server = TestServer::with(&analysis, json!({})).await;
    server.open(LARGE, 1, &"x: 1\n".repeat(2_000_000)).await;
    assert_eq!(server.published(LARGE).await, (json!(1), vec![]));
    for version in 2..20 {
        let at = json!({ "line": version, "character": 0 });
        let change = json!([{ "range": { "start": at, "end": at }, "text": "bad" }]);
        server.change(LARGE, version, change).await;
    }
    server.open(URI, 1, "bad").await;
    assert_eq!(server.published(URI).await, (json!(1), one_finding()));
    loop {
        let (version, findings) = server.published(LARGE).await;
        if version == 19 {
            assert_eq!(findings.len(), 18);
            break;
        }
    }
    server.finish().await;
}
