//! The pages of rules as documents of the editor, for clients that open them.

use crate::evaluation::start;
use serde_json::{Value, json};

const URI: &str = "file:///nowhere/p.inputs.yaml";

#[tokio::test]
async fn the_page_of_a_rule_opens_in_the_editor() {
    let mut server = start(
        json!({
            "textDocument": {
                "diagnostic": {},
                "publishDiagnostics": { "codeDescriptionSupport": true },
            },
            "experimental": { "admissible": { "opensRulePages": true } },
        }),
        None,
    )
    .await;
    let request = server.server_request("client/registerCapability").await;
    assert_eq!(
        request["params"]["registrations"],
        json!([{
            "id": "workspace/textDocumentContent",
            "method": "workspace/textDocumentContent",
            "registerOptions": { "schemes": ["admissible-rule"] },
        }])
    );
    server.reply(&request, Value::Null).await;

    server.open(URI, 1, "objct: {}\nexpect: allow\n").await;
    let params = json!({ "textDocument": { "uri": URI } });
    let answer = server.request("textDocument/diagnostic", params).await;
    let page = &answer["result"]["items"][0]["codeDescription"]["href"];
    assert_eq!(page, "admissible-rule:/invalid-input.md");

    let method = "workspace/textDocumentContent";
    let answer = server.request(method, json!({ "uri": page })).await;
    let text = answer["result"]["text"].as_str().unwrap();
    assert!(text.starts_with("# `invalid-input`\n"), "{text}");

    for uri in ["admissible-rule:/none.md", "file:///etc/passwd", ""] {
        let answer = server.request(method, json!({ "uri": uri })).await;
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
    }
    server.finish().await;
}
