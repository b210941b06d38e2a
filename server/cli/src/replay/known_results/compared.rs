//! A policy whose results are compared.

use super::super::bound_policy::Policy;
use super::super::effect::Effect;
use super::super::object_outcome::ObjectOutcome;
use super::Place;
use admission::PartTexts;
use policy::manifest::MatchResources;
use policy::parts::{Parts, PolicyReads, Reads, RequestReads};

/// The labels of an object, which selectors read.
const LABELS: &[&str] = &["metadata", "labels"];

/// The name of an object, which no other object of its namespace has.
const NAME: &[&str] = &["metadata", "name"];

/// A policy whose results are compared.
#[derive(Debug)]
pub(super) struct Compared {
    /// The index of the policy.
    pub(super) policy: usize,
    /// Whether results are kept. Otherwise, each object has its own.
    pub(super) is_kept: bool,
    /// Whether the namespace itself decides, and not only which rows match or skip it.
    by_namespace: bool,
    /// Whether selectors read the labels of the object.
    reads_labels: bool,
    /// The readers of the match conditions, and of the other expressions and the selectors.
    pub(super) readers: [usize; 2],
}

impl Compared {
    /// Returns a policy by its index, for Namespaces or for other objects. A Namespace is selected
    /// by its own labels, and its name is also its namespace.
    pub(super) fn new(
        index: usize,
        policy: &Policy,
        reads: &PolicyReads,
        is_namespace: bool,
    ) -> Self {
        let PolicyReads { conditions, others } = reads;
        let mut rules = resources(policy).flat_map(|it| it.rules.iter().chain(&it.excluded));
        let by_name = is_namespace
            || rules.any(|rule| !rule.names.is_empty())
            || conditions.object.has_path(NAME)
            || others.object.has_path(NAME);
        let request = conditions.request.max(others.request);
        let reads_namespace = |it: &Reads| it.request == RequestReads::Namespace;
        let mut bindings = policy.bindings.iter();
        let selects_objects = resources(policy).any(|it| it.object_selector.is_some());
        Self {
            policy: index,
            is_kept: !by_name
                && !policy.document.has_params()
                && request != RequestReads::Everything,
            by_namespace: policy.selects_namespace
                || bindings.any(|it| it.selects_namespace)
                || policy.reads_namespace
                || selects_objects
                || reads_namespace(conditions) && !conditions.object.is_empty()
                || reads_namespace(others),
            reads_labels: is_namespace || selects_objects,
            readers: [0; 2],
        }
    }

    /// Returns the parts of an object that its readers read.
    pub(super) fn parts(&self, reads: &PolicyReads) -> [Parts; 2] {
        let mut others = reads.others.object.clone();
        if self.reads_labels {
            others.add_path(LABELS);
        }
        [reads.conditions.object.clone(), others]
    }

    /// Returns the key of the result for some parts, if it is kept.
    pub(super) fn key(&self, place: &Place, texts: &PartTexts) -> Option<Box<[u8]>> {
        let [conditions, others] = self.readers.map(|reader| texts.text(reader));
        self.is_kept
            .then(|| [place, conditions, others].concat().into())
    }

    /// Returns what decides about an object of a namespace besides its parts: the rows that match it
    /// or skip it, or else the namespace.
    pub(super) fn place(&self, namespace: &str, outcome: &ObjectOutcome) -> Place {
        let mut findings = outcome.findings.iter();
        // A match condition may fail in this namespace, or a result may be unknown.
        let is_plain =
            !self.by_namespace && findings.all(|it| !it.is_failure && it.effect != Effect::Unknown);
        let mut numbers = vec![self.policy];
        if is_plain {
            for rows in [&outcome.matched, &outcome.skipped] {
                let start = numbers.len();
                numbers.extend(rows);
                if let Some(rows) = numbers.get_mut(start..) {
                    rows.sort_unstable();
                }
                // No row has this number.
                numbers.push(usize::MAX);
            }
        } else {
            // Texts begin after the namespace.
            numbers.push(namespace.len());
        }
        let namespace = if is_plain { "" } else { namespace };
        let numbers = numbers.into_iter().flat_map(usize::to_le_bytes);
        numbers.chain(namespace.bytes()).collect()
    }
}

/// Returns the match resources of a policy and of its bindings.
fn resources(policy: &Policy) -> impl Iterator<Item = &MatchResources> {
    let own = policy.document.policy();
    let own = own.and_then(|it| it.match_constraints.as_deref());
    let bindings = policy.bindings.iter();
    let bound = bindings.filter_map(|it| it.document.binding()?.match_resources.as_deref());
    own.into_iter().chain(bound)
}
