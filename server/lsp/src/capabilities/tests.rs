//! The capabilities of clients, as they are read and answered.

use super::*;
use serde_json::json;

fn read(client: &Value) -> Capabilities {
    Capabilities::new(client)
}

#[test]
fn the_first_known_encoding_of_the_client_wins() {
    let encoding =
        |offered: Value| read(&json!({"general": {"positionEncodings": offered}})).encoding;
    assert_eq!(
        encoding(json!(["utf-7", "utf-32", "utf-8"])),
        Encoding::Utf32
    );
    assert_eq!(encoding(json!(["utf-8", "utf-16"])), Encoding::Utf8);
    assert_eq!(encoding(json!([])), Encoding::Utf16);
    assert_eq!(read(&json!({})).encoding, Encoding::Utf16);
}

#[test]
fn a_silent_client_can_do_little() {
    let client = read(&json!({}));
    assert_eq!(client.diagnostics, DiagnosticCapabilities::default());
    assert_eq!(client.answers, AnswerCapabilities::default());
    assert_eq!(client.workspace, WorkspaceCapabilities::default());
    let legend = lsp::SemanticTokensLegend::default();
    assert_eq!(server(&client, legend).code_action_provider, None);
}

#[test]
fn asking_for_diagnostics_is_announced_by_the_mere_field() {
    assert!(
        read(&json!({"textDocument": {"diagnostic": {}}}))
            .diagnostics
            .pull
    );
}

/// A client that has every capability that the server reads.
const ALL: &str = r#"{
    "textDocument": {
        "diagnostic": {},
        "publishDiagnostics": {
            "relatedInformation": true, "codeDescriptionSupport": true, "dataSupport": true,
            "tagSupport": { "valueSet": [1] }
        },
        "documentSymbol": { "hierarchicalDocumentSymbolSupport": true },
        "codeAction": {
            "codeActionLiteralSupport": { "codeActionKind": { "valueSet": [] } },
            "isPreferredSupport": true, "dataSupport": true,
            "resolveSupport": { "properties": ["edit"] }
        },
        "hover": { "contentFormat": ["markdown"] },
        "completion": { "completionItem": {
            "documentationFormat": ["plaintext", "markdown"], "snippetSupport": true,
            "resolveSupport": { "properties": ["documentation"] }
        } },
        "inlayHint": { "resolveSupport": { "properties": ["tooltip"] } },
        "signatureHelp": { "signatureInformation": {
            "documentationFormat": ["markdown"], "activeParameterSupport": true,
            "parameterInformation": { "labelOffsetSupport": true }
        } },
        "definition": { "linkSupport": true },
        "declaration": { "linkSupport": true },
        "typeDefinition": { "linkSupport": true },
        "rename": { "prepareSupport": true }
    },
    "workspace": {
        "applyEdit": true, "configuration": true,
        "workspaceEdit": {
            "documentChanges": true, "resourceOperations": ["create", "rename"],
            "changeAnnotationSupport": {}
        },
        "didChangeConfiguration": { "dynamicRegistration": true },
        "didChangeWatchedFiles": { "dynamicRegistration": true },
        "fileOperations": { "didCreate": true, "didRename": true, "didDelete": true },
        "diagnostics": { "refreshSupport": true },
        "semanticTokens": { "refreshSupport": true },
        "codeLens": { "refreshSupport": true },
        "inlayHint": { "refreshSupport": true }
    },
    "window": { "workDoneProgress": true },
    "experimental": { "admissible": { "showsResults": true, "opensRulePages": true } }
}"#;

#[test]
fn every_capability_is_read_by_its_name_in_the_protocol() {
    let client = read(&serde_json::from_str(ALL).unwrap());
    let read = format!("{client:?}");
    assert!(!read.contains("false"), "{read}");
    assert_eq!(client.diagnostics.tags, [lsp::DiagnosticTag::UNNECESSARY]);
    assert_eq!(client.diagnostics.rule_pages, RulePages::Editor);
}
