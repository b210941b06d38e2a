//! What a policy, a binding or a webhook says that it matches.
//!
//! Several rules ask which groups, resources and operations are written, and where. They
//! all read them here.

mod servers;

pub(super) use servers::Servers;

use crate::file::SourceFile;
use kubernetes::openapi::Catalog;
use policy::PolicyDocument;
use policy::manifest::{self, MatchResources, Rule};
use std::sync::Arc;
use yaml::Node;

/// A word of a list, and where it is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'a> {
    pub(super) text: &'a str,
    pub(super) node: Node<'a>,
}

/// An entry of `resourceRules`, `excludeResourceRules` or `rules`.
#[derive(Clone, Debug)]
pub(super) struct MatchRule<'a> {
    pub(super) node: Node<'a>,
    pub(super) groups: Vec<Word<'a>>,
    pub(super) versions: Vec<Word<'a>>,
    pub(super) resources: Vec<Word<'a>>,
    pub(super) operations: Vec<Word<'a>>,
    pub(super) names: Vec<Word<'a>>,
    pub(super) scope: Option<Word<'a>>,
}

/// A policy, a binding or a webhook, as far as it says what it matches.
#[derive(Clone, Debug)]
pub(super) struct Matching<'a> {
    pub(super) resources: &'a MatchResources,
    pub(super) rules: Vec<MatchRule<'a>>,
    pub(super) excluded: Vec<MatchRule<'a>>,
}

/// Everything in a document that matches requests.
pub(super) fn matchings(document: &PolicyDocument) -> Vec<Matching<'_>> {
    let policy = document.policy().map(|it| &it.match_constraints);
    let binding = document.binding().map(|it| &it.match_resources);
    let resources = policy.or(binding).into_iter().flatten();
    let webhooks = document.webhooks().iter().map(|it| &it.matching);
    let resources = resources.chain(webhooks);
    resources
        .map(|it| Matching {
            resources: it,
            rules: rules(document, &it.rules),
            excluded: rules(document, &it.excluded),
        })
        .collect()
}

fn rules<'a>(document: &'a PolicyDocument, rules: &'a [Rule]) -> Vec<MatchRule<'a>> {
    rules
        .iter()
        .map(|it| MatchRule::new(document, it))
        .collect()
}

impl<'a> MatchRule<'a> {
    fn new(document: &'a PolicyDocument, rule: &'a Rule) -> Self {
        let word = |word: &'a manifest::Word| Word {
            text: &word.text,
            node: document.node(word.at.node),
        };
        let words = |list: &'a [manifest::Word]| list.iter().map(word).collect();
        Self {
            node: document.node(rule.at.node),
            groups: words(&rule.groups),
            versions: words(&rule.versions),
            resources: words(&rule.resources),
            operations: words(&rule.operations),
            names: words(&rule.names),
            scope: rule.scope.as_ref().map(word),
        }
    }

    /// Whether the rule takes an operation.
    pub(super) fn has_operation(&self, operation: &str) -> bool {
        has(&self.operations, operation)
    }

    /// Whether it says everything that a rule must say, so that the server takes it.
    pub(super) fn is_whole(&self) -> bool {
        [
            &self.groups,
            &self.versions,
            &self.resources,
            &self.operations,
        ]
        .iter()
        .all(|list| !list.is_empty())
    }
}

impl MatchRule<'_> {
    /// Whether it is small enough to look at each of its combinations.
    pub(super) fn is_small(&self) -> bool {
        // Limit: words of a rule; the work grows with groups, versions and resources.
        const MAX_WORDS: usize = 200;
        self.groups.len() + self.versions.len() + self.resources.len() <= MAX_WORDS
    }
}

/// Whether a list has a word, or the wildcard in its place.
pub(super) fn has(list: &[Word<'_>], word: &str) -> bool {
    list.iter()
        .any(|found| found.text == word || found.text == "*")
}

/// Whether a list has the wildcard.
pub(super) fn has_wildcard(list: &[Word<'_>]) -> bool {
    list.iter().any(|word| word.text == "*")
}

/// The kinds that are known to the newest server of the project.
pub(super) fn kinds(file: &SourceFile) -> Arc<Catalog> {
    Arc::clone(file.project().kinds())
}
