//! The parts of objects that a replay reads.
//!
//! A policy that validates an update of an object from a server sees the object as it is, so only
//! the fields that its expressions and selectors read matter. Operations that add or change fields
//! need the whole object: creations and deletions, objects that no server has stored, mutations,
//! the rules of a CustomResourceDefinition, and the conversion to another version.

use super::known_results::{KnownObject, KnownResults};
use super::object_outcome::ObjectOutcome;
use super::plan::operation;
use super::policies::Policies;
use super::request::is_of_server;
use super::row_table::RowTable;
use crate::arguments::Replay;
use admission::{Operation, PartTexts, Resource, SelectParts};
use cel::Value;
use policy::PolicyDocument;
use policy::manifest::Policy;
use policy::parts::{Parts, PolicyReads, Readers};
use std::collections::HashMap;
use std::sync::Arc;

/// Limit: the bytes of the results that a thread keeps. Beyond it, it drops all of them.
const MAX_BYTES: usize = 4 << 20;

/// The parts of the objects of each kind. Each thread has its own, since the names of fields are
/// reference counted.
#[derive(Debug)]
pub(super) struct Selection<'p> {
    policies: &'p Policies,
    rows: &'p RowTable,
    operation: Option<Operation>,
    selections: Vec<Selected<'p>>,
    /// By `kind` and `apiVersion`.
    indexes: HashMap<String, HashMap<String, usize>>,
    /// The index of the last one.
    last: usize,
    /// The known results of the last object.
    known: Option<KnownObject>,
}

/// The parts of the objects of a kind.
#[derive(Debug)]
enum Selected<'p> {
    /// No policy matches it.
    Nothing(Arc<Parts>),
    /// The parts of which the results are kept.
    Known(Box<KnownResults<'p>>),
    Whole,
}

impl<'p> Selection<'p> {
    pub(super) fn new(policies: &'p Policies, rows: &'p RowTable, options: &Replay) -> Self {
        Self {
            policies,
            rows,
            operation: options.operation(),
            selections: Vec::new(),
            indexes: HashMap::new(),
            last: 0,
            known: None,
        }
    }

    /// Returns the policies whose results for the last object, which was compared, are missing.
    pub(super) fn missing(&self) -> Vec<usize> {
        self.known
            .as_ref()
            .map_or_else(Vec::new, |it| it.missing.clone())
    }

    /// Returns the result of the last object, which was compared. `rest` is that of the policies
    /// whose results are missing.
    pub(super) fn complete(&mut self, texts: &PartTexts, rest: ObjectOutcome) -> ObjectOutcome {
        let known = self.known.take().unwrap_or_default();
        let Some(Selected::Known(results)) = self.selections.get_mut(self.last) else {
            return rest;
        };
        let is_kept = !known.missing.is_empty();
        let outcome = results.complete(texts, known, rest);
        if is_kept && self.known_results().map(|it| it.bytes()).sum::<usize>() > MAX_BYTES {
            self.forget();
        }
        outcome
    }

    /// Drops all known results, since there are other objects that policies use.
    pub(super) fn forget(&mut self) {
        self.known_results().for_each(KnownResults::clear);
    }

    fn known_results(&mut self) -> impl Iterator<Item = &mut KnownResults<'p>> {
        self.selections.iter_mut().filter_map(|it| match it {
            Selected::Known(results) => Some(&mut **results),
            _ => None,
        })
    }

    /// Returns what is selected of the objects of a kind.
    fn selected(&mut self, api_version: &str, kind: &str) -> Option<&Selected<'p>> {
        let index = self.indexes.get(kind).and_then(|it| it.get(api_version));
        self.last = match index {
            Some(index) => *index,
            None => {
                let selected = self.select(api_version, kind);
                self.selections.push(selected);
                let index = self.selections.len() - 1;
                let of_kind = self.indexes.entry(kind.to_owned()).or_default();
                of_kind.insert(api_version.to_owned(), index);
                index
            }
        };
        self.selections.get(self.last)
    }

    fn select(&self, api_version: &str, kind: &str) -> Selected<'p> {
        let resource = self
            .policies
            .api_server
            .resources()
            .resource(api_version, kind);
        let mut validating = Vec::new();
        for (index, policy) in self.policies.policies.iter().enumerate() {
            let validator = policy.validator.as_ref();
            if validator.is_some_and(|it| it.is_of(&resource.group, &resource.kind)) {
                return Selected::Whole;
            }
            match operation(&policy.document, &resource, self.operation) {
                None => {}
                Some(Operation::Update) if has_version(&policy.document, &resource) => {
                    validating.push((index, PolicyReads::new(&policy.document)));
                }
                Some(_) => return Selected::Whole,
            }
        }
        if validating.is_empty() {
            return Selected::Nothing(Arc::new(Parts::join(&[])));
        }
        let known = KnownResults::new(self.policies, self.rows, resource, &validating);
        known.map_or(Selected::Whole, |it| Selected::Known(Box::new(it)))
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
        match self.selected(api_version, kind)? {
            Selected::Nothing(parts) => Some(Arc::clone(parts)),
            Selected::Known(results) => Some(Arc::clone(results.parts())),
            Selected::Whole => None,
        }
    }

    fn suffices(&self, object: &Value) -> bool {
        let selected = self.selections.get(self.last);
        matches!(selected, Some(Selected::Nothing(_))) || is_of_server(object)
    }

    fn compared_parts(&mut self, api_version: &str, kind: &str) -> Option<Arc<Parts>> {
        match self.selected(api_version, kind)? {
            Selected::Nothing(parts) => Some(Arc::clone(parts)),
            Selected::Known(results) if results.is_worth() => Some(Arc::clone(results.parts())),
            Selected::Known(_) | Selected::Whole => None,
        }
    }

    fn readers(&mut self, texts: &PartTexts) -> Readers {
        let known = match self.selections.get_mut(self.last) {
            Some(Selected::Known(results)) => results.find(texts),
            _ => KnownObject::default(),
        };
        let readers = known.readers;
        self.known = Some(known);
        readers
    }
}

#[cfg(test)]
mod tests;
