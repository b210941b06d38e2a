//! Bindings: which policy counts where, with which parameters.

use super::{MatchResources, ParamRef, Word, field, word, words};
use std::sync::Arc;
use yaml::Node;

/// The `spec` of a binding.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Binding {
    /// `policyName`.
    pub policy_name: Option<Word>,
    /// `paramRef`.
    pub param_ref: Option<ParamRef>,
    /// `matchResources`.
    pub match_resources: Option<Arc<MatchResources>>,
    /// `validationActions`.
    pub validation_actions: Vec<Word>,
}

impl Binding {
    pub(crate) fn read(spec: Node<'_>) -> Self {
        let match_resources = field(spec, "matchResources").map(MatchResources::read);
        Self {
            policy_name: word(spec, "policyName"),
            param_ref: field(spec, "paramRef").and_then(ParamRef::read),
            match_resources: match_resources.map(Arc::new),
            validation_actions: words(spec, "validationActions"),
        }
    }
}
