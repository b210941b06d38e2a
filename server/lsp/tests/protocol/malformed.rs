//! Malformed messages, and unknown methods.

use crate::analysis::Scripted;
use crate::server::TestServer;
use expect_test::{Expect, expect};
use serde_json::{Value, json};

/// Sends bytes. Returns the responses before the one to a valid request.
async fn answers(bytes: &[u8]) -> String {
    let mut server = TestServer::with(&Scripted::new(), json!({})).await;
    server.send_bytes(bytes).await;
    let probe = server.ask("probe", Value::Null).await;
    let mut text = String::new();
    loop {
        let message = server
            .message(|message| message.get("method").is_none())
            .await;
        if message["id"] == probe {
            break;
        }
        let error = &message["error"];
        text.push_str(&format!(
            "{} {} {}\n",
            message["id"],
            error["code"],
            error["message"].as_str().unwrap()
        ));
        // Each is also in the log.
        if message["id"].is_null() || error["code"] == -32600 {
            assert_eq!(server.notification("window/logMessage").await["type"], 2);
        }
    }
    server.finish().await;
    text
}

fn framed(body: impl AsRef<[u8]>) -> Vec<u8> {
    let body = body.as_ref();
    let mut bytes = format!("Content-Length: {}\r\n\r\n", body.len()).into_bytes();
    bytes.extend_from_slice(body);
    bytes
}

#[track_caller]
fn check(actual: &str, expected: &Expect) {
    expected.assert_eq(actual);
}

#[tokio::test]
async fn broken_json() {
    check(
        &answers(&framed("{\"jsonrpc\":")).await,
        &expect![[r#"
            null -32700 The message is not valid JSON: EOF while parsing a value at line 1 column 11.
        "#]],
    );
}

#[tokio::test]
async fn bytes_that_are_not_utf8() {
    let text = answers(&framed(
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xFF\"}",
    ))
    .await;
    check(
        &text,
        &expect![[r#"
        null -32700 The message is not valid JSON: invalid unicode code point at line 1 column 35.
    "#]],
    );
}

#[tokio::test]
async fn json_nested_beyond_reason() {
    let text = answers(&framed("[".repeat(100_000))).await;
    check(
        &text,
        &expect![[r#"
        null -32700 The message is not valid JSON: recursion limit exceeded at line 1 column 128.
    "#]],
    );
}

#[tokio::test]
async fn a_header_without_a_length() {
    check(
        &answers(b"Content-Type: application/json\r\n\r\n{}").await,
        &expect![[r#"
            null -32700 The message cannot be read: the header has no Content-Length.
        "#]],
    );
}

#[tokio::test]
async fn a_huge_length() {
    check(
        &answers(b"Content-Length: 123456789012345\r\n\r\n{}").await,
        &expect![[r#"
            null -32700 The message cannot be read: the message is longer than 128 MiB.
        "#]],
    );
}

#[tokio::test]
async fn noise_between_messages() {
    check(
        &answers(b"\x00\xFF hello\r\nworld\r\n\r\n").await,
        &expect![[r#"
            null -32700 The message cannot be read: a line of the header is not a field.
        "#]],
    );
}

#[tokio::test]
async fn json_that_is_not_a_message() {
    let mut bytes = framed("[]");
    bytes.extend(framed("3"));
    bytes.extend(framed("{\"jsonrpc\":\"2.0\",\"id\":77}"));
    bytes.extend(framed(
        "{\"jsonrpc\":\"1.0\",\"id\":\"x\",\"method\":\"probe\"}",
    ));
    bytes.extend(framed(
        "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"probe\"}",
    ));
    check(
        &answers(&bytes).await,
        &expect![[r#"
        null -32600 A message must be a JSON object. Batches are not supported.
        null -32600 A message must be a JSON object. Batches are not supported.
        77 -32600 A message must have a method, or an id with a result or an error.
        "x" -32600 A message must have the field "jsonrpc": "2.0".
        null -32600 The id of a message must be an integer or a string.
    "#]],
    );
}

#[tokio::test]
async fn an_empty_message() {
    check(
        &answers(&framed("")).await,
        &expect![[r#"
        null -32700 The message is not valid JSON: EOF while parsing a value at line 1 column 0.
    "#]],
    );
}

#[tokio::test]
async fn unknown_methods() {
    let mut server = TestServer::with(&Scripted::new(), json!({})).await;
    for method in [
        "no/such",
        "$/no",
        "",
        "textDocument/moniker",
        "$/setTrace/x",
    ] {
        let answer = server.request(method, json!({})).await;
        assert_eq!(answer["error"]["code"], -32601, "{method}: {answer}");
        server.notify(method, json!({})).await;
    }
    let place = json!({
        "textDocument": { "uri": "file:///a" },
        "position": { "line": 0, "character": 0 },
    });
    let answer = server.request("textDocument/moniker", place).await;
    assert_eq!(answer["error"]["code"], -32601, "{answer}");
    server.finish().await;
}

#[tokio::test]
async fn params_that_do_not_fit() {
    let mut server = TestServer::with(&Scripted::new(), json!({})).await;
    for params in [Value::Null, json!([]), json!({ "textDocument": 1 })] {
        let answer = server.request("textDocument/documentSymbol", params).await;
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
    }
    server
        .notify("textDocument/didOpen", json!({ "textDocument": {} }))
        .await;
    let log = server.notification("window/logMessage").await;
    let message = log["message"].as_str().unwrap();
    assert!(
        message.starts_with("The params of `textDocument/didOpen` are not valid: "),
        "{log}"
    );
    server.finish().await;
}

#[tokio::test]
async fn a_request_sent_as_a_notification_and_the_other_way_round() {
    let mut server = TestServer::with(&Scripted::new(), json!({})).await;
    server
        .notify("textDocument/documentSymbol", json!({}))
        .await;
    server.notify("shutdown", Value::Null).await;
    let answer = server.request("textDocument/didOpen", json!({})).await;
    assert_eq!(answer["error"]["code"], -32601, "{answer}");
    server.finish().await;
}

#[tokio::test]
async fn answers_to_nothing_are_ignored() {
    let mut server = TestServer::with(&Scripted::new(), json!({})).await;
    server
        .send(&json!({ "jsonrpc": "2.0", "id": 99, "result": null }))
        .await;
    server
        .send(&json!({ "jsonrpc": "2.0", "id": "x", "error": { "code": 1, "message": "" } }))
        .await;
    server.finish().await;
}
