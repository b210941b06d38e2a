//! A document that carries CEL, as written.
//!
//! It holds its typed fields and its parsed expressions. Their type check is in
//! [`crate::policy_document`].

use crate::expression::{Expression, Expressions, Role};
use crate::field_path::FieldPath;
use crate::kind::{ApiVersion, Kind};
use crate::manifest::{
    self, Binding, CustomResourceDefinition, FailurePolicy, List, Manifest, NodeRange, Policy,
    StringField, Validation, Webhook, expressions, lists,
};
use crate::results::Results;
use cel::syntax::ParseOptions;
use kubernetes::versions::changes::ESCAPED_NAMES;
use kubernetes::{Target, TypeMeta, metadata};
use std::sync::Arc;
use text::TextRange;
use yaml::{Entry, Node, NodeId, Stream};

/// The suffix of the names that files in the manifest directory of an API server have.
pub const STATIC_SUFFIX: &str = ".static.k8s.io";

/// A document that carries CEL, with its expressions parsed.
#[derive(Debug)]
pub struct Document {
    stream: Arc<Stream>,
    root: NodeId,
    kind: Kind,
    version: ApiVersion,
    target: Target,
    base: FieldPath,
    recovered: bool,
    name: Option<StringField>,
    name_at: Option<NodeRange>,
    manifest: Manifest,
    expressions: Expressions,
    results: Arc<Results>,
}

impl Document {
    pub(crate) fn new(
        stream: &Arc<Stream>,
        root: Node<'_>,
        (kind, version): (Kind, ApiVersion),
        base: FieldPath,
        recovered: bool,
        (target, results): (Target, &Arc<Results>),
    ) -> Self {
        let name = metadata(root, "name");
        Self {
            stream: Arc::clone(stream),
            name: name.and_then(StringField::read),
            name_at: name.map(NodeRange::from),
            manifest: Manifest::read(kind, root),
            root: root.id(),
            kind,
            version,
            target,
            expressions: expressions::find(
                kind,
                root,
                &base,
                (results.sources(), parse_options(target)),
            ),
            results: Arc::clone(results),
            base,
            recovered,
        }
    }

    /// Returns the kind of the document.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns the version of its API group.
    #[must_use]
    pub fn version(&self) -> ApiVersion {
        self.version
    }

    /// Returns the servers that it is for.
    #[must_use]
    pub fn target(&self) -> Target {
        self.target
    }

    /// Returns the syntax that all servers accept in the expressions.
    pub(crate) fn parse_options(&self) -> ParseOptions {
        parse_options(self.target)
    }

    /// Returns the results for expressions that the versions of its file share.
    pub(crate) fn results(&self) -> &Results {
        &self.results
    }

    /// Returns the file that it is in.
    #[must_use]
    pub fn stream(&self) -> &Arc<Stream> {
        &self.stream
    }

    /// Returns its outermost node, a mapping.
    #[must_use]
    pub fn root(&self) -> Node<'_> {
        self.node(self.root)
    }

    /// Returns where `apiVersion` and `kind` are written.
    #[must_use]
    pub fn type_meta(&self) -> TypeMeta<'_> {
        TypeMeta::read(self.root())
    }

    /// Returns the range of the value of `kind`, or of the document if it is missing.
    #[must_use]
    pub fn kind_range(&self) -> TextRange {
        self.type_meta().kind.unwrap_or(self.root()).range()
    }

    /// Returns the path of this document within the YAML document: empty, or `items[3]` in a list.
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

    /// Returns whether this seems to be a patch, as for kustomize: it lacks everything that a
    /// complete document has.
    #[must_use]
    pub fn is_patch(&self) -> bool {
        self.manifest.is_patch()
    }

    /// Returns `metadata.name`, where it is a string.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_ref().map(|name| &*name.text)
    }

    /// Returns whether its name is one of those that only files in the manifest directory of an API
    /// server have.
    #[must_use]
    pub fn is_static(&self) -> bool {
        self.name()
            .is_some_and(|name| name.ends_with(STATIC_SUFFIX))
    }

    /// Returns `spec`, unless it is null.
    #[must_use]
    pub fn spec(&self) -> Option<Node<'_>> {
        manifest::spec(self.root())
    }

    /// Returns `metadata.name`, of any type.
    #[must_use]
    pub fn name_node(&self) -> Option<Node<'_>> {
        Some(self.node(self.name_at?.node))
    }

    /// Returns the range of `metadata.name`, or of the value of `kind` if it is missing.
    #[must_use]
    pub fn name_range(&self) -> TextRange {
        self.name_at
            .map_or_else(|| self.kind_range(), |name| name.range)
    }

    /// Returns the policy that the document is.
    #[must_use]
    pub fn policy(&self) -> Option<&Policy> {
        match &self.manifest {
            Manifest::Policy(policy) => Some(policy),
            _ => None,
        }
    }

    /// Returns the lists of the policy whose entries have expressions, in the order of the file.
    pub fn lists(&self) -> impl Iterator<Item = (&'static List, Entry<'_>)> {
        let spec = manifest::spec(self.root());
        lists::written(self.kind, spec.filter(|_| self.kind.is_policy()))
    }

    /// Returns the lists of a webhook of the document whose entries have expressions.
    pub fn webhook_lists(
        &self,
        webhook: &Webhook,
    ) -> impl Iterator<Item = (&'static List, Entry<'_>)> {
        lists::written(self.kind, Some(self.node(webhook.at.node)))
    }

    /// Returns the name of the variable to which an expression belongs.
    #[must_use]
    pub fn variable_name(&self, expression: &Expression) -> Option<&str> {
        let Role::Variable { index } = expression.role else {
            return None;
        };
        let variable = self.policy()?.variables.get(index)?;
        Some(&variable.name.as_ref()?.text)
    }

    /// Returns the validation to which an expression belongs.
    #[must_use]
    pub fn validation(&self, expression: &Expression) -> Validation<'_> {
        Validation::new(self.node(expression.owner))
    }

    /// Returns the `key` of the audit annotation to which an expression belongs.
    #[must_use]
    pub fn audit_annotation_key(&self, expression: &Expression) -> Option<&str> {
        manifest::audit_annotation_key(self.node(expression.owner))
    }

    /// Returns the binding that the document is.
    #[must_use]
    pub fn binding(&self) -> Option<&Binding> {
        match &self.manifest {
            Manifest::Binding(binding) => Some(binding),
            _ => None,
        }
    }

    /// Returns the CustomResourceDefinition that the document is.
    #[must_use]
    pub fn crd(&self) -> Option<&CustomResourceDefinition> {
        match &self.manifest {
            Manifest::Crd(crd) => Some(crd),
            _ => None,
        }
    }

    /// Returns whether the document is a binding of a policy.
    #[must_use]
    pub fn binds(&self, policy: &Self) -> bool {
        let name = self.binding().and_then(|it| it.policy_name.as_ref());
        self.kind.bound_kind() == Some(policy.kind)
            && name.is_some_and(|name| policy.name() == Some(&*name.text))
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
        self.webhooks().get(expression.webhook_index()?)
    }

    /// Returns whether an object can be evaluated against the document: it is a policy, or a
    /// CustomResourceDefinition.
    #[must_use]
    pub fn is_evaluated(&self) -> bool {
        self.kind().is_policy() || self.kind() == Kind::CustomResourceDefinition && !self.is_patch()
    }

    /// Returns every expression in the document, in the order of the file.
    #[must_use]
    pub fn expressions(&self) -> &[Expression] {
        &self.expressions.written
    }

    /// Returns the fields for an expression that is not written yet, in the order of the file.
    #[must_use]
    pub fn blank_expressions(&self) -> &[Expression] {
        &self.expressions.blank
    }

    /// Returns the expression whose scalar is at `offset` in the file.
    #[must_use]
    pub fn expression_at(&self, offset: text::TextSize) -> Option<&Expression> {
        self.expressions().iter().find(|expression| {
            self.node(expression.node)
                .range()
                .contains_inclusive(offset)
        })
    }

    /// Returns a node of the document.
    #[must_use]
    pub fn node(&self, id: NodeId) -> Node<'_> {
        match self.stream.node(id) {
            Some(node) => node,
            // The ID is of another stream. Any node avoids a panic.
            None => self.root(),
        }
    }

    /// Returns the bytes in the file of a span in an expression of this document.
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

    /// Returns the failure policy of the policy.
    #[must_use]
    pub fn failure_policy(&self) -> FailurePolicy {
        let policy = self.policy();
        policy.map_or_else(FailurePolicy::default, |policy| policy.failure_policy)
    }

    /// Returns whether the policy declares variables.
    #[must_use]
    pub fn has_variables(&self) -> bool {
        self.policy()
            .is_some_and(|policy| !policy.variables.is_empty())
    }
}

fn parse_options(target: Target) -> ParseOptions {
    ParseOptions {
        escaped_names: target.all_do(&ESCAPED_NAMES),
    }
}
