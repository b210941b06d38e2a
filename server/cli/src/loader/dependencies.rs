//! Which files of the project affect policies.
//!
//! A watcher only reruns the tests that may be affected. A binding affects the policy that it
//! names, a parameter the policies of its kind, a role those that use the authorizer, and a
//! definition of a kind all policies.

use super::used_kinds;
use ide::SourceFile;
use std::collections::HashSet;
use workspace::SampleFile;

/// The objects that the policies of a file use from other files.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dependencies {
    /// The policies that bindings may name.
    policies: HashSet<String>,
    /// The kinds of parameters, namespaces and roles: `apiVersion` and `kind`.
    kinds: HashSet<(String, String)>,
}

impl Dependencies {
    pub(super) fn new<'f>(files: impl Iterator<Item = &'f SourceFile> + Clone) -> Self {
        let policies = files.clone().flat_map(|file| file.policies());
        let names = policies.filter_map(|document| document.name().map(str::to_owned));
        let kinds = files
            .flat_map(used_kinds)
            .map(|(api_version, kind)| (api_version.to_owned(), kind.to_owned()));
        Self {
            policies: names.collect(),
            kinds: kinds.collect(),
        }
    }

    /// Returns whether the content of another file affects the policies.
    pub(crate) fn is_touched_by(&self, content: &SampleFile) -> bool {
        let mut samples = content.samples.iter();
        let looked_up = samples.any(|it| {
            let kind = (it.api_version.clone(), it.kind.clone());
            self.kinds.contains(&kind)
        });
        let bound = content.bindings.iter().any(|document| {
            let policy = document.binding().and_then(|it| it.policy_name.as_ref());
            policy.is_some_and(|policy| self.policies.contains(&*policy.text))
        });
        looked_up || bound || !content.resources.is_empty()
    }
}
