//! The CEL expressions embedded in a document.
//!
//! Every expression is found by its field path, with the type that Kubernetes requires and a
//! tree that is parsed once. Code that works on an expression does not search the YAML for it.

use crate::field_path::{FieldPath, FieldStep};
use crate::results::Source;
use cel::syntax::Ast;
use std::sync::Arc;
use yaml::NodeId;

/// An expression in a document.
#[derive(Debug)]
pub struct Expression {
    /// The path of its field from the root of the YAML document.
    pub path: FieldPath,
    /// Its role.
    pub role: Role,
    /// The scalar that holds it.
    pub node: NodeId,
    /// The object that contains the field, such as the entry of `validations`.
    pub owner: NodeId,
    /// The tree, the errors and the comments of its source.
    pub parse: Arc<Source>,
}

/// The role of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// `matchConditions[].expression` of a policy.
    MatchCondition,
    /// `variables[].expression`.
    Variable {
        /// Its index in the list.
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
    /// Returns whether it is a mutation, which sees the object after the mutations before it.
    #[must_use]
    pub const fn is_mutation(self) -> bool {
        matches!(self, Role::ApplyConfiguration | Role::JsonPatch)
    }

    /// Returns the result type that Kubernetes requires, as it prints it: `bool`, `string`, `string
    /// or null`, `Object`, `list(JSONPatch)`. `None` if any type is allowed.
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

    /// Returns the schema of `self` in a rule of a CustomResourceDefinition.
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

    /// Returns whether it is a condition of a policy or of a webhook, which is evaluated without
    /// variables and without the namespace of the object.
    #[must_use]
    pub const fn is_match_condition(self) -> bool {
        matches!(self, Role::MatchCondition | Role::WebhookMatchCondition)
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
    /// Returns the tree.
    #[must_use]
    pub fn ast(&self) -> &Ast {
        &self.parse.ast
    }

    /// Returns the position in `webhooks` of the webhook to which a match condition belongs.
    pub(crate) fn webhook_index(&self) -> Option<usize> {
        let mut steps = self.path.steps().iter().rev();
        // `webhooks[3].matchConditions[0].expression`, from the end.
        match (steps.nth(3)?, steps.next()?) {
            (FieldStep::Index(index), FieldStep::Field(list)) if **list == *"webhooks" => {
                Some(*index)
            }
            _ => None,
        }
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
    /// Fields for an expression that hold only white space, in the order of the file.
    pub(crate) blank: Vec<Expression>,
}
