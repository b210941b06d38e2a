//! Every announced request on incomplete text: prefixes of examples, and cursors in them. None
//! of them may panic.
//!
//! Each text is parsed and checked again, which takes most of the time, so prefixes and cursors are
//! samples. The steps are primes, so that they hit all kinds of positions.

use crate::server::{TestServer, URI};
use lsp::Options;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// The bytes between two prefixes of a file.
const PREFIX_STEP: usize = 211;

/// The bytes between two cursors in a whole file.
const CURSOR_STEP: usize = 53;

/// The requests that a capability announces, those at a cursor first.
const REQUESTS: &[(&str, &[&str])] = &[
    ("hoverProvider", &["hover"]),
    ("completionProvider", &["completion"]),
    ("signatureHelpProvider", &["signatureHelp"]),
    ("definitionProvider", &["definition"]),
    ("declarationProvider", &["declaration"]),
    ("typeDefinitionProvider", &["typeDefinition"]),
    ("implementationProvider", &["implementation"]),
    ("referencesProvider", &["references"]),
    ("documentHighlightProvider", &["documentHighlight"]),
    ("renameProvider", &["prepareRename", "rename"]),
    ("selectionRangeProvider", &["selectionRange"]),
    ("callHierarchyProvider", &["prepareCallHierarchy"]),
    ("linkedEditingRangeProvider", &["linkedEditingRange"]),
    ("documentOnTypeFormattingProvider", &["onTypeFormatting"]),
    ("codeActionProvider", &["codeAction"]),
    ("documentRangeFormattingProvider", &["rangeFormatting"]),
    ("documentFormattingProvider", &["formatting"]),
    ("documentSymbolProvider", &["documentSymbol"]),
    ("documentLinkProvider", &["documentLink"]),
    ("foldingRangeProvider", &["foldingRange"]),
    ("codeLensProvider", &["codeLens"]),
    ("inlayHintProvider", &["inlayHint"]),
    (
        "semanticTokensProvider",
        &["semanticTokens/full", "semanticTokens/range"],
    ),
    ("diagnosticProvider", &["diagnostic"]),
];

/// Capabilities without a request about a document.
const OTHERS: [&str; 2] = ["executeCommandProvider", "workspaceSymbolProvider"];

/// Returns the files: policies, definitions, inputs and manifests.
fn examples() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files: Vec<_> = ["examples", "tests/editor/workspace"]
        .iter()
        .flat_map(|folder| fs::read_dir(root.join(folder)).unwrap())
        .map(|file| file.unwrap().path())
        .collect();
    files.retain(|file| {
        file.extension()
            .is_some_and(|extension| extension == "yaml")
    });
    files.sort();
    files
}

/// Returns the announced requests about a document.
fn announced(capabilities: &Value) -> Vec<&'static str> {
    let keys = capabilities.as_object().unwrap().keys();
    let providers = keys.filter(|key| key.ends_with("Provider") && !OTHERS.contains(&&***key));
    let requests = |key: &String| {
        let known = REQUESTS.iter().find(|(provider, _)| provider == key);
        known
            .unwrap_or_else(|| panic!("{key} is not tested here"))
            .1
    };
    providers.flat_map(requests).copied().collect()
}

/// Returns parameters that every request accepts.
fn params(text: &str, cursor: usize) -> Value {
    let before = text.get(..cursor).unwrap();
    let line = before.matches('\n').count();
    let character = before.rsplit('\n').next().unwrap().encode_utf16().count();
    let position = json!({ "line": line, "character": character });
    let start = json!({ "line": line.saturating_sub(3), "character": 0 });
    json!({
        "textDocument": { "uri": URI },
        "position": position,
        "positions": [position],
        "range": { "start": start, "end": position },
        "context": { "diagnostics": [], "triggerKind": 1, "isRetrigger": false,
            "includeDeclaration": true },
        "options": { "tabSize": 2, "insertSpaces": true },
        "ch": ")",
        "newName": "renamed",
    })
}

async fn ask_all(server: &mut TestServer, requests: &[&str], text: &str, cursor: usize) {
    let params = params(text, cursor);
    let mut ids = Vec::new();
    for request in requests {
        let method = format!("textDocument/{request}");
        ids.push(server.ask(&method, params.clone()).await);
    }
    for (id, request) in ids.into_iter().zip(requests) {
        let answer = server.answer(id).await;
        let code = &answer["error"]["code"];
        // The project may have changed meanwhile, and not every position can be renamed.
        let is_answered =
            code.is_null() || *code == -32801 || (*code != -32603 && request.ends_with("ename"));
        assert!(is_answered, "{request} at {cursor} of {text}: {answer}");
    }
}

/// Starts a server. Also returns the requests that it announces.
async fn start() -> (TestServer, Vec<&'static str>) {
    let mut server = TestServer::start(Options::default());
    let action = json!({ "codeActionLiteralSupport": { "codeActionKind": { "valueSet": [] } } });
    let client = json!({ "textDocument": { "diagnostic": {}, "codeAction": action } });
    let params = json!({ "processId": null, "rootUri": null, "capabilities": client });
    let result = server.initialize(params).await;
    let requests = announced(&result["capabilities"]);
    (server, requests)
}

/// Sends every announced request at the end of the last expression of a source.
pub(crate) async fn ask_everything(text: &str) {
    let (mut server, requests) = start().await;
    server.open(URI, 1, text).await;
    let cursor = text.rfind('"').unwrap_or(text.len());
    ask_all(&mut server, &requests, text, cursor).await;
    server.finish().await;
}

#[tokio::test]
async fn every_request_is_answered_in_every_half_written_text() {
    let (mut server, requests) = start().await;
    assert!(requests.len() > 8, "{requests:?}");
    server.open(URI, 1, "").await;
    let mut version = 1;
    for file in examples() {
        let whole = fs::read_to_string(file).unwrap();
        let boundary = |at: &usize| whole.is_char_boundary(*at);
        let prefixes = (0..whole.len()).step_by(PREFIX_STEP).filter(boundary);
        for end in prefixes.chain([whole.len()]) {
            let text = whole.get(..end).unwrap();
            version += 1;
            server.replace(URI, version, text).await;
            ask_all(&mut server, &requests, text, end).await;
        }
        for cursor in (0..whole.len()).step_by(CURSOR_STEP).filter(boundary) {
            ask_all(&mut server, &requests, &whole, cursor).await;
        }
    }
    server.finish().await;
}
