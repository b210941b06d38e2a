//! Namespace selectors: whether a `namespaceSelector` matches the namespace of a request.
//!
//! Upstream: kubernetes/apiserver, pkg/admission/plugin/webhook/predicates/namespace/matcher.go,
//! MatchNamespaceSelector.

use super::selects;
use crate::request::Request;
use cel::value::Map;
use kubernetes::names::NAMESPACE_NAME;
use policy::manifest::Selector;

/// Returns whether the selector matches. A cluster-scoped object has no namespace to select.
pub(super) fn matches(selector: &Selector, request: &Request) -> bool {
    match namespace_labels(request) {
        Some(namespace) => selects(selector, namespace),
        None if request.namespace.is_empty() => true,
        // The server gives each namespace a label with its name.
        None => selector.may_match(NAMESPACE_NAME, &request.namespace),
    }
}

/// Returns whether a selector only matches if the labels of the namespace, which are unknown, fit.
pub(in crate::matching) fn is_assumed(selector: &Selector, request: &Request) -> bool {
    let is_known = request.namespace.is_empty() || namespace_labels(request).is_some();
    !is_known && !selector.reads_only(NAMESPACE_NAME)
}

/// Returns the labels by which a namespace is selected: its own for a namespace. `None` for a
/// cluster-scoped object, or if the namespace is unknown.
fn namespace_labels(request: &Request) -> Option<Option<&Map>> {
    if request.is_namespace() {
        let inputs = &request.inputs;
        let (new, old) = (inputs.object.as_ref(), inputs.old_object.as_ref());
        let namespace = if request.subresource.is_empty() {
            new.or(old)
        } else {
            // Namespaced objects are selected by the current namespace.
            old.or(new)
        };
        return Some(Request::labels(namespace));
    }
    let namespace = request.inputs.namespace_object.as_ref()?;
    Some(Request::labels(Some(namespace)))
}
