//! The webhooks of a configuration.

use super::{Location, MatchResources, Word, word};
use std::sync::Arc;
use yaml::Node;

/// An entry of `webhooks`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Webhook {
    /// The whole entry.
    pub at: Location,
    /// `name`.
    pub name: Option<Word>,
    /// `failurePolicy`.
    pub failure_policy: Option<Word>,
    /// The requests for which it is called.
    pub matching: Arc<MatchResources>,
}

impl Webhook {
    pub(crate) fn read(node: Node<'_>) -> Self {
        Self {
            at: node.into(),
            name: word(node, "name"),
            failure_policy: word(node, "failurePolicy"),
            matching: Arc::new(MatchResources::of_webhook(node)),
        }
    }
}
