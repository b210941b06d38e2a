//! The value of every part of an expression, with its position in the file.

use super::deciding_parts::deciding_parts;
use super::result_text::{ResultText, TextBudget, one_line};
use cel::Value;
use cel::eval::Trace;
use cel::syntax::ExprKind;
use cel::value::EvalError;
use policy::{Expression, PolicyDocument};
use std::cmp::Reverse;
use std::collections::HashSet;
use text::{Span, TextRange};

/// Limit: the parts that are shown.
const MAX_STEPS: usize = 500;

/// Limit: the characters of a part that are shown.
const MAX_TEXT: usize = 200;

/// A part of an expression and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceStep {
    /// The part in the file.
    pub range: TextRange,
    /// Its source in one line.
    pub text: String,
    /// The number of parts around it.
    pub depth: usize,
    /// Its value. In a loop, that of the deciding iteration.
    pub result: ResultText,
    /// Whether it determined the value of the whole expression: for `&&` the operand that is false,
    /// or all if none is; for `||` likewise; for `?:` the condition and the branch taken; for a
    /// failure the part that fails; and so on inside these.
    pub decided: bool,
}

/// Returns the evaluated parts of an expression, each after the one that contains it. Constants
/// are left out, and so are names of whole objects, whose values explain little.
pub(super) fn steps(
    document: &PolicyDocument,
    expression: &Expression,
    values: &Trace,
    room: &mut TextBudget,
) -> Vec<TraceStep> {
    let ast = expression.ast();
    let deciding: HashSet<Span> = deciding_parts(ast, ast.root(), values)
        .into_iter()
        .map(|id| ast.span(id))
        .collect();
    let mut parts: Vec<_> = values
        .iter()
        .filter(|(id, result)| says_something(ast.kind(*id), result))
        .map(|(id, result)| (ast.span(id), result))
        .collect();
    parts.sort_by_cached_key(|(span, _)| (span.start(), Reverse(span.end())));
    parts.dedup_by_key(|(span, _)| *span);
    let mut holders: Vec<Span> = Vec::new();
    let mut steps = Vec::new();
    for (span, result) in parts.into_iter().take(MAX_STEPS) {
        while holders.last().is_some_and(|holder| !holder.contains(span)) {
            holders.pop();
        }
        steps.push(TraceStep {
            range: document.range(expression, span),
            text: one_line(span.slice(ast.text()), MAX_TEXT).into_owned(),
            depth: holders.len(),
            result: result_text(result, room),
            decided: deciding.contains(&span),
        });
        holders.push(span);
    }
    steps
}

fn says_something(kind: &ExprKind, result: &Result<Value, EvalError>) -> bool {
    match kind {
        ExprKind::Literal(_) => false,
        ExprKind::Ident { .. } => !matches!(result, Ok(Value::Map(_) | Value::Opaque(_))),
        _ => true,
    }
}

fn result_text(result: &Result<Value, EvalError>, room: &mut TextBudget) -> ResultText {
    match result {
        Ok(value) => ResultText::from_value(value, room),
        Err(error) => ResultText::from_error(error, room),
    }
}
