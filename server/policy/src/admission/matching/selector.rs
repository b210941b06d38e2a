//! Label selectors.
//!
//! Upstream: kubernetes/apimachinery, pkg/labels/selector.go, Requirement.Matches.

use super::strings;
use cel::Value;
use cel::value::Map;
use text::TextRange;
use yaml::{Node, Sequence};

/// The label that every namespace has.
///
/// Upstream: kubernetes/kubernetes, pkg/apis/core/v1/defaults.go, SetDefaults_Namespace.
pub const NAMESPACE_NAME: &str = "kubernetes.io/metadata.name";

/// A selector of labels. An empty one fits everything.
#[derive(Debug)]
pub(super) struct Selector {
    /// Where it stands.
    pub(super) range: TextRange,
    /// Labels with their values. A value that is no text fits an absent label only.
    labels: Vec<(Box<str>, Option<Box<str>>)>,
    requirements: Vec<Requirement>,
}

#[derive(Debug)]
struct Requirement {
    key: Box<str>,
    operator: Operator,
    values: Vec<Box<str>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    In,
    NotIn,
    Exists,
    DoesNotExist,
    /// The server does not take it.
    Unknown,
}

impl Selector {
    /// The selector that a node is.
    pub(super) fn read(selector: Node<'_>) -> Self {
        let labels = selector.get("matchLabels").and_then(Node::as_mapping);
        let labels = labels.into_iter().flat_map(yaml::Mapping::entries);
        let requirements = selector.get("matchExpressions").and_then(Node::as_sequence);
        let requirements = requirements.into_iter().flat_map(Sequence::items);
        Self {
            range: selector.range(),
            labels: labels
                .map(|entry| {
                    let key = entry.key.key_text();
                    (Box::from(&*key), entry.value.as_str().map(Box::from))
                })
                .collect(),
            requirements: requirements.map(Requirement::read).collect(),
        }
    }

    /// Whether it asks for nothing.
    pub(super) fn is_empty(&self) -> bool {
        self.labels.is_empty() && self.requirements.is_empty()
    }

    /// Whether a namespace of which only the name is known may fit it: the server gives each
    /// a label with its name.
    pub(super) fn may_match_namespace(&self, name: &str) -> bool {
        let mut wanted = self
            .labels
            .iter()
            .filter(|(key, _)| **key == *NAMESPACE_NAME);
        let mut requirements = self
            .requirements
            .iter()
            .filter(|it| *it.key == *NAMESPACE_NAME);
        wanted.all(|(_, value)| value.as_deref() == Some(name))
            && requirements.all(|requirement| requirement.fits(Some(name)))
    }

    /// Whether labels fit it.
    pub(super) fn matches(&self, labels: Option<&Map>) -> bool {
        let label = |key: &str| labels?.get_str(key).and_then(Value::as_str);
        let mut wanted = self.labels.iter();
        let mut requirements = self.requirements.iter();
        wanted.all(|(key, value)| label(key) == value.as_deref())
            && requirements.all(|requirement| requirement.fits(label(&requirement.key)))
    }
}

impl Requirement {
    fn read(requirement: Node<'_>) -> Self {
        Self {
            key: requirement.get("key").map_or("", Node::text).into(),
            operator: match requirement.get("operator").and_then(Node::as_str) {
                Some("In") => Operator::In,
                Some("NotIn") => Operator::NotIn,
                Some("Exists") => Operator::Exists,
                Some("DoesNotExist") => Operator::DoesNotExist,
                _ => Operator::Unknown,
            },
            values: strings(requirement.get("values")).map(Box::from).collect(),
        }
    }

    fn fits(&self, label: Option<&str>) -> bool {
        let listed = |label: &str| self.values.iter().any(|value| **value == *label);
        match self.operator {
            Operator::In => label.is_some_and(listed),
            Operator::NotIn => !label.is_some_and(listed),
            Operator::Exists => label.is_some(),
            Operator::DoesNotExist => label.is_none(),
            Operator::Unknown => false,
        }
    }
}
