//! The names of fields: after a dot, or as strings in brackets.

use super::{CompletionKind, Item, List};
use cel::syntax::has_identifier_form;
use text::Span;

/// Returns whether a key can be written after a dot.
pub(super) fn is_name(key: &str) -> bool {
    has_identifier_form(key) && !matches!(key, "true" | "false" | "null" | "in")
}

/// Returns the key as a literal. `None` if it needs an escape.
pub(super) fn literal(key: &str) -> Option<String> {
    let is_plain = !key.contains(['\'', '\\']) && !key.chars().any(char::is_control);
    is_plain.then(|| format!("'{key}'"))
}

impl List<'_> {
    /// Offers a field that replaces the word after a dot. A field whose name cannot follow a dot is
    /// written in brackets.
    pub(super) fn member(
        &mut self,
        word: Span,
        operator: Span,
        name: &str,
        (rank, item): (u8, Item),
    ) {
        if is_name(name) {
            self.push(CompletionKind::Field, rank, item);
        } else if let Some(written) = literal(name) {
            let question = if operator.len() > 1 { "?" } else { "" };
            let insert = format!("[{question}{written}]");
            let part = Span::new(operator.start(), word.end());
            self.write(
                CompletionKind::Field,
                rank,
                item,
                (part, insert, Vec::new()),
            );
        }
    }

    /// Offers a key that replaces the word in brackets.
    pub(super) fn key(&mut self, word: Span, name: String, (rank, item): (u8, Item)) {
        if literal(&name).is_some() && !name.contains('"') {
            self.write(CompletionKind::Field, rank, item, (word, name, Vec::new()));
        }
    }
}
