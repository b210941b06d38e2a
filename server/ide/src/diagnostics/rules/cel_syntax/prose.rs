//! Sentences in place of a message expression.

use crate::diagnostics::Finding;
use crate::diagnostics::rules::cel_in_message::ROOTS;
use cel::SyntaxError;
use cel::syntax::{TokenKind, tokens};
use policy::{Expression, PolicyDocument, Role};
use text::Span;
use yaml::edit::replace_word;

/// Words of CEL, and of the operators of other languages.
const OPERATORS: [&str; 18] = [
    "in", "true", "false", "null", "and", "or", "not", "eq", "ne", "lt", "gt", "le", "ge", "if",
    "then", "else", "let", "var",
];

/// Returns the finding for a message expression that is a sentence.
pub(super) fn finding(document: &PolicyDocument, expression: &Expression) -> Option<Finding> {
    let is_message = matches!(
        expression.role,
        Role::MessageExpression | Role::CrdMessageExpression { .. }
    );
    let text = expression.text();
    if !is_message || !is_prose(text) {
        return None;
    }
    let start = u32::try_from(text.len() - text.trim_start().len()).ok()?;
    let end = u32::try_from(text.trim_end().len()).ok()?;
    let range = document.range(expression, Span::new(start, end));
    let validation = document.validation(expression);
    let is_free = validation.message_entry().is_none();
    let advice = if is_free {
        "Use `message` for a sentence, or write a string in quotes: `'…'`."
    } else {
        "Write a string in quotes: `'…'`, or remove it, since there is a `message`."
    };
    let mut finding = Finding::new(range, format!("This is not an expression. {advice}"));
    let mut errors = expression.parse.errors.iter();
    if let Some(words) = errors.find_map(SyntaxError::upstream_message) {
        finding = finding.upstream(words);
    }
    let is_kept = is_free && !text.trim().contains('\n');
    let entry = validation.message_expression().filter(|_| is_kept);
    let title = "Change `messageExpression` to `message`";
    Some(match entry.and_then(|it| replace_word(it.key, "message")) {
        // The value that it names is probably part of the message.
        Some(edit) if reads_value(text) => finding.unsafe_fix(title, vec![edit]),
        Some(edit) => finding.fix(title, vec![edit]),
        None => finding,
    })
}

/// Returns whether two adjacent words before the first string are not part of an expression.
fn is_prose(text: &str) -> bool {
    let before_string = tokens(text).take_while(|token| match token.kind {
        TokenKind::String | TokenKind::Bytes | TokenKind::Unterminated => {
            is_apostrophe(text, token.span)
        }
        _ => true,
    });
    let without_comments = before_string.filter(|token| token.kind != TokenKind::Comment);
    let prose: String = without_comments.map(|it| it.span.slice(text)).collect();
    let words: Vec<&str> = prose.split_whitespace().collect();
    let mut pairs = words.iter().zip(words.iter().skip(1));
    pairs.any(|(left, right)| is_word(left) && is_word(right.trim_end_matches(['.', ',', '!'])))
}

/// Returns whether a string begins with the apostrophe of a word, as in `don't`.
fn is_apostrophe(text: &str, string: Span) -> bool {
    let before = text.get(..string.start() as usize).unwrap_or_default();
    string.slice(text).starts_with('\'') && before.ends_with(char::is_alphabetic)
}

fn is_word(text: &str) -> bool {
    let is_name = text.starts_with(char::is_alphabetic)
        && text
            .chars()
            .all(|it| it.is_alphanumeric() || matches!(it, '\'' | '’' | '-'));
    let lower = text.to_lowercase();
    is_name && !OPERATORS.contains(&&*lower) && !ROOTS.contains(&text)
}

/// Returns whether a sentence contains a field of a root.
fn reads_value(text: &str) -> bool {
    ROOTS.iter().any(|root| text.contains(&format!("{root}.")))
}
