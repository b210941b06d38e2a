//! The webhooks of a configuration.

use super::{FailurePolicy, MatchResources, NodeRange, StringField, word};
use std::sync::Arc;
use yaml::Node;

/// An entry of `webhooks`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Webhook {
    /// The whole entry.
    pub at: NodeRange,
    /// `name`.
    pub name: Option<StringField>,
    /// `failurePolicy`.
    pub failure_policy: FailurePolicy,
    /// The requests for which it is called.
    pub matching: Arc<MatchResources>,
    /// The key of `clientConfig.service`.
    pub service: Option<NodeRange>,
    /// Whether there is a field that the API server requires, besides `name`.
    pub is_whole: bool,
}

impl Webhook {
    pub(crate) fn read(node: Node<'_>) -> Self {
        let required = ["clientConfig", "sideEffects", "admissionReviewVersions"];
        let service = node.get("clientConfig").and_then(|it| it.entry("service"));
        let service = service.filter(|service| !service.value.is_null());
        Self {
            service: service.map(|service| service.key.into()),
            is_whole: required.iter().any(|name| node.get(name).is_some()),
            at: node.into(),
            name: word(node, "name"),
            failure_policy: FailurePolicy::read(node),
            matching: Arc::new(MatchResources::from_webhook(node)),
        }
    }
}
