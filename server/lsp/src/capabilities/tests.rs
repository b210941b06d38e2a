//! The capabilities of clients, as they are read and answered.

use super::*;
use serde_json::{Value, json};

fn read(client: Value) -> Capabilities {
    Capabilities::new(&serde_json::from_value(client).unwrap())
}

#[test]
fn the_first_known_encoding_of_the_client_wins() {
    let encoding =
        |offered: Value| read(json!({"general": {"positionEncodings": offered}})).encoding;
    assert_eq!(
        encoding(json!(["utf-7", "utf-32", "utf-8"])),
        Encoding::Utf32
    );
    assert_eq!(encoding(json!(["utf-8", "utf-16"])), Encoding::Utf8);
    assert_eq!(encoding(json!([])), Encoding::Utf16);
    assert_eq!(read(json!({})).encoding, Encoding::Utf16);
}

#[test]
fn a_silent_client_can_do_little() {
    let client = read(json!({}));
    assert_eq!(client.diagnostics, DiagnosticCapabilities::default());
    assert_eq!(client.answers, AnswerCapabilities::default());
    assert_eq!(client.workspace, WorkspaceCapabilities::default());
    let legend = lsp::SemanticTokensLegend::default();
    assert_eq!(server(&client, legend).code_action_provider, None);
}

#[test]
fn asking_for_diagnostics_is_announced_by_the_mere_field() {
    assert!(
        read(json!({"textDocument": {"diagnostic": {}}}))
            .diagnostics
            .pull
    );
}
