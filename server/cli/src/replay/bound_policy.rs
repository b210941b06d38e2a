//! A policy of a replay, with its bindings.

use admission::CrdValidator;
use kubernetes::names::NAMESPACE_NAME;
use policy::manifest::{FailurePolicy, MatchResources};
use policy::{Kind, PolicyDocument};
use std::sync::Arc;

/// A policy, or a CustomResourceDefinition with rules.
#[derive(Debug)]
pub(super) struct Policy {
    /// The name; empty if it has none.
    pub(super) name: String,
    /// The path of its file, as displayed.
    pub(super) path: String,
    pub(super) document: Arc<PolicyDocument>,
    /// The validation rules of a CRD.
    pub(super) validator: Option<Arc<CrdValidator>>,
    /// The names of its bindings with their actions; empty if it has none.
    pub(super) bindings: Vec<Binding>,
    /// Its failure policy.
    pub(super) failure_policy: FailurePolicy,
    /// Whether an expression reads the namespace.
    pub(super) reads_namespace: bool,
    /// Whether it selects namespaces by their labels.
    pub(super) selects_namespace: bool,
}

/// A binding of a policy.
#[derive(Clone, Debug)]
pub(super) struct Binding {
    pub(super) name: String,
    pub(super) document: Arc<PolicyDocument>,
    /// `validationActions`.
    pub(super) actions: Vec<String>,
    /// Whether it selects namespaces by their labels.
    pub(super) selects_namespace: bool,
}

impl Policy {
    /// Reads it from a document, with the bindings that bind it.
    pub(super) fn new(
        path: &str,
        document: &Arc<PolicyDocument>,
        bindings: &[Arc<PolicyDocument>],
    ) -> Self {
        let bindings = bindings.iter().filter(|it| it.binds(document));
        let policy = document.policy();
        let constraints = policy.and_then(|it| it.match_constraints.as_deref());
        let mut expressions = document.expressions().iter();
        let is_definition = document.kind() == Kind::CustomResourceDefinition;
        Self {
            reads_namespace: !is_definition
                && expressions.any(|it| it.text().contains("namespaceObject")),
            selects_namespace: constraints.is_some_and(selects_by_labels),
            name: document.name().unwrap_or_default().to_owned(),
            path: path.to_owned(),
            validator: is_definition.then(|| Arc::new(CrdValidator::new(Arc::clone(document)))),
            bindings: bindings.map(binding).collect(),
            failure_policy: document.failure_policy(),
            document: Arc::clone(document),
        }
    }

    /// Returns whether it needs the namespace of an object, beyond its name.
    pub(super) fn needs_namespace(&self) -> bool {
        self.reads_namespace || self.selects_namespace
    }
}

fn binding(document: &Arc<PolicyDocument>) -> Binding {
    let binding = document.binding();
    let actions = binding.map_or(&[][..], |it| &it.validation_actions);
    let resources = binding.and_then(|it| it.match_resources.as_deref());
    Binding {
        selects_namespace: resources.is_some_and(selects_by_labels),
        name: document.name().unwrap_or_default().to_owned(),
        document: Arc::clone(document),
        actions: actions.iter().map(|it| it.text.to_string()).collect(),
    }
}

/// Returns whether a policy or a binding selects namespaces by labels other than
/// `kubernetes.io/metadata.name`.
pub(super) fn selects_by_labels(resources: &MatchResources) -> bool {
    let selector = resources.namespace_selector.as_ref();
    selector.is_some_and(|it| it.keys().any(|key| key != NAMESPACE_NAME))
}
