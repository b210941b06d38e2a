//! Several folders, each with its own settings.

use crate::analysis::{RULE, Scripted};
use crate::server::TestServer;
use serde_json::{Value, json};

const OUTER: &str = "file:///nowhere/outer";
const INNER: &str = "file:///nowhere/outer/inner";

fn folder(uri: &str) -> Value {
    json!({ "uri": uri, "name": "folder" })
}

fn level(level: &str) -> Value {
    json!({ "rules": { RULE: level } })
}

fn initialize() -> Value {
    json!({
        "processId": null,
        "workspaceFolders": [folder(OUTER)],
        "capabilities": { "workspace": { "configuration": true, "workspaceFolders": true } },
    })
}

/// Responds to the next request for settings, by scope.
async fn answer(server: &mut TestServer, settings: &[(Value, Value)]) {
    let request = server.server_request("workspace/configuration").await;
    let items = request["params"]["items"].as_array().unwrap();
    let scopes: Vec<Value> = items.iter().map(|item| item["scopeUri"].clone()).collect();
    let expected: Vec<Value> = settings.iter().map(|(scope, _)| scope.clone()).collect();
    assert_eq!(scopes, expected);
    let result = settings
        .iter()
        .map(|(_, settings)| settings.clone())
        .collect();
    server.reply(&request, result).await;
}

async fn severity(server: &mut TestServer, uri: &str) -> i64 {
    let message = server
        .message(|message| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["uri"] == uri
        })
        .await;
    message["params"]["diagnostics"][0]["severity"]
        .as_i64()
        .unwrap()
}

#[tokio::test]
async fn a_document_takes_the_settings_of_its_innermost_folder() {
    let mut server = TestServer::with_params(&Scripted::new(), initialize()).await;
    answer(
        &mut server,
        &[
            (Value::Null, level("error")),
            (OUTER.into(), level("warning")),
        ],
    )
    .await;
    let inner = format!("{INNER}/a.yaml");
    server.open(&inner, 1, "bad").await;
    assert_eq!(severity(&mut server, &inner).await, 2);
    let event = json!({ "added": [folder(INNER)], "removed": [] });
    server
        .notify(
            "workspace/didChangeWorkspaceFolders",
            json!({ "event": event }),
        )
        .await;
    answer(
        &mut server,
        &[
            (Value::Null, level("error")),
            (OUTER.into(), level("warning")),
            (INNER.into(), level("hint")),
        ],
    )
    .await;
    assert_eq!(severity(&mut server, &inner).await, 4);
    let event = json!({ "added": [], "removed": [folder(OUTER), folder(INNER)] });
    server
        .notify(
            "workspace/didChangeWorkspaceFolders",
            json!({ "event": event }),
        )
        .await;
    answer(&mut server, &[(Value::Null, level("error"))]).await;
    assert_eq!(severity(&mut server, &inner).await, 1);
    server.finish().await;
}

#[tokio::test]
async fn a_single_root_is_a_folder() {
    let mut params = initialize();
    params["workspaceFolders"] = Value::Null;
    params["rootUri"] = OUTER.into();
    let mut server = TestServer::with_params(&Scripted::new(), params).await;
    answer(
        &mut server,
        &[(Value::Null, level("error")), (OUTER.into(), level("hint"))],
    )
    .await;
    let uri = format!("{OUTER}/a.yaml");
    server.open(&uri, 1, "bad").await;
    assert_eq!(severity(&mut server, &uri).await, 4);
    server.finish().await;
}
