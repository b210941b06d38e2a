//! The constant value of a part of a condition, and the reason.

use super::requests::Requests;
use cel::Env;
use cel::syntax::{Ast, ExprId, ExprKind};
use policy::Role;
use std::mem::discriminant;
use text::Span;

/// The constant value of a part of a condition, unless the part fails.
#[derive(Clone, Debug)]
pub(super) struct Truth {
    /// The constant value.
    pub(super) value: bool,
    /// The part that makes it constant.
    pub(super) culprit: ExprId,
    pub(super) reason: Reason,
    /// The replacement for a span.
    pub(super) fix: Option<(Span, &'static str)>,
}

/// The reason that a part is constant, from the most to the least certain.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reason {
    /// The part is `true` or `false`.
    Literal,
    /// The part does not read the request.
    Closed,
    /// All parts of it are constant.
    Parts,
    /// A reason in words.
    Fact(String),
    /// A reason in words, which follows from the match rules.
    Matched(String),
}

impl Reason {
    pub(super) fn is_matched(&self) -> bool {
        matches!(self, Reason::Matched(_))
    }
}

impl Truth {
    pub(super) fn fact(value: bool, culprit: ExprId, reason: impl Into<String>) -> Self {
        Self::new(value, culprit, Reason::Fact(reason.into()))
    }

    pub(super) fn new(value: bool, culprit: ExprId, reason: Reason) -> Self {
        Self {
            value,
            culprit,
            reason,
            fix: None,
        }
    }

    pub(super) fn with_fix(self, fix: Option<(Span, &'static str)>) -> Self {
        Self { fix, ..self }
    }
}

/// An expression that is searched for constant parts.
pub(super) struct ConditionScope<'a> {
    pub(super) ast: &'a Ast,
    pub(super) env: &'a Env,
    pub(super) requests: &'a Requests<'a>,
    pub(super) role: Role,
}

impl ConditionScope<'_> {
    /// Returns whether two parts can have the same source: `false` if their outermost nodes differ.
    pub(super) fn can_equal(&self, one: ExprId, other: ExprId) -> bool {
        let kind = |id: ExprId| self.ast.kind(self.ast.unparenthesized(id));
        let name = |kind: &ExprKind| match kind {
            ExprKind::Select { field: name, .. } | ExprKind::Call { function: name, .. } => {
                Some(self.ast.name(*name))
            }
            _ => None,
        };
        let (one, other) = (kind(one), kind(other));
        discriminant(one) == discriminant(other) && name(one) == name(other)
    }

    /// Returns the source of a part in a normalized form.
    pub(super) fn normalized_source(&self, id: ExprId) -> String {
        self.ast.normalized_source(id)
    }
}
