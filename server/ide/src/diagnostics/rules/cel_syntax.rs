#![doc = include_str!("cel_syntax.md")]

mod prose;

use super::property_escaping;
use super::swallowed_comment::{self, Swallowed};
use crate::diagnostics::placeholder::certain_errors;
use crate::diagnostics::{Finding, RuleContext, map_literal};
use cel::check::CheckErrorKind;
use cel::syntax::{
    Ast, EscapeError, EscapedPlace, ExprKind, SyntaxError, SyntaxErrorKind, has_identifier_form,
    is_reserved,
};
use policy::{Expression, PolicyDocument, Problem, ProblemKind};
use std::borrow::Cow;
use text::{Span, TextEdit};
use yaml::edit::replace_part;
use yaml::{Node, ScalarStyle};

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for (facts, expression) in context.expressions() {
        let certain = certain_errors(expression);
        if certain.is_empty() {
            continue;
        }
        let is_template = matches!(certain, Cow::Owned(_));
        if !is_template && let Some(finding) = prose::finding(facts.document, expression) {
            found.push(finding);
            continue;
        }
        let mut report = |errors: &[SyntaxError]| {
            // `property-escaping` explains `labels.my-var`.
            let is_known = |error: &SyntaxError| {
                property_escaping::in_error(facts, expression, error).is_some()
                    || follows(error, errors)
            };
            let errors = errors.iter().filter(|error| !is_known(error));
            found.extend(errors.map(|error| finding(facts.document, expression, error)));
        };
        // The part that a comment swallows is not missing. Only other errors count.
        let swallowed = swallowed_comment::find(context.file, facts.document, expression);
        match swallowed.filter(|_| !is_template) {
            None => report(&certain),
            Some(Swallowed::Lines(lines)) => {
                let mut errors = lines.parse.errors;
                errors.retain(|error| error.span.start() != lines.comment.start());
                report(&errors);
            }
            Some(Swallowed::Cut(_)) => {}
        }
    }
    for facts in context.policies() {
        let problems = facts.problems();
        found.extend(problems.filter_map(|(expression, problem)| {
            let message = unsupported(problem)?;
            Some(facts.finding(expression, problem, message))
        }));
    }
}

/// Returns whether an error follows from a reserved word such as `for`, which another error explains.
fn follows(error: &SyntaxError, all: &[SyntaxError]) -> bool {
    all.iter().any(|other| match (&other.kind, &error.kind) {
        (SyntaxErrorKind::MissingComma { found }, SyntaxErrorKind::Reserved { .. }) => {
            is_reserved(found) && other.span == error.span
        }
        (SyntaxErrorKind::MissingComma { found }, SyntaxErrorKind::MacroVariable(_)) => {
            is_reserved(found)
        }
        _ => false,
    })
}

/// Returns the message for an expression that parses but that the compiler rejects.
fn unsupported(problem: &Problem) -> Option<String> {
    match &problem.kind {
        ProblemKind::Other(CheckErrorKind::OptionalSyntax { .. }) => {
            Some("This version of Kubernetes does not support `?`.".to_owned())
        }
        ProblemKind::Other(CheckErrorKind::TooLarge) => {
            Some("The expression is too large. Split it into variables.".to_owned())
        }
        _ => None,
    }
}

/// Returns the message, with Kubernetes' equivalent of the unsupported syntax.
fn message(document: &PolicyDocument, node: Node<'_>, error: &SyntaxError) -> String {
    let message = error.message();
    let is_double_quoted = || {
        let scalar = node.as_scalar();
        scalar.is_some_and(|scalar| scalar.style() == ScalarStyle::DoubleQuoted)
    };
    match &error.kind {
        // YAML decodes the escapes of the file first.
        SyntaxErrorKind::BadEscape(EscapeError::Unknown(letter))
            if letter.is_ascii_graphic() && is_double_quoted() =>
        {
            format!(
                "Unknown escape `\\{letter}` in the decoded string. In double quotes of YAML, write \
                 `\\\\\\\\{letter}` for a backslash."
            )
        }
        SyntaxErrorKind::Reserved { word } if document.kind().is_policy() => match &**word {
            "let" | "var" | "const" => format!("{message} Add an entry to `variables`."),
            "namespace" => format!("{message} The Namespace object is `namespaceObject`."),
            _ => message,
        },
        SyntaxErrorKind::Backticks {
            name,
            place: EscapedPlace::Literal | EscapedPlace::Selection,
        } if !name.is_empty() => format!("{message} Kubernetes supports them since 1.37."),
        _ => message,
    }
}

fn finding(document: &PolicyDocument, expression: &Expression, error: &SyntaxError) -> Finding {
    let range = document.range(expression, error.span);
    let mut finding = Finding::new(
        range,
        message(document, document.node(expression.node), error),
    );
    if let Some(words) = error.upstream_message() {
        finding = finding.upstream(words);
    }
    if let Some(related) = error.related {
        let range = document.range(expression, related.span);
        finding = finding.related(range, related.message);
    }
    if let Some(edits) = map_instead(document, expression, error) {
        return finding.fix("Convert to a map", edits);
    }
    let ast = expression.ast();
    let of_tree = not_in(error, ast).or_else(|| brackets(error, ast));
    let fix = of_tree.or_else(|| fix(error, expression.text()));
    let fix = fix.and_then(|fix| {
        let scalar = document.node(expression.node).as_scalar()?;
        Some((
            fix.title,
            replace_part(scalar, fix.part, &fix.insert)?,
            fix.sure,
        ))
    });
    match fix {
        Some((title, edit, true)) => finding.fix(title, vec![edit]),
        Some((title, edit, false)) => finding.unsafe_fix(title, vec![edit]),
        None => finding,
    }
}

/// Returns the edits that replace a literal with an invalid field name by a map.
fn map_instead(
    document: &PolicyDocument,
    expression: &Expression,
    error: &SyntaxError,
) -> Option<Vec<TextEdit>> {
    match &error.kind {
        SyntaxErrorKind::ExpectedFieldName { found: Some(_) }
            if unquoted(error, expression.text()).is_none() => {}
        SyntaxErrorKind::Backticks {
            place: EscapedPlace::Literal,
            ..
        } => {}
        _ => return None,
    }
    let literal = map_literal::owner(expression.ast(), error.span)?;
    map_literal::edits(document, expression, literal, str::to_owned)
}

/// Returns the field name inside quotes.
fn unquoted<'t>(error: &SyntaxError, text: &'t str) -> Option<&'t str> {
    let quoted = error.span.slice(text);
    let name = quoted.trim_matches(['\'', '"']);
    let is_keyword = matches!(name, "in" | "true" | "false" | "null");
    (name != quoted && has_identifier_form(name) && !is_keyword).then_some(name)
}

/// A fix of the expression.
struct Change {
    title: String,
    part: Span,
    insert: String,
    sure: bool,
}

/// Returns the change of `('a', 'b')` to a list.
fn brackets(error: &SyntaxError, ast: &Ast) -> Option<Change> {
    if error.kind != SyntaxErrorKind::ListInParentheses {
        return None;
    }
    let spans = ast.ids().filter_map(|id| match ast.kind(id) {
        ExprKind::Paren(_) if ast.span(id).contains(error.span) => Some(ast.span(id)),
        _ => None,
    });
    let part = spans.min_by_key(|span| span.len())?;
    let items = ast.slice(part).strip_prefix('(')?.strip_suffix(')')?;
    let insert = format!("[{items}]");
    Some(Change {
        title: format!("Write `{insert}`"),
        part,
        insert,
        sure: true,
    })
}

/// Returns the change of `value not in list`.
fn not_in(error: &SyntaxError, ast: &Ast) -> Option<Change> {
    let SyntaxErrorKind::WordOperator { found, .. } = &error.kind else {
        return None;
    };
    if !matches!(&**found, "not in" | "!in") {
        return None;
    }
    ast.ids().find_map(|id| match ast.kind(id) {
        ExprKind::Binary {
            operator_span,
            left,
            right,
            ..
        } if *operator_span == error.span => {
            let [left, right] = [*left, *right].map(|side| ast.slice(ast.span(side)));
            let insert = format!("!({left} in {right})");
            Some(Change {
                title: format!("Write `{insert}`"),
                part: ast.span(id),
                insert,
                sure: true,
            })
        }
        _ => None,
    })
}

fn fix(error: &SyntaxError, text: &str) -> Option<Change> {
    let start = Span::new(error.span.start(), error.span.start() + 1);
    let change = |part, insert: &str, sure| Change {
        title: format!("Write `{insert}`"),
        part,
        insert: insert.to_owned(),
        sure,
    };
    Some(match &error.kind {
        SyntaxErrorKind::ForeignOperator { found, .. }
        | SyntaxErrorKind::WordOperator { found, .. } => change(error.span, operator(found)?, true),
        SyntaxErrorKind::HashComment => change(start, "//", true),
        SyntaxErrorKind::BadEscape(EscapeError::Unknown(letter)) if letter.is_ascii_graphic() => {
            change(error.span, &format!("\\\\{letter}"), true)
        }
        SyntaxErrorKind::SmartQuote(_) => {
            change(error.span, &straight(error.span.slice(text))?, true)
        }
        SyntaxErrorKind::Arrow { .. } => change(with_space(error.span, text)?, ",", true),
        SyntaxErrorKind::MissingComma { found } if !is_reserved(found) => {
            change(Span::empty(error.span.start()), ", ", false)
        }
        SyntaxErrorKind::ExpectedFieldName { found: Some(_) } => {
            change(error.span, unquoted(error, text)?, true)
        }
        SyntaxErrorKind::TrailingComma => Change {
            title: "Remove the comma".to_owned(),
            part: error.span,
            insert: String::new(),
            sure: true,
        },
        SyntaxErrorKind::Unclosed(bracket) if error.span.is_empty() => {
            change(error.span, closer(bracket.close()), false)
        }
        SyntaxErrorKind::WrongCloser { expected, .. } => {
            change(error.span, closer(expected.close()), false)
        }
        _ => return None,
    })
}

/// Returns a span with the space before it.
fn with_space(span: Span, text: &str) -> Option<Span> {
    let before = text.get(..span.start() as usize)?.trim_end().len();
    Some(Span::new(u32::try_from(before).ok()?, span.end()))
}

/// Returns a string in typographic quotation marks as a CEL literal.
fn straight(quoted: &str) -> Option<String> {
    let is_mark = |mark: char| "‘’‚‛“”„‟«»‹›".contains(mark);
    let inner = quoted.strip_prefix(is_mark)?.strip_suffix(is_mark)?;
    let fits = !inner.contains(['\'', '\\']) && !inner.contains(is_mark);
    fits.then(|| format!("'{inner}'"))
}

const fn closer(bracket: char) -> &'static str {
    match bracket {
        ')' => ")",
        ']' => "]",
        _ => "}",
    }
}

/// Returns the CEL equivalent of an operator of another language.
fn operator(foreign: &str) -> Option<&'static str> {
    const SAME: [(&str, &str); 14] = [
        ("and", "&&"),
        ("or", "||"),
        ("&", "&&"),
        ("&&&", "&&"),
        ("|", "||"),
        ("|||", "||"),
        ("=", "=="),
        ("===", "=="),
        ("eq", "=="),
        ("is", "=="),
        ("!==", "!="),
        ("<>", "!="),
        ("=<", "<="),
        ("=>", ">="),
    ];
    SAME.iter()
        .find(|(known, _)| known.eq_ignore_ascii_case(foreign))
        .map(|(_, operator)| *operator)
}

#[cfg(test)]
mod tests;
