//! Signatures.

use super::markup::markup;
use crate::capabilities::{Capabilities, SignatureCapabilities};
use ide::{Parameter, Signature, SignatureHelp};
use tower_lsp_server::ls_types as lsp;

pub(crate) fn signature_help(help: SignatureHelp, client: &Capabilities) -> lsp::SignatureHelp {
    let client = client.answers.signatures;
    let active = help.signatures.get(help.active);
    let active_parameter = active.map(active_parameter);
    let signatures = help.signatures.into_iter();
    lsp::SignatureHelp {
        signatures: signatures.map(|it| signature(it, client)).collect(),
        active_signature: u32::try_from(help.active).ok(),
        active_parameter,
    }
}

/// Returns the index of the active parameter. If there is none, the index is out of range: clients
/// highlight the first parameter if the index is missing.
fn active_parameter(signature: &Signature) -> u32 {
    let at = signature.active_parameter;
    u32::try_from(at.unwrap_or(signature.parameters.len())).unwrap_or(u32::MAX)
}

fn signature(signature: Signature, client: SignatureCapabilities) -> lsp::SignatureInformation {
    let parameters = signature.parameters.iter();
    let parameters = parameters.map(|it| parameter(it, &signature.label, client));
    lsp::SignatureInformation {
        parameters: Some(parameters.collect()),
        active_parameter: client
            .active_parameter
            .then(|| active_parameter(&signature)),
        documentation: documentation(signature.documentation.as_deref(), client),
        label: signature.label,
    }
}

fn parameter(
    parameter: &Parameter,
    label: &str,
    client: SignatureCapabilities,
) -> lsp::ParameterInformation {
    let written = parameter.span.slice(label);
    lsp::ParameterInformation {
        label: if client.label_offsets {
            let before = label.split_at_checked(parameter.span.start() as usize);
            let start = width(before.map_or(label, |(before, _)| before));
            lsp::ParameterLabel::LabelOffsets([start, start + width(written)])
        } else {
            lsp::ParameterLabel::Simple(written.to_owned())
        },
        documentation: documentation(parameter.documentation.as_deref(), client),
    }
}

/// Returns the length in UTF-16, the unit of offsets in a label regardless of the encoding of
/// positions.
fn width(text: &str) -> u32 {
    let width = text.chars().map(char::len_utf16).sum::<usize>();
    u32::try_from(width).unwrap_or(u32::MAX)
}

fn documentation(
    markdown: Option<&str>,
    client: SignatureCapabilities,
) -> Option<lsp::Documentation> {
    let markup = markup(markdown?, client.markdown);
    Some(lsp::Documentation::MarkupContent(markup))
}
