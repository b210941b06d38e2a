//! Policies and the admission inputs that name them.

use super::{POLICY, Workspace, capabilities};
use crate::server::range;
use serde_json::{Value, json};
use std::fs;

const INPUTS: &str = "name: 😀 ok
policy: [limit, 'limit']
object: {apiVersion: apps/v1, kind: Deployment, metadata: {name: web}}
---
name: all
object: {apiVersion: apps/v1, kind: Deployment, metadata: {name: web}}
";

const POD: &str = "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\n";

/// Opens the policy and its binding, with an inputs file and a kat test on disk. Also returns the
/// URI of the inputs file.
async fn open(files_renamed: bool) -> (Workspace, String) {
    let mut client = capabilities(true);
    if files_renamed {
        client["workspace"]["workspaceEdit"]["resourceOperations"] = json!(["rename"]);
    }
    let mut workspace = Workspace::open(client).await;
    let folder = workspace.folder.path().canonicalize().unwrap();
    fs::write(folder.join("policy.inputs.yaml"), INPUTS).unwrap();
    fs::write(folder.join("limit.web.allow.object.yaml"), POD).unwrap();
    workspace.open_both().await;
    let inputs = workspace
        .policy
        .replace("policy.yaml", "policy.inputs.yaml");
    (workspace, inputs)
}

/// Returns the name of the file and the range of each location.
pub(super) fn locations(answer: &Value) -> Vec<String> {
    let found = answer["result"].as_array().unwrap().iter();
    let mut found: Vec<_> = found
        .map(|it| {
            let uri = it.get("targetUri").unwrap_or(&it["uri"]).as_str().unwrap();
            let at = it.get("targetSelectionRange").unwrap_or(&it["range"]);
            format!("{} {}", uri.rsplit('/').next().unwrap(), range(at))
        })
        .collect();
    found.sort();
    found
}

#[tokio::test]
async fn an_input_leads_to_its_policy_and_back() {
    let (mut workspace, inputs) = open(true).await;
    let policy = workspace.policy.clone();
    let context = json!({ "context": { "includeDeclaration": true } });
    let expected = [
        "binding.yaml 5:14-5:19",
        "limit.web.allow.object.yaml 0:0-0:0",
        "policy.inputs.yaml 1:17-1:22",
        "policy.inputs.yaml 1:9-1:14",
        "policy.yaml 4:8-4:13",
    ];
    let answer = workspace
        .request("references", &policy, (4, 8), context.clone())
        .await;
    assert_eq!(locations(&answer), expected);
    // A line that is not saved.
    let text = format!("# 😀\n{INPUTS}");
    workspace.server.open(&inputs, 1, &text).await;
    for method in ["definition", "declaration"] {
        let answer = workspace.request(method, &inputs, (2, 18), json!({})).await;
        assert_eq!(locations(&answer), ["policy.yaml 4:8-4:13"], "{method}");
    }
    let answer = workspace
        .request("references", &inputs, (2, 18), context)
        .await;
    let moved = expected.map(|it| match it.strip_prefix("policy.inputs.yaml") {
        Some(range) => format!("policy.inputs.yaml{}", range.replace("1:", "2:")),
        None => it.to_owned(),
    });
    assert_eq!(locations(&answer), moved);
    let answer = workspace
        .request("documentHighlight", &inputs, (2, 10), json!({}))
        .await;
    assert_eq!(answer["result"].as_array().unwrap().len(), 2);
    let answer = workspace
        .request("hover", &inputs, (2, 10), json!({}))
        .await;
    let shown = answer["result"]["contents"]["value"].as_str().unwrap();
    assert!(shown.contains("ValidatingAdmissionPolicy limit"), "{shown}");
    workspace.finish().await;
}

/// Returns the edits of a rename, without the folder.
fn edits(answer: &Value) -> Vec<String> {
    let file = |uri: &Value| uri.as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    let changes = answer["result"]["documentChanges"].as_array().unwrap();
    let mut shown = Vec::new();
    for change in changes {
        if change["kind"] == "rename" {
            let (old, new) = (file(&change["oldUri"]), file(&change["newUri"]));
            shown.push(format!("{old} -> {new}"));
        }
        for edit in change["edits"].as_array().into_iter().flatten() {
            let name = file(&change["textDocument"]["uri"]);
            shown.push(format!(
                "{name} {} {}",
                range(&edit["range"]),
                edit["newText"]
            ));
        }
    }
    shown
}

#[tokio::test]
async fn inputs_and_kat_tests_follow_a_new_name() {
    let (mut workspace, inputs) = open(true).await;
    let policy = workspace.policy.clone();
    workspace.server.open(&inputs, 1, INPUTS).await;
    let expected = [
        "binding.yaml 5:14-5:19 \"maximum\"",
        "policy.inputs.yaml 1:9-1:14 \"maximum\"",
        "policy.inputs.yaml 1:17-1:22 \"maximum\"",
        "policy.yaml 4:8-4:13 \"maximum\"",
        "limit.web.allow.object.yaml -> maximum.web.allow.object.yaml",
    ];
    for (uri, at) in [(&policy, (4, 8)), (&inputs, (1, 10))] {
        let new = json!({ "newName": "maximum" });
        let answer = workspace.request("rename", uri, at, new).await;
        let mut found = edits(&answer);
        found.sort_by_key(|it| (it.contains("->"), it.clone()));
        let mut expected = expected.map(str::to_owned);
        expected.sort_by_key(|it| (it.contains("->"), it.clone()));
        assert_eq!(found, expected);
    }
    workspace.finish().await;
}

#[tokio::test]
async fn a_rename_that_would_lose_tests_is_rejected() {
    let (mut workspace, _) = open(false).await;
    let policy = workspace.policy.clone();
    let new = json!({ "newName": "maximum" });
    let answer = workspace
        .request("rename", &policy, (4, 8), new.clone())
        .await;
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(message.contains("limit.web.allow.object.yaml"), "{message}");
    workspace.finish().await;

    let (mut workspace, _) = open(true).await;
    let policy = workspace.policy.clone();
    let other = POLICY.replace("Validating", "Mutating");
    workspace
        .server
        .replace(&policy, 8, &format!("{POLICY}---\n{other}"))
        .await;
    let answer = workspace.request("rename", &policy, (3, 8), new).await;
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(
        message.contains("another one with the same name"),
        "{message}"
    );
    workspace.finish().await;
}
