//! `workspace/textDocumentContent`: the pages of rules, as documents of the editor.

use crate::rule_pages;
use ide::diagnostics::RULES;
use serde::{Deserialize, Serialize};
use tower_lsp_server::jsonrpc::{Error, Result};

/// The parameters of the request.
#[derive(Debug, Deserialize)]
pub(crate) struct ContentParams {
    /// The document.
    uri: String,
}

/// The result of the request.
#[derive(Debug, Serialize)]
pub(crate) struct Content {
    /// The page, as Markdown.
    text: &'static str,
}

/// Returns the page of a rule.
///
/// # Errors
/// If the document is not the page of a rule.
pub(crate) fn text_document_content(params: &ContentParams) -> Result<Content> {
    let code = rule_pages::code(&params.uri);
    let rule = RULES.iter().find(|rule| code == Some(rule.code));
    rule.map(|rule| Content { text: rule.page })
        .ok_or_else(|| Error::invalid_params(format!("{} is not the page of a rule", params.uri)))
}
