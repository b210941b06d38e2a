//! The parts of objects that a replay reads.
//!
//! A policy that validates an update of an object from a server sees the object as it is, so only
//! the fields that its expressions and selectors read matter. Operations that add or change fields
//! need the whole object: creations and deletions, objects that no server has stored, mutations,
//! the rules of a CustomResourceDefinition, and the conversion to another version.

use super::plan::operation;
use super::policies::Policies;
use super::request::is_of_server;
use crate::arguments::Replay;
use admission::{Operation, Resource, SelectParts};
use cel::Value;
use policy::PolicyDocument;
use policy::manifest::Policy;
use policy::parts::{Parts, PolicyReads};
use std::collections::HashMap;
use std::sync::Arc;

/// The fields that identify an object or that selectors read.
const ALWAYS: [&[&str]; 6] = [
    &["metadata", "name"],
    &["metadata", "generateName"],
    &["metadata", "namespace"],
    &["metadata", "uid"],
    &["metadata", "resourceVersion"],
    &["metadata", "labels"],
];

/// The parts of the objects of each kind. Each thread has its own, since the names of fields are
/// reference counted.
#[derive(Debug)]
pub(super) struct Selection<'p> {
    policies: &'p Policies,
    operation: Option<Operation>,
    /// By `kind` and `apiVersion`.
    selections: HashMap<String, HashMap<String, Selected>>,
    /// Whether the last kind has policies.
    is_evaluated: bool,
}

/// The parts of the objects of a kind.
#[derive(Clone, Debug)]
enum Selected {
    /// No policy matches it.
    Nothing(Arc<Parts>),
    Parts(Arc<Parts>),
    Whole,
}

impl<'p> Selection<'p> {
    pub(super) fn new(policies: &'p Policies, options: &Replay) -> Self {
        Self {
            policies,
            operation: options.operation(),
            selections: HashMap::new(),
            is_evaluated: false,
        }
    }

    fn select(&self, api_version: &str, kind: &str) -> Selected {
        let resource = self
            .policies
            .api_server
            .resources()
            .resource(api_version, kind);
        let mut readers = Vec::new();
        for policy in &self.policies.policies {
            let validator = policy.validator.as_ref();
            if validator.is_some_and(|it| it.is_of(&resource.group, &resource.kind)) {
                return Selected::Whole;
            }
            match operation(&policy.document, &resource, self.operation) {
                None => {}
                Some(Operation::Update) if has_version(&policy.document, &resource) => {
                    let reads = PolicyReads::new(&policy.document);
                    readers.extend([reads.conditions.object, reads.others.object]);
                }
                Some(_) => return Selected::Whole,
            }
        }
        if readers.is_empty() {
            return Selected::Nothing(Arc::new(Parts::join(&[])));
        }
        let mut always = Parts::default();
        ALWAYS.iter().for_each(|path| always.add_path(path));
        readers.push(always);
        let parts = Parts::join(&readers);
        if parts.is_whole() {
            Selected::Whole
        } else {
            Selected::Parts(Arc::new(parts))
        }
    }
}

/// Returns whether the rules of a policy match no other version of a resource, to which the object
/// would be converted.
fn has_version(policy: &PolicyDocument, resource: &Resource) -> bool {
    let mut rules = policy.policy().into_iter().flat_map(Policy::rules);
    rules.all(|rule| {
        !rule.has_resource(&resource.plural, "")
            || rule.has_version(&resource.group, &resource.version)
    })
}

impl SelectParts for Selection<'_> {
    fn parts(&mut self, api_version: &str, kind: &str) -> Option<Arc<Parts>> {
        let cached = self.selections.get(kind).and_then(|it| it.get(api_version));
        let selected = match cached {
            Some(cached) => cached.clone(),
            None => {
                let selected = self.select(api_version, kind);
                let of_kind = self.selections.entry(kind.to_owned()).or_default();
                of_kind.insert(api_version.to_owned(), selected.clone());
                selected
            }
        };
        self.is_evaluated = !matches!(selected, Selected::Nothing(_));
        match selected {
            Selected::Nothing(parts) | Selected::Parts(parts) => Some(parts),
            Selected::Whole => None,
        }
    }

    fn suffices(&self, object: &Value) -> bool {
        !self.is_evaluated || is_of_server(object)
    }
}

#[cfg(test)]
mod tests;
