#![doc = include_str!("program_instantiation.md")]

use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::{Finding, RuleContext};
use cel::Type;
use cel::check::Reference;
use cel::eval::ProgramError;
use cel::syntax::{Ast, ExprId, ExprKind};
use cel::value::{EvalError, EvalErrorKind};
use policy::typecheck::Checked;
use policy::{Expression, instantiation_failure};

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        let expressions = facts.document.expressions().iter();
        let expressions = expressions.zip(facts.document.all_checked());
        let readable = expressions.filter(|(it, _)| it.parse.is_ok() && facts.is_read(it));
        let findings = readable.filter_map(|(expression, checked)| {
            let error = checked.program_error()?;
            Some(finding(facts, expression, checked, error))
        });
        found.extend(findings.take(context.max_findings()));
    }
}

fn finding(
    facts: &DocumentFacts<'_>,
    expression: &Expression,
    checked: &Checked,
    error: &ProgramError,
) -> Finding {
    let ast = expression.ast();
    let expr = error.expr().unwrap_or(ast.root());
    let (part, message) = explain(ast, checked, expr, error.reason());
    let span = ast.span(part);
    let finding = Finding::new(facts.document.range(expression, span), message)
        .upstream(instantiation_failure(expression.role, error));
    match protobuf_name(ast.slice(span)).filter(|_| is_type(checked, expr)) {
        Some(name) => facts.rename(finding, (expression, span), name),
        None => finding,
    }
}

/// Returns the part of the expression to underline, and the message.
fn explain(ast: &Ast, checked: &Checked, expr: ExprId, reason: &EvalError) -> (ExprId, String) {
    let text = |part: ExprId| ast.slice(ast.span(part));
    match ast.kind(expr) {
        ExprKind::Index { index, .. } => {
            let message = format!(
                "`{}` cannot be an index or a key. Use a string, a number or a boolean.",
                text(*index)
            );
            (*index, message)
        }
        ExprKind::Ident { .. } | ExprKind::Select { .. } => (expr, type_name(ast, checked, expr)),
        ExprKind::Call {
            target,
            function,
            args,
            ..
        } => {
            let mut values = target.iter().chain(args);
            match (reason.kind(), values.nth(1), &**args) {
                (EvalErrorKind::InvalidRegex(error), Some(pattern), _) => {
                    let reason = error.reason();
                    let message = format!("This is not a valid RE2 regular expression: {reason}.");
                    (*pattern, message)
                }
                (kind, None, [value]) => {
                    let function = ast.name(*function);
                    (expr, conversion(function, text(*value), kind))
                }
                _ => (expr, prepared(reason)),
            }
        }
        _ => (expr, prepared(reason)),
    }
}

fn prepared(reason: &EvalError) -> String {
    format!("The API server cannot build a program from this expression: {reason}.")
}

/// Returns the reason that the conversion of a constant fails.
fn conversion(function: &str, value: &str, kind: &EvalErrorKind) -> String {
    let advice = match kind {
        EvalErrorKind::InvalidUtf8 => " The bytes are not valid UTF-8.",
        EvalErrorKind::OutOfRange(_) => " The value is out of range.",
        EvalErrorKind::Conversion {
            from: Type::String,
            to,
        } => match to {
            Type::Int => " Write a 64-bit decimal integer.",
            Type::Uint => " Write an unsigned 64-bit decimal integer.",
            Type::Double => " Write a decimal number such as `'1.5e3'`.",
            Type::Bool => " Write `'true'` or `'false'`.",
            _ => "",
        },
        _ => "",
    };
    format!("`{function}` cannot convert `{value}`.{advice}")
}

/// Returns the reason that a name whose value is a type fails.
fn type_name(ast: &Ast, checked: &Checked, expr: ExprId) -> String {
    let name = ast.slice(ast.span(expr));
    if !is_type(checked, expr) {
        return format!(
            "The value of `{name}` is a type, but Kubernetes looks for a type named `{name}`. \
             Name the type itself, such as `string`."
        );
    }
    match protobuf_name(name) {
        Some(right) => format!("`{name}` is a function, not a type. Write `{right}` for the type."),
        None => format!("The type `{name}` cannot be used as a value."),
    }
}

fn is_type(checked: &Checked, expr: ExprId) -> bool {
    matches!(checked.reference(expr), Some(Reference::Type(_)))
}

/// Returns the name of the type that a function returns.
fn protobuf_name(function: &str) -> Option<&'static str> {
    match function {
        "duration" => Some("google.protobuf.Duration"),
        "timestamp" => Some("google.protobuf.Timestamp"),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
