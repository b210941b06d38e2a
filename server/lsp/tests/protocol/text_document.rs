//! Open, change, save and close: the server has the same text as the client.

use crate::analysis::Scripted;
use crate::server::{TestServer, URI};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

/// Returns a client that requests findings, so that none are pushed.
fn pulling() -> Value {
    json!({ "textDocument": { "diagnostic": {} } })
}

fn edit(start: (u32, u32), end: (u32, u32), text: &str) -> Value {
    let position = |(line, character): (u32, u32)| json!({ "line": line, "character": character });
    json!({ "range": { "start": position(start), "end": position(end) }, "text": text })
}

#[tokio::test]
async fn changes_of_one_message_apply_one_after_the_other() {
    let mut server = TestServer::with(&Scripted::new(), pulling()).await;
    server.open(URI, 1, "abc").await;
    let changes = json!([
        edit((0, 0), (0, 1), "12"),
        edit((0, 2), (0, 3), ""),
        { "text": "whole" },
        edit((0, 5), (0, 5), "!"),
    ]);
    server.change(URI, 2, changes).await;
    assert_eq!(server.text(URI).await, "whole!");
    server.finish().await;
}

#[tokio::test]
async fn a_change_that_does_not_fit_takes_the_findings_back_until_the_file_is_saved() {
    let mut server = TestServer::with(&Scripted::new(), json!({})).await;
    server.open(URI, 1, "bad").await;
    assert_eq!(server.published(URI).await.1.len(), 1);
    server
        .change(URI, 2, json!([edit((9, 0), (9, 1), "x")]))
        .await;
    assert_eq!(server.published(URI).await, (Value::Null, vec![]));
    let told = server.notification("window/showMessage").await;
    assert_eq!(
        told["message"],
        "Admissible cannot show findings in a.yaml: a change does not fit the text: it starts on line 10, but the text ends on line 1. Save the file, or close and reopen it."
    );
    assert_eq!(server.notification("window/logMessage").await["type"], 2);
    assert_eq!(server.text(URI).await, Value::Null);
    let saved = json!({ "textDocument": { "uri": URI }, "text": "bad bad" });
    server.notify("textDocument/didSave", saved).await;
    assert_eq!(server.published(URI).await.1.len(), 2);
    assert_eq!(server.notification("window/logMessage").await["type"], 2);
    server.finish().await;
}

#[tokio::test]
async fn a_change_that_cannot_be_read_gives_the_document_up() {
    let mut server = TestServer::with(&Scripted::new(), pulling()).await;
    server.open(URI, 1, "a").await;
    let params = json!({ "textDocument": { "uri": URI, "version": 2 }, "contentChanges": "x" });
    server.notify("textDocument/didChange", params).await;
    assert_eq!(server.text(URI).await, Value::Null);
    let told = server.notification("window/showMessage").await;
    assert!(
        told["message"]
            .as_str()
            .unwrap()
            .contains("invalid type: string \"x\""),
        "{told}"
    );
    for _ in 0..2 {
        assert_eq!(server.notification("window/logMessage").await["type"], 2);
    }
    server.replace(URI, 3, "b").await;
    assert_eq!(server.text(URI).await, "b");
    server.finish().await;
}

#[tokio::test]
async fn messages_about_unknown_documents_are_only_logged() {
    let mut server = TestServer::with(&Scripted::new(), json!({})).await;
    server.replace(URI, 1, "bad").await;
    server.close(URI).await;
    for _ in 0..2 {
        let log = server.notification("window/logMessage").await;
        assert!(
            log["message"]
                .as_str()
                .unwrap()
                .ends_with("the document is not open."),
            "{log}"
        );
    }
    assert_eq!(server.text(URI).await, Value::Null);
    server.finish().await;
}

#[tokio::test]
async fn a_saved_text_that_is_known_changes_nothing() {
    let mut server = TestServer::with(&Scripted::new(), pulling()).await;
    server.open(URI, 1, "a").await;
    let saved = json!({ "textDocument": { "uri": URI }, "text": "a" });
    server.notify("textDocument/didSave", saved).await;
    assert_eq!(server.text(URI).await, "a");
    server.finish().await;
}

#[tokio::test]
async fn an_open_document_may_be_opened_again() {
    let mut server = TestServer::with(&Scripted::new(), pulling()).await;
    server.open(URI, 5, "a").await;
    server.open(URI, 1, "b").await;
    assert_eq!(server.text(URI).await, "b");
    server.finish().await;
}

#[tokio::test]
async fn a_uri_with_characters_that_do_not_belong_there_is_understood() {
    let mut server = TestServer::with(&Scripted::new(), json!({})).await;
    server.open("file:///a[1] b.yaml", 1, "bad").await;
    assert_eq!(
        server.published("file:///a%5B1%5D%20b.yaml").await.1.len(),
        1
    );
    assert_eq!(server.text("file:///a[1] b.yaml").await, "bad");
    server.finish().await;
}

/// Editors in JavaScript can split a surrogate pair.
#[tokio::test]
async fn half_a_character_keeps_the_positions() {
    let mut server = TestServer::with(&Scripted::new(), pulling()).await;
    server.open(URI, 1, "a b").await;
    let body = format!(
        r#"{{"jsonrpc":"2.0","method":"textDocument/didChange","params":{{"textDocument":{{"uri":"{URI}","version":2}},"contentChanges":[{{"range":{{"start":{{"line":0,"character":1}},"end":{{"line":0,"character":1}}}},"text":"\ud83d"}}]}}}}"#
    );
    let bytes = format!("Content-Length: {}\r\n\r\n{body}", body.len());
    server.send_bytes(bytes.as_bytes()).await;
    server
        .change(URI, 3, json!([edit((0, 3), (0, 4), "c")]))
        .await;
    assert_eq!(server.text(URI).await, "a\u{fffd} c");
    server.finish().await;
}

/// The start and end of an edit in characters, and the inserted text.
type Edit = (usize, usize, String);

fn edits() -> impl Strategy<Value = (String, Vec<Edit>)> {
    let edit = (0usize..60, 0usize..12, "[ab \r\n\u{e9}\u{1F600}]{0,5}");
    (
        "[ab\r\n\u{e9}\u{1F600}]{0,40}",
        prop::collection::vec(edit, 1..40),
    )
}

/// Returns the text after an edit, and the change that an editor sends for it in UTF-16.
fn applied(text: &str, (start, length, insert): &Edit) -> (String, Value) {
    let characters: Vec<char> = text.chars().collect();
    let inside_crlf = |at: usize| at > 0 && characters.get(at - 1..=at) == Some(&['\r', '\n']);
    let clamp = |at: usize| {
        let at = at.min(characters.len());
        if inside_crlf(at) { at - 1 } else { at }
    };
    let (start, end) = (clamp(*start), clamp(start + length));
    let before: String = characters[..start].iter().collect();
    let removed: String = characters[start..end].iter().collect();
    let after: String = characters[end..].iter().collect();
    let change = edit(
        position(&before),
        position(&(before.clone() + &removed)),
        insert,
    );
    (format!("{before}{insert}{after}"), change)
}

/// Returns the position at the end of a text.
fn position(before: &str) -> (u32, u32) {
    let unified = before.replace("\r\n", "\n").replace('\r', "\n");
    let line = unified.matches('\n').count();
    let column = unified.rsplit('\n').next().unwrap().encode_utf16().count();
    (u32::try_from(line).unwrap(), u32::try_from(column).unwrap())
}

#[test]
fn any_edits_give_the_text_of_the_client() {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_time()
        .build()
        .unwrap();
    let mut runner = TestRunner::new(Config::with_cases(32));
    runner
        .run(&edits(), |(text, edits)| {
            runtime.block_on(async {
                let mut server = TestServer::with(&Scripted::new(), pulling()).await;
                server.open(URI, 1, &text).await;
                let mut expected = text;
                for (version, edit) in (2..).zip(&edits) {
                    let (after, change) = applied(&expected, edit);
                    expected = after;
                    server.change(URI, version, json!([change])).await;
                }
                // The name of a symbol is trimmed, so the text is delimited.
                let last = position(&expected);
                let border = json!([edit(last, last, "|"), edit((0, 0), (0, 0), "|")]);
                server.change(URI, 1000, border).await;
                assert_eq!(server.text(URI).await, format!("|{expected}|"));
                server.finish().await;
            });
            Ok(())
        })
        .unwrap();
}
