//! Semantic tokens.

use crate::analysis::Scripted;
use crate::hover::POLICY;
use crate::server::{TestServer, URI};
use serde_json::{Value, json};

async fn opened() -> TestServer {
    let mut server = TestServer::with(&Scripted::new(), json!({})).await;
    server.open(URI, 1, POLICY).await;
    server.published(URI).await;
    server
}

async fn request(server: &mut TestServer, method: &str, more: Value) -> Value {
    let mut params = json!({ "textDocument": { "uri": URI } });
    for (key, value) in more.as_object().unwrap() {
        params[key] = value.clone();
    }
    let method = format!("textDocument/semanticTokens/{method}");
    let mut answer = server.request(&method, params).await;
    assert_eq!(answer.get("error"), None, "{answer}");
    answer["result"].take()
}

#[tokio::test]
async fn the_legend_names_the_numbers() {
    let mut server = TestServer::start(lsp::Options::default());
    let result = server
        .initialize(json!({ "processId": null, "rootUri": null, "capabilities": {} }))
        .await;
    let provider = &result["capabilities"]["semanticTokensProvider"];
    assert_eq!(provider["full"]["delta"], true);
    assert_eq!(provider["range"], true);
    let types = provider["legend"]["tokenTypes"].as_array().unwrap();
    assert_eq!(
        (&types[3], &types[4]),
        (&json!("variable"), &json!("property"))
    );
    assert_eq!(
        (&types[11], &types[14]),
        (&json!("string"), &json!("operator"))
    );
    let modifiers = &provider["legend"]["tokenModifiers"];
    let names = [
        "declaration",
        "readonly",
        "deprecated",
        "defaultLibrary",
        "unused",
    ];
    assert_eq!(*modifiers, json!(names));
    server.finish().await;
}

#[tokio::test]
async fn columns_are_utf_16_and_relative() {
    let mut server = opened().await;
    let result = request(&mut server, "full", json!({})).await;
    let data = json!([
        9, 17, 4, 11, 0, // "😀"
        0, 5, 2, 14, 0, // ==
        0, 3, 7, 3, 8, // request
        0, 8, 4, 4, 0, // name
    ]);
    assert_eq!(result["data"], data);
    server.finish().await;
}

#[tokio::test]
async fn a_change_sends_what_has_changed() {
    let mut server = opened().await;
    let first = request(&mut server, "full", json!({})).await;
    let change = json!([{ "range": { "start": { "line": 9, "character": 22 },
        "end": { "line": 9, "character": 24 } }, "text": "  !=" }]);
    server.change(URI, 2, change).await;
    server.published(URI).await;
    let since = json!({ "previousResultId": first["resultId"] });
    let result = request(&mut server, "full/delta", since.clone()).await;
    let edits = json!([{ "start": 5, "deleteCount": 5, "data": [0, 7, 2, 14, 0] }]);
    assert_eq!(result["edits"], edits);
    // The result is not the last one any more.
    let result = request(&mut server, "full/delta", since).await;
    assert_eq!(result["data"].as_array().unwrap().len(), 20);
    server.finish().await;
}

#[tokio::test]
async fn a_range_has_its_own_tokens() {
    let mut server = opened().await;
    let range = json!({ "start": { "line": 9, "character": 26 },
        "end": { "line": 9, "character": 27 } });
    let result = request(&mut server, "range", json!({ "range": range })).await;
    assert_eq!(result["data"], json!([9, 25, 7, 3, 8]));
    server.finish().await;
}

#[tokio::test]
async fn a_string_over_lines_is_one_token_for_each() {
    let mut server = TestServer::with(&Scripted::new(), json!({})).await;
    let folded = POLICY.replace(
        "'\"😀\" == request.name'",
        ">-\r\n      'a\r\n      b' == ''",
    );
    server.open(URI, 1, &folded).await;
    server.published(URI).await;
    let result = request(&mut server, "full", json!({})).await;
    let data = json!([
        10, 6, 2, 11, 0, 1, 6, 2, 11, 0, 0, 3, 2, 14, 0, 0, 3, 2, 11, 0
    ]);
    assert_eq!(result["data"], data);
    server.finish().await;
}
