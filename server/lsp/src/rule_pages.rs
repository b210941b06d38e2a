//! The location of a rule's page: on the web, or in the editor, from this server.
//!
//! The page in the editor is that of the running version, and opens without a network.

use serde_json::json;
use tower_lsp_server::ls_types as lsp;

/// The page of all rules on the web. The code of a rule is an anchor in it.
const WEB: &str = "https://github.com/admissible/admissible/blob/main/server/docs/rules.md";

/// The scheme of the pages in the editor.
const SCHEME: &str = "admissible-rule";

/// The request for the content of such a document.
pub(crate) const METHOD: &str = "workspace/textDocumentContent";

/// Where a client opens the pages of rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum RulePages {
    /// On the web.
    #[default]
    Web,
    /// In the editor, as a document whose content it requests: the experimental capability
    /// `admissible.opensRulePages`.
    Editor,
}

impl RulePages {
    /// Returns the address of the page of a rule.
    pub(crate) fn uri(self, code: &str) -> Option<lsp::Uri> {
        let uri = match self {
            Self::Web => format!("{WEB}#{code}"),
            Self::Editor => format!("{SCHEME}:/{code}.md"),
        };
        uri.parse().ok()
    }

    /// Returns the registration for the content of the pages, if the client requests it.
    pub(crate) fn registration(self) -> Option<lsp::Registration> {
        (self == Self::Editor).then(|| lsp::Registration {
            id: METHOD.to_owned(),
            method: METHOD.to_owned(),
            register_options: Some(json!({ "schemes": [SCHEME] })),
        })
    }
}

/// Returns the code of the rule whose page has this address in the editor.
pub(crate) fn code(uri: &str) -> Option<&str> {
    let path = uri.strip_prefix(SCHEME)?.strip_prefix(":/")?;
    path.strip_suffix(".md")
}
