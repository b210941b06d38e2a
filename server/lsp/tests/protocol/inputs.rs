//! Admission inputs next to a policy: found, watched, checked and created.

use crate::evaluation::{POLICY, POLICY_URI, execute, start, titles, uri};
use crate::server::TestServer;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// Limit: how long a finding may take.
const PATIENCE: Duration = Duration::from_secs(30);

const INPUTS: &str = "\
name: few 😀
object: {apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: {replicas: 1, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: b}]}}}}
---
name: many
object: {apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: {replicas: 9, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: b}]}}}}
";

/// Returns a client that requests findings, so that none are pushed.
fn client(refreshes: bool) -> Value {
    json!({
        "textDocument": {
            "diagnostic": {},
            "codeAction": { "codeActionLiteralSupport": { "codeActionKind": { "valueSet": [] } } },
        },
        "workspace": {
            "codeLens": { "refreshSupport": refreshes },
            "workspaceEdit": { "documentChanges": true, "resourceOperations": ["create"] },
        },
        "experimental": { "admissible": { "showsResults": true } },
    })
}

fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    uri(&path)
}

#[tokio::test]
async fn inputs_beside_a_policy_come_before_manifests() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path().canonicalize().unwrap();
    let policy = write(&folder, "p.yaml", POLICY);
    let inputs = write(&folder, "p.inputs.yaml", INPUTS);
    let mut server = start(client(false), None).await;
    server.open(&policy, 1, POLICY).await;
    assert_eq!(
        titles(&mut server, &policy).await,
        ["7 inputs: 1 allowed, 1 denied", "8 evaluate: true · few 😀"]
    );
    // Unsaved text counts.
    let unsaved = INPUTS.replace("replicas: 1,", "replicas: 6,");
    server.open(&inputs, 1, &unsaved).await;
    assert_eq!(
        titles(&mut server, &policy).await,
        ["7 inputs: 2 denied", "8 evaluate: false · few 😀"]
    );
    server.close(&inputs).await;
    // The file on disk counts again, with its current content.
    write(&folder, "p.inputs.yaml", &INPUTS.replace("few 😀", "one"));
    let changes = json!({ "changes": [{ "uri": inputs, "type": 2 }] });
    server
        .notify("workspace/didChangeWatchedFiles", changes)
        .await;
    assert_eq!(
        titles(&mut server, &policy).await[1],
        "8 evaluate: true · one"
    );
    server.finish().await;
}

#[tokio::test]
async fn an_input_that_is_typed_renews_the_lenses() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path().canonicalize().unwrap();
    let policy = write(&folder, "p.yaml", POLICY);
    let inputs = write(&folder, "p.inputs.yaml", INPUTS);
    let mut server = start(client(true), None).await;
    server.open(&policy, 1, POLICY).await;
    titles(&mut server, &policy).await;
    server.open(&inputs, 1, INPUTS).await;
    let request = server.server_request("workspace/codeLens/refresh").await;
    server.reply(&request, Value::Null).await;
    server.finish().await;
}

#[tokio::test]
async fn mistakes_in_inputs_are_findings() {
    let mut server = start(client(false), None).await;
    let uri = "file:///nowhere/p.inputs.yaml";
    server.open(uri, 1, "name: '😀'\nobjekt: {}\n").await;
    let params = json!({ "textDocument": { "uri": uri } });
    let answer = server
        .request("textDocument/diagnostic", params.clone())
        .await;
    let items = answer["result"]["items"].as_array().unwrap();
    assert!(!items.is_empty(), "{answer}");
    assert!(
        items.iter().all(|it| it["source"] == "admissible"),
        "{answer}"
    );
    assert!(
        items.iter().any(|it| it["range"]["start"]["line"] == 1),
        "{answer}"
    );
    server.replace(uri, 2, INPUTS).await;
    let answer = server.request("textDocument/diagnostic", params).await;
    assert_eq!(answer["result"]["items"], json!([]));
    server.finish().await;
}

#[tokio::test]
async fn findings_in_inputs_are_those_of_a_rule() {
    let mut client = client(false);
    client["textDocument"]["diagnostic"] = json!({ "codeDescriptionSupport": true });
    client["textDocument"]["publishDiagnostics"] = json!({ "codeDescriptionSupport": true });
    let mut server = start(client, None).await;
    let uri = "file:///nowhere/p.inputs.yaml";
    let wrong = INPUTS.replacen("object", "objct", 1);
    server.open(uri, 1, &wrong).await;
    let params = json!({ "textDocument": { "uri": uri } });
    let answer = server
        .request("textDocument/diagnostic", params.clone())
        .await;
    let items = answer["result"]["items"].as_array().unwrap();
    assert_eq!(items.len(), 1, "{answer}");
    assert_eq!(items[0]["code"], "invalid-input");
    let page = items[0]["codeDescription"]["href"].as_str().unwrap();
    assert!(page.ends_with("rules.md#invalid-input"), "{page}");
    let action = json!({
        "textDocument": { "uri": uri },
        "range": items[0]["range"],
        "context": { "diagnostics": [], "only": ["quickfix"] },
    });
    let actions = server.request("textDocument/codeAction", action).await;
    assert_eq!(
        actions["result"][0]["title"], "Change to `object`",
        "{actions}"
    );
    let silenced = format!("# admissible: ignore-file[invalid-input]\n{wrong}");
    server.replace(uri, 2, &silenced).await;
    let answer = server.request("textDocument/diagnostic", params).await;
    assert_eq!(answer["result"]["items"], json!([]));
    server.finish().await;
}

/// Returns the findings about inputs in a document, with their ranges.
async fn said(server: &mut TestServer, uri: &str) -> Vec<String> {
    let params = json!({ "textDocument": { "uri": uri } });
    let answer = server.request("textDocument/diagnostic", params).await;
    let items = answer["result"]["items"].as_array().unwrap().iter();
    let items = items.filter(|it| it["code"] == "invalid-input");
    items
        .map(|it| {
            let (start, end) = (&it["range"]["start"], &it["range"]["end"]);
            let message = it["message"].as_str().unwrap();
            let (line, from, to) = (&start["line"], &start["character"], &end["character"]);
            format!("{line}:{from}-{to} {message}")
        })
        .collect()
}

/// Requests findings until these are reported.
async fn until(server: &mut TestServer, uri: &str, expected: &[&str]) {
    let started = Instant::now();
    loop {
        let now = said(server, uri).await;
        if now == expected {
            return;
        }
        assert!(started.elapsed() < PATIENCE, "{now:#?}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

async fn changed(server: &mut TestServer, uri: &str) {
    let changes = json!({ "changes": [{ "uri": uri, "type": 2 }] });
    server
        .notify("workspace/didChangeWatchedFiles", changes)
        .await;
}

#[tokio::test]
async fn a_comment_that_names_no_input_is_a_finding() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path().canonicalize().unwrap();
    let text = format!("# admissible: input 😀.yaml\n{POLICY}");
    let policy = write(&folder, "p.yaml", &text);
    let mut server = start(client(false), None).await;
    server.open(&policy, 1, &text).await;
    let missing = "0:20-27 `😀.yaml` cannot be read: no such file or directory. The path is \
                   relative to this file.";
    until(&mut server, &policy, &[missing]).await;
    // The file appears and is fixed in the editor.
    let input = write(&folder, "😀.yaml", "objct: {}\n").replace('😀', "%F0%9F%98%80");
    changed(&mut server, &input).await;
    let wrong = "Unknown key `objct`. Did you mean `object`?";
    let there = format!("0:20-27 Error in `😀.yaml`: {wrong}");
    until(&mut server, &policy, &[&there]).await;
    server.open(&input, 1, "objct: {}\n").await;
    until(&mut server, &input, &[&format!("0:0-5 {wrong}")]).await;
    server.replace(&input, 2, INPUTS).await;
    until(&mut server, &policy, &[]).await;
    until(&mut server, &input, &[]).await;
    server.finish().await;
}

#[tokio::test]
async fn an_input_for_a_policy_that_is_not_there_is_a_finding() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path().canonicalize().unwrap();
    let policy = write(&folder, "p.yaml", POLICY);
    let text = format!("policy: limits\n{INPUTS}");
    let input = write(&folder, "p.inputs.yaml", &text);
    let mut server = start(client(false), None).await;
    server.open(&input, 1, &text).await;
    let wrong = "0:8-14 Policy `limits` not found in p.yaml. Did you mean `limit`?";
    until(&mut server, &input, &[wrong]).await;
    // The policy's name in the editor counts, and the content on disk.
    let renamed = POLICY.replace("name: limit", "name: limits");
    server.open(&policy, 1, &renamed).await;
    until(&mut server, &input, &[]).await;
    server.close(&policy).await;
    until(&mut server, &input, &[wrong]).await;
    write(&folder, "p.yaml", &renamed);
    changed(&mut server, &policy).await;
    until(&mut server, &input, &[]).await;
    server.finish().await;
}

#[tokio::test]
async fn mistakes_in_tests_of_kat_are_findings() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path().canonicalize().unwrap();
    write(&folder, "limit.yaml", POLICY);
    fs::create_dir(folder.join("tests")).unwrap();
    let text = "operation: DELETE\n";
    let request = write(&folder, "tests/limit.gone.deny.request.yaml", text);
    let mut server = start(client(false), None).await;
    server.open(&request, 1, text).await;
    let wrong = "0:11-17 DELETE requires `oldObject`, the existing object.";
    until(&mut server, &request, &[wrong]).await;
    let old = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}}";
    let old = write(&folder, "tests/limit.gone.deny.oldObject.yaml", old);
    changed(&mut server, &old).await;
    until(&mut server, &request, &[]).await;
    server.finish().await;
}

#[tokio::test]
async fn mistakes_about_inputs_are_pushed_when_another_document_makes_them() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path().canonicalize().unwrap();
    let text = format!("# admissible: input a.yaml\n{POLICY}");
    let policy = write(&folder, "p.yaml", &text);
    let input = write(&folder, "a.yaml", INPUTS);
    let mut server = start(json!({}), None).await;
    server.open(&policy, 1, &text).await;
    server.open(&input, 1, "objct: {}\n").await;
    // Both are wrong in the end, whichever is reported first.
    let mut wrong = BTreeSet::new();
    while wrong.len() < 2 {
        let shown = server.notification("textDocument/publishDiagnostics").await;
        let items = shown["diagnostics"].as_array().unwrap().iter();
        let mut messages = items.map(|it| it["message"].as_str().unwrap());
        if messages.any(|it| it.contains("Unknown key `objct`.")) {
            wrong.insert(shown["uri"].as_str().unwrap().to_owned());
        }
    }
    assert_eq!(wrong, BTreeSet::from([input, policy]));
    server.finish().await;
}

#[tokio::test]
async fn an_input_is_created_or_appended() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path().canonicalize().unwrap();
    let policy = write(&folder, "p.yaml", POLICY);
    let inputs = uri(&folder.join("p.inputs.yaml"));
    let mut server = start(client(false), None).await;
    server.open(&policy, 1, POLICY).await;
    let at = json!({ "line": 4, "character": 0 });
    let params = json!({
        "textDocument": { "uri": policy },
        "range": { "start": at, "end": at },
        "context": { "diagnostics": [], "only": ["refactor"] },
    });
    let answer = server
        .request("textDocument/codeAction", params.clone())
        .await;
    let action = &answer["result"][0];
    assert_eq!(action["title"], "Create an admission input");
    let changes = &action["edit"]["documentChanges"];
    assert_eq!(changes[0]["kind"], "create");
    assert_eq!(changes[0]["uri"], inputs.as_str());
    let created = changes[1]["edits"][0]["newText"].as_str().unwrap();
    assert!(created.contains("kind: Deployment"), "{created}");

    server.open(&inputs, 5, "name: '😀'").await;
    let answer = server.request("textDocument/codeAction", params).await;
    let changes = &answer["result"][0]["edit"]["documentChanges"];
    assert_eq!(changes.as_array().unwrap().len(), 1, "{changes}");
    assert_eq!(changes[0]["textDocument"]["version"], 5);
    let edit = &changes[0]["edits"][0];
    assert_eq!(
        edit["range"]["start"],
        json!({ "line": 0, "character": 10 })
    );
    let text = edit["newText"].as_str().unwrap();
    assert_eq!(text, format!("\n---\n{created}"));
    assert!(!folder.join("p.inputs.yaml").exists());
    server.finish().await;
}

#[tokio::test]
async fn no_input_is_looked_for_when_the_cursor_moves() {
    let mut server = start(client(false), None).await;
    server.open(POLICY_URI, 1, POLICY).await;
    let at = json!({ "line": 4, "character": 0 });
    for (trigger, count) in [(1, 1), (2, 0)] {
        let params = json!({
            "textDocument": { "uri": POLICY_URI },
            "range": { "start": at, "end": at },
            "context": { "diagnostics": [], "triggerKind": trigger },
        });
        let answer = server.request("textDocument/codeAction", params).await;
        let actions = answer["result"].as_array().map_or(0, Vec::len);
        assert_eq!(actions, count, "{answer}");
    }
    server.finish().await;
}

/// Returns a client that can create files and apply edits.
fn creating(document_changes: bool) -> Value {
    json!({
        "textDocument": {
            "diagnostic": {},
            "codeAction": { "codeActionLiteralSupport": { "codeActionKind": { "valueSet": [] } } },
        },
        "workspace": {
            "applyEdit": true,
            "workspaceEdit": {
                "documentChanges": document_changes, "resourceOperations": ["create"],
            },
        },
    })
}

#[tokio::test]
async fn the_lens_of_a_policy_without_inputs_creates_one() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path().canonicalize().unwrap();
    let policy = write(&folder, "p.yaml", POLICY);
    let inputs = uri(&folder.join("p.inputs.yaml"));
    let mut server = start(creating(true), None).await;
    server.open(&policy, 1, POLICY).await;
    let params = json!({ "textDocument": { "uri": policy } });
    let lenses = server.request("textDocument/codeLens", params).await;
    let lens = server
        .request("codeLens/resolve", lenses["result"][0].clone())
        .await;
    let command = lens["result"]["command"].clone();
    assert_eq!(command["title"], "no input: Create an admission input");
    assert_eq!(command["command"], "admissible.createInput");
    let params = json!({ "command": command["command"], "arguments": command["arguments"] });
    let answer = server.request("workspace/executeCommand", params).await;
    assert_eq!(answer["result"], json!({ "uri": inputs }));
    let request = server.server_request("workspace/applyEdit").await;
    let changes = &request["params"]["edit"]["documentChanges"];
    assert_eq!(changes[0]["kind"], "create");
    let created = changes[1]["edits"][0]["newText"].as_str().unwrap();
    assert!(created.contains("kind: Deployment"), "{created}");
    server.reply(&request, json!({ "applied": true })).await;
    server.finish().await;
}

#[tokio::test]
async fn a_client_that_cannot_create_files_is_told() {
    let mut server = start(client(false), None).await;
    server.open(POLICY_URI, 1, POLICY).await;
    assert_eq!(
        titles(&mut server, POLICY_URI).await[0],
        "7 no input: add a manifest that the policy matches"
    );
    let policy = json!({ "uri": POLICY_URI, "policy": 0 });
    let answer = execute(&mut server, "admissible.createInput", policy).await;
    assert_eq!(answer["result"], Value::Null);
    let message = server.notification("window/showMessage").await;
    let text = message["message"].as_str().unwrap();
    assert!(text.starts_with("Cannot create an input here"), "{text}");
    server.finish().await;
}

#[tokio::test]
async fn edits_without_versions_create_inputs_too() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path().canonicalize().unwrap();
    let policy = write(&folder, "p.yaml", POLICY);
    let inputs = uri(&folder.join("p.inputs.yaml"));
    let mut server = start(creating(false), None).await;
    server.open(&policy, 1, POLICY).await;
    server.open(&inputs, 5, "name: a").await;
    let at = json!({ "line": 4, "character": 0 });
    let params = json!({
        "textDocument": { "uri": policy },
        "range": { "start": at, "end": at },
        "context": { "diagnostics": [], "only": ["refactor"] },
    });
    let answer = server.request("textDocument/codeAction", params).await;
    let changes = &answer["result"][0]["edit"]["documentChanges"];
    assert_eq!(changes[0]["textDocument"]["version"], Value::Null);
    assert_eq!(changes[0]["textDocument"]["uri"], inputs.as_str());
    server.finish().await;
}
