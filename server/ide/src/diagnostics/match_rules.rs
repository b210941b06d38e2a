//! What a policy, a binding or a webhook says that it matches.
//!
//! Several rules ask which groups, resources and operations are written, and where. They
//! all read them here.

mod servers;

pub(super) use servers::Servers;

use crate::file::SourceFile;
use kubernetes::openapi::Catalog;
use policy::{Kind, PolicyDocument};
use std::sync::Arc;
use yaml::{Node, Sequence};

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
    /// What holds the rules: `matchConstraints`, `matchResources` or the webhook.
    pub(super) node: Node<'a>,
    pub(super) rules: Vec<MatchRule<'a>>,
    pub(super) excluded: Vec<MatchRule<'a>>,
}

/// Everything in a document that matches requests.
pub(super) fn matchings(document: &PolicyDocument) -> Vec<Matching<'_>> {
    let spec = || document.root().get("spec");
    let found = match document.kind() {
        Kind::ValidatingAdmissionPolicy | Kind::MutatingAdmissionPolicy => {
            spec().and_then(|spec| spec.get("matchConstraints"))
        }
        Kind::ValidatingAdmissionPolicyBinding | Kind::MutatingAdmissionPolicyBinding => {
            spec().and_then(|spec| spec.get("matchResources"))
        }
        Kind::ValidatingWebhookConfiguration | Kind::MutatingWebhookConfiguration => {
            let webhooks = items(document.root().get("webhooks"));
            return webhooks.map(webhook).collect();
        }
        Kind::CustomResourceDefinition => None,
    };
    found.map(of_policy).into_iter().collect()
}

/// What one webhook matches.
pub(super) fn webhook(node: Node<'_>) -> Matching<'_> {
    Matching {
        node,
        rules: rules(node.get("rules")),
        excluded: Vec::new(),
    }
}

fn of_policy(node: Node<'_>) -> Matching<'_> {
    Matching {
        node,
        rules: rules(node.get("resourceRules")),
        excluded: rules(node.get("excludeResourceRules")),
    }
}

fn rules(list: Option<Node<'_>>) -> Vec<MatchRule<'_>> {
    items(list).map(MatchRule::of).collect()
}

impl<'a> MatchRule<'a> {
    fn of(node: Node<'a>) -> Self {
        Self {
            node,
            groups: words(node.get("apiGroups")),
            versions: words(node.get("apiVersions")),
            resources: words(node.get("resources")),
            operations: words(node.get("operations")),
            names: words(node.get("resourceNames")),
            scope: node.get("scope").and_then(Word::of),
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

impl<'a> Word<'a> {
    fn of(node: Node<'a>) -> Option<Self> {
        let text = node.as_str()?;
        Some(Self { text, node })
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

fn words(list: Option<Node<'_>>) -> Vec<Word<'_>> {
    items(list).filter_map(Word::of).collect()
}

fn items(list: Option<Node<'_>>) -> impl Iterator<Item = Node<'_>> {
    let list = list.and_then(Node::as_sequence);
    list.into_iter().flat_map(Sequence::items)
}

/// The kinds that are known to the newest server of the project.
pub(super) fn kinds(file: &SourceFile) -> Arc<Catalog> {
    Arc::clone(file.project().kinds())
}
