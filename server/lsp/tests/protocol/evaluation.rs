//! Lenses, values and their commands, with the analysis of the product.

use crate::server::TestServer;
use lsp::Options;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

pub(crate) const POLICY: &str = "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: limit}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}
  validations:
  - expression: \"'😀' != '' && object.spec.replicas <= 5\"
";

pub(crate) const POLICY_URI: &str = "file:///nowhere/policy.yaml";
pub(crate) const OBJECT_URI: &str = "file:///nowhere/objects.yaml";

pub(crate) fn deployment(name: &str, replicas: u32) -> String {
    format!(
        "{{apiVersion: apps/v1, kind: Deployment, metadata: {{name: {name}}}, spec: {{replicas: {replicas}, \
         selector: {{matchLabels: {{a: b}}}}, \
         template: {{metadata: {{labels: {{a: b}}}}, spec: {{containers: [{{name: a, image: b}}]}}}}}}}}\n"
    )
}

/// Returns a client that requests findings, so that none are pushed, and that supports showing
/// results and refreshing or not.
pub(crate) fn client(shows_results: bool, refreshes: bool) -> Value {
    let refresh = json!({ "refreshSupport": refreshes });
    json!({
        "textDocument": { "diagnostic": {} },
        "workspace": { "codeLens": refresh },
        "experimental": { "admissible": { "showsResults": shows_results } },
    })
}

pub(crate) async fn start(capabilities: Value, folder: Option<&Path>) -> TestServer {
    let folder = folder.map(|path| json!([{ "uri": uri(path), "name": "w" }]));
    let mut server = TestServer::start(Options::default());
    let params = json!({
        "processId": null,
        "capabilities": capabilities,
        "workspaceFolders": folder,
    });
    server.initialize(params).await;
    server
}

pub(crate) fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

/// Returns a server with the policy and two deployments open.
pub(crate) async fn with_documents(shows_results: bool) -> TestServer {
    let mut server = start(client(shows_results, false), None).await;
    server.open(POLICY_URI, 1, POLICY).await;
    let objects = format!("{}---\n{}", deployment("few", 3), deployment("many", 7));
    server.open(OBJECT_URI, 1, &objects).await;
    server
}

/// Returns the titles of the lenses of a document, with their lines.
pub(crate) async fn titles(server: &mut TestServer, uri: &str) -> Vec<String> {
    let params = json!({ "textDocument": { "uri": uri } });
    let lenses = server.request("textDocument/codeLens", params).await;
    let mut titles = Vec::new();
    for lens in lenses["result"].as_array().unwrap() {
        assert_eq!(
            lens.get("command"),
            None,
            "an evaluation waits until it is seen"
        );
        let lens = server.request("codeLens/resolve", lens.clone()).await;
        let lens = &lens["result"];
        let title = lens["command"]["title"].as_str().unwrap();
        titles.push(format!("{} {title}", lens["range"]["start"]["line"]));
    }
    titles
}

pub(crate) async fn execute(server: &mut TestServer, command: &str, argument: Value) -> Value {
    let params = json!({ "command": command, "arguments": [argument] });
    server.request("workspace/executeCommand", params).await
}

pub(crate) fn expression() -> Value {
    json!({ "uri": POLICY_URI, "policy": 0, "path": "spec.validations[0].expression" })
}

pub(crate) async fn hints(server: &mut TestServer) -> Vec<String> {
    hints_of(server, POLICY_URI).await
}

/// Returns the params of a request for all hints of a document.
pub(crate) fn hint_params(uri: &str) -> Value {
    let range =
        json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    json!({ "textDocument": { "uri": uri }, "range": range })
}

pub(crate) async fn hints_of(server: &mut TestServer, uri: &str) -> Vec<String> {
    let params = hint_params(uri);
    let answer = server.request("textDocument/inlayHint", params).await;
    let hints = answer["result"].as_array().unwrap().iter();
    hints
        .map(|hint| {
            let at = &hint["position"];
            let label = hint["label"].as_str().unwrap();
            format!("{}:{} {label}", at["line"], at["character"])
        })
        .collect()
}

#[tokio::test]
async fn lenses_say_what_expressions_give_for_the_open_manifests() {
    let mut server = with_documents(true).await;
    assert_eq!(
        titles(&mut server, POLICY_URI).await,
        [
            "7 inputs: 1 allowed, 1 denied",
            "8 evaluate: true · Deployment few"
        ]
    );
    server.replace(OBJECT_URI, 2, &deployment("many", 7)).await;
    assert_eq!(
        titles(&mut server, POLICY_URI).await,
        ["7 inputs: 1 denied", "8 evaluate: false · Deployment many"]
    );
    assert!(titles(&mut server, OBJECT_URI).await.is_empty());
    server.finish().await;
}

#[tokio::test]
async fn a_click_shows_the_value_and_those_of_the_parts() {
    let mut server = with_documents(true).await;
    assert!(hints(&mut server).await.is_empty());
    let answer = execute(&mut server, "admissible.evaluate", expression()).await;
    let result = &answer["result"];
    assert_eq!(result["value"], "true");
    assert_eq!(result["error"], Value::Null);
    assert_eq!(result["input"]["label"], "Deployment few");
    let parts = result["trace"].as_array().unwrap().iter();
    let parts: Vec<_> = parts.map(|part| part["text"].as_str().unwrap()).collect();
    assert!(parts.contains(&"object.spec.replicas <= 5"), "{parts:?}");
    let parts = result["trace"].as_array().unwrap().iter();
    let decided: Vec<_> = parts.map(|part| part["decided"].as_bool()).collect();
    // The last one is `object.spec`.
    let [.., whole] = decided.as_slice() else {
        panic!("no parts");
    };
    assert_eq!(*whole, Some(false));
    assert!(decided.iter().rev().skip(1).all(|it| *it == Some(true)));
    assert_eq!(result["budget"], 1_000_000);
    let share = result["cost"].as_f64().unwrap() / 1_000_000.0;
    assert_eq!(result["share"].as_f64(), Some(share));
    assert!(result["report"].as_str().unwrap().contains("= true"));
    // The line has a character of two UTF-16 units.
    assert_eq!(
        hints(&mut server).await,
        ["8:57 = true · object.spec.replicas = 3"]
    );
    let hide = json!({ "uri": POLICY_URI });
    execute(&mut server, "admissible.hideValues", hide).await;
    assert!(hints(&mut server).await.is_empty());
    server.finish().await;
}

#[tokio::test]
async fn the_expression_at_a_position_is_evaluated() {
    let mut server = with_documents(true).await;
    let position = json!({ "line": 8, "character": 40 });
    let argument = json!({ "uri": POLICY_URI, "position": position });
    let answer = execute(&mut server, "admissible.evaluate", argument).await;
    assert_eq!(answer["result"]["path"], "spec.validations[0].expression");
    let position = json!({ "line": 0, "character": 0 });
    let argument = json!({ "uri": POLICY_URI, "position": position });
    let answer = execute(&mut server, "admissible.evaluate", argument).await;
    assert_eq!(answer["result"], Value::Null);
    server.notification("window/showMessage").await;
    server.finish().await;
}

#[tokio::test]
async fn the_input_can_be_chosen() {
    let mut server = with_documents(true).await;
    let policy = json!({ "uri": POLICY_URI, "policy": 0 });
    let answer = execute(&mut server, "admissible.selectInput", policy.clone()).await;
    let samples = answer["result"].as_array().unwrap();
    let decisions: Vec<_> = samples.iter().map(|it| it["decision"].clone()).collect();
    assert_eq!(decisions, ["allowed", "denied"]);
    assert_eq!(
        (&samples[0]["chosen"], &samples[1]["chosen"]),
        (&json!(true), &json!(false))
    );
    let mut choice = policy;
    choice["input"] = samples[1]["input"].clone();
    execute(&mut server, "admissible.selectInput", choice).await;
    let titles = titles(&mut server, POLICY_URI).await;
    assert_eq!(titles[1], "8 evaluate: false · Deployment many");
    server.finish().await;
}

#[tokio::test]
async fn an_invalid_object_is_rejected_in_lenses_and_choices() {
    let mut server = with_documents(true).await;
    let short = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: few}}\n";
    server.replace(OBJECT_URI, 2, short).await;
    let titles = titles(&mut server, POLICY_URI).await;
    assert_eq!(
        titles,
        [
            "7 inputs: 1 rejected by the API server",
            "8 Deployment.apps \"few\" is invalid: [spec.selector: Required … · Deployment few"
        ]
    );
    let policy = json!({ "uri": POLICY_URI, "policy": 0 });
    let answer = execute(&mut server, "admissible.selectInput", policy).await;
    let choice = &answer["result"][0];
    assert_eq!(choice["decision"], "rejected");
    let message = choice["messages"][0].as_str().unwrap();
    assert!(
        message.contains("spec.selector: Required value"),
        "{message}"
    );
    server.finish().await;
}

#[tokio::test]
async fn a_place_stands_for_the_policy_that_it_is_in() {
    let mut server = with_documents(true).await;
    let two = format!("# 😀\n{POLICY}---\n{POLICY}");
    server.replace(POLICY_URI, 2, &two).await;
    let at = |line: u32| json!({ "uri": POLICY_URI, "position": { "line": line, "character": 0 } });
    // The comment before the first policy, and the metadata of the second.
    for (line, expected) in [
        (0, ["true · Deployment few", "false · Deployment many"]),
        (13, ["false · Deployment many", "false · Deployment many"]),
    ] {
        let other = at(if line == 0 { 13 } else { 0 });
        let answer = execute(&mut server, "admissible.selectInput", at(line)).await;
        let mut choice = other;
        choice["input"] = answer["result"][1]["input"].clone();
        execute(&mut server, "admissible.selectInput", choice).await;
        let said = titles(&mut server, POLICY_URI).await;
        let expected = expected.map(|it| format!("evaluate: {it}"));
        assert!(said[1].ends_with(&expected[0]), "{said:?}");
        assert!(said[3].ends_with(&expected[1]), "{said:?}");
    }
    server.finish().await;
}

#[tokio::test]
async fn a_client_that_shows_no_results_gets_messages() {
    let mut server = with_documents(false).await;
    execute(&mut server, "admissible.evaluate", expression()).await;
    let message = server.notification("window/showMessage").await;
    let text = message["message"].as_str().unwrap();
    assert!(text.contains("= true"), "{text}");
    let policy = json!({ "uri": POLICY_URI, "policy": 0 });
    execute(&mut server, "admissible.selectInput", policy).await;
    let question = server.server_request("window/showMessageRequest").await;
    let button = question["params"]["actions"][1].clone();
    assert_eq!(button["title"], "Deployment many: denied");
    server.reply(&question, button).await;
    // The response is a message too, so the next request has the new sample in the end.
    let mut said = titles(&mut server, POLICY_URI).await;
    while said[1] != "8 evaluate: false · Deployment many" {
        tokio::task::yield_now().await;
        said = titles(&mut server, POLICY_URI).await;
    }
    server.finish().await;
}

#[tokio::test]
async fn wrong_commands_and_arguments_are_named() {
    let mut server = with_documents(true).await;
    let answer = execute(&mut server, "admissible.evaluate", json!({ "uri": 1 })).await;
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    let answer = execute(&mut server, "admissible.none", Value::Null).await;
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    let closed = json!({ "uri": "file:///nowhere/closed.yaml", "policy": 0 });
    let answer = execute(&mut server, "admissible.selectInput", closed).await;
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    server.finish().await;
}

/// Waits until the lenses are refreshed.
async fn refreshed(server: &mut TestServer) {
    let request = server.server_request("workspace/codeLens/refresh").await;
    server.reply(&request, Value::Null).await;
}

#[tokio::test]
async fn manifests_on_disk_are_found_and_followed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("web.yaml");
    fs::write(&path, deployment("web", 3)).unwrap();
    let mut server = start(client(true, true), Some(folder.path())).await;
    refreshed(&mut server).await;
    let policy = uri(&folder.path().join("policy.yaml"));
    server.open(&policy, 1, POLICY).await;
    let said = titles(&mut server, &policy).await;
    assert_eq!(said[1], "8 evaluate: true · Deployment web");
    fs::write(&path, deployment("web", 7)).unwrap();
    let changes = json!({ "changes": [{ "uri": uri(&path), "type": 2 }] });
    server
        .notify("workspace/didChangeWatchedFiles", changes)
        .await;
    refreshed(&mut server).await;
    let said = titles(&mut server, &policy).await;
    assert_eq!(said[1], "8 evaluate: false · Deployment web");
    server.finish().await;
}

#[tokio::test]
async fn a_manifest_that_is_typed_renews_the_lenses() {
    let mut server = start(client(true, true), None).await;
    server.open(POLICY_URI, 1, POLICY).await;
    server.open(OBJECT_URI, 1, &deployment("web", 7)).await;
    refreshed(&mut server).await;
    server.close(OBJECT_URI).await;
    refreshed(&mut server).await;
    let said = titles(&mut server, POLICY_URI).await;
    assert_eq!(
        said[0],
        "7 no input: add a manifest that the policy matches"
    );
    server.finish().await;
}

/// A role in a file, a binding in another one, and an input with `authorizer: RBAC`.
#[tokio::test]
async fn an_edited_role_changes_the_answer_of_the_authorizer() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let check = "authorizer.group('apps').resource('deployments').namespace('shop')\
                 .check('approve').allowed()";
    let policy = POLICY.replace("'😀' != '' && object.spec.replicas <= 5", check);
    fs::write(
        at("policy.inputs.yaml"),
        "name: jane\nobject: {apiVersion: apps/v1, kind: Deployment, metadata: {name: web, \
         namespace: shop}, spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: \
         {a: b}}, spec: {containers: [{name: a, image: b}]}}}}\nrequest: {userInfo: {username: jane}}\nauthorizer: RBAC\n",
    )
    .unwrap();
    let rbac = "apiVersion: rbac.authorization.k8s.io/v1\nmetadata: {name: approver, namespace: \
                shop}\n";
    let reference = "roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: approver}";
    fs::write(
        at("binding.yaml"),
        format!("{rbac}kind: RoleBinding\n{reference}\nsubjects: [{{kind: User, name: jane}}]\n"),
    )
    .unwrap();
    let role = |verb: &str| {
        format!(
            "{rbac}kind: Role\nrules: [{{apiGroups: [apps], resources: [deployments], verbs: \
             [{verb}]}}]\n"
        )
    };
    fs::write(at("role.yaml"), role("get")).unwrap();
    let mut server = start(client(true, true), Some(folder.path())).await;
    refreshed(&mut server).await;
    let [policy_uri, role_uri] = ["policy.yaml", "role.yaml"].map(|name| uri(&at(name)));
    server.open(&policy_uri, 1, &policy).await;
    let said = titles(&mut server, &policy_uri).await;
    assert_eq!(said[1], "8 evaluate: false · jane");
    server.open(&role_uri, 1, &role("approve")).await;
    refreshed(&mut server).await;
    let said = titles(&mut server, &policy_uri).await;
    assert_eq!(said[1], "8 evaluate: true · jane");
    server.finish().await;
}
