//! Hovers.

use crate::analysis::Scripted;
use crate::server::{TestServer, URI, range};
use serde_json::{Value, json};

/// A policy whose expression starts in column 18 of line 9, with a character beyond the
/// basic plane before the name.
pub(crate) const POLICY: &str = "apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: demo}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [''], apiVersions: [v1], operations: ['*'], resources: [pods]}
  validations:
  - message: no
    expression: '\"😀\" == request.name'
";

async fn hover(capabilities: Value, character: u32) -> Value {
    let mut server = TestServer::with(&Scripted::new(), capabilities).await;
    server.open(URI, 1, POLICY).await;
    server.published(URI).await;
    let position = json!({ "line": 9, "character": character });
    let params = json!({ "textDocument": { "uri": URI }, "position": position });
    let mut answer = server.request("textDocument/hover", params).await;
    server.finish().await;
    assert_eq!(answer.get("error"), None, "{answer}");
    answer["result"].take()
}

#[tokio::test]
async fn a_name_is_explained_at_its_place() {
    let formats = json!({ "contentFormat": ["markdown", "plaintext"] });
    let result = hover(json!({ "textDocument": { "hover": formats } }), 27).await;
    assert_eq!(range(&result["range"]), "9:25-9:32");
    assert_eq!(result["contents"]["kind"], "markdown");
    let text = result["contents"]["value"].as_str().unwrap();
    assert!(
        text.starts_with("```cel\nrequest: kubernetes.AdmissionRequest\n```"),
        "{text}"
    );
}

#[tokio::test]
async fn a_client_without_markdown_gets_plain_text() {
    let result = hover(json!({}), 27).await;
    assert_eq!(result["contents"]["kind"], "plaintext");
    let text = result["contents"]["value"].as_str().unwrap();
    assert!(
        text.starts_with("request: kubernetes.AdmissionRequest\n"),
        "{text}"
    );
}

#[tokio::test]
async fn there_is_nothing_to_say_beside_expressions() {
    assert_eq!(hover(json!({}), 2).await, Value::Null);
}

#[tokio::test]
async fn the_key_of_an_expression_says_what_it_costs() {
    let result = hover(json!({}), 5).await;
    assert_eq!(range(&result["range"]), "9:4-9:14");
    let text = result["contents"]["value"].as_str().unwrap();
    let cost = "Costs at most 3 of 1,000,000 cost units (0%).\n\nexpression: string\n\nRequired.";
    assert!(text.starts_with(cost), "{text}");
}
