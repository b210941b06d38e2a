//! Quick fixes.

use crate::analysis::{RULE, Scripted};
use crate::server::{TestServer, URI, range};
use serde_json::{Value, json};

/// A client that supports code actions, and if `versioned` also versions in edits.
fn client(versioned: bool) -> Value {
    let kinds = json!({ "codeActionKind": { "valueSet": ["quickfix"] } });
    json!({
        "textDocument": {
            "diagnostic": {},
            "codeAction": { "codeActionLiteralSupport": kinds, "isPreferredSupport": true },
        },
        "workspace": { "workspaceEdit": { "documentChanges": versioned } },
    })
}

fn params(character: u32, only: Value) -> Value {
    let at = json!({ "line": 0, "character": character });
    json!({
        "textDocument": { "uri": URI },
        "range": { "start": at, "end": at },
        "context": { "diagnostics": [], "only": only },
    })
}

#[tokio::test]
async fn a_fix_ends_the_finding_under_the_cursor() {
    let mut server = TestServer::with(&Scripted::new(), client(true)).await;
    server.open(URI, 4, "😀 bad, bad").await;
    let answer = server
        .request("textDocument/codeAction", params(4, Value::Null))
        .await;
    let actions = answer["result"].as_array().unwrap();
    assert_eq!(actions.len(), 1);
    let action = &actions[0];
    assert_eq!(action["kind"], "quickfix");
    assert_eq!(action["isPreferred"], true);
    assert_eq!(action["diagnostics"][0]["code"], RULE);
    let change = &action["edit"]["documentChanges"][0];
    assert_eq!(change["textDocument"], json!({ "uri": URI, "version": 4 }));
    assert_eq!(range(&change["edits"][0]["range"]), "0:3-0:6");
    assert_eq!(change["edits"][0]["newText"], "good");
    server.finish().await;
}

#[tokio::test]
async fn a_client_without_versions_gets_plain_edits() {
    let mut server = TestServer::with(&Scripted::new(), client(false)).await;
    server.open(URI, 4, "bad").await;
    let answer = server
        .request("textDocument/codeAction", params(0, Value::Null))
        .await;
    let edit = &answer["result"][0]["edit"];
    assert_eq!(range(&edit["changes"][URI][0]["range"]), "0:0-0:3");
    server.finish().await;
}

#[tokio::test]
async fn other_kinds_of_actions_are_not_answered_with_fixes() {
    let mut server = TestServer::with(&Scripted::new(), client(true)).await;
    server.open(URI, 4, "bad").await;
    let params = params(0, json!(["source.organizeImports"]));
    let answer = server.request("textDocument/codeAction", params).await;
    assert_eq!(answer["result"], Value::Null);
    server.finish().await;
}

/// An edit without a version would be applied to the new text.
#[tokio::test]
async fn a_fix_for_an_old_text_is_refused_where_it_cannot_say_so() {
    for versioned in [false, true] {
        let analysis = Scripted::new();
        let mut server = TestServer::with(&analysis, client(versioned)).await;
        server.open(URI, 1, "bad").await;
        analysis.gate.close();
        let id = server
            .ask("textDocument/codeAction", params(0, Value::Null))
            .await;
        analysis.gate.holds(1).await;
        server.replace(URI, 2, "x bad").await;
        server.request("no/such", Value::Null).await;
        analysis.gate.open();
        let answer = server.answer(id).await;
        if versioned {
            let document = &answer["result"][0]["edit"]["documentChanges"][0]["textDocument"];
            assert_eq!(document["version"], 1);
        } else {
            assert_eq!(answer["error"]["code"], -32801, "{answer}");
        }
        server.finish().await;
    }
}
