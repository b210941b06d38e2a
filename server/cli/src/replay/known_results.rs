//! Results of policies for objects that they cannot tell from an earlier one.
//!
//! Most objects of a cluster are copies of each other: the pods of a Deployment differ in their names
//! and their status. A policy has the same result for all objects whose parts it reads are the same,
//! so it is evaluated once for them.

mod compared;
mod identity;

use super::effect::Effect;
use super::name::Name;
use super::object_outcome::ObjectOutcome;
use super::policies::Policies;
use super::row_table::RowTable;
use admission::{Operation, PartTexts, Resource, denial, forbidden_name};
use compared::Compared;
use identity::Identity;
use policy::parts::{Parts, PolicyReads, Readers};
use std::sync::Arc;
use text::memo::Memo;

/// The bytes of a result besides those of its key, about.
const RESULT: usize = 320;

/// The objects after which comparing ends, unless it saves work.
const TRIAL: u64 = 2_048;

/// The results that must be known to save the work of comparing an object, if it has to be read.
const WORTH: u64 = 6;

/// The reader of the identity.
const IDENTITY: usize = 0;

/// The results of the policies for the objects of a kind.
#[derive(Debug)]
pub(super) struct KnownResults<'p> {
    policies: &'p Policies,
    rows: &'p RowTable,
    resource: Resource,
    parts: Arc<Parts>,
    compared: Vec<Compared>,
    /// The place of an object for each policy, by namespace.
    places: Memo<Box<str>, Arc<[Place]>>,
    /// By place and text.
    results: Memo<Box<[u8]>, Arc<ObjectOutcome>>,
    bytes: usize,
    counts: Counts,
}

/// How much is known.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    /// The objects that were compared.
    objects: u64,
    /// Those that were not read.
    known_objects: u64,
    /// The results that were known.
    known: u64,
}

/// The inputs of a policy besides the parts of the object, as the beginning of a key.
type Place = Box<[u8]>;

/// The known results of an object.
#[derive(Debug, Default)]
pub(super) struct KnownObject {
    identity: Option<Identity>,
    /// The result of each policy, if it is known.
    outcomes: Vec<Option<Arc<ObjectOutcome>>>,
    /// The policies whose results are missing, by their index.
    pub(super) missing: Vec<usize>,
    /// The readers of the parts that these read.
    pub(super) readers: Readers,
}

impl Counts {
    /// Counts an object.
    fn add(&mut self, object: &KnownObject) {
        let missing = object.missing.len() as u64;
        self.objects += 1;
        self.known_objects += u64::from(missing == 0);
        self.known += object.outcomes.len() as u64 - missing;
    }
}

impl<'p> KnownResults<'p> {
    /// Returns the results for a kind whose objects some policies, by their index, validate as they
    /// are. `None` if objects are read as a whole.
    pub(super) fn new(
        policies: &'p Policies,
        rows: &'p RowTable,
        resource: Resource,
        validating: &[(usize, PolicyReads)],
    ) -> Option<Self> {
        let is_namespace = resource.group.is_empty() && resource.kind == "Namespace";
        let mut compared = Vec::new();
        for (index, reads) in validating {
            let policy = policies.policies.get(*index)?;
            compared.push(Compared::new(*index, policy, reads, is_namespace));
        }
        let mut readers = vec![Identity::parts()];
        // Readers beyond the limit share an index, so those whose results are not kept come last.
        for is_kept in [true, false] {
            let policies = compared.iter_mut().zip(validating);
            for (it, (_, reads)) in policies.filter(|(it, _)| it.is_kept == is_kept) {
                it.readers = [readers.len(), readers.len() + 1];
                readers.extend(it.parts(reads));
            }
        }
        let parts = Parts::join(&readers);
        (!parts.is_whole()).then(|| Self {
            policies,
            rows,
            resource,
            parts: Arc::new(parts),
            compared,
            places: Memo::default(),
            results: Memo::default(),
            bytes: 0,
            counts: Counts::default(),
        })
    }

    /// Returns the parts of objects that policies read.
    pub(super) fn parts(&self) -> &Arc<Parts> {
        &self.parts
    }

    /// Returns whether comparing objects saves work: half of them are not read, or many results are
    /// known.
    pub(super) fn is_worth(&self) -> bool {
        let kept = self.compared.iter().filter(|it| it.is_kept).count();
        let Counts {
            objects,
            known_objects,
            known,
            ..
        } = self.counts;
        (kept == self.compared.len() || kept as u64 >= WORTH)
            && (objects < TRIAL || known_objects * 2 >= objects || known >= objects * WORTH)
    }

    /// Returns the bytes of all results, about.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the number of results that were known, and of those that were missing.
    #[cfg(test)]
    pub(super) fn counts(&self) -> (u64, u64) {
        let Counts { objects, known, .. } = self.counts;
        (known, objects * self.compared.len() as u64 - known)
    }

    /// Drops all results.
    pub(super) fn clear(&mut self) {
        self.places.end(self.places.begin());
        self.results.end(self.results.begin());
        self.bytes = 0;
    }

    /// Returns what is known about an object with these texts.
    pub(super) fn find(&mut self, texts: &PartTexts) -> KnownObject {
        let identity = Identity::read(texts.text(IDENTITY));
        let namespace = identity.as_ref().map(Identity::namespace);
        let places = namespace.and_then(|it| self.places.known(it));
        let mut object = KnownObject {
            identity,
            outcomes: Vec::with_capacity(self.compared.len()),
            missing: Vec::new(),
            readers: Readers::default(),
        };
        for (index, compared) in self.compared.iter().enumerate() {
            let place = places.as_ref().and_then(|it| it.get(index));
            let key = place.and_then(|place| compared.key(place, texts));
            let outcome = key.and_then(|key| self.results.known(&*key));
            if outcome.is_none() {
                object.missing.push(compared.policy);
                let readers = compared.readers.into_iter().chain([IDENTITY]);
                readers.for_each(|reader| object.readers.add(reader));
            }
            object.outcomes.push(outcome);
        }
        self.counts.add(&object);
        object
    }

    /// Returns the result of an object. `rest` is the result of the missing policies, which is kept.
    pub(super) fn complete(
        &mut self,
        texts: &PartTexts,
        object: KnownObject,
        rest: ObjectOutcome,
    ) -> ObjectOutcome {
        // All policies are missing then.
        let Some(identity) = object.identity else {
            return rest;
        };
        let mut outcome = ObjectOutcome::default();
        let rows = &self.rows.0;
        let parts = self
            .compared
            .iter()
            .zip(object.outcomes)
            .map(|(it, known)| {
                let is_own = |row: usize| rows.get(row).is_some_and(|row| row.policy == it.policy);
                known.unwrap_or_else(|| Arc::new(rest.of_rows(is_own)))
            });
        let parts: Vec<Arc<ObjectOutcome>> = parts.collect();
        parts.iter().for_each(|part| outcome.add(part));
        if !object.missing.is_empty() {
            self.add(texts, identity.namespace(), parts);
        }
        self.add_identity(&mut outcome, &identity);
        outcome
    }

    /// Keeps the result of each policy.
    fn add(&mut self, texts: &PartTexts, namespace: &str, outcomes: Vec<Arc<ObjectOutcome>>) {
        let mut bytes = 0;
        let places = self.places.get(namespace.into(), || {
            let compared = self.compared.iter().zip(&outcomes);
            let places = compared.map(|(it, outcome)| it.place(namespace, outcome));
            let places: Arc<[Place]> = places.collect();
            bytes += namespace.len() + places.iter().map(|it| it.len()).sum::<usize>() + RESULT;
            places
        });
        for (index, (compared, outcome)) in self.compared.iter().zip(outcomes).enumerate() {
            let place = places.get(index).filter(|_| !is_unknown(&outcome));
            let Some(key) = place.and_then(|place| compared.key(place, texts)) else {
                continue;
            };
            bytes += key.len() + RESULT;
            self.results.get(key, || outcome);
        }
        self.bytes += bytes;
    }

    /// Adds what differs between objects with the same result.
    fn add_identity(&self, outcome: &mut ObjectOutcome, identity: &Identity) {
        outcome.operations.push(Operation::Update);
        if outcome.findings.is_empty() {
            return;
        }
        let mut findings = outcome.findings.iter();
        let denied = findings.find(|it| it.effect == Effect::Denied);
        let denied = denied.filter(|_| !is_unknown(outcome));
        outcome.response = denied.and_then(|finding| {
            let row = self.rows.0.get(finding.row)?;
            let policy = self.policies.policies.get(row.policy)?;
            let message = denial(&policy.name, row.binding.as_deref(), &finding.message);
            Some(forbidden_name(&self.resource, identity.name(), &message))
        });
        outcome.name = Some(Name {
            kind: self.resource.kind.clone(),
            namespace: identity.namespace().to_owned(),
            name: identity.name().unwrap_or_default().to_owned(),
        });
    }
}

/// Returns whether a result depends on objects that are missing.
fn is_unknown(outcome: &ObjectOutcome) -> bool {
    let mut findings = outcome.findings.iter();
    findings.any(|it| it.effect == Effect::Unknown)
}
