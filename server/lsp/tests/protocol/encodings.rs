//! Columns in the negotiated encoding.

use crate::analysis::Scripted;
use crate::server::{TestServer, URI, ranges};
use serde_json::{Value, json};

/// Non-BMP characters, CRLF, a folded and a double-quoted scalar.
const TEXT: &str = "a: \"é😀 \\U0001F600 bad\"\r\nb: >\r\n  é😀\r\n  bad 😀 bad\r\n";

async fn check(offered: Value, chosen: &str, expected: &[&str]) {
    let analysis = Scripted::new();
    let mut server = TestServer::start(lsp::Options {
        analysis,
        ..lsp::Options::default()
    });
    let capabilities = json!({ "general": { "positionEncodings": offered }, "textDocument": { "diagnostic": {} } });
    let result = server
        .initialize(json!({ "processId": null, "capabilities": capabilities }))
        .await;
    assert_eq!(result["capabilities"]["positionEncoding"], chosen);
    server.open(URI, 1, TEXT).await;
    let params = json!({ "textDocument": { "uri": URI } });
    let answer = server.request("textDocument/diagnostic", params).await;
    assert_eq!(ranges(&answer["result"]["items"]), expected);
    server.finish().await;
}

#[tokio::test]
async fn utf16_counts_code_units() {
    check(json!(null), "utf-16", &["0:19-0:22", "3:2-3:5", "3:9-3:12"]).await;
}

#[tokio::test]
async fn utf8_counts_bytes() {
    check(
        json!(["utf-8", "utf-16"]),
        "utf-8",
        &["0:22-0:25", "3:2-3:5", "3:11-3:14"],
    )
    .await;
}

#[tokio::test]
async fn utf32_counts_characters() {
    check(
        json!(["utf-32", "utf-8"]),
        "utf-32",
        &["0:18-0:21", "3:2-3:5", "3:8-3:11"],
    )
    .await;
}

#[tokio::test]
async fn changes_count_in_the_same_unit() {
    for (encoding, column) in [("utf-8", 7), ("utf-16", 4), ("utf-32", 3)] {
        let analysis = Scripted::new();
        let capabilities = json!({ "general": { "positionEncodings": [encoding] }, "textDocument": { "diagnostic": {} } });
        let mut server = TestServer::with(&analysis, capabilities).await;
        server.open(URI, 1, "aé😀b\r\n").await;
        let at = json!({ "line": 0, "character": column });
        let insert = json!([{ "range": { "start": at, "end": at }, "text": "!" }]);
        server.change(URI, 2, insert).await;
        assert_eq!(server.text(URI).await, "aé😀!b");
        server.finish().await;
    }
}
