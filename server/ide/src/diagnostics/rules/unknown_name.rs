#![doc = include_str!("unknown_name.md")]

use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::{Finding, RuleContext};
use cel::check::CheckErrorKind;
use cel::syntax::{Ast, ExprKind};
use policy::environment::{self, RootType};
use policy::{Expression, JsonSchema, Problem, ProblemKind};
use text::{Span, capitalized};

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        let problems = facts.problems();
        let unknown = problems.filter_map(|(expression, problem)| {
            let name = unknown(facts, expression, problem)?;
            Some((expression, problem, name))
        });
        for (expression, problem, name) in unknown.take(context.max_findings()) {
            // It may be a part of `math.greatest(…)`, or of a name such as `a-b`.
            let range = facts.document.range(expression, problem.span);
            if !context.is_found_by(&["unknown-function", "property-escaping"], range) {
                found.push(finding(facts, expression, problem, name));
            }
        }
        let types = facts.problems().filter_map(|(expression, problem)| {
            let ast = expression.ast();
            let written = ast.slice(problem.span);
            // `undefined-field` reports a field of a value that only has methods.
            let message = match ast.kind(problem.expr) {
                ExprKind::Select { .. } => return None,
                _ => no_type(problem, written)?,
            };
            let finding = facts.finding(expression, problem, message);
            // `object{…}` instead of `Object{…}`.
            let right = capitalized(written);
            let types = facts.document.checked(expression)?.env().types();
            Some(match types.find_type(&right) {
                Some(_) => facts.rename(finding, (expression, problem.span), &right),
                None => finding,
            })
        });
        found.extend(types.take(context.max_findings()));
    }
}

/// Returns the message for a name before `{` that is not a type with fields.
fn no_type(problem: &Problem, written: &str) -> Option<String> {
    match &problem.kind {
        ProblemKind::Other(CheckErrorKind::NotAType { .. }) => {
            Some(format!("`{written}` is a variable, not a type."))
        }
        ProblemKind::Other(CheckErrorKind::FailedResolution { name }) => {
            Some(format!("`{name}` is not a type."))
        }
        ProblemKind::Other(CheckErrorKind::NotAMessageType { name }) => Some(format!(
            "The type `{name}` has no fields, so it cannot be constructed."
        )),
        _ => None,
    }
}

/// Returns the undefined name, if the problem is one.
pub(super) fn unknown<'p>(
    facts: &DocumentFacts<'_>,
    expression: &Expression,
    problem: &'p Problem,
) -> Option<&'p str> {
    let name = match &problem.kind {
        ProblemKind::UndeclaredName {
            name,
            absence: None,
            ..
        }
        | ProblemKind::UndeclaredType {
            name,
            absence: None,
        } => name,
        _ => return None,
    };
    (!facts.is_unusable(expression, problem.span)).then_some(name)
}

fn finding(
    facts: &DocumentFacts<'_>,
    expression: &Expression,
    problem: &Problem,
    name: &str,
) -> Finding {
    let (message, right) = explain(facts, expression, problem, name);
    let finding = Finding::new(facts.document.range(expression, problem.span), message)
        .upstream(DocumentFacts::undeclared(name));
    match right {
        Some(right) => facts.rename(finding, (expression, problem.span), &right),
        None => finding,
    }
}

/// Returns the message for an undefined name, and the replacement if it is clear.
fn explain(
    facts: &DocumentFacts<'_>,
    expression: &Expression,
    problem: &Problem,
    name: &str,
) -> (String, Option<String>) {
    let ProblemKind::UndeclaredName { nearest, .. } = &problem.kind else {
        return (format!("There is no type `{name}`."), None);
    };
    let roots = environment::roots(facts.document, expression.role);
    let roots: Vec<&str> = roots.iter().map(|root| root.name).collect();
    let is_variable = facts
        .variable_names()
        .any(|variable| variable.text() == name);
    if is_variable && roots.contains(&"variables") {
        let right = format!("variables.{name}");
        return (
            format!("`{name}` is a variable. Write `{right}`."),
            Some(right),
        );
    }
    if let Some(right) = longer(facts, expression, name) {
        return (
            format!("`{name}` is not defined. Did you mean `{right}`?"),
            Some(right),
        );
    }
    if let Some(right) = nearest {
        return (
            format!("`{name}` is not defined. Did you mean `{right}`?"),
            Some((*right).to_owned()),
        );
    }
    let list: Vec<String> = roots.iter().map(|root| format!("`{root}`")).collect();
    let advice = if is_receiver(expression.ast(), problem.span) {
        ""
    } else {
        " If it is a string, quote it."
    };
    let message = format!(
        "`{name}` is not defined. Available names: {}.{advice}",
        list.join(", ")
    );
    (message, None)
}

/// Returns whether a field or an element of the name at a span is selected, or a method is called on
/// it.
fn is_receiver(ast: &Ast, name: Span) -> bool {
    ast.ids().any(|id| match ast.kind(id) {
        ExprKind::Select { operand, .. } | ExprKind::Index { operand, .. } => {
            ast.span(*operand) == name
        }
        ExprKind::Call {
            target: Some(target),
            ..
        } => ast.span(*target) == name,
        _ => false,
    })
}

/// Returns the field of `request.userInfo` to which a name refers.
fn of_user(name: &str) -> Option<&str> {
    match name {
        "user" | "username" => Some("username"),
        "groups" => Some(name),
        _ => None,
    }
}

/// Returns the field to which the name refers if its object is missing: `object.spec` for `spec`.
fn longer(facts: &DocumentFacts<'_>, expression: &Expression, name: &str) -> Option<String> {
    if let Some(schema) = expression.role.schema() {
        let schema = JsonSchema::new(facts.document.node(schema))?;
        return schema.property(name).map(|_| format!("self.{name}"));
    }
    if matches!(
        name,
        "apiVersion" | "kind" | "metadata" | "spec" | "status" | "data"
    ) {
        return Some(format!("object.{name}"));
    }
    let roots = environment::roots(facts.document, expression.role);
    let request = roots.iter().find(|root| root.name == "request")?;
    let RootType::Object(request) = request.ty else {
        return None;
    };
    if let Some(field) = of_user(name) {
        return Some(format!("request.userInfo.{field}"));
    }
    request.field(name).map(|_| format!("request.{name}"))
}

#[cfg(test)]
mod tests;
