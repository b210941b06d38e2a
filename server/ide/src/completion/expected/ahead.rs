//! The source after the cursor, where the parser takes the next word for a field.

use crate::completion::context::Context;
use cel::Type;
use cel::syntax::{TokenKind, tokens};

/// Returns whether the condition of a conditional ends at the cursor.
pub(super) fn is_before_question(context: &Context<'_>) -> bool {
    let rest = context.target.text().get(context.word.end() as usize..);
    rest.is_some_and(|rest| rest.trim_start().starts_with('?'))
}

/// Returns the type of the first element of the list after the cursor: `object.spec. in ['a']`. The
/// parser treats `in` as a field there.
pub(super) fn before_list(context: &Context<'_>) -> Vec<Type> {
    let rest = context.target.text().get(context.word.end() as usize..);
    let mut next = tokens(rest.unwrap_or_default()).filter(|token| !token.kind.is_trivia());
    if next.next().map(|it| it.kind) != Some(TokenKind::In)
        || next.next().map(|it| it.kind) != Some(TokenKind::OpenBracket)
    {
        return Vec::new();
    }
    match next.next().map(|it| it.kind) {
        Some(TokenKind::String) => vec![Type::String],
        Some(TokenKind::Int) => vec![Type::Int],
        _ => Vec::new(),
    }
}
