//! Formatting of expressions.

use crate::analysis::Scripted;
use crate::server::{TestServer, URI, range};
use serde_json::{Value, json};

const POLICY: &str = "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: a}
spec:
  validations:
    - expression: '\"😀\"==object.kind&&true'
    - expression: |
        a.all(c,
        
        c)
";

/// Returns the range and the text of each edit.
fn edits(answer: &Value) -> Vec<(String, String)> {
    let edits = answer["result"].as_array().unwrap().iter();
    edits
        .map(|edit| {
            (
                range(&edit["range"]),
                edit["newText"].as_str().unwrap().to_owned(),
            )
        })
        .collect()
}

async fn request(method: &str, mut params: Value) -> Vec<(String, String)> {
    let mut server = TestServer::with(&Scripted::new(), json!({})).await;
    server.open(URI, 1, POLICY).await;
    server.published(URI).await;
    params["textDocument"] = json!({ "uri": URI });
    params["options"] = json!({ "tabSize": 4, "insertSpaces": true });
    let answer = server.request(method, params).await;
    server.finish().await;
    edits(&answer)
}

fn edit(range: &str, text: &str) -> (String, String) {
    (range.to_owned(), text.to_owned())
}

#[tokio::test]
async fn only_white_space_of_expressions_changes() {
    let edits = request("textDocument/formatting", json!({})).await;
    let expected = [
        edit("5:23-5:23", " "),
        edit("5:25-5:25", " "),
        edit("5:36-5:36", " "),
        edit("5:38-5:38", " "),
        edit("7:16-9:8", "\n\n          "),
        edit("9:9-9:9", "\n        "),
    ];
    assert_eq!(edits, expected);
}

#[tokio::test]
async fn a_range_selects_expressions() {
    let at = json!({ "line": 7, "character": 9 });
    let params = json!({ "range": { "start": at, "end": at } });
    let edits = request("textDocument/rangeFormatting", params).await;
    assert_eq!(edits.len(), 2);
    assert_eq!(edits[0].0, "7:16-9:8");
}

#[tokio::test]
async fn a_new_line_is_indented() {
    let params = json!({ "position": { "line": 8, "character": 8 }, "ch": "\n" });
    let edits = request("textDocument/onTypeFormatting", params).await;
    assert_eq!(edits, [edit("8:0-8:8", "          ")]);
}

#[tokio::test]
async fn the_line_width_is_a_setting() {
    let wide = "a.name == 'aaaaaaaaaaaaaaaa' && b.name == 'bbbbbbbb'";
    let of_wide = async |settings: Value| {
        let params = json!({ "capabilities": {}, "initializationOptions": settings });
        let mut server = TestServer::with_params(&Scripted::new(), params).await;
        let policy = POLICY.replace("a.all(c,\n        \n        c)", wide);
        server.open(URI, 1, &policy).await;
        server.published(URI).await;
        let params = json!({ "textDocument": { "uri": URI },
            "range": { "start": { "line": 7, "character": 9 }, "end": { "line": 7, "character": 9 } },
            "options": { "tabSize": 4, "insertSpaces": true } });
        let answer = server.request("textDocument/rangeFormatting", params).await;
        server.finish().await;
        edits(&answer)
    };
    assert_eq!(of_wide(Value::Null).await, []);
    let narrow = of_wide(json!({ "format": { "lineWidth": 40 } })).await;
    assert_eq!(narrow, [edit("7:39-7:40", "\n        ")]);
}
