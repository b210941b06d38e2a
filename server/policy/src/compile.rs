//! What the API server's CEL compiler answers, as far as no overloads are needed.
//!
//! Upstream: kubernetes/apiserver, pkg/admission/plugin/cel/compile.go,
//! CompileCELExpression; kubernetes/apiextensions-apiserver,
//! pkg/apiserver/schema/cel/compilation.go, compileRule.

use crate::expression::{Expression, Role};
use crate::reference::Checked;
use cel::syntax::{SyntaxError, upstream_display};

/// The words with which the server refuses an expression. `None` when it accepts it, and
/// when only its type could tell.
pub(crate) fn failure(expression: &Expression, checked: &Checked) -> Option<String> {
    let start = match expression.role {
        Role::CrdMessageExpression { .. } => "messageExpression compilation failed: ",
        _ => "compilation failed: ",
    };
    let mut errors: Vec<(u32, String)> = if expression.parse.is_ok() {
        let failures = checked.failures.iter();
        failures
            .map(|(offset, message)| (*offset, display(expression, Some(*offset), message)))
            .collect()
    } else {
        expression
            .parse
            .errors
            .iter()
            .map(|error| syntax_error(expression, error))
            .collect()
    };
    if errors.is_empty() {
        return wrong_result(expression.role, checked.result.as_deref()?);
    }
    errors.sort_by_key(|(offset, _)| *offset);
    let texts: Vec<String> = errors.into_iter().map(|(_, text)| text).collect();
    Some(format!("{start}{}", texts.join("\n")))
}

fn syntax_error(expression: &Expression, error: &SyntaxError) -> (u32, String) {
    let message = error
        .upstream_message()
        .unwrap_or_else(|| format!("Syntax error: {}", error.message()));
    let offset = error.upstream_offset();
    (
        offset.unwrap_or_default(),
        display(expression, offset, &message),
    )
}

/// The message with its place and its line. The server counts from the first word of an
/// expression that it trims.
fn display(expression: &Expression, offset: Option<u32>, message: &str) -> String {
    let text = expression.text();
    if !expression.role.is_trimmed() {
        return upstream_display(text, offset, message);
    }
    let blank = text.len() - text.trim_start().len();
    let blank = u32::try_from(blank).unwrap_or(u32::MAX);
    let offset = offset.map(|offset| offset.saturating_sub(blank));
    upstream_display(text.trim(), offset, message)
}

/// What the server says of a result of another type than it wants.
fn wrong_result(role: Role, found: &str) -> Option<String> {
    let fits = match role {
        Role::Variable { .. } => true,
        Role::AuditAnnotation => found == "string" || found == "null_type",
        _ => role.expected_type() == Some(found),
    };
    if fits {
        return None;
    }
    Some(match role {
        Role::CrdRule { .. } => "cel expression must evaluate to a bool".to_owned(),
        Role::CrdMessageExpression { .. } => {
            "messageExpression must evaluate to a string".to_owned()
        }
        Role::AuditAnnotation => {
            format!("must evaluate to one of [string null_type] but got {found}")
        }
        _ => {
            let expected = role.expected_type().unwrap_or_default();
            format!("must evaluate to {expected} but got {found}")
        }
    })
}
