//! Objects that policies read besides the object of the request: its namespace and parameters.
//!
//! A dump has thousands of objects that may be parameters and few that are, so only those that
//! a binding selects are kept. A missing object may still exist in the cluster: a policy that
//! needs it has an unknown result.

use super::bound_policy::{Policy, selects_by_labels};
use super::name::Name;
use cel::Value;
use kubernetes::{is_of_kind, string_field};
use policy::PolicyDocument;
use policy::manifest::{ParamKind, text_of};
use std::collections::HashMap;
use std::sync::Arc;

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

/// The parameters that a binding selects. An empty name selects all.
#[derive(Debug, PartialEq, Eq)]
struct Reference {
    namespace: String,
    name: String,
}

impl LookedUp {
    /// Returns the objects that policies with these bindings use.
    pub(super) fn new(policies: &[Policy], bindings: &[Arc<PolicyDocument>]) -> Self {
        let by_labels = |it: &Arc<PolicyDocument>| {
            let resources = it.binding().and_then(|it| it.match_resources.as_deref());
            resources.is_some_and(selects_by_labels)
        };
        let mut all = Self {
            namespaces: policies.iter().any(Policy::needs_namespace)
                || bindings.iter().any(by_labels),
            params: Vec::new(),
        };
        for policy in policies {
            let Some(kind) = param_kind(&policy.document) else {
                continue;
            };
            let bound = bindings.iter().filter(|it| it.binds(&policy.document));
            for reference in bound.filter_map(|it| it.binding()?.param_ref.as_ref()) {
                let namespace = text_of(reference.namespace.as_ref()).to_owned();
                let name = text_of(reference.name.as_ref()).to_owned();
                all.add(kind, Reference { namespace, name });
            }
            if policy.bindings.is_empty() {
                let (namespace, name) = (String::new(), String::new());
                all.add(kind, Reference { namespace, name });
            }
        }
        all
    }

    fn add(&mut self, kind: &ParamKind, reference: Reference) {
        let (api_version, kind) = (kind.api_version(), kind.kind());
        let mut params = self.params.iter_mut();
        match params.find(|it| it.api_version == api_version && it.kind == kind) {
            Some(params) => params.references.push(reference),
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

    /// Returns strings of which every document with such an object contains one.
    pub(super) fn search_terms(&self) -> impl Iterator<Item = &str> {
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
        self.namespaces && is_of_kind(object, "v1", NAMESPACE)
    }

    /// Returns whether an object may be parameters that policies use.
    pub(super) fn takes_as_params(&self, object: &Value) -> bool {
        let (api_version, kind) = (
            string_field(object, "apiVersion").unwrap_or_default(),
            string_field(object, "kind").unwrap_or_default(),
        );
        let mut kinds = self.params.iter();
        let kind = kinds.find(|it| it.api_version == api_version && it.kind == kind);
        kind.is_some_and(|kind| {
            let name = Name::new(object);
            let is = |wanted: &str, actual: &str| wanted.is_empty() || wanted == actual;
            let mut references = kind.references.iter();
            references.any(|it| is(&it.namespace, &name.namespace) && is(&it.name, &name.name))
        })
    }
}

/// Objects that were found, each once.
#[derive(Clone, Debug, Default)]
pub(super) struct FoundObjects {
    objects: Vec<Value>,
    places: HashMap<(String, Name), usize>,
}

impl FoundObjects {
    /// Adds an object. It replaces one with the same name.
    pub(super) fn add(&mut self, object: Value) {
        let key = (
            string_field(&object, "apiVersion")
                .unwrap_or_default()
                .to_owned(),
            Name::new(&object),
        );
        let next = self.objects.len();
        let index = *self.places.entry(key).or_insert(next);
        match self.objects.get_mut(index) {
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
        let Some(kind) = param_kind(policy) else {
            return 0;
        };
        let (api_version, kind) = (kind.api_version(), kind.kind());
        let is_one = |it: &&Value| is_of_kind(it, api_version, kind);
        self.objects.iter().filter(is_one).count()
    }
}

fn param_kind(policy: &PolicyDocument) -> Option<&ParamKind> {
    policy.policy()?.param_kind.as_ref()
}
