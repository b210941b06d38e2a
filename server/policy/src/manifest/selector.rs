//! Label selectors.
//!
//! Upstream: kubernetes/apimachinery, pkg/labels/selector.go, Requirement.Matches.

use super::{NodeRange, StringField, items, words};
use kubernetes::entries;
use yaml::Node;

/// A label selector. An empty one matches everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selector {
    /// The whole selector.
    pub at: NodeRange,
    /// `matchLabels`. A value that is not a string matches only a missing label.
    pub labels: Vec<(Box<str>, Option<Box<str>>)>,
    /// `matchExpressions`.
    pub requirements: Vec<Requirement>,
}

/// An entry of `matchExpressions`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    /// `key`.
    pub key: Box<str>,
    /// `operator`. `None` for one that the API server rejects.
    pub operator: Option<Operator>,
    /// `values`.
    pub values: Vec<StringField>,
}

/// An operator of a requirement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `In`
    In,
    /// `NotIn`
    NotIn,
    /// `Exists`
    Exists,
    /// `DoesNotExist`
    DoesNotExist,
}

impl Selector {
    pub(super) fn read(node: Node<'_>) -> Self {
        let labels = node.get("matchLabels").and_then(Node::as_mapping);
        let labels = labels.into_iter().flat_map(entries);
        Self {
            at: node.into(),
            labels: labels
                .map(|entry| {
                    let key = entry.key.key_text();
                    (Box::from(&*key), entry.value.as_str().map(Box::from))
                })
                .collect(),
            requirements: items(node, "matchExpressions")
                .map(Requirement::read)
                .collect(),
        }
    }

    /// Returns whether the selector matches everything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty() && self.requirements.is_empty()
    }

    /// Returns the keys of the labels.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        let labels = self.labels.iter().map(|(key, _)| &**key);
        labels.chain(self.requirements.iter().map(|it| &*it.key))
    }

    /// Returns the keys of the labels that everything has that the selector matches.
    pub fn required(&self) -> impl Iterator<Item = &str> {
        let labels = self.labels.iter().map(|(key, _)| &**key);
        let requirements = self.requirements.iter().filter(|it| {
            let operator = it.operator;
            matches!(operator, Some(Operator::In | Operator::Exists))
        });
        labels.chain(requirements.map(|it| &*it.key))
    }

    /// Returns whether labels match, by the value of each key.
    pub fn matches<'l>(&self, label: impl Fn(&str) -> Option<&'l str>) -> bool {
        let mut labels = self.labels.iter();
        let mut requirements = self.requirements.iter();
        labels.all(|(key, value)| label(key) == value.as_deref())
            && requirements.all(|requirement| requirement.matches(label(&requirement.key)))
    }

    /// Returns whether labels may match if only one is known.
    #[must_use]
    pub fn may_match(&self, key: &str, value: &str) -> bool {
        let mut labels = self.labels.iter().filter(|(it, _)| **it == *key);
        let mut requirements = self.requirements.iter().filter(|it| *it.key == *key);
        labels.all(|(_, wanted)| wanted.as_deref() == Some(value))
            && requirements.all(|requirement| requirement.matches(Some(value)))
    }

    /// Returns whether it depends on no other label than this one.
    #[must_use]
    pub fn reads_only(&self, key: &str) -> bool {
        let mut labels = self.labels.iter();
        let mut requirements = self.requirements.iter();
        labels.all(|(it, _)| **it == *key) && requirements.all(|it| *it.key == *key)
    }
}

impl Requirement {
    /// Reads an entry.
    #[must_use]
    pub fn read(node: Node<'_>) -> Self {
        Self {
            key: node.get("key").map_or("", Node::text).into(),
            operator: match node.get("operator").and_then(Node::as_str) {
                Some("In") => Some(Operator::In),
                Some("NotIn") => Some(Operator::NotIn),
                Some("Exists") => Some(Operator::Exists),
                Some("DoesNotExist") => Some(Operator::DoesNotExist),
                _ => None,
            },
            values: words(node, "values"),
        }
    }

    fn matches(&self, label: Option<&str>) -> bool {
        let listed = |label: &str| self.values.iter().any(|value| *value.text == *label);
        match self.operator {
            Some(Operator::In) => label.is_some_and(listed),
            Some(Operator::NotIn) => !label.is_some_and(listed),
            Some(Operator::Exists) => label.is_some(),
            Some(Operator::DoesNotExist) => label.is_none(),
            None => false,
        }
    }
}
