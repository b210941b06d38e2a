//! The documents of a project by their names, so that a file with many bindings does not search
//! every other file for each of them.

use super::{BindingSummary, FileSummary, ObjectSummary, PolicySummary};
use policy::Kind;
use std::collections::HashMap;
use std::sync::Arc;

/// The number of a file and of a document in its list there.
pub(super) type DocumentIndex = (usize, usize);

/// Documents by kind and name.
pub(super) type ByName = HashMap<(Kind, Option<String>), Vec<DocumentIndex>>;

/// Where the documents of a project are.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// By name; `None` for those whose name is not known.
    pub(super) policies: ByName,
    /// By name; `None` for those whose name is not known.
    pub(super) bindings: ByName,
    /// By the name of the policy; `None` for those of which it is not known.
    pub(super) bound: ByName,
    /// By `apiVersion` and `kind`.
    pub(super) objects: HashMap<(String, String), Vec<DocumentIndex>>,
}

impl Index {
    pub(super) fn new(files: &[Arc<FileSummary>]) -> Self {
        let mut index = Self::default();
        for (number, file) in files.iter().enumerate() {
            for (at, policy) in file.policies.iter().enumerate() {
                let key = (policy.kind, policy.name.clone());
                index.policies.entry(key).or_default().push((number, at));
            }
            for (at, binding) in file.bindings.iter().enumerate() {
                let key = (binding.kind, binding.name.clone());
                index.bindings.entry(key).or_default().push((number, at));
                let key = (binding.policy_kind(), binding.policy.clone());
                index.bound.entry(key).or_default().push((number, at));
            }
            for (at, object) in file.objects.iter().enumerate() {
                let key = (object.api_version.clone(), object.kind.clone());
                index.objects.entry(key).or_default().push((number, at));
            }
        }
        index
    }
}

pub(super) fn policy(
    files: &[Arc<FileSummary>],
    (file, at): DocumentIndex,
) -> Option<&PolicySummary> {
    files.get(file)?.policies.get(at)
}

pub(super) fn binding(
    files: &[Arc<FileSummary>],
    (file, at): DocumentIndex,
) -> Option<&BindingSummary> {
    files.get(file)?.bindings.get(at)
}

pub(super) fn object(
    files: &[Arc<FileSummary>],
    (file, at): DocumentIndex,
) -> Option<&ObjectSummary> {
    files.get(file)?.objects.get(at)
}
