//! The start and the end of a session.

use crate::analysis::Scripted;
use crate::server::{TestServer, URI};
use expect_test::expect;
use lsp::{Exit, Options};
use serde_json::{Value, json};

fn params(capabilities: Value) -> Value {
    json!({ "processId": null, "rootUri": null, "capabilities": capabilities })
}

#[tokio::test]
#[expect(clippy::too_many_lines, reason = "one answer, whole")]
async fn the_server_says_what_it_can_do() {
    let mut server = TestServer::start(Options::default());
    let code_action =
        json!({ "codeActionLiteralSupport": { "codeActionKind": { "valueSet": [] } } });
    let capabilities = json!({ "textDocument": { "codeAction": code_action } });
    let result = server.initialize(params(capabilities)).await;
    expect![[r#"
        {
          "positionEncoding": "utf-16",
          "textDocumentSync": {
            "openClose": true,
            "change": 2,
            "save": {
              "includeText": true
            }
          },
          "selectionRangeProvider": true,
          "hoverProvider": true,
          "completionProvider": {
            "resolveProvider": false,
            "triggerCharacters": [
              ".",
              "'",
              "\"",
              "{",
              "/",
              "["
            ]
          },
          "signatureHelpProvider": {
            "triggerCharacters": [
              "(",
              ",",
              "{"
            ],
            "retriggerCharacters": [
              ")",
              "}"
            ]
          },
          "definitionProvider": true,
          "typeDefinitionProvider": true,
          "referencesProvider": true,
          "documentHighlightProvider": true,
          "documentSymbolProvider": true,
          "workspaceSymbolProvider": true,
          "codeActionProvider": {
            "codeActionKinds": [
              "quickfix",
              "source.fixAll.admissible",
              "refactor.extract",
              "refactor.inline",
              "refactor.rewrite"
            ],
            "resolveProvider": false
          },
          "codeLensProvider": {
            "resolveProvider": true
          },
          "documentFormattingProvider": true,
          "documentRangeFormattingProvider": true,
          "documentOnTypeFormattingProvider": {
            "firstTriggerCharacter": "\n"
          },
          "renameProvider": true,
          "documentLinkProvider": {
            "resolveProvider": false
          },
          "foldingRangeProvider": true,
          "declarationProvider": true,
          "executeCommandProvider": {
            "commands": [
              "admissible.evaluate",
              "admissible.selectInput",
              "admissible.hideValues",
              "admissible.liveValues",
              "admissible.showMutation",
              "admissible.createInput",
              "admissible.documentStatus",
              "admissible.listPolicies"
            ]
          },
          "workspace": {
            "workspaceFolders": {
              "supported": true,
              "changeNotifications": true
            }
          },
          "callHierarchyProvider": true,
          "semanticTokensProvider": {
            "legend": {
              "tokenTypes": [
                "namespace",
                "type",
                "parameter",
                "variable",
                "property",
                "enumMember",
                "function",
                "method",
                "macro",
                "keyword",
                "comment",
                "string",
                "number",
                "regexp",
                "operator"
              ],
              "tokenModifiers": [
                "declaration",
                "readonly",
                "deprecated",
                "defaultLibrary",
                "unused"
              ]
            },
            "range": true,
            "full": {
              "delta": true
            }
          },
          "inlayHintProvider": {
            "resolveProvider": false
          },
          "diagnosticProvider": {
            "identifier": "admissible",
            "interFileDependencies": true,
            "workspaceDiagnostics": true
          }
        }"#]]
    .assert_eq(&serde_json::to_string_pretty(&result["capabilities"]).unwrap());
    assert_eq!(result["serverInfo"]["name"], "admissible");
    server.finish().await;
}

#[tokio::test]
async fn quick_fixes_are_not_offered_to_a_client_that_knows_commands_only() {
    let mut server = TestServer::start(Options::default());
    let result = server.initialize(params(json!({}))).await;
    assert_eq!(result["capabilities"].get("codeActionProvider"), None);
    server.finish().await;
}

#[tokio::test]
async fn the_log_begins_with_version_and_encoding() {
    let mut server = TestServer::start(Options::default());
    let capabilities = json!({ "general": { "positionEncodings": ["utf-8"] } });
    server.request("initialize", params(capabilities)).await;
    server.notify("initialized", json!({})).await;
    let log = server.notification("window/logMessage").await;
    let message = log["message"].as_str().unwrap();
    let message = message.replace(env!("CARGO_PKG_VERSION"), "VERSION");
    expect!["admissible VERSION is ready: positions in utf-8, diagnostics pushed."]
        .assert_eq(&message);
    server.finish().await;
}

#[tokio::test]
async fn nothing_is_answered_before_initialize() {
    let mut server = TestServer::start(Options::default());
    for method in ["textDocument/documentSymbol", "shutdown", "no/such", "$/no"] {
        let answer = server.request(method, json!({})).await;
        assert_eq!(answer["error"]["code"], -32002, "{answer}");
    }
    server.open(URI, 1, "bad").await;
    server.initialize(params(json!({}))).await;
    server.finish().await;
}

#[tokio::test]
async fn initialize_comes_once() {
    let mut server = TestServer::start(Options::default());
    server.initialize(params(json!({}))).await;
    let answer = server.request("initialize", params(json!({}))).await;
    assert_eq!(answer["error"]["code"], -32600, "{answer}");
    server.finish().await;
}

#[tokio::test]
async fn initialize_that_cannot_be_read_may_come_again() {
    let mut server = TestServer::start(Options::default());
    let answer = server
        .request("initialize", json!({ "capabilities": 1 }))
        .await;
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    let answer = server.request("no/such", Value::Null).await;
    assert_eq!(answer["error"]["code"], -32002, "{answer}");
    server.initialize(params(json!({}))).await;
    server.finish().await;
}

#[tokio::test]
async fn messages_need_not_wait_for_the_answer_to_initialize() {
    let analysis = Scripted::new();
    let mut server = TestServer::start(Options {
        analysis,
        ..Options::default()
    });
    let initialize = server.ask("initialize", params(json!({}))).await;
    server.notify("initialized", json!({})).await;
    server.open(URI, 1, "bad").await;
    assert!(server.answer(initialize).await["result"].is_object());
    server.notification("window/logMessage").await;
    assert_eq!(
        server.published(URI).await,
        (json!(1), vec!["0:0-0:3".to_owned()])
    );
    server.finish().await;
}

#[tokio::test]
async fn after_shutdown_only_exit_counts() {
    let mut server = TestServer::start(Options::default());
    server.initialize(params(json!({}))).await;
    // Some clients send params, though there are none.
    let answer = server.request("shutdown", json!({})).await;
    assert_eq!(answer["result"], Value::Null);
    for method in [
        "shutdown",
        "textDocument/documentSymbol",
        "no/such",
        "initialize",
    ] {
        let answer = server.request(method, json!({})).await;
        assert_eq!(answer["error"]["code"], -32600, "{answer}");
    }
    server.open(URI, 1, "bad").await;
    server.notify("exit", Value::Null).await;
    assert_eq!(server.exit().await, Exit::AfterShutdown);
}

#[tokio::test]
async fn exit_without_shutdown_is_told_apart() {
    let mut server = TestServer::start(Options::default());
    server.initialize(params(json!({}))).await;
    server.notify("exit", Value::Null).await;
    assert_eq!(server.exit().await, Exit::WithoutShutdown);
}

#[tokio::test]
async fn exit_before_initialize_ends_the_server() {
    let mut server = TestServer::start(Options::default());
    server.notify("exit", Value::Null).await;
    assert_eq!(server.exit().await, Exit::WithoutShutdown);
}

#[tokio::test]
async fn the_end_of_the_input_ends_the_server() {
    let mut server = TestServer::start(Options::default());
    server.initialize(params(json!({}))).await;
    assert_eq!(server.hang_up().await, Exit::WithoutShutdown);
}

/// Writes to the standard input, then closes it.
#[tokio::test]
async fn what_was_asked_before_the_input_ends_is_answered() {
    let mut server = TestServer::start(Options {
        analysis: Scripted::new(),
        ..Options::default()
    });
    let initialize = server.ask("initialize", params(json!({}))).await;
    server.notify("initialized", json!({})).await;
    server.open(URI, 1, "bad").await;
    let document = json!({ "textDocument": { "uri": URI } });
    let outline = server.ask("textDocument/documentSymbol", document).await;
    server.close_input().await;
    assert!(server.answer(initialize).await["result"].is_object());
    server.notification("window/logMessage").await;
    assert_eq!(server.published(URI).await.0, 1);
    assert_eq!(server.answer(outline).await["result"][0]["name"], "bad");
    assert_eq!(server.exit().await, Exit::WithoutShutdown);
}

#[tokio::test]
async fn requests_in_flight_are_answered_when_the_input_ends() {
    let analysis = Scripted::new();
    let mut server = TestServer::held(&analysis).await;
    let [id] = server.ask_symbols(URI).await;
    analysis.gate.holds(1).await;
    let opener = tokio::spawn(async move {
        tokio::task::yield_now().await;
        analysis.gate.open();
    });
    let answered = server.answer(id).await;
    assert_eq!(answered["result"][0]["name"], "a");
    opener.await.unwrap();
    assert_eq!(server.hang_up().await, Exit::WithoutShutdown);
}

#[tokio::test]
async fn the_end_of_the_parent_process_ends_the_server() {
    let mut parent = std::process::Command::new("cat")
        .stdin(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut server = TestServer::start(Options {
        client_check_interval: std::time::Duration::from_millis(5),
        ..Options::default()
    });
    let mut params = params(json!({}));
    params["processId"] = parent.id().into();
    server.initialize(params).await;
    server.request("no/such", Value::Null).await;
    drop(parent.stdin.take());
    parent.wait().unwrap();
    assert_eq!(server.exit().await, Exit::WithoutShutdown);
}

#[tokio::test]
async fn what_the_server_does_can_be_followed() {
    let analysis = Scripted::new();
    let mut server = TestServer::with(&analysis, json!({})).await;
    server
        .notify("$/setTrace", json!({ "value": "messages" }))
        .await;
    server.open(URI, 1, "bad").await;
    server.published(URI).await;
    let trace = server.notification("$/logTrace").await;
    let message = trace["message"].as_str().unwrap();
    let wanted = format!("1 findings in version 1 of {URI}, ");
    assert!(message.starts_with(&wanted), "{message}");
    server.text(URI).await;
    let trace = server.notification("$/logTrace").await;
    let message = trace["message"].as_str().unwrap();
    let wanted = "`textDocument/documentSymbol` took ";
    assert!(message.starts_with(wanted), "{message}");
    server.notify("$/setTrace", json!({ "value": "off" })).await;
    server.text(URI).await;
    server.finish().await;
}
