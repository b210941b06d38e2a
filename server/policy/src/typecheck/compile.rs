//! The message of the API server for an expression that it rejects.
//!
//! Upstream: kubernetes/apiserver, pkg/admission/plugin/cel/compile.go,
//! CompileCELExpression; kubernetes/apiextensions-apiserver,
//! pkg/apiserver/schema/cel/compilation.go, compileRule.

use super::Checked;
use crate::expression::{Expression, Role};
use cel::Type;
use cel::eval::ProgramError;
use cel::syntax::{SyntaxError, upstream_display};

/// Returns the message with which the server rejects an expression with a syntax error.
pub fn syntax_failure(expression: &Expression) -> Option<String> {
    Some(refused(expression, &syntax_report(expression)?))
}

/// Returns what cel-go prints for a syntax error. `None` if there is none.
pub(crate) fn syntax_report(expression: &Expression) -> Option<String> {
    let errors = expression.parse.errors.iter();
    let mut errors: Vec<(u32, String)> = errors
        .map(|error| syntax_error(expression, error))
        .collect();
    if errors.is_empty() {
        return None;
    }
    errors.sort_by_key(|(offset, _)| *offset);
    let texts: Vec<String> = errors.into_iter().map(|(_, text)| text).collect();
    Some(texts.join("\n"))
}

/// Why the server rejects an expression.
pub(crate) struct Refusal {
    /// The message of the server.
    pub(crate) message: String,
    /// The step that fails.
    pub(crate) kind: RefusalKind,
}

/// The step at which the server rejects an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RefusalKind {
    /// The expression does not compile.
    Compile,
    /// Its result has the wrong type.
    ResultType,
    /// No program can be made of it.
    Program,
}

/// Returns why the server rejects an expression. `None` when it accepts it.
pub(crate) fn refusal(expression: &Expression, checked: &Checked) -> Option<Refusal> {
    let (kind, words) = match syntax_failure(expression) {
        Some(words) => (RefusalKind::Compile, Some(words)),
        None if checked.answer().is_ok() => {
            let words = wrong_result(expression.role, checked.answer().output_type());
            (RefusalKind::ResultType, words)
        }
        None => {
            let report = trimmed_report(expression, checked);
            let report = report.or_else(|| checked.answer().upstream_report());
            let words = report.map(|report| refused(expression, &report));
            (RefusalKind::Compile, words)
        }
    };
    match words {
        Some(message) => Some(Refusal { message, kind }),
        None => checked.program()?.err().map(|error| Refusal {
            message: instantiation_failure(expression.role, error),
            kind: RefusalKind::Program,
        }),
    }
}

/// Returns the message with which the server rejects an expression. `None` if it accepts it.
pub fn failure(expression: &Expression, checked: &Checked) -> Option<String> {
    refusal(expression, checked).map(|refusal| refusal.message)
}

/// Returns the message with which the server rejects an expression that compiles but has no
/// program.
#[must_use]
pub fn instantiation_failure(role: Role, error: &ProgramError) -> String {
    let start = match role {
        Role::CrdMessageExpression { .. } => "messageExpression",
        _ => "program",
    };
    format!("{start} instantiation failed: {error}")
}

fn refused(expression: &Expression, report: &str) -> String {
    let start = match expression.role {
        Role::CrdMessageExpression { .. } => "messageExpression compilation failed",
        _ => "compilation failed",
    };
    format!("{start}: {report}")
}

/// The report of an expression that the server trims, with lines that count from its first
/// word. `None` if there is nothing to trim.
fn trimmed_report(expression: &Expression, checked: &Checked) -> Option<String> {
    let text = expression.text();
    let trimmed = text.trim();
    if !expression.role.is_trimmed() || trimmed.len() == text.len() {
        return None;
    }
    let parse = cel::syntax::parse(trimmed);
    cel::check::check(&parse.ast, checked.env()).upstream_report()
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

/// Returns the message of the server for a result of the wrong type.
fn wrong_result(role: Role, found: &Type) -> Option<String> {
    let found = type_name(found);
    let fits = match role {
        Role::Variable { .. } => true,
        Role::AuditAnnotation => found == "string" || found == "null_type",
        _ => role.expected_type() == Some(found.as_str()),
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

/// A type as the server writes it here, which is not as it is written elsewhere: `null_type`,
/// `google.protobuf.Timestamp`.
///
/// Upstream: cel-go, common/types/types.go, `Type.String`.
fn type_name(ty: &Type) -> String {
    let name = ty.runtime_name();
    let params = match ty {
        Type::List(element) | Type::Optional(element) | Type::Type(Some(element)) => {
            vec![type_name(element)]
        }
        Type::Map(entry) => vec![type_name(&entry.0), type_name(&entry.1)],
        Type::Opaque(opaque) => opaque.params.iter().map(type_name).collect(),
        Type::Nullable(_) => return format!("wrapper({name})"),
        _ => Vec::new(),
    };
    if params.is_empty() {
        return name.to_owned();
    }
    format!("{name}({})", params.join(", "))
}
