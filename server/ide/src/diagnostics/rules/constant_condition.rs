#![doc = include_str!("constant_condition.md")]

mod chain;
mod relation;
mod requests;
mod truth;

use crate::diagnostics::clauses::shown;
use crate::diagnostics::facts::{Facts, has_placeholder};
use crate::diagnostics::{Finding, MAX_FINDINGS, RuleContext, match_rules};
use crate::yaml_edit::replace_part;
use cel::syntax::{Ast, BinaryOperator, ExprId, ExprKind, UnaryOperator};
use policy::{Expression, Role};
use requests::Requests;
use text::Span;
use truth::{Scene, Truth, Truths, Why};

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    let catalog = match_rules::kinds(context.file);
    for facts in context.policies() {
        for expression in facts.document.expressions() {
            let is_sound = expression.parse.is_ok() && facts.is_read(expression);
            if !is_sound || has_placeholder(expression.text()) {
                continue;
            }
            let Some(checked) = facts.document.checked(expression) else {
                continue;
            };
            let scene = Scene {
                ast: expression.ast(),
                env: checked.env(),
                requests: &Requests::of(facts.document, expression, &catalog),
                role: expression.role,
            };
            let truths = Truths::of(&scene);
            let report = Report {
                facts,
                expression,
                scene: &scene,
                truths: &truths,
            };
            report.walk(found);
            if found.len() >= MAX_FINDINGS {
                return;
            }
        }
    }
}

struct Report<'r, 'a> {
    facts: &'r Facts<'a>,
    expression: &'r Expression,
    scene: &'r Scene<'r>,
    truths: &'r Truths,
}

/// Where a part of an expression stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// It is the expression.
    Whole,
    /// It decides together with others.
    Clause,
    /// It is a value like any other.
    Value,
}

impl Report<'_, '_> {
    fn ast(&self) -> &Ast {
        self.scene.ast
    }

    /// Looks for the outermost parts that are always the same.
    fn walk(&self, found: &mut Vec<Finding>) {
        let root = self.ast().root();
        let mut waiting = vec![(root, Place::Whole)];
        while let Some((id, place)) = waiting.pop() {
            if let Some(truth) = self.truths.get(id)
                && let Some(finding) = self.finding(id, truth, place)
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
                let strays = relation::strays(self.scene, *left, *right);
                found.extend(
                    strays
                        .iter()
                        .map(|(element, truth)| self.stray(*element, truth)),
                );
            }
            let first = waiting.len();
            waiting.extend(self.places(id, place));
            if let Some(added) = waiting.get_mut(first..) {
                added.reverse();
            }
        }
    }

    /// The parts of a node and where they stand.
    fn places(&self, id: ExprId, place: Place) -> Vec<(ExprId, Place)> {
        let children = self.ast().children(id);
        match self.ast().kind(id) {
            ExprKind::Paren(inner) => vec![(*inner, place)],
            ExprKind::Binary {
                operator: BinaryOperator::And | BinaryOperator::Or,
                ..
            }
            | ExprKind::Unary {
                operator: UnaryOperator::Not,
                ..
            } => children.map(|child| (child, Place::Clause)).collect(),
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
                ..
            } => vec![
                (*condition, Place::Clause),
                (*then, Place::Value),
                (*otherwise, Place::Value),
            ],
            _ => children.map(|child| (child, Place::Value)).collect(),
        }
    }

    /// What there is to say of a part that is always the same. `None` where its author knows.
    fn finding(&self, id: ExprId, truth: &Truth, place: Place) -> Option<Finding> {
        let is_bare = matches!(
            self.ast().kind(self.ast().unparenthesized(id)),
            ExprKind::Literal(_)
        );
        let role = self.expression.role;
        let is_silent = match place {
            // The author of a validation that is `false` wants to deny everything.
            Place::Whole if is_bare => !is_condition(role),
            // A condition that keeps out what the rules do not match is harmless.
            Place::Whole if is_condition(role) && truth.value => truth.why.is_matched(),
            Place::Whole => is_plain(role) && truth.why <= Why::Parts,
            Place::Clause => truth.why.is_matched(),
            Place::Value => is_bare || truth.why.is_matched(),
        };
        if is_silent {
            return None;
        }
        let culprit = self.truths.get(truth.culprit).unwrap_or(truth);
        let is_clause = place == Place::Clause && is_bare;
        let statement = if is_clause {
            format!("The operand `{}` has no effect. Remove it", truth.value)
        } else {
            self.statement(truth.culprit, culprit)
        };
        let consequence = match place {
            Place::Whole => consequence(role, truth),
            Place::Clause | Place::Value => None,
        };
        let message = match consequence {
            Some(consequence) => format!("{statement}. {consequence}."),
            None => format!("{statement}."),
        };
        let span = self.ast().span(truth.culprit);
        Some(self.at(span, message, truth))
    }

    fn stray(&self, element: ExprId, truth: &Truth) -> Finding {
        let reason = match &truth.why {
            Why::Fact(reason) | Why::Matched(reason) => reason.as_str(),
            Why::Literal | Why::Closed | Why::Parts => "",
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
            Some(edit) if right == "&&" || right == "||" => finding.maybe_fix(title, vec![edit]),
            Some(edit) => finding.fix(title, vec![edit]),
            None => finding,
        }
    }

    /// Returns the value that a part always has, and why.
    fn statement(&self, culprit: ExprId, truth: &Truth) -> String {
        let name = match shown(self.ast(), culprit) {
            Some(text) => format!("`{text}`"),
            None => "This condition".to_owned(),
        };
        let value = truth.value;
        match &truth.why {
            Why::Literal | Why::Closed | Why::Parts => format!("{name} is always {value}"),
            Why::Fact(reason) | Why::Matched(reason) => {
                format!("{name} is always {value}: {reason}")
            }
        }
    }
}

/// Whether an expression says which requests are looked at.
fn is_condition(role: Role) -> bool {
    matches!(role, Role::MatchCondition | Role::WebhookMatchCondition)
}

/// Whether an expression is no condition by itself.
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

/// What follows from an expression that always has the same value.
fn consequence(role: Role, truth: &Truth) -> Option<&'static str> {
    let is_sure = truth.why <= Why::Closed;
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
