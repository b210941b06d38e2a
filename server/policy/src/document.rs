//! A document that carries CEL, as it is written.
//!
//! It holds its typed fields and its parsed expressions. Their type check is in
//! [`crate::policy_document`].

use crate::expression::{self, Expression, Expressions, Role};
use crate::field_path::FieldPath;
use crate::kind::{Kind, Version};
use crate::manifest::{Binding, Manifest, Policy, Webhook};
use kubernetes::Target;
use std::sync::Arc;
use text::TextRange;
use yaml::{Node, NodeId, Stream};

/// A document that carries CEL, with its expressions parsed.
#[derive(Debug)]
pub struct Document {
    stream: Arc<Stream>,
    root: NodeId,
    kind: Kind,
    version: Version,
    target: Target,
    base: FieldPath,
    recovered: bool,
    manifest: Manifest,
    has_variables: bool,
    expressions: Expressions,
}

impl Document {
    pub(crate) fn new(
        stream: &Arc<Stream>,
        root: Node<'_>,
        (kind, version): (Kind, Version),
        base: FieldPath,
        recovered: bool,
        target: Target,
    ) -> Self {
        let spec = root.get("spec").filter(|_| kind.is_policy());
        let variables = spec.and_then(|spec| spec.get("variables")?.as_sequence());
        Self {
            stream: Arc::clone(stream),
            manifest: Manifest::read(kind, root),
            has_variables: variables.is_some_and(|list| list.items().len() > 0),
            root: root.id(),
            kind,
            version,
            target,
            expressions: expression::find(kind, root, &base),
            base,
            recovered,
        }
    }

    /// Returns the kind of the document.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The version of its API group.
    #[must_use]
    pub fn version(&self) -> Version {
        self.version
    }

    /// The servers that it is for.
    #[must_use]
    pub fn target(&self) -> Target {
        self.target
    }

    /// The file that it is in.
    #[must_use]
    pub fn stream(&self) -> &Arc<Stream> {
        &self.stream
    }

    /// Its outermost node, a mapping.
    #[must_use]
    pub fn root(&self) -> Node<'_> {
        self.node(self.root)
    }

    /// Returns the range of the value of `kind`; of the document where there is none.
    #[must_use]
    pub fn kind_range(&self) -> TextRange {
        let root = self.root();
        root.get("kind").unwrap_or(root).range()
    }

    /// The path from the root of the YAML document to here: empty, or `items[3]` in a list.
    /// All paths of the document begin with it.
    #[must_use]
    pub fn base(&self) -> &FieldPath {
        &self.base
    }

    /// Returns whether YAML syntax errors were skipped around it, so that nodes may be missing.
    #[must_use]
    pub fn recovered(&self) -> bool {
        self.recovered
    }

    /// Returns whether this seems to be a patch, as for kustomize: it lacks everything that a whole
    /// document has, which is not an oversight.
    #[must_use]
    pub fn is_patch(&self) -> bool {
        match self.kind {
            Kind::CustomResourceDefinition => {
                let spec = self.root().get("spec");
                let has = |name: &str| spec.is_some_and(|spec| spec.get(name).is_some());
                !has("group") && !has("names")
            }
            Kind::ValidatingWebhookConfiguration | Kind::MutatingWebhookConfiguration => {
                let webhooks = self.root().get("webhooks").and_then(Node::as_sequence);
                let mut items = webhooks
                    .into_iter()
                    .flat_map(yaml::Sequence::items)
                    .peekable();
                let is_whole = |webhook: Node<'_>| {
                    ["clientConfig", "sideEffects", "admissionReviewVersions"]
                        .iter()
                        .any(|name| webhook.get(name).is_some())
                };
                items.peek().is_some() && !items.any(is_whole)
            }
            Kind::ValidatingAdmissionPolicy
            | Kind::ValidatingAdmissionPolicyBinding
            | Kind::MutatingAdmissionPolicy
            | Kind::MutatingAdmissionPolicyBinding => false,
        }
    }

    /// `metadata.name`, where it is a string.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.root().get("metadata")?.get("name")?.as_str()
    }

    /// Returns the policy that the document is.
    #[must_use]
    pub fn policy(&self) -> Option<&Policy> {
        match &self.manifest {
            Manifest::Policy(policy) => Some(policy),
            _ => None,
        }
    }

    /// Returns the binding that the document is.
    #[must_use]
    pub fn binding(&self) -> Option<&Binding> {
        match &self.manifest {
            Manifest::Binding(binding) => Some(binding),
            _ => None,
        }
    }

    /// Returns the webhooks of the configuration that the document is.
    #[must_use]
    pub fn webhooks(&self) -> &[Webhook] {
        match &self.manifest {
            Manifest::Webhooks(webhooks) => webhooks,
            _ => &[],
        }
    }

    /// Returns the webhook to which a match condition belongs.
    #[must_use]
    pub fn webhook_of(&self, expression: &Expression) -> Option<&Webhook> {
        // The entry of the list, the list, the webhook.
        let entry = self.node(expression.owner);
        let webhook = entry.parent()?.parent()?.id();
        self.webhooks().iter().find(|it| it.at.node == webhook)
    }

    /// Returns whether an object can be evaluated against the document: it is a policy, or a
    /// definition with validation rules.
    #[must_use]
    pub fn is_evaluated(&self) -> bool {
        let is_rule = |it: &Expression| matches!(it.role, Role::CrdRule { .. });
        self.kind().is_policy() || self.expressions().iter().any(is_rule)
    }

    /// Every expression in the document, in the order of the file.
    #[must_use]
    pub fn expressions(&self) -> &[Expression] {
        &self.expressions.written
    }

    /// The fields for an expression in which none is written yet, in the order of the file.
    #[must_use]
    pub fn blank_expressions(&self) -> &[Expression] {
        &self.expressions.blank
    }

    /// The expression whose scalar is at `offset` in the file.
    #[must_use]
    pub fn expression_at(&self, offset: text::TextSize) -> Option<&Expression> {
        self.expressions().iter().find(|expression| {
            self.node(expression.node)
                .range()
                .contains_inclusive(offset)
        })
    }

    /// A node of the document.
    #[must_use]
    pub fn node(&self, id: NodeId) -> Node<'_> {
        match self.stream.node(id) {
            Some(node) => node,
            // An id of another stream. Its first node is as good as any, and no panic.
            None => self.root(),
        }
    }

    /// The bytes in the file of a span in an expression of this document.
    #[must_use]
    pub fn range(&self, expression: &Expression, span: text::Span) -> TextRange {
        match self.node(expression.node).as_scalar() {
            Some(scalar) => scalar.source_map().up(span),
            None => self.node(expression.node).range(),
        }
    }

    /// Returns whether expressions can use `params`: the policy has a `paramKind`.
    #[must_use]
    pub fn has_params(&self) -> bool {
        let policy = self.policy();
        policy.is_some_and(|policy| policy.param_kind.is_some())
    }

    /// Returns whether the policy declares variables.
    #[must_use]
    pub fn has_variables(&self) -> bool {
        self.has_variables
    }
}
