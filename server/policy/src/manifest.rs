//! The manifests of policies, bindings and webhooks as typed values, each read once.
//!
//! Reading never fails: a field that is missing, null or of the wrong type is absent here,
//! and validation reports it. Every value keeps its location, so that a finding about it
//! does not read the YAML again.

mod audit_annotations;
mod binding;
mod crd;
mod expression_list;
pub(crate) mod expressions;
mod failure_policy;
pub(crate) mod lists;
mod match_conditions;
mod match_resources;
mod param_kind;
mod patch_type;
mod policy;
mod reinvocation_policy;
mod rule;
mod selector;
mod validation;
mod webhook;

pub(crate) use audit_annotations::audit_annotation_key;
pub use binding::Binding;
pub use crd::{CrdVersion, CustomResourceDefinition, Scale, version_schemas};
pub use expression_list::List;
pub use failure_policy::FailurePolicy;
pub use match_resources::MatchResources;
pub use param_kind::{ParamKind, ParamRef};
pub use patch_type::PatchType;
pub use policy::{Policy, Variable};
pub use reinvocation_policy::ReinvocationPolicy;
pub use rule::{Rule, has, has_wildcard};
pub use selector::{Operator, Requirement, Selector};
pub use validation::Validation;
pub use webhook::Webhook;

use crate::kind::Kind;
use text::TextRange;
use yaml::{Node, NodeId, Sequence};

/// The typed view of a document.
#[derive(Clone, Debug)]
pub enum Manifest {
    /// A validating or a mutating policy.
    Policy(Policy),
    /// A binding of one.
    Binding(Binding),
    /// The webhooks of a configuration.
    Webhooks(Vec<Webhook>),
    /// A CustomResourceDefinition.
    Crd(CustomResourceDefinition),
}

impl Manifest {
    /// Reads a document.
    pub(crate) fn read(kind: Kind, root: Node<'_>) -> Self {
        let spec = spec(root);
        match kind {
            Kind::ValidatingAdmissionPolicy | Kind::MutatingAdmissionPolicy => {
                Self::Policy(spec.map(Policy::read).unwrap_or_default())
            }
            Kind::ValidatingAdmissionPolicyBinding | Kind::MutatingAdmissionPolicyBinding => {
                Self::Binding(spec.map(Binding::read).unwrap_or_default())
            }
            Kind::ValidatingWebhookConfiguration | Kind::MutatingWebhookConfiguration => {
                Self::Webhooks(items(root, "webhooks").map(Webhook::read).collect())
            }
            Kind::CustomResourceDefinition => {
                let crd = spec.map(CustomResourceDefinition::read);
                Self::Crd(crd.unwrap_or_default())
            }
        }
    }

    /// Returns whether a document without a kind has fields of the kinds of a group.
    ///
    /// Files of other tools also name the groups, with other content.
    pub(crate) fn is_like(group: &str, root: Node<'_>) -> bool {
        let has = |owner: Node<'_>, name: &str| owner.get(name).is_some();
        if group == Kind::CustomResourceDefinition.group() {
            return spec(root).is_some_and(|spec| has(spec, "versions"));
        }
        let mut fields = ["metadata", "spec", "webhooks"].into_iter();
        fields.any(|name| has(root, name))
    }

    /// Returns whether the document lacks everything that a complete one has.
    pub(crate) fn is_patch(&self) -> bool {
        match self {
            Self::Policy(_) | Self::Binding(_) => false,
            Self::Webhooks(webhooks) => {
                !webhooks.is_empty() && !webhooks.iter().any(|webhook| webhook.is_whole)
            }
            Self::Crd(crd) => !crd.is_whole,
        }
    }
}

/// A range in the manifest. All are equal, so that manifests with the same values are equal
/// regardless of their positions.
#[derive(Clone, Copy, Debug)]
pub struct NodeRange {
    /// The node.
    pub node: NodeId,
    /// The bytes of the node in the file.
    pub range: TextRange,
}

impl PartialEq for NodeRange {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for NodeRange {}

impl From<Node<'_>> for NodeRange {
    fn from(node: Node<'_>) -> Self {
        Self {
            node: node.id(),
            range: node.range(),
        }
    }
}

/// A string of a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StringField {
    /// The string.
    pub text: Box<str>,
    /// Its range.
    pub at: NodeRange,
}

impl StringField {
    pub(crate) fn read(node: Node<'_>) -> Option<Self> {
        Some(Self {
            text: node.as_str()?.into(),
            at: node.into(),
        })
    }
}

/// Returns `spec`.
pub(crate) fn spec(root: Node<'_>) -> Option<Node<'_>> {
    field(root, "spec")
}

/// Returns the string, empty if missing.
#[must_use]
pub fn text_of(word: Option<&StringField>) -> &str {
    word.map_or("", |word| &word.text)
}

/// Returns the value of a field that is not null.
fn field<'d>(owner: Node<'d>, name: &str) -> Option<Node<'d>> {
    owner.get(name).filter(|node| !node.is_null())
}

fn word(owner: Node<'_>, name: &str) -> Option<StringField> {
    owner.get(name).and_then(StringField::read)
}

fn words(owner: Node<'_>, name: &str) -> Vec<StringField> {
    items(owner, name).filter_map(StringField::read).collect()
}

fn items<'d>(owner: Node<'d>, name: &str) -> impl Iterator<Item = Node<'d>> {
    let list = owner.get(name).and_then(Node::as_sequence);
    list.into_iter().flat_map(Sequence::items)
}

#[cfg(test)]
mod tests;
