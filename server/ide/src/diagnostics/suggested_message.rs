//! A plain message for a validation, as a starting point for a better one.

use super::conditions::operands;
use cel::syntax::{BinaryOperator, ExprKind, Literal};
use policy::manifest::Validation;

/// Returns the constant words of the message expression, otherwise a sentence with the condition.
/// `is_rule`: whether the validation belongs to a CustomResourceDefinition.
pub(crate) fn suggested_message(validation: Validation<'_>, is_rule: bool) -> String {
    // Limit: bytes of a condition that a message quotes.
    const MAX_CONDITION: usize = 200;
    let subject = if is_rule { "value" } else { "object" };
    let expression = validation.message_expression();
    let words = expression.and_then(|entry| constant_words(entry.value.text()));
    let condition = on_one_line(validation.condition());
    let sentence = || format!("The {subject} must satisfy: {condition}");
    let message = words.or_else(|| (condition.len() <= MAX_CONDITION).then(sentence));
    message
        .filter(|message| !has_template_form(message))
        .unwrap_or_else(|| format!("The {subject} is not allowed."))
}

/// Returns the strings of a concatenation, with `…` for its values. `None` if they have no words.
fn constant_words(expression: &str) -> Option<String> {
    let parse = cel::parse(expression);
    let ast = &parse.ast;
    let (mut message, mut has_words) = (String::new(), false);
    for part in operands(ast, ast.root(), BinaryOperator::Add) {
        match ast.kind(part) {
            ExprKind::Literal(Literal::String(text)) => {
                has_words |= text.contains(char::is_alphabetic);
                message.push_str(text);
            }
            _ => message.push('…'),
        }
    }
    (parse.is_ok() && has_words).then(|| on_one_line(&message))
}

fn on_one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

/// Returns whether `cel-in-message` may treat a part of a message as a template.
fn has_template_form(message: &str) -> bool {
    let mut brackets = message.match_indices('[');
    let reads_element = brackets.any(|(at, _)| {
        let before = message.get(..at).unwrap_or_default();
        before.ends_with(|last: char| last.is_alphanumeric() || last == '_')
    });
    reads_element || message.contains(['{', '%', '$']) || message.contains("' + ")
}
