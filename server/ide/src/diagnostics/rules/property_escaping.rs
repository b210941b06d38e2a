#![doc = include_str!("property_escaping.md")]

mod dashed;

use dashed::dashed;
pub(super) use dashed::in_error;

use super::unknown_name;
use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::{Finding, RuleContext, Severity};
use cel::syntax::{Ast, ExprId, ExprKind, MacroKind};
use policy::{Expression, Problem, ProblemKind};
use text::Span;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    syntax_errors(context, found);
    for facts in context.policies() {
        let mut last = None;
        for (expression, problem) in facts.problems() {
            found.extend(escaping(facts, expression, problem));
            if found.len() > context.max_findings() {
                return;
            }
            if unknown_name::unknown(facts, expression, problem).is_none() {
                continue;
            }
            let Some(word) = dashed(facts, expression, problem.span) else {
                continue;
            };
            // `a-b-c` contains two unknown names, but is one error.
            let place = (expression.node, word.property);
            if last.replace(place) != Some(place) {
                let name = problem.span.slice(expression.text());
                let upstream = DocumentFacts::undeclared(name);
                found.push(word.finding(facts, expression).upstream(upstream));
            }
        }
    }
}

/// Reports the properties that do not parse: `labels.my-var`.
fn syntax_errors(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for (facts, expression) in context.expressions() {
        let mut last = None;
        for error in &expression.parse.errors {
            let Some(word) = in_error(facts, expression, error) else {
                continue;
            };
            if last.replace(word.property) == Some(word.property) {
                continue;
            }
            let finding = word.finding(facts, expression);
            found.push(match error.upstream_message() {
                Some(upstream) => finding.upstream(upstream),
                None => finding,
            });
        }
    }
}

fn escaping(
    facts: &DocumentFacts<'_>,
    expression: &Expression,
    problem: &Problem,
) -> Option<Finding> {
    let (message, change) = explain(expression.ast(), problem)?;
    let range = facts.document.range(expression, problem.span);
    let finding = in_kubernetes_words(Finding::new(range, message), problem);
    Some(match change {
        Some((part, right)) => facts.rename(finding, (expression, part), &right),
        None => finding,
    })
}

/// A part of an expression and its replacement.
type Change = (Span, String);

/// Returns the message for a problem, and the replacement.
fn explain(ast: &Ast, problem: &Problem) -> Option<(String, Option<Change>)> {
    let span = problem.span;
    Some(match &problem.kind {
        ProblemKind::EscapedAtAdmission { name, property } => {
            let change = raw(ast, span, property)?;
            let right = &change.1;
            let message = format!(
                "Names are not escaped at admission: no object has a field `{name}`. Write \
                 `{right}`."
            );
            (message, Some(change))
        }
        ProblemKind::IndexedVariables { name } => {
            let right = format!(".{name}");
            let message = format!("`variables` cannot be indexed with brackets. Write `{right}`.");
            (message, brackets(ast, span).map(|part| (part, right)))
        }
        ProblemKind::Unescaped {
            property,
            identifier,
        } => unescaped(ast, span, property, identifier.as_deref()),
        ProblemKind::UndeclaredName { .. }
        | ProblemKind::UndeclaredFunction { .. }
        | ProblemKind::UndeclaredType { .. }
        | ProblemKind::UndefinedField { .. }
        | ProblemKind::Other(_) => return None,
    })
}

/// Returns the message and the replacement for a property whose name must be escaped.
fn unescaped(
    ast: &Ast,
    span: Span,
    property: &str,
    identifier: Option<&str>,
) -> (String, Option<Change>) {
    let Some(identifier) = identifier else {
        let message = format!(
            "Rules cannot access the property `{property}`: its name contains a character that \
             Kubernetes cannot escape."
        );
        return (message, None);
    };
    let right = format!(".{identifier}");
    let message =
        format!("Rules must use the escaped name of the property `{property}`. Write `{right}`.");
    let dot = Span::new(span.start().saturating_sub(1), span.end());
    (message, Some((brackets(ast, span).unwrap_or(dot), right)))
}

fn in_kubernetes_words(finding: Finding, problem: &Problem) -> Finding {
    match (&problem.kind, &problem.upstream) {
        (ProblemKind::EscapedAtAdmission { name, .. }, _) => finding
            .severity(Severity::Warning)
            .upstream(format!("no such key: {name}")),
        (_, Some(words)) => finding.upstream(words.clone()),
        (_, None) => finding,
    }
}

/// Returns the change that reads a property of a plain map.
fn raw(ast: &Ast, field: Span, property: &str) -> Option<Change> {
    let is_selection = |id: &ExprId| matches!(ast.kind(*id), ExprKind::Select { field: name, .. } if name.span == field);
    let id = ast.ids().find(is_selection)?;
    let ExprKind::Select {
        operand,
        operator,
        optional,
        ..
    } = ast.kind(id)
    else {
        return None;
    };
    let from_dot = Span::new(operator.start(), field.end());
    let is_name = cel::syntax::has_identifier_form(property)
        && !matches!(property, "in" | "true" | "false" | "null");
    if is_name {
        let dot = if *optional { ".?" } else { "." };
        return Some((from_dot, format!("{dot}{property}")));
    }
    let key = text(property);
    let tested = ast.macro_calls().find(|call| {
        let mut body = call.body.iter();
        call.kind == MacroKind::Has && body.any(|body| ast.unparenthesized(*body) == id)
    });
    Some(match tested {
        // `has()` accepts only fields.
        Some(call) => {
            let map = ast.slice(ast.span(*operand));
            (ast.span(call.id), format!("{key} in {map}"))
        }
        None if *optional => (from_dot, format!("[?{key}]")),
        None => (from_dot, format!("[{key}]")),
    })
}

/// Returns the brackets around a key.
fn brackets(ast: &Ast, key: Span) -> Option<Span> {
    ast.ids().find_map(|id| match ast.kind(id) {
        ExprKind::Index {
            brackets, index, ..
        } if ast.span(ast.unparenthesized(*index)) == key => Some(*brackets),
        _ => None,
    })
}

/// Returns a string as a CEL literal.
fn text(name: &str) -> String {
    format!("'{}'", name.replace('\\', "\\\\").replace('\'', "\\'"))
}

#[cfg(test)]
mod tests;
