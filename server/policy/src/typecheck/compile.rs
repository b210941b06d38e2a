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
use std::fmt;

/// Returns why the server rejects an expression with a syntax error. `None` if there is none.
#[must_use]
pub fn syntax_refusal(expression: &Expression) -> Option<Refusal> {
    let errors = syntax_errors(expression);
    let (_, summary) = errors.first().cloned()?;
    Some(Refusal {
        message: refused(expression, &report(expression, &errors)),
        summary,
        kind: RefusalKind::Compile,
    })
}

/// Returns what cel-go prints for a syntax error. `None` if there is none.
pub(crate) fn syntax_report(expression: &Expression) -> Option<String> {
    let errors = syntax_errors(expression);
    (!errors.is_empty()).then(|| report(expression, &errors))
}

fn report(expression: &Expression, errors: &[(Option<u32>, String)]) -> String {
    let errors = errors.iter();
    let lines: Vec<String> = errors
        .map(|(offset, message)| display(expression, *offset, message))
        .collect();
    lines.join("\n")
}

/// Why the server rejects an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The message of the server.
    pub message: String,
    /// The first error alone, without its position.
    pub summary: String,
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
    /// No program can be created from it.
    Program,
}

/// Returns why the server rejects an expression. `None` when it accepts it.
#[must_use]
pub fn refusal(expression: &Expression, checked: &Checked) -> Option<Refusal> {
    if let Some(refusal) = syntax_refusal(expression) {
        return Some(refusal);
    }
    let answer = checked.answer();
    if let Some(first) = answer.errors().first() {
        let report = trimmed_report(expression, checked).or_else(|| answer.upstream_report())?;
        return Some(Refusal {
            message: refused(expression, &report),
            summary: first.message(),
            kind: RefusalKind::Compile,
        });
    }
    if let Some(message) = wrong_result(expression.role, answer.output_type()) {
        return Some(Refusal::new(message, RefusalKind::ResultType));
    }
    let error = checked.program_error()?;
    let message = instantiation_failure(expression.role, error);
    Some(Refusal::new(message, RefusalKind::Program))
}

impl Refusal {
    /// Returns the rejection of an expression that is not compiled for a reason other than its
    /// errors.
    #[must_use]
    pub fn of_uncompiled(message: &str) -> Self {
        Self::new(message.to_owned(), RefusalKind::Compile)
    }

    /// Returns a refusal of one sentence.
    fn new(message: String, kind: RefusalKind) -> Self {
        Self {
            summary: message.clone(),
            message,
            kind,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
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

/// Returns the report of an expression that the server trims, with lines that are counted from its
/// first token. `None` if there is nothing to trim.
fn trimmed_report(expression: &Expression, checked: &Checked) -> Option<String> {
    let text = expression.text();
    let trimmed = text.trim();
    if !expression.role.is_trimmed() || trimmed.len() == text.len() {
        return None;
    }
    let parse = cel::syntax::parse(trimmed);
    cel::check::check(&parse.ast, checked.env()).upstream_report()
}

/// Returns the offsets and messages of the syntax errors, in their order in the expression.
fn syntax_errors(expression: &Expression) -> Vec<(Option<u32>, String)> {
    let message = |error: &SyntaxError| {
        let message = error.upstream_message();
        message.unwrap_or_else(|| format!("Syntax error: {}", error.message()))
    };
    let errors = expression.parse.errors.iter();
    let mut errors: Vec<_> = errors
        .map(|error| (error.upstream_offset(), message(error)))
        .collect();
    errors.sort_by_cached_key(|(offset, _)| offset.unwrap_or_default());
    errors
}

/// Returns the message with its location and its line. The server counts from the first token of an
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
    let found = found.full_runtime_name();
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
