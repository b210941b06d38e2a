//! The capabilities for inlay hints.

use super::Capabilities;
use tower_lsp_server::ls_types as lsp;

/// Returns whether a client requests the tooltip of a hint when it is shown.
pub(super) fn resolves_tooltips(client: Option<&lsp::TextDocumentClientCapabilities>) -> bool {
    let hints = client.and_then(|client| client.inlay_hint.as_ref());
    let resolved = hints.and_then(|hints| hints.resolve_support.as_ref());
    resolved.is_some_and(|it| it.properties.iter().any(|it| it == "tooltip"))
}

/// Returns the capabilities of the server for a client.
pub(super) fn of_server(
    client: &Capabilities,
) -> lsp::OneOf<bool, lsp::InlayHintServerCapabilities> {
    let options = lsp::InlayHintOptions {
        resolve_provider: Some(client.answers.resolved_tooltips),
        ..lsp::InlayHintOptions::default()
    };
    lsp::OneOf::Right(lsp::InlayHintServerCapabilities::Options(options))
}
