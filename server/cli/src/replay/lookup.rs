//! What policies use besides the object: its namespace and parameters.
//!
//! A dump has thousands of objects that may be parameters and few that are, so only those that
//! a binding selects are kept. A missing object may still exist in the cluster: a policy that
//! needs it has an unknown result.

use super::judge::Name;
use super::policies::{Policy, spec};
use cel::Value;
use kubernetes::names::NAMESPACE_NAME;
use policy::PolicyDocument;
use std::collections::HashMap;
use std::sync::Arc;
use yaml::{Node, Sequence};

/// The kind of namespaces.
const NAMESPACE: &str = "Namespace";

/// The objects that policies use.
#[derive(Debug, Default)]
pub(super) struct LookedUp {
    namespaces: bool,
    params: Vec<Params>,
}

/// Parameters of a kind.
#[derive(Debug)]
struct Params {
    api_version: String,
    kind: String,
    references: Vec<Reference>,
}

/// What a binding selects. An empty name selects all.
#[derive(Debug, PartialEq, Eq)]
struct Reference {
    namespace: String,
    name: String,
}

impl LookedUp {
    /// Returns what policies with these bindings use.
    pub(super) fn of(policies: &[Policy], bindings: &[Arc<PolicyDocument>]) -> Self {
        let by_labels = |it: &Arc<PolicyDocument>| selects_by_labels(it, "matchResources");
        let mut all = Self {
            namespaces: policies.iter().any(Policy::needs_namespace)
                || bindings.iter().any(by_labels),
            params: Vec::new(),
        };
        for policy in policies {
            let Some(kind) = spec(&policy.document, "paramKind") else {
                continue;
            };
            let (api_version, kind) = (text(kind, "apiVersion"), text(kind, "kind"));
            let bound = bindings.iter().filter(|it| policy.is_bound(it));
            for reference in bound.filter_map(|it| spec(it, "paramRef")) {
                let (namespace, name) = (text(reference, "namespace"), text(reference, "name"));
                let (namespace, name) = (namespace.to_owned(), name.to_owned());
                all.add(api_version, kind, Reference { namespace, name });
            }
            if policy.bindings.is_empty() {
                let (namespace, name) = (String::new(), String::new());
                all.add(api_version, kind, Reference { namespace, name });
            }
        }
        all
    }

    fn add(&mut self, api_version: &str, kind: &str, reference: Reference) {
        let mut known = self.params.iter_mut();
        match known.find(|it| it.api_version == api_version && it.kind == kind) {
            Some(known) => known.references.push(reference),
            None => self.params.push(Params {
                api_version: api_version.to_owned(),
                kind: kind.to_owned(),
                references: vec![reference],
            }),
        }
    }

    /// Returns whether they use no other objects.
    pub(super) fn is_empty(&self) -> bool {
        !self.namespaces && self.params.is_empty()
    }

    /// Returns words of which every document with such an object contains one.
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        let namespaces = self.namespaces.then_some(NAMESPACE);
        namespaces
            .into_iter()
            .chain(self.params.iter().map(|it| it.kind.as_str()))
    }

    /// Returns whether policies may use an object.
    pub(super) fn takes(&self, object: &Value) -> bool {
        self.takes_as_namespace(object) || self.takes_as_params(object)
    }

    /// Returns whether an object is a namespace that policies use.
    pub(super) fn takes_as_namespace(&self, object: &Value) -> bool {
        self.namespaces && field(object, "kind") == NAMESPACE && field(object, "apiVersion") == "v1"
    }

    /// Returns whether an object may be parameters that policies use.
    pub(super) fn takes_as_params(&self, object: &Value) -> bool {
        let (api_version, kind) = (field(object, "apiVersion"), field(object, "kind"));
        let mut kinds = self.params.iter();
        let kind = kinds.find(|it| it.api_version == api_version && it.kind == kind);
        kind.is_some_and(|kind| {
            let name = Name::of(object);
            let is = |wanted: &str, there: &str| wanted.is_empty() || wanted == there;
            let mut references = kind.references.iter();
            references.any(|it| is(&it.namespace, &name.namespace) && is(&it.name, &name.name))
        })
    }
}

/// Objects that were found, each once.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    objects: Vec<Value>,
    places: HashMap<(String, Name), usize>,
}

impl Known {
    /// Adds an object. It replaces one with the same name.
    pub(super) fn add(&mut self, object: Value) {
        let key = (field(&object, "apiVersion").to_owned(), Name::of(&object));
        let next = self.objects.len();
        let place = *self.places.entry(key).or_insert(next);
        match self.objects.get_mut(place) {
            Some(known) => *known = object,
            None => self.objects.push(object),
        }
    }

    /// Returns all objects.
    pub(super) fn objects(&self) -> &[Value] {
        &self.objects
    }

    /// Returns the number of parameters for a policy without a binding.
    pub(super) fn params_of(&self, policy: &PolicyDocument) -> usize {
        let Some(kind) = spec(policy, "paramKind") else {
            return 0;
        };
        let (api_version, kind) = (text(kind, "apiVersion"), text(kind, "kind"));
        let is_one =
            |it: &&Value| field(it, "apiVersion") == api_version && field(it, "kind") == kind;
        self.objects.iter().filter(is_one).count()
    }
}

/// Returns whether a policy or a binding selects namespaces by labels other than
/// `kubernetes.io/metadata.name`.
pub(super) fn selects_by_labels(document: &PolicyDocument, owner: &str) -> bool {
    let selector = spec(document, owner).and_then(|owner| owner.get("namespaceSelector"));
    let Some(selector) = selector else {
        return false;
    };
    let labels = selector.get("matchLabels").and_then(Node::as_mapping);
    let labels = labels.into_iter().flat_map(yaml::Mapping::entries);
    let requirements = selector.get("matchExpressions").and_then(Node::as_sequence);
    let requirements = requirements.into_iter().flat_map(Sequence::items);
    let mut keys = requirements.map(|it| it.get("key").map_or("", Node::text));
    labels
        .into_iter()
        .any(|entry| entry.key.key_text() != NAMESPACE_NAME)
        || keys.any(|key| key != NAMESPACE_NAME)
}

fn field<'o>(object: &'o Value, field: &str) -> &'o str {
    let text = || object.as_map()?.get_str(field)?.as_str();
    text().unwrap_or_default()
}

fn text<'a>(node: Node<'a>, field: &str) -> &'a str {
    node.get(field).and_then(Node::as_str).unwrap_or_default()
}
