//! Completions.

use crate::analysis::Scripted;
use crate::hover::POLICY;
use crate::server::{TestServer, URI, range};
use serde_json::{Value, json};

/// Returns the completions after `request.`.
async fn offered(capabilities: Value) -> Value {
    let mut server = TestServer::with(&Scripted::new(), capabilities).await;
    server.open(URI, 1, POLICY).await;
    server.published(URI).await;
    // Only `request.na` stays.
    let cut = json!([{ "range": { "start": { "line": 9, "character": 35 },
        "end": { "line": 9, "character": 37 } }, "text": "" }]);
    server.change(URI, 2, cut).await;
    server.published(URI).await;
    let position = json!({ "line": 9, "character": 35 });
    let params = json!({ "textDocument": { "uri": URI }, "position": position });
    let mut answer = server.request("textDocument/completion", params).await;
    server.finish().await;
    assert_eq!(answer.get("error"), None, "{answer}");
    answer["result"]["items"].take()
}

fn item<'a>(items: &'a Value, label: &str) -> &'a Value {
    let mut items = items.as_array().unwrap().iter();
    items.find(|item| item["label"] == label).unwrap()
}

#[tokio::test]
async fn the_word_at_the_cursor_is_replaced() {
    let items = offered(json!({})).await;
    let name = item(&items, "name");
    assert_eq!(range(&name["textEdit"]["range"]), "9:33-9:35");
    assert_eq!(name["textEdit"]["newText"], "name");
    assert_eq!(name["insertTextFormat"], 1);
    assert_eq!(name["detail"], "string");
}

#[tokio::test]
async fn triggers_are_announced() {
    let mut server = TestServer::start(lsp::Options::default());
    let result = server
        .initialize(json!({ "processId": null, "rootUri": null, "capabilities": {} }))
        .await;
    let provider = &result["capabilities"]["completionProvider"];
    let triggers = json!([".", "'", "\"", "{", "/", "["]);
    assert_eq!(provider["triggerCharacters"], triggers);
    assert_eq!(result["capabilities"]["hoverProvider"], true);
    server.finish().await;
}

#[tokio::test]
async fn a_client_that_knows_snippets_gets_the_cursor_placed() {
    async fn has(snippets: bool) -> Value {
        let items = json!({ "completionItem": { "snippetSupport": snippets } });
        let capabilities = json!({ "textDocument": { "completion": items } });
        let mut server = TestServer::with(&Scripted::new(), capabilities).await;
        server.open(URI, 1, POLICY).await;
        server.published(URI).await;
        let position = json!({ "line": 9, "character": 25 });
        let params = json!({ "textDocument": { "uri": URI }, "position": position });
        let answer = server.request("textDocument/completion", params).await;
        server.finish().await;
        item(&answer["result"]["items"], "has")["textEdit"]["newText"].clone()
    }
    assert_eq!(has(true).await, "has($0)");
    assert_eq!(has(false).await, "has(");
}
