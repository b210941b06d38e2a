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

const SPEC: &str = "apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: a}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}
  validations:
  - expression: object.spec.template.spec.
";

#[tokio::test]
async fn documentation_is_sent_when_an_item_is_selected() {
    /// Returns the response, and an item of it after it was resolved.
    async fn respond(properties: Value) -> (Value, Value) {
        let mut server = TestServer::start(lsp::Options::default());
        let item = json!({ "documentationFormat": ["markdown"],
            "resolveSupport": { "properties": properties } });
        let client = json!({ "completion": { "completionItem": item }, "diagnostic": {} });
        let params = json!({ "processId": null, "capabilities": { "textDocument": client } });
        let result = server.initialize(params).await;
        let provider = &result["capabilities"]["completionProvider"];
        let is_lazy = properties
            .as_array()
            .unwrap()
            .contains(&json!("documentation"));
        assert_eq!(provider["resolveProvider"], is_lazy);
        server.open(URI, 1, SPEC).await;
        let position = json!({ "line": 8, "character": 42 });
        let params = json!({ "textDocument": { "uri": URI }, "position": position });
        let answer = server.request("textDocument/completion", params).await;
        let chosen = item_of(&answer, "containers").clone();
        let resolved = server.request("completionItem/resolve", chosen).await;
        server.finish().await;
        (answer, resolved["result"].clone())
    }
    fn item_of<'a>(answer: &'a Value, label: &str) -> &'a Value {
        item(&answer["result"]["items"], label)
    }
    let (whole, _) = respond(json!(["detail"])).await;
    let (lazy, resolved) = respond(json!(["detail", "documentation"])).await;
    let documentation = &item_of(&whole, "containers")["documentation"];
    assert!(
        documentation["value"]
            .as_str()
            .unwrap()
            .contains("containers")
    );
    assert_eq!(resolved["documentation"], *documentation);
    assert_eq!(item_of(&lazy, "containers").get("documentation"), None);
    let (whole, lazy) = (whole.to_string().len(), lazy.to_string().len());
    println!("{whole} bytes, {lazy} bytes without documentation");
    assert!(lazy * 2 < whole, "{lazy} of {whole} bytes");
}

#[tokio::test]
async fn keys_can_be_left_to_another_server() {
    /// Returns the labels below `spec`, and those in a rule.
    async fn labels(uri: &str, keys: &str) -> [Vec<String>; 2] {
        let mut server = TestServer::start(lsp::Options::default());
        let options = json!({ "completion": { "manifestKeys": keys } });
        let client = json!({ "textDocument": { "diagnostic": {} } });
        let params = json!({ "processId": null, "capabilities": client,
            "initializationOptions": options });
        server.initialize(params).await;
        let text = SPEC.replace("CREATE", "").replace("spec:\n", "spec:\n  \n");
        server.open(uri, 1, &text).await;
        let mut found = Vec::new();
        for (line, character) in [(4, 2), (7, 58)] {
            let position = json!({ "line": line, "character": character });
            let params = json!({ "textDocument": { "uri": uri }, "position": position });
            let answer = server.request("textDocument/completion", params).await;
            let items = answer["result"]["items"].as_array().unwrap().iter();
            let labels = items.map(|it| it["label"].as_str().unwrap().to_owned());
            found.push(labels.collect());
        }
        server.finish().await;
        found.try_into().unwrap()
    }
    let [keys, operations] = labels(URI, "auto").await;
    assert!(keys.contains(&"failurePolicy".to_owned()), "{keys:?}");
    let [none, same] = labels(URI, "off").await;
    assert_eq!(none, Vec::<String>::new());
    assert!(same.contains(&"UPDATE".to_owned()), "{same:?}");
    assert_eq!(same, operations);
    // The other server is for YAML.
    let [in_json, _] = labels(&URI.replace(".yaml", ".json"), "off").await;
    assert_eq!(in_json, keys);
}
