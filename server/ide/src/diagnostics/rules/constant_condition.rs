#![doc = include_str!("constant_condition.md")]

mod chain;
mod relation;
mod requests;
mod truth;
mod truth_table;

use crate::diagnostics::conditions::quoted_source;
use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::placeholder::has_placeholder;
use crate::diagnostics::{Finding, RuleContext, match_rules};
use cel::syntax::{Ast, BinaryOperator, ExprId, ExprKind, UnaryOperator};
use policy::{Expression, Role};
use requests::Requests;
use text::Span;
use truth::{ConditionScope, Reason, Truth};
use truth_table::TruthTable;
use yaml::edit::replace_part;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    let catalog = match_rules::kinds(context.file);
    for facts in context.policies() {
        let mut of_webhook = None;
        for expression in facts.document.expressions() {
            let is_sound = expression.parse.is_ok() && facts.is_read(expression);
            if !is_sound || has_placeholder(expression.text()) {
                continue;
            }
            let Some(checked) = facts.document.checked(expression) else {
                continue;
            };
            let webhook = facts.document.webhook_of(expression).map(|it| it.at.node);
            // All expressions of a policy or a webhook are evaluated for the same requests.
            let requests = match &of_webhook {
                Some((known, requests)) if *known == webhook => requests,
                _ => {
                    let requests = Requests::new(facts.document, expression, &catalog);
                    &of_webhook.insert((webhook, requests)).1
                }
            };
            let scope = ConditionScope {
                ast: expression.ast(),
                env: checked.env(),
                requests,
                role: expression.role,
            };
            let table = TruthTable::new(&scope);
            let report = Report {
                facts,
                expression,
                scope: &scope,
                table: &table,
            };
            report.outermost(found);
            if found.len() >= context.max_findings() {
                return;
            }
        }
    }
}

struct Report<'r, 'a> {
    facts: &'r DocumentFacts<'a>,
    expression: &'r Expression,
    scope: &'r ConditionScope<'r>,
    table: &'r TruthTable,
}

/// The role of a part of an expression.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PartRole {
    /// The whole expression.
    Whole,
    /// An operand of `&&`, `||` or `!`, or the condition of `?:`.
    Clause,
    /// Any other value.
    Value,
}

impl Report<'_, '_> {
    fn ast(&self) -> &Ast {
        self.scope.ast
    }

    /// Reports the outermost parts that are constant.
    fn outermost(&self, found: &mut Vec<Finding>) {
        let root = self.ast().root();
        let mut waiting = vec![(root, PartRole::Whole)];
        while let Some((id, part_role)) = waiting.pop() {
            if let Some(truth) = self.table.get(id)
                && let Some(finding) = self.finding(id, truth, part_role)
            {
                found.push(finding);
                continue;
            }
            if let ExprKind::Binary {
                operator: BinaryOperator::In,
                left,
                right,
                ..
            } = self.ast().kind(id)
            {
                let strays = relation::strays(self.scope, *left, *right);
                found.extend(
                    strays
                        .iter()
                        .map(|(element, truth)| self.stray(*element, truth)),
                );
            }
            let first = waiting.len();
            self.add_parts(id, part_role, &mut waiting);
            if let Some(added) = waiting.get_mut(first..) {
                added.reverse();
            }
        }
    }

    /// Adds the parts of a node and their roles.
    fn add_parts(&self, id: ExprId, part_role: PartRole, parts: &mut Vec<(ExprId, PartRole)>) {
        let children = self.ast().children(id);
        match self.ast().kind(id) {
            ExprKind::Paren(inner) => parts.push((*inner, part_role)),
            ExprKind::Binary {
                operator: BinaryOperator::And | BinaryOperator::Or,
                ..
            }
            | ExprKind::Unary {
                operator: UnaryOperator::Not,
                ..
            } => parts.extend(children.map(|child| (child, PartRole::Clause))),
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
                ..
            } => parts.extend([
                (*condition, PartRole::Clause),
                (*then, PartRole::Value),
                (*otherwise, PartRole::Value),
            ]),
            _ => parts.extend(children.map(|child| (child, PartRole::Value))),
        }
    }

    /// Reports a constant part. `None` if it is harmless or intended.
    fn finding(&self, id: ExprId, truth: &Truth, part_role: PartRole) -> Option<Finding> {
        let is_bare = matches!(
            self.ast().kind(self.ast().unparenthesized(id)),
            ExprKind::Literal(_)
        );
        let role = self.expression.role;
        let is_silent = match part_role {
            // A validation that is `false` denies everything on purpose.
            PartRole::Whole if is_bare => !role.is_match_condition(),
            // A condition that excludes objects that the rules do not match is harmless.
            PartRole::Whole if role.is_match_condition() && truth.value => {
                truth.reason.is_matched()
            }
            PartRole::Whole => is_plain(role) && truth.reason <= Reason::Parts,
            PartRole::Clause => truth.reason.is_matched(),
            PartRole::Value => is_bare || truth.reason.is_matched(),
        };
        if is_silent {
            return None;
        }
        let culprit = self.table.get(truth.culprit).unwrap_or(truth);
        let is_clause = part_role == PartRole::Clause && is_bare;
        let statement = if is_clause {
            format!("The operand `{}` has no effect. Remove it", truth.value)
        } else {
            self.statement(truth.culprit, culprit)
        };
        let consequence = match part_role {
            PartRole::Whole => consequence(role, truth),
            PartRole::Clause | PartRole::Value => None,
        };
        let message = match consequence {
            Some(consequence) => format!("{statement}. {consequence}."),
            None => format!("{statement}."),
        };
        let span = self.ast().span(truth.culprit);
        Some(self.at(span, message, truth))
    }

    fn stray(&self, element: ExprId, truth: &Truth) -> Finding {
        let reason = match &truth.reason {
            Reason::Fact(reason) | Reason::Matched(reason) => reason.as_str(),
            Reason::Literal | Reason::Closed | Reason::Parts => "",
        };
        let value = self.ast().slice(self.ast().span(element));
        let message = format!("No request has the value `{value}`: {reason}.");
        self.at(self.ast().span(element), message, truth)
    }

    fn at(&self, span: Span, message: String, truth: &Truth) -> Finding {
        let document = self.facts.document;
        let finding = Finding::new(document.range(self.expression, span), message);
        let scalar = document.node(self.expression.node).as_scalar();
        let fix = truth.fix.filter(|(span, _)| !span.is_empty());
        let Some(((span, right), scalar)) = fix.zip(scalar) else {
            return finding;
        };
        let title = format!("Change to `{right}`");
        match replace_part(scalar, span, right) {
            Some(edit) => finding.unsafe_fix(title, vec![edit]),
            None => finding,
        }
    }

    /// Returns a sentence with the constant value of a part and the reason.
    fn statement(&self, culprit: ExprId, truth: &Truth) -> String {
        let name = match quoted_source(self.ast(), culprit) {
            Some(text) => format!("`{text}`"),
            None => "This condition".to_owned(),
        };
        let value = truth.value;
        match &truth.reason {
            Reason::Literal | Reason::Closed | Reason::Parts => format!("{name} is always {value}"),
            Reason::Fact(reason) | Reason::Matched(reason) => {
                format!("{name} is always {value}: {reason}")
            }
        }
    }
}

/// Returns whether the whole expression is not a condition.
fn is_plain(role: Role) -> bool {
    match role {
        Role::MatchCondition
        | Role::WebhookMatchCondition
        | Role::Validation
        | Role::CrdRule { .. } => false,
        Role::Variable { .. }
        | Role::MessageExpression
        | Role::CrdMessageExpression { .. }
        | Role::AuditAnnotation
        | Role::ApplyConfiguration
        | Role::JsonPatch => true,
    }
}

/// Returns the consequence of a constant expression.
fn consequence(role: Role, truth: &Truth) -> Option<&'static str> {
    let is_sure = truth.reason <= Reason::Closed;
    Some(match (role, truth.value, is_sure) {
        (Role::Validation, true, true) => "The validation never denies a request",
        (Role::Validation, true, false) => {
            "The validation never denies a request, unless the expression fails"
        }
        (Role::Validation, false, _) => "The validation denies every request",
        (Role::MatchCondition | Role::WebhookMatchCondition, true, _) => {
            "The match condition excludes no request. Remove it"
        }
        (Role::MatchCondition, false, _) => "The policy is never applied",
        (Role::WebhookMatchCondition, false, _) => "The webhook is never called",
        (Role::CrdRule { .. }, true, true) => "The rule never rejects a value",
        (Role::CrdRule { .. }, true, false) => "The rule never rejects a value, unless it fails",
        (Role::CrdRule { .. }, false, _) => "The rule rejects every value",
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
