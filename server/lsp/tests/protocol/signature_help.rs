//! Signature help.

use crate::analysis::Scripted;
use crate::hover::POLICY;
use crate::server::{TestServer, URI};
use serde_json::{Value, json};

/// Returns the signatures in `"😀".replace("é", `, with those that the client shows already.
async fn signatures(capabilities: Value, shown: Option<&Value>) -> Value {
    let client = json!({ "textDocument": { "signatureHelp": capabilities } });
    let mut server = TestServer::with(&Scripted::new(), client).await;
    let policy = POLICY.replace("== request.name", ".replace(\"é\", ");
    server.open(URI, 1, &policy).await;
    server.published(URI).await;
    let mut params = json!({ "textDocument": { "uri": URI },
        "position": { "line": 9, "character": 36 } });
    if let Some(shown) = shown {
        params["context"] = json!({ "triggerKind": 2, "triggerCharacter": ",",
            "isRetrigger": true, "activeSignatureHelp": shown });
    }
    let mut answer = server.request("textDocument/signatureHelp", params).await;
    server.finish().await;
    assert_eq!(answer.get("error"), None, "{answer}");
    answer["result"].take()
}

#[tokio::test]
async fn parameters_are_ranges_of_the_label() {
    let information = json!({ "documentationFormat": ["markdown"],
        "parameterInformation": { "labelOffsetSupport": true }, "activeParameterSupport": true });
    let result = signatures(json!({ "signatureInformation": information }), None).await;
    let first = &result["signatures"][0];
    assert_eq!(first["label"], "string.replace(string, string) -> string");
    let spans = json!([{ "label": [15, 21] }, { "label": [23, 29] }]);
    assert_eq!(first["parameters"], spans);
    assert_eq!(first["activeParameter"], 1);
    assert_eq!(first["documentation"]["kind"], "markdown");
    assert_eq!(result["activeSignature"], 0);
    assert_eq!(result["activeParameter"], 1);
}

#[tokio::test]
async fn a_simple_client_gets_words() {
    let result = signatures(json!({}), None).await;
    let first = &result["signatures"][0];
    let words = json!([{ "label": "string" }, { "label": "string" }]);
    assert_eq!(first["parameters"], words);
    assert_eq!(first.get("activeParameter"), None);
    assert_eq!(first["documentation"]["kind"], "plaintext");
}

#[tokio::test]
async fn the_selected_signature_stays() {
    let mut shown = signatures(json!({}), None).await;
    shown["activeSignature"] = json!(1);
    let result = signatures(json!({}), Some(&shown)).await;
    assert_eq!(result["activeSignature"], 1);
}
