//! The commands of `workspace/executeCommand` and their arguments.
//!
//! They are an extension of the protocol, documented for authors of clients in
//! `server/docs/protocol.md`.

use evaluation::input::InputKey;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use tower_lsp_server::ls_types as lsp;

/// Evaluates an expression.
pub(crate) const EVALUATE: &str = "admissible.evaluate";

/// Lists the inputs of a policy, or selects one.
pub(crate) const SELECT_INPUT: &str = "admissible.selectInput";

/// Hides all values.
pub(crate) const HIDE_VALUES: &str = "admissible.hideValues";

/// Turns live mode on or off.
pub(crate) const LIVE_VALUES: &str = "admissible.liveValues";

/// Shows what a mutating policy changes.
pub(crate) const SHOW_MUTATION: &str = "admissible.showMutation";

/// Creates an admission input.
pub(crate) const CREATE_INPUT: &str = "admissible.createInput";

/// Returns the settings that apply to a document.
pub(crate) const DOCUMENT_STATUS: &str = "admissible.documentStatus";

/// Lists the policies of the workspace.
pub(crate) const LIST_POLICIES: &str = "admissible.listPolicies";

/// All commands.
pub(crate) const COMMANDS: [&str; 8] = [
    EVALUATE,
    SELECT_INPUT,
    HIDE_VALUES,
    LIVE_VALUES,
    SHOW_MUTATION,
    CREATE_INPUT,
    DOCUMENT_STATUS,
    LIST_POLICIES,
];

/// The argument of [`EVALUATE`].
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum EvaluateArguments {
    /// The expression of a field.
    Named {
        uri: lsp::Uri,
        policy: usize,
        path: String,
    },
    /// The expression at a position.
    At {
        uri: lsp::Uri,
        position: lsp::Position,
    },
}

impl EvaluateArguments {
    pub(crate) fn uri(&self) -> &lsp::Uri {
        match self {
            EvaluateArguments::Named { uri, .. } | EvaluateArguments::At { uri, .. } => uri,
        }
    }
}

/// The argument of [`SELECT_INPUT`], of [`SHOW_MUTATION`] and of [`CREATE_INPUT`].
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct PolicyArguments {
    pub(crate) uri: lsp::Uri,
    #[serde(flatten)]
    pub(crate) policy: PolicySelector,
    #[serde(default)]
    pub(crate) input: Option<InputName>,
}

/// A reference to a policy of a document.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum PolicySelector {
    /// The policy with this index.
    Index { policy: usize },
    /// The policy at a position.
    At { position: lsp::Position },
}

/// The argument of [`HIDE_VALUES`], of [`LIVE_VALUES`] and of [`DOCUMENT_STATUS`].
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct DocumentArguments {
    pub(crate) uri: lsp::Uri,
    #[serde(default)]
    pub(crate) on: Option<bool>,
}

/// The identity of an input.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct InputName {
    path: PathBuf,
    document: usize,
    name: String,
}

impl From<InputKey> for InputName {
    fn from(key: InputKey) -> Self {
        Self {
            path: key.path.to_path_buf(),
            document: key.document,
            name: key.name,
        }
    }
}

impl From<InputName> for InputKey {
    fn from(input: InputName) -> Self {
        Self {
            path: input.path.into(),
            document: input.document,
            name: input.name,
        }
    }
}
