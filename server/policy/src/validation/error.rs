//! The errors of the API server about an invalid object.
//!
//! The messages of these errors are the server's own, to the letter: a user finds them in the
//! output of `kubectl apply` and searches for them.
//!
//! Upstream: kubernetes/apimachinery, pkg/util/validation/field/errors.go.

use crate::field_error::ErrorType;
use crate::field_path::{FieldPath, PathRef};
use crate::typecheck::compile::{Refusal, RefusalKind};
use crate::validation::slot::{Slot, first_word};
use text::TextRange;
use yaml::NodeId;

/// One error of the API server's validation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiError {
    /// The type.
    pub kind: ErrorType,
    /// The field as named by the server. For a CustomResourceDefinition whose versions share one
    /// schema, it is `spec.validation` instead of `spec.versions[0].schema`.
    pub field: String,
    /// The path of the field in the document.
    pub path: FieldPath,
    /// The detail as the server writes it; empty if the type is enough.
    pub detail: String,
    /// The bytes of the file that must change: the value, or the object that lacks it.
    pub range: TextRange,
    /// The node of the value. `None` if it is missing.
    pub node: Option<NodeId>,
    /// The rule that is violated.
    pub rule: ApiRule,
}

/// A rule of the API server, for findings that are more specific than the server's message.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ApiRule {
    /// Any other rule of a field.
    Other,
    /// The expression does not compile. Its problems are more precise.
    Compiler,
    /// The expression compiles, but its result has the wrong type.
    ResultType,
    /// The name of a variable is an identifier.
    VariableName,
    /// A DNS subdomain, RFC 1123.
    DnsSubdomain,
    /// A DNS label, RFC 1035.
    DnsLabel,
    /// The name of a kind: a DNS label in any case.
    KindName,
    /// The stored versions, which the server derives from the versions.
    StoredVersions,
    /// The key of a label, also the name of a match condition.
    QualifiedName,
    /// The value of a label.
    LabelValue,
    /// One of these values.
    OneOf(Vec<String>),
    /// This wildcard includes other entries of the list.
    Wildcard(String),
    /// `Deny` and `Warn` exclude each other.
    DenyAndWarn,
    /// The kind is cluster-scoped.
    ClusterScoped,
    /// Either `name` or `selector`.
    NameOrSelector,
    /// Either `url` or `service`.
    UrlOrService,
    /// A URL, which the server reports as missing if it is not valid.
    Url,
    /// The length of an audit annotation, which the server reports as missing.
    ValueExpressionLength,
    /// Either `validations` or `auditAnnotations`.
    ValidationsOrAuditAnnotations,
    /// A rule with line breaks has a message.
    MultilineRule,
    /// The name of a definition consists of its plural and its group: this name.
    DefinitionName(String),
    /// A definition in an API group of Kubernetes requires an approval.
    Approval,
    /// The path to a field of the schema of a rule; a similar one that is valid.
    FieldPath(Option<String>),
    /// A property is declared because the schema at this path uses it.
    Declared(String),
    /// A default matches its schema; the expected value.
    Default(String),
    /// A rule by which a default is validated does not compile.
    DefaultRule,
    /// The cost of one rule.
    RuleCost,
    /// The cost of all rules together.
    TotalCost,
}

impl ApiRule {
    pub(crate) fn one_of(values: &[&str]) -> Self {
        ApiRule::OneOf(values.iter().map(|value| (*value).to_owned()).collect())
    }

    /// Returns whether the CEL compiler reports the error.
    #[must_use]
    pub const fn is_of_compiler(&self) -> bool {
        matches!(self, ApiRule::Compiler | ApiRule::ResultType)
    }
}

/// Collects errors.
#[derive(Debug, Default)]
pub(crate) struct Errors {
    pub(crate) found: Vec<ApiError>,
}

impl Errors {
    pub(crate) fn push(&mut self, kind: ErrorType, slot: &Slot<'_, '_>, detail: impl Into<String>) {
        self.push_rule(ApiRule::Other, kind, slot, detail);
    }

    pub(crate) fn push_rule(
        &mut self,
        rule: ApiRule,
        kind: ErrorType,
        slot: &Slot<'_, '_>,
        detail: impl Into<String>,
    ) {
        let path = slot.path();
        self.found.push(ApiError {
            kind,
            field: path.to_string(),
            path,
            detail: detail.into(),
            range: slot.range_to_underline(),
            node: slot.node().map(yaml::Node::id),
            rule,
        });
    }

    /// Adds the error of an expression that the compiler rejects.
    pub(crate) fn push_refusal(&mut self, kind: ErrorType, slot: &Slot<'_, '_>, refusal: Refusal) {
        let rule = match refusal.kind {
            RefusalKind::ResultType => ApiRule::ResultType,
            RefusalKind::Compile | RefusalKind::Program => ApiRule::Compiler,
        };
        self.push_rule(rule, kind, slot, refusal.message);
    }

    pub(crate) fn required(&mut self, slot: &Slot<'_, '_>, detail: impl Into<String>) {
        self.push(ErrorType::Required, slot, detail);
    }

    pub(crate) fn invalid(&mut self, slot: &Slot<'_, '_>, detail: impl Into<String>) {
        self.push(ErrorType::Invalid, slot, detail);
    }

    pub(crate) fn forbidden(&mut self, slot: &Slot<'_, '_>, detail: impl Into<String>) {
        self.push(ErrorType::Forbidden, slot, detail);
    }

    pub(crate) fn duplicate(&mut self, slot: &Slot<'_, '_>) {
        self.push(ErrorType::Duplicate, slot, "");
    }

    /// Adds one `Invalid` error for every message.
    pub(crate) fn all_invalid(
        &mut self,
        rule: &ApiRule,
        slot: &Slot<'_, '_>,
        messages: Vec<String>,
    ) {
        for message in messages {
            self.push_rule(rule.clone(), ErrorType::Invalid, slot, message);
        }
    }

    /// Adds an error in the content of `slot`; `node` is the invalid part.
    pub(crate) fn push_at(
        &mut self,
        rule: ApiRule,
        kind: ErrorType,
        slot: &Slot<'_, '_>,
        node: yaml::Node<'_>,
        detail: String,
    ) {
        self.push_path(rule, kind, *slot.path_ref(), node, detail);
    }

    /// Adds an error of the field at `path`, which is in `node`.
    pub(crate) fn push_path(
        &mut self,
        rule: ApiRule,
        kind: ErrorType,
        path: PathRef<'_>,
        node: yaml::Node<'_>,
        detail: String,
    ) {
        let path = path.to_path();
        self.found.push(ApiError {
            kind,
            field: path.to_string(),
            path,
            detail,
            range: first_word(node),
            node: Some(node.id()),
            rule,
        });
    }

    /// Adds one `Invalid` error of the map in `slot` for every message; `node` is the invalid key
    /// or value.
    pub(crate) fn all_invalid_at(
        &mut self,
        rule: &ApiRule,
        slot: &Slot<'_, '_>,
        node: yaml::Node<'_>,
        messages: Vec<String>,
    ) {
        for detail in messages {
            self.push_at(rule.clone(), ErrorType::Invalid, slot, node, detail);
        }
    }

    /// Adds one `Invalid` error for all messages together, if there are any.
    pub(crate) fn joined_invalid(
        &mut self,
        rule: ApiRule,
        slot: &Slot<'_, '_>,
        messages: &[String],
    ) {
        if !messages.is_empty() {
            self.push_rule(rule, ErrorType::Invalid, slot, messages.join(","));
        }
    }

    pub(crate) fn not_supported(&mut self, slot: &Slot<'_, '_>, supported: &[&str]) {
        let quoted: Vec<String> = supported.iter().map(|value| format!("{value:?}")).collect();
        let detail = format!("supported values: {}", quoted.join(", "));
        self.push_rule(
            ApiRule::one_of(supported),
            ErrorType::NotSupported,
            slot,
            detail,
        );
    }

    /// Adds an error for more than `limit` items.
    pub(crate) fn too_many(&mut self, slot: &Slot<'_, '_>, limit: usize) {
        let items = if limit == 1 { "item" } else { "items" };
        self.push(
            ErrorType::TooMany,
            slot,
            format!("must have at most {limit} {items}"),
        );
    }
}
