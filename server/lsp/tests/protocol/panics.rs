//! Panics of the server: they cost one response.

use crate::analysis::Scripted;
use crate::server::{TestServer, URI};
use serde_json::{Value, json};

const SAID: &str = "failed because of a bug in Admissible: the text has `panic`. Please report it.";

#[tokio::test]
async fn a_panic_in_a_request_is_an_error_for_an_answer() {
    let capabilities = json!({ "textDocument": { "diagnostic": {} } });
    let mut server = TestServer::with(&Scripted::new(), capabilities).await;
    server.open(URI, 1, "panic").await;
    for method in ["textDocument/documentSymbol", "textDocument/diagnostic"] {
        let params = json!({ "textDocument": { "uri": URI } });
        let answer = server.request(method, params).await;
        assert_eq!(answer["error"]["code"], -32603, "{answer}");
        let said = format!("`{method}` {SAID}");
        assert_eq!(answer["error"]["message"], said);
        let log = server.notification("window/logMessage").await;
        assert_eq!(log, json!({ "type": 1, "message": said }));
    }
    server.replace(URI, 2, "fine").await;
    assert_eq!(server.text(URI).await, "fine");
    server.finish().await;
}

#[tokio::test]
async fn a_panic_while_publishing_takes_the_old_findings_back() {
    let mut server = TestServer::with(&Scripted::new(), json!({})).await;
    server.open(URI, 1, "bad").await;
    assert_eq!(server.published(URI).await.1.len(), 1);
    for version in [2, 3] {
        server.replace(URI, version, "panic").await;
        assert_eq!(server.published(URI).await, (json!(version), vec![]));
        assert_eq!(server.notification("window/logMessage").await["type"], 1);
    }
    // The user is notified once.
    let told = server.notification("window/showMessage").await;
    assert_eq!(told["message"], format!("`textDocument/diagnostic` {SAID}"));
    server.replace(URI, 4, "bad").await;
    assert_eq!(server.published(URI).await.1.len(), 1);
    server.finish().await;
}

#[tokio::test]
async fn panics_do_not_use_up_anything() {
    let mut server = TestServer::with(
        &Scripted::new(),
        json!({ "textDocument": { "diagnostic": {} } }),
    )
    .await;
    server.open(URI, 1, "panic").await;
    let params = json!({ "textDocument": { "uri": URI } });
    for _ in 0..600 {
        let answer = server
            .request("textDocument/documentSymbol", params.clone())
            .await;
        assert_eq!(answer["error"]["code"], -32603);
        server.notification("window/logMessage").await;
    }
    assert_eq!(
        server.request("no/such", Value::Null).await["error"]["code"],
        -32601
    );
    server.finish().await;
}
