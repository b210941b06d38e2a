//! Hovers.

use super::markup::markup;
use super::positions;
use crate::capabilities::Capabilities;
use policy::ParsedFile;
use tower_lsp_server::ls_types as lsp;

pub(crate) fn hover(file: &ParsedFile, hover: &ide::Hover, client: &Capabilities) -> lsp::Hover {
    let markdown = client.answers.hover_markdown;
    lsp::Hover {
        contents: lsp::HoverContents::Markup(markup(&hover.markdown, markdown)),
        range: Some(positions(file, client.encoding).range(hover.range)),
    }
}
