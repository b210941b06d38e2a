//! Variables in chains, depths and widths far beyond what a cluster has, in lenses and live values.

use crate::evaluation::{client, execute, hints_of, start, titles};
use serde_json::json;
use std::fmt::Write as _;

const URI: &str = "file:///nowhere/policy.yaml";
const OBJECT: &str = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: b}}\n";

/// Returns a policy with a chain of variables, in which each uses the one before.
fn policy(first: &str, length: usize, next: impl Fn(usize) -> String) -> String {
    let mut text = "apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: a.example.com}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}
  variables:
"
    .to_owned();
    let _ = writeln!(text, "  - {{name: v0, expression: \"{first}\"}}");
    for index in 1..length {
        let next = next(index - 1);
        let _ = writeln!(text, "  - {{name: v{index}, expression: \"{next}\"}}");
    }
    let last = length - 1;
    text + &format!("  validations:\n  - expression: variables.v{last} == variables.v{last}\n")
}

/// Returns the titles of the lenses, after the values are shown in every other way.
pub(crate) async fn shown(object: &str, policy: &str) -> Vec<String> {
    let mut server = start(client(true, false), None).await;
    server.open("file:///nowhere/objects.yaml", 1, object).await;
    server.open(URI, 1, policy).await;
    let titles = titles(&mut server, URI).await;
    execute(
        &mut server,
        "admissible.liveValues",
        json!({ "uri": URI, "on": true }),
    )
    .await;
    hints_of(&mut server, URI).await;
    let position = json!({ "line": 8, "character": 40 });
    let hover = json!({ "textDocument": { "uri": URI }, "position": position });
    server.request("textDocument/hover", hover).await;
    let inputs = json!({ "uri": URI, "policy": 0 });
    let choices = execute(&mut server, "admissible.selectInput", inputs).await;
    if choices["result"] == json!([]) {
        server.notification("window/showMessage").await;
    }
    server.finish().await;
    titles
}

#[tokio::test]
async fn a_long_chain_has_its_value() {
    let text = policy("1", 300, |it| format!("variables.v{it} + 1"));
    let titles = shown(OBJECT, &text).await;
    let value = titles.iter().find(|it| it.contains("evaluate: 300 "));
    assert!(value.is_some(), "{titles:?}");
}

#[tokio::test]
async fn deep_values_are_stopped() {
    let (open, close) = ("[".repeat(200), "]".repeat(200));
    let text = policy("1", 40, |it| format!("{open}variables.v{it}{close}"));
    let titles = shown(OBJECT, &text).await;
    let last = titles.last().unwrap();
    assert!(
        last.contains("stopped: the variables are nested too deeply"),
        "{last}"
    );
}

#[tokio::test]
async fn values_that_share_their_parts_are_cut() {
    let text = policy("[1, 2]", 90, |it| {
        format!("[variables.v{it}, variables.v{it}]")
    });
    let titles = shown(OBJECT, &text).await;
    assert!(titles.iter().all(|it| it.len() < 200), "{titles:?}");
    assert!(
        titles.last().unwrap().contains("evaluate: true"),
        "{titles:?}"
    );
}

#[tokio::test]
async fn sums_that_double_are_stopped() {
    let text = policy("[1, 2]", 100, |it| {
        format!("variables.v{it} + variables.v{it}")
    });
    let titles = shown(OBJECT, &text).await;
    let last = titles.last().unwrap();
    assert!(
        last.contains("stopped: the values need more than 64 MiB"),
        "{titles:?}"
    );
}

#[tokio::test]
async fn aliases_of_one_validation_have_one_value() {
    let object = OBJECT.replace("{name: a, ", "{name: a, labels: {}, ");
    let mut text = policy("1", 1, |_| String::new());
    text.push_str("  - &v {expression: object.metadata.name == 'a' && true}\n");
    text.push_str(&"  - *v\n".repeat(4_000));
    let mut server = start(client(true, false), None).await;
    server
        .open("file:///nowhere/objects.yaml", 1, &object)
        .await;
    server.open(URI, 1, &text).await;
    let live = json!({ "uri": URI, "on": true });
    execute(&mut server, "admissible.liveValues", live).await;
    let hints = hints_of(&mut server, URI).await;
    let of_alias = hints.iter().filter(|it| it.starts_with("11:"));
    assert_eq!(of_alias.count(), 1, "{hints:?}");
    let range = json!({ "start": { "line": 11, "character": 30 }, "end": { "line": 4_000, "character": 0 } });
    let context = json!({ "diagnostics": [] });
    let params = json!({ "textDocument": { "uri": URI }, "range": range, "context": context });
    let actions = server.request("textDocument/codeAction", params).await;
    assert!(actions["error"].is_null(), "{actions}");
    server.finish().await;
}
