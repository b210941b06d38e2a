//! The CEL expressions embedded in a document.
//!
//! Every expression is found by its field path, with what Kubernetes wants of it and a tree
//! that is parsed once. Whoever works on an expression never asks YAML where it is.

use crate::field_path::{FieldPath, PathRef};
use crate::json_schema::{JsonSchema, version_schemas};
use crate::kind::Kind;
use cel::syntax::{Ast, Parse};
use yaml::{Node, NodeId};

/// An expression in a document.
#[derive(Debug)]
pub struct Expression {
    /// The path of its field from the root of the YAML document.
    pub path: FieldPath,
    /// Its role.
    pub role: Role,
    /// The scalar that holds it.
    pub node: NodeId,
    /// The object of which it is a field, such as the entry of `validations`.
    pub owner: NodeId,
    /// The tree, the errors and the comments of its source.
    pub parse: Parse,
}

/// The role of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// `matchConditions[].expression` of a policy.
    MatchCondition,
    /// `variables[].expression`.
    Variable {
        /// Its place in the list.
        index: usize,
    },
    /// `validations[].expression`.
    Validation,
    /// `validations[].messageExpression`.
    MessageExpression,
    /// `auditAnnotations[].valueExpression`.
    AuditAnnotation,
    /// `mutations[].applyConfiguration.expression`.
    ApplyConfiguration,
    /// `mutations[].jsonPatch.expression`.
    JsonPatch,
    /// `webhooks[].matchConditions[].expression`.
    WebhookMatchCondition,
    /// `x-kubernetes-validations[].rule`.
    CrdRule {
        /// The schema to which the rule belongs.
        schema: NodeId,
        /// Whether `optionalOldSelf` is true, which makes `oldSelf` an optional.
        optional_old_self: bool,
    },
    /// `x-kubernetes-validations[].messageExpression`.
    CrdMessageExpression {
        /// The schema to which the rule belongs.
        schema: NodeId,
        /// Whether `optionalOldSelf` is true, which makes `oldSelf` an optional.
        optional_old_self: bool,
    },
}

impl Role {
    /// Returns the result type that Kubernetes requires, as it writes it: `bool`, `string`,
    /// `string or null`, `Object`, `list(JSONPatch)`. `None` if any type is allowed.
    #[must_use]
    pub const fn expected_type(self) -> Option<&'static str> {
        match self {
            Role::MatchCondition
            | Role::Validation
            | Role::WebhookMatchCondition
            | Role::CrdRule { .. } => Some("bool"),
            Role::MessageExpression | Role::CrdMessageExpression { .. } => Some("string"),
            Role::AuditAnnotation => Some("string or null"),
            Role::ApplyConfiguration => Some("Object"),
            Role::JsonPatch => Some("list(JSONPatch)"),
            Role::Variable { .. } => None,
        }
    }

    /// The schema of `self` in a rule of a CustomResourceDefinition.
    #[must_use]
    pub const fn schema(self) -> Option<NodeId> {
        match self {
            Role::CrdRule { schema, .. } | Role::CrdMessageExpression { schema, .. } => {
                Some(schema)
            }
            Role::MatchCondition
            | Role::Variable { .. }
            | Role::Validation
            | Role::MessageExpression
            | Role::AuditAnnotation
            | Role::ApplyConfiguration
            | Role::JsonPatch
            | Role::WebhookMatchCondition => None,
        }
    }

    /// Returns whether `oldSelf` is an optional in a rule of a CustomResourceDefinition.
    #[must_use]
    pub const fn optional_old_self(self) -> bool {
        matches!(
            self,
            Role::CrdRule {
                optional_old_self: true,
                ..
            } | Role::CrdMessageExpression {
                optional_old_self: true,
                ..
            }
        )
    }

    /// Returns whether the API server compiles the expression without the white space around it, so
    /// that its line numbers begin at the first token.
    #[must_use]
    pub(crate) const fn is_trimmed(self) -> bool {
        match self {
            Role::MatchCondition
            | Role::WebhookMatchCondition
            | Role::AuditAnnotation
            | Role::ApplyConfiguration
            | Role::JsonPatch => true,
            Role::Variable { .. }
            | Role::Validation
            | Role::MessageExpression
            | Role::CrdRule { .. }
            | Role::CrdMessageExpression { .. } => false,
        }
    }
}

impl Expression {
    /// The tree.
    #[must_use]
    pub fn ast(&self) -> &Ast {
        &self.parse.ast
    }

    /// Returns the decoded source.
    #[must_use]
    pub fn text(&self) -> &str {
        self.parse.ast.text()
    }
}

/// The expressions of a document.
#[derive(Debug, Default)]
pub(crate) struct Expressions {
    /// Expressions that are strings, in the order of the file.
    pub(crate) written: Vec<Expression>,
    /// Fields for an expression that hold nothing but white space, in the order of the file.
    pub(crate) blank: Vec<Expression>,
}

/// The expressions of the document `root`.
pub(crate) fn find(kind: Kind, root: Node<'_>, base: &FieldPath) -> Expressions {
    let mut search = Search {
        found: Expressions::default(),
    };
    let path = PathRef::new(base);
    match kind {
        Kind::ValidatingAdmissionPolicy => search.validating_policy(root, &path),
        Kind::MutatingAdmissionPolicy => search.mutating_policy(root, &path),
        Kind::ValidatingWebhookConfiguration | Kind::MutatingWebhookConfiguration => {
            search.webhooks(root, &path);
        }
        Kind::CustomResourceDefinition => search.versions(root, &path),
        Kind::ValidatingAdmissionPolicyBinding | Kind::MutatingAdmissionPolicyBinding => {}
    }
    let mut found = search.found;
    found.written.sort_by_key(|found| found.node);
    found.blank.sort_by_key(|found| found.node);
    found
}

struct Search {
    found: Expressions,
}

impl Search {
    fn validating_policy(&mut self, root: Node<'_>, path: &PathRef<'_>) {
        let Some(spec) = root.get("spec") else {
            return;
        };
        let path = path.child("spec");
        self.policy_head(spec, &path);
        self.each(spec, &path, "validations", |search, _, node, path| {
            search.add(node, path, "expression", Role::Validation);
            search.add(node, path, "messageExpression", Role::MessageExpression);
        });
        self.each(spec, &path, "auditAnnotations", |search, _, node, path| {
            search.add(node, path, "valueExpression", Role::AuditAnnotation);
        });
    }

    fn mutating_policy(&mut self, root: Node<'_>, path: &PathRef<'_>) {
        let Some(spec) = root.get("spec") else {
            return;
        };
        let path = path.child("spec");
        self.policy_head(spec, &path);
        self.each(spec, &path, "mutations", |search, _, node, path| {
            for (field, role) in [
                ("applyConfiguration", Role::ApplyConfiguration),
                ("jsonPatch", Role::JsonPatch),
            ] {
                if let Some(patch) = node.get(field) {
                    search.add(patch, &path.child(field), "expression", role);
                }
            }
        });
    }

    fn policy_head(&mut self, spec: Node<'_>, path: &PathRef<'_>) {
        self.each(spec, path, "matchConditions", |search, _, node, path| {
            search.add(node, path, "expression", Role::MatchCondition);
        });
        self.each(spec, path, "variables", |search, index, node, path| {
            search.add(node, path, "expression", Role::Variable { index });
        });
    }

    fn webhooks(&mut self, root: Node<'_>, path: &PathRef<'_>) {
        self.each(root, path, "webhooks", |search, _, webhook, path| {
            search.each(webhook, path, "matchConditions", |search, _, node, path| {
                search.add(node, path, "expression", Role::WebhookMatchCondition);
            });
        });
    }

    fn versions(&mut self, root: Node<'_>, path: &PathRef<'_>) {
        let spec = path.child("spec");
        let versions = spec.child("versions");
        for (index, schema) in version_schemas(root) {
            let version = versions.index(index);
            let field = version.child("schema");
            schema.walk(&field.child("openAPIV3Schema"), &mut |schema, path| {
                self.rules(schema, path);
            });
        }
    }

    fn rules(&mut self, schema: JsonSchema<'_>, path: &PathRef<'_>) {
        let node = schema.node();
        let schema = node.id();
        self.each(
            node,
            path,
            "x-kubernetes-validations",
            |search, _, rule, path| {
                let optional_old_self =
                    JsonSchema::new(rule).is_some_and(|rule| rule.flag("optionalOldSelf"));
                let role = Role::CrdRule {
                    schema,
                    optional_old_self,
                };
                search.add(rule, path, "rule", role);
                let role = Role::CrdMessageExpression {
                    schema,
                    optional_old_self,
                };
                search.add(rule, path, "messageExpression", role);
            },
        );
    }

    /// Calls `visit` for every item of the list in `field` of `node`.
    fn each(
        &mut self,
        node: Node<'_>,
        path: &PathRef<'_>,
        field: &str,
        visit: impl Fn(&mut Self, usize, Node<'_>, &PathRef<'_>),
    ) {
        let list = node.get(field).and_then(Node::as_sequence);
        let path = path.child(field);
        for (index, item) in list.into_iter().flat_map(yaml::Sequence::items).enumerate() {
            visit(self, index, item, &path.index(index));
        }
    }

    fn add(&mut self, owner: Node<'_>, path: &PathRef<'_>, field: &str, role: Role) {
        let Some(node) = owner.get(field) else {
            return;
        };
        // An empty value is null.
        let nothing = || (node.is_null() && node.text().is_empty()).then_some("");
        let Some(text) = node.as_str().or_else(nothing) else {
            return;
        };
        let list = match text.trim() {
            "" => &mut self.found.blank,
            _ => &mut self.found.written,
        };
        list.push(Expression {
            path: path.child(field).to_path(),
            role,
            node: node.id(),
            owner: owner.id(),
            parse: cel::syntax::parse(text),
        });
    }
}

#[cfg(test)]
mod tests;
