//! Live values, including in hovers.

use crate::evaluation::{
    OBJECT_URI, POLICY, POLICY_URI, deployment, execute, expression, hint_params, hints, start,
};
use crate::server::TestServer;
use serde_json::{Value, json};

const MUTATION: &str = "\
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: scale}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}
  reinvocationPolicy: Never
  mutations:
  - patchType: JSONPatch
    jsonPatch:
      expression: \"[JSONPatch{op: 'replace', path: '/spec/replicas', value: object.spec.replicas + 1}]\"
";

/// Returns a client that requests findings, so that none are pushed.
fn client(shows_results: bool, refreshes: bool) -> Value {
    json!({
        "general": { "positionEncodings": ["utf-8"] },
        "textDocument": { "diagnostic": {}, "hover": { "contentFormat": ["markdown"] } },
        "workspace": { "inlayHint": { "refreshSupport": refreshes } },
        "experimental": { "admissible": { "showsResults": shows_results } },
    })
}

async fn with_policy(client: Value, policy: &str) -> TestServer {
    let mut server = start(client, None).await;
    server.open(OBJECT_URI, 1, &deployment("web", 3)).await;
    server.open(POLICY_URI, 1, policy).await;
    server
}

async fn live(server: &mut TestServer, argument: Value) -> Value {
    let answer = execute(server, "admissible.liveValues", argument).await;
    answer["result"].clone()
}

/// Waits until the values are refreshed.
async fn refreshed(server: &mut TestServer) {
    let request = server.server_request("workspace/inlayHint/refresh").await;
    server.reply(&request, Value::Null).await;
}

/// Responds to all pending requests of the server, so that the test can end.
async fn finish(mut server: TestServer) {
    let open = json!({ "textDocument": { "uri": POLICY_URI } });
    server.request("textDocument/documentSymbol", open).await;
    server.finish().await;
}

#[tokio::test]
async fn live_values_are_switched_for_a_document() {
    let mut server = with_policy(client(true, false), POLICY).await;
    assert!(hints(&mut server).await.is_empty());
    let on = live(&mut server, json!({ "uri": POLICY_URI })).await;
    assert_eq!(on, json!({ "on": true }));
    // In bytes: the line has a character of four.
    assert_eq!(
        hints(&mut server).await[0],
        "8:59 = true · object.spec.replicas = 3"
    );
    let off = live(&mut server, json!({ "uri": POLICY_URI, "on": false })).await;
    assert_eq!(off, json!({ "on": false }));
    assert!(hints(&mut server).await.is_empty());
    finish(server).await;
}

#[tokio::test]
async fn values_that_were_turned_off_do_not_come_back() {
    let list = format!("{:?}", (0..200).collect::<Vec<_>>());
    let slow = format!("{list}.all(x, {list}.all(y, x + y >= 0))");
    let slow = POLICY.replace("object.spec.replicas <= 5", &slow);
    let mut server = with_policy(client(true, false), &slow).await;
    live(&mut server, json!({ "uri": POLICY_URI, "on": true })).await;
    let params = hint_params(POLICY_URI);
    let before = server.ask("textDocument/inlayHint", params.clone()).await;
    live(&mut server, json!({ "uri": POLICY_URI, "on": false })).await;
    let after = server.ask("textDocument/inlayHint", params).await;
    let response = |it: &Value| it["id"] == before || it["id"] == after;
    let first = server.message(response).await;
    let last = server.message(response).await;
    assert_eq!((&first["id"], &last["id"]), (&json!(before), &json!(after)));
    let has_value = |it: &Value| it["result"].to_string().contains("= true");
    assert_eq!((has_value(&first), has_value(&last)), (true, false));
    finish(server).await;
}

#[tokio::test]
async fn the_status_of_a_document_has_its_target_and_its_mode() {
    let mut server = TestServer::start(lsp::Options::default());
    let params = json!({
        "processId": null,
        "capabilities": client(true, false),
        "initializationOptions": { "kubernetes": "1.30..1.33" },
    });
    server.initialize(params).await;
    server.open(POLICY_URI, 1, POLICY).await;
    for on in [false, true] {
        live(&mut server, json!({ "uri": POLICY_URI, "on": on })).await;
        let argument = json!({ "uri": POLICY_URI });
        let answer = execute(&mut server, "admissible.documentStatus", argument).await;
        let expected = json!({ "kubernetes": "1.30..1.33", "excluded": false, "liveValues": on });
        assert_eq!(answer["result"], expected);
    }
    finish(server).await;
}

#[tokio::test]
async fn live_values_follow_the_text() {
    let mut server = with_policy(client(true, true), POLICY).await;
    // The manifest that was opened.
    refreshed(&mut server).await;
    live(&mut server, json!({ "uri": POLICY_URI, "on": true })).await;
    refreshed(&mut server).await;
    let stricter = POLICY.replace("<= 5", "<= 2");
    server.replace(POLICY_URI, 2, &stricter).await;
    refreshed(&mut server).await;
    assert_eq!(
        hints(&mut server).await[0],
        "8:59 = false · object.spec.replicas = 3"
    );
    // A half-written expression has no value.
    let broken = POLICY.replace("<= 5", "<= ");
    server.replace(POLICY_URI, 3, &broken).await;
    refreshed(&mut server).await;
    assert!(hints(&mut server).await.is_empty());
    finish(server).await;
}

#[tokio::test]
async fn a_setting_makes_all_documents_live() {
    let mut server = TestServer::start(lsp::Options::default());
    let params = json!({
        "processId": null,
        "capabilities": client(true, false),
        "initializationOptions": { "liveValues": true },
    });
    server.initialize(params).await;
    server.open(OBJECT_URI, 1, &deployment("web", 3)).await;
    server.open(POLICY_URI, 1, POLICY).await;
    assert_eq!(
        hints(&mut server).await[0],
        "8:59 = true · object.spec.replicas = 3"
    );
    let off = json!({ "uri": POLICY_URI, "on": false });
    execute(&mut server, "admissible.liveValues", off).await;
    assert!(hints(&mut server).await.is_empty());
    finish(server).await;
}

async fn hover(server: &mut TestServer) -> String {
    let at = json!({ "line": 8, "character": 48 });
    let params = json!({ "textDocument": { "uri": POLICY_URI }, "position": at });
    let answer = server.request("textDocument/hover", params).await;
    let text = answer["result"]["contents"]["value"].as_str().unwrap();
    text.lines().next().unwrap().to_owned()
}

#[tokio::test]
async fn a_hover_has_the_value_where_values_are_shown() {
    let mut server = with_policy(client(true, false), POLICY).await;
    let bare = hover(&mut server).await;
    execute(&mut server, "admissible.evaluate", expression()).await;
    assert_eq!(hover(&mut server).await, "`= 3` · Deployment web");
    let hide = json!({ "uri": POLICY_URI });
    execute(&mut server, "admissible.hideValues", hide).await;
    assert_eq!(hover(&mut server).await, bare);
    finish(server).await;
}

#[tokio::test]
async fn a_mutation_is_two_texts() {
    let mut server = with_policy(client(true, false), MUTATION).await;
    let policy = json!({ "uri": POLICY_URI, "policy": 0 });
    let answer = execute(&mut server, "admissible.showMutation", policy).await;
    let change = &answer["result"];
    assert_eq!(change["title"], "scale: Deployment web");
    assert_eq!(change["errors"], json!([]));
    let replicas = |text: &Value| {
        let mut lines = text.as_str().unwrap().lines();
        lines
            .find(|line| line.contains("replicas"))
            .unwrap()
            .trim()
            .to_owned()
    };
    assert_eq!(replicas(&change["before"]), "replicas: 3");
    assert_eq!(replicas(&change["after"]), "replicas: 4");
    finish(server).await;
}

/// Runs a command without a result. Returns the result and the message.
async fn nothing(server: &mut TestServer, command: &str, argument: Value) -> (Value, String) {
    let answer = execute(server, command, argument).await;
    let message = server.notification("window/showMessage").await;
    let text = message["message"].as_str().unwrap().to_owned();
    (answer["result"].clone(), text)
}

#[tokio::test]
async fn every_client_is_told_why_there_is_nothing_to_show() {
    let mut server = start(client(true, false), None).await;
    server.open(POLICY_URI, 1, POLICY).await;
    let policy = json!({ "uri": POLICY_URI, "policy": 0 });
    let show = |uri: &str| json!({ "uri": uri, "policy": 0 });
    let no_input = "No input or manifest matches `limit`. Use the code action `Create an admission input` to create one.";
    let told = nothing(&mut server, "admissible.evaluate", expression()).await;
    assert_eq!(told, (Value::Null, no_input.to_owned()));
    let told = nothing(&mut server, "admissible.selectInput", policy).await;
    assert_eq!(told, (json!([]), no_input.to_owned()));
    let here = json!({ "uri": POLICY_URI, "position": { "line": 0, "character": 0 } });
    let (_, told) = nothing(&mut server, "admissible.evaluate", here).await;
    assert_eq!(told, "There is no CEL expression here.");
    let told = nothing(&mut server, "admissible.showMutation", show(POLICY_URI)).await;
    let text = "There is no change to show: `limit` is a ValidatingAdmissionPolicy.";
    assert_eq!(told, (Value::Null, text.to_owned()));
    server.open(OBJECT_URI, 1, &deployment("web", 7)).await;
    let (_, told) = nothing(&mut server, "admissible.showMutation", show(OBJECT_URI)).await;
    assert_eq!(told, "There is no policy here.");
    server.finish().await;
}

#[tokio::test]
async fn a_client_that_shows_no_results_gets_the_difference() {
    let mut server = with_policy(client(false, false), MUTATION).await;
    let policy = json!({ "uri": POLICY_URI, "policy": 0 });
    execute(&mut server, "admissible.showMutation", policy).await;
    let message = server.notification("window/showMessage").await;
    let text = message["message"].as_str().unwrap();
    assert!(text.contains("-  replicas: 3\n+  replicas: 4\n"), "{text}");
    finish(server).await;
}

/// Returns the values of a document, as the client gets them.
async fn raw_hints(server: &mut TestServer) -> Vec<Value> {
    let end = json!({ "line": 100, "character": 0 });
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": end });
    let params = json!({ "textDocument": { "uri": POLICY_URI }, "range": range });
    let answer = server.request("textDocument/inlayHint", params).await;
    answer["result"].as_array().cloned().unwrap_or_default()
}

#[tokio::test]
async fn a_tooltip_is_sent_when_it_is_shown() {
    let mut client = client(true, false);
    client["textDocument"]["inlayHint"] =
        json!({ "resolveSupport": { "properties": ["tooltip"] } });
    let mut server = with_policy(client, POLICY).await;
    live(&mut server, json!({ "uri": POLICY_URI })).await;
    let hints = raw_hints(&mut server).await;
    let hint = hints.first().expect("a value").clone();
    assert!(
        hint["tooltip"].is_null() && !hint["data"].is_null(),
        "{hint}"
    );
    let answer = server.request("inlayHint/resolve", hint).await;
    let tooltip = answer["result"]["tooltip"].as_str().expect("a tooltip");
    assert!(tooltip.contains("true"), "{tooltip}");
    finish(server).await;
}
