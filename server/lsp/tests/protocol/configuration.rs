//! Settings, from all sources.

use crate::analysis::{RULE, Scripted};
use crate::server::{TestServer, URI};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::time::Duration;

fn level(level: &str) -> Value {
    json!({ "rules": { RULE: level } })
}

fn asking() -> Value {
    json!({ "workspace": { "configuration": true } })
}

fn initialize(capabilities: Value, options: Value) -> Value {
    json!({
        "processId": null,
        "capabilities": capabilities,
        "initializationOptions": options,
    })
}

/// Returns the severities of the next findings that are pushed.
async fn severities(server: &mut TestServer, uri: &str) -> Vec<i64> {
    let message = server
        .message(|message| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["uri"] == uri
        })
        .await;
    let diagnostics = message["params"]["diagnostics"].as_array().unwrap().iter();
    diagnostics
        .map(|it| it["severity"].as_i64().unwrap())
        .collect()
}

async fn configure(server: &mut TestServer, settings: Value) {
    let params = json!({ "settings": settings });
    server
        .notify("workspace/didChangeConfiguration", params)
        .await;
}

/// Responds to the next request for settings.
async fn answer(server: &mut TestServer, settings: Value) -> Value {
    let request = server.server_request("workspace/configuration").await;
    server.reply(&request, settings).await;
    request["params"]["items"].clone()
}

#[tokio::test]
async fn options_of_the_start_count_from_the_first_findings_on() {
    let params = initialize(json!({}), level("error"));
    let mut server = TestServer::with_params(&Scripted::new(), params).await;
    server.open(URI, 1, "bad").await;
    assert_eq!(severities(&mut server, URI).await, [1]);
    server.finish().await;
}

#[tokio::test]
async fn pushed_settings_renew_the_findings() {
    let mut server = TestServer::with(&Scripted::new(), json!({})).await;
    server.open(URI, 1, "bad").await;
    assert_eq!(severities(&mut server, URI).await, [2]);
    configure(&mut server, json!({ "admissible": level("hint") })).await;
    assert_eq!(severities(&mut server, URI).await, [4]);
    configure(&mut server, level("off")).await;
    assert_eq!(severities(&mut server, URI).await, Vec::<i64>::new());
    server.finish().await;
}

/// Requests the target of a document until it is `expected`: equal findings are not pushed
/// again, so nothing else shows when the settings apply.
async fn judged_for(server: &mut TestServer, expected: Value) {
    loop {
        let params = json!({ "textDocument": { "uri": URI } });
        let answer = server.request("textDocument/documentSymbol", params).await;
        if answer["result"][0]["detail"] == expected {
            return;
        }
    }
}

#[tokio::test]
async fn another_target_renews_the_findings() {
    let symbols = json!({ "hierarchicalDocumentSymbolSupport": true });
    let capabilities = json!({ "textDocument": { "documentSymbol": symbols } });
    let params = initialize(capabilities, json!({ "kubernetes": "1.30" }));
    let mut server = TestServer::with_params(&Scripted::new(), params).await;
    server.open(URI, 1, "bad").await;
    assert_eq!(severities(&mut server, URI).await, [2]);
    judged_for(&mut server, "1.30".into()).await;
    configure(&mut server, json!({ "kubernetes": "1.30..1.36" })).await;
    judged_for(&mut server, "1.30..1.36".into()).await;
    configure(&mut server, level("hint")).await;
    assert_eq!(severities(&mut server, URI).await, [4]);
    judged_for(&mut server, Value::Null).await;
    server.finish().await;
}

#[tokio::test]
async fn settings_that_say_nothing_or_the_same_change_nothing() {
    let params = initialize(json!({}), level("error"));
    let mut server = TestServer::with_params(&Scripted::new(), params).await;
    server.open(URI, 1, "bad").await;
    assert_eq!(severities(&mut server, URI).await, [1]);
    for settings in [
        json!({}),
        Value::Null,
        level("error"),
        json!({ "admissible": null }),
    ] {
        configure(&mut server, settings).await;
    }
    configure(&mut server, level("hint")).await;
    assert_eq!(severities(&mut server, URI).await, [4]);
    server.finish().await;
}

#[tokio::test]
async fn the_first_findings_wait_for_the_settings_that_the_client_answers() {
    let params = initialize(asking(), level("error"));
    let mut server = TestServer::with_params(&Scripted::new(), params).await;
    server.open(URI, 1, "bad").await;
    let items = answer(&mut server, json!([level("hint")])).await;
    assert_eq!(items, json!([{ "section": "admissible" }]));
    assert_eq!(severities(&mut server, URI).await, [4]);
    configure(&mut server, Value::Null).await;
    answer(&mut server, json!([level("information")])).await;
    assert_eq!(severities(&mut server, URI).await, [3]);
    server.finish().await;
}

#[tokio::test]
async fn an_answer_that_says_nothing_leaves_the_options_of_the_start() {
    let params = initialize(asking(), level("error"));
    let mut server = TestServer::with_params(&Scripted::new(), params).await;
    server.open(URI, 1, "bad").await;
    answer(&mut server, json!([null])).await;
    assert_eq!(severities(&mut server, URI).await, [1]);
    server.finish().await;
}

#[tokio::test]
async fn a_client_that_refuses_to_tell_its_settings_gets_findings() {
    let mut server = TestServer::with(&Scripted::new(), asking()).await;
    server.open(URI, 1, "bad").await;
    let request = server.server_request("workspace/configuration").await;
    let error = json!({ "code": -32601, "message": "no" });
    server
        .send(&json!({ "jsonrpc": "2.0", "id": request["id"], "error": error }))
        .await;
    assert_eq!(severities(&mut server, URI).await, [2]);
    assert_eq!(server.notification("window/logMessage").await["type"], 2);
    server.finish().await;
}

#[tokio::test]
async fn a_client_that_never_answers_gets_findings() {
    let mut server = TestServer::with(&Scripted::new(), asking()).await;
    server.open(URI, 1, "bad").await;
    server.server_request("workspace/configuration").await;
    // Longer than the server waits.
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(3)).await;
    tokio::time::resume();
    assert_eq!(severities(&mut server, URI).await, [2]);
    assert_eq!(server.notification("window/logMessage").await["type"], 2);
    server.finish().await;
}

#[tokio::test]
async fn mistakes_in_settings_are_told_once() {
    let mut server = TestServer::with(&Scripted::new(), json!({})).await;
    let settings = json!({ "rules": { RULE: "loud", "unused-variabel": "off" } });
    for _ in 0..3 {
        configure(&mut server, settings.clone()).await;
    }
    let told = server.notification("window/showMessage").await;
    assert_eq!(
        told,
        json!({
            "type": 2,
            "message": "The settings of Admissible are not valid: The rule `unused-variable` has no level `loud`. Write `off`, `warning`, `error`, `information`, `hint` or `on`. There is no rule `unused-variabel`. Did you mean `unused-variable`?",
        })
    );
    server.finish().await;
}

#[tokio::test]
async fn a_client_that_asks_for_findings_is_told_to_ask_again() {
    let capabilities = json!({
        "textDocument": { "diagnostic": {} },
        "workspace": { "diagnostics": { "refreshSupport": true } },
    });
    let mut server = TestServer::with(&Scripted::new(), capabilities).await;
    server.open(URI, 1, "bad").await;
    configure(&mut server, level("error")).await;
    let request = server.server_request("workspace/diagnostic/refresh").await;
    server.reply(&request, Value::Null).await;
    let params = json!({ "textDocument": { "uri": URI } });
    let report = server.request("textDocument/diagnostic", params).await;
    assert_eq!(report["result"]["items"][0]["severity"], 1);
    server.finish().await;
}

#[tokio::test]
async fn the_client_is_asked_to_watch_what_it_can_watch() {
    let dynamic = json!({ "dynamicRegistration": true });
    let capabilities = json!({ "workspace": {
        "didChangeConfiguration": dynamic,
        "didChangeWatchedFiles": dynamic,
    } });
    let mut server = TestServer::with(&Scripted::new(), capabilities).await;
    let request = server.server_request("client/registerCapability").await;
    let registrations = request["params"]["registrations"].as_array().unwrap();
    assert_eq!(
        registrations[0]["method"],
        "workspace/didChangeConfiguration"
    );
    assert_eq!(
        registrations[1]["method"],
        "workspace/didChangeWatchedFiles"
    );
    let watchers = &registrations[1]["registerOptions"]["watchers"];
    assert_eq!(watchers[0]["globPattern"], "**/admissible.toml");
    server.reply(&request, Value::Null).await;
    server.finish().await;
}

fn file_uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

fn rules(level: &str) -> String {
    format!("[rules]\n{RULE} = \"{level}\"\n")
}

async fn config_changed(server: &mut TestServer, path: &Path) {
    let change = json!({ "uri": file_uri(path), "type": 2 });
    server
        .notify(
            "workspace/didChangeWatchedFiles",
            json!({ "changes": [change] }),
        )
        .await;
}

#[tokio::test]
async fn the_configuration_file_counts_and_the_client_wins() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("admissible.toml");
    fs::write(&config, rules("error")).unwrap();
    let uri = file_uri(&folder.path().join("a.yaml"));
    let mut server = TestServer::with(&Scripted::new(), json!({})).await;
    server.open(&uri, 1, "bad").await;
    assert_eq!(severities(&mut server, &uri).await, [1]);
    fs::write(&config, rules("information")).unwrap();
    config_changed(&mut server, &config).await;
    assert_eq!(severities(&mut server, &uri).await, [3]);
    configure(&mut server, level("hint")).await;
    assert_eq!(severities(&mut server, &uri).await, [4]);
    server.finish().await;
}

#[tokio::test]
async fn a_configuration_file_that_nobody_watches_is_read_again_on_save() {
    let folder = tempfile::tempdir().unwrap();
    let uri = file_uri(&folder.path().join("a.yaml"));
    let mut server = TestServer::with(&Scripted::new(), json!({})).await;
    server.open(&uri, 1, "bad").await;
    assert_eq!(severities(&mut server, &uri).await, [2]);
    fs::write(folder.path().join("admissible.toml"), rules("off")).unwrap();
    let saved = json!({ "textDocument": { "uri": uri }, "text": "bad" });
    server.notify("textDocument/didSave", saved).await;
    assert_eq!(severities(&mut server, &uri).await, Vec::<i64>::new());
    server.finish().await;
}

#[tokio::test]
async fn the_nearest_configuration_file_governs() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("inner");
    fs::create_dir(&inner).unwrap();
    fs::write(folder.path().join("admissible.toml"), rules("error")).unwrap();
    fs::write(
        inner.join("admissible.toml"),
        "exclude = [\"left-out.yaml\"]\n",
    )
    .unwrap();
    let mut server = TestServer::with(&Scripted::new(), json!({})).await;
    for (path, expected) in [
        (folder.path().join("a.yaml"), vec![1]),
        (inner.join("a.yaml"), vec![2]),
        (inner.join("left-out.yaml"), vec![]),
    ] {
        let uri = file_uri(&path);
        server.open(&uri, 1, "bad").await;
        assert_eq!(severities(&mut server, &uri).await, expected, "{uri}");
    }
    server.finish().await;
}

#[tokio::test]
async fn mistakes_in_a_configuration_file_are_shown_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder
        .path()
        .canonicalize()
        .unwrap()
        .join("admissible.toml");
    fs::write(&config, "[rules]\nunused-variabel = \"off\"\n").unwrap();
    let uri = file_uri(&folder.path().join("a.yaml"));
    // Also if the client requests the findings of its documents.
    let capabilities = json!({ "textDocument": { "diagnostic": {} } });
    let mut server = TestServer::with(&Scripted::new(), capabilities).await;
    server.open(&uri, 1, "bad").await;
    let params = json!({ "textDocument": { "uri": uri } });
    server.request("textDocument/diagnostic", params).await;
    let (version, ranges) = server.published(&file_uri(&config)).await;
    assert_eq!(
        (version, ranges),
        (Value::Null, vec!["1:0-1:15".to_owned()])
    );
    fs::write(&config, rules("off")).unwrap();
    config_changed(&mut server, &config).await;
    assert_eq!(
        server.published(&file_uri(&config)).await,
        (Value::Null, vec![])
    );
    server.finish().await;
}
