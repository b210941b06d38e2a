//! The rules of policies, bindings and webhooks, compared with the kinds that the servers have.

mod servers;

pub(super) use servers::Servers;

use crate::file::SourceFile;
use kubernetes::openapi::Catalog;
use policy::PolicyDocument;
use policy::manifest::{MatchResources, Rule};
use std::sync::Arc;

/// Returns all match resources of a document.
pub(super) fn matchings(document: &PolicyDocument) -> impl Iterator<Item = &MatchResources> {
    let policy = document.policy().map(|it| &it.match_constraints);
    let binding = document.binding().map(|it| &it.match_resources);
    let resources = policy.or(binding).into_iter().flatten();
    let webhooks = document.webhooks().iter().map(|it| &it.matching);
    resources.chain(webhooks).map(|it| &**it)
}

/// Returns whether a rule is small enough to check each of its combinations.
pub(super) fn is_small(rule: &Rule) -> bool {
    // Limit: strings of a rule. The work grows with groups, versions and resources.
    const MAX_WORDS: usize = 200;
    rule.groups.len() + rule.versions.len() + rule.resources.len() <= MAX_WORDS
}

/// Returns the kinds of the newest server of the project.
pub(super) fn kinds(file: &SourceFile) -> Arc<Catalog> {
    Arc::clone(file.project().kinds())
}
