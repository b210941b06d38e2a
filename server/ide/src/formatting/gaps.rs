//! The white space between the tokens of an expression, before and after formatting.
//!
//! A formatted expression has the same tokens, so their bytes in the file do not change.

use super::layout::Layout;
use cel::syntax::{Token, TokenKind, tokens};
use policy::ParsedFile;
use text::{Span, TextEdit, TextRange};

/// Returns the white space edits that turn `old` into `new`. `None` if the scalar cannot hold it.
pub(super) fn gaps(
    file: &ParsedFile,
    layout: &Layout<'_>,
    old: &str,
    new: &str,
) -> Option<Vec<TextEdit>> {
    if !layout.can_hold(new) {
        return None;
    }
    let mut edits = Vec::new();
    let mut old_tokens = visible(old);
    let mut before: Option<(TextRange, Span)> = None;
    let mut all: Option<TextRange> = None;
    for (kind, span) in visible(new) {
        // A comma that the formatter removes belongs to the white space.
        let same =
            |&(other, at): &(TokenKind, Span)| other == kind && at.slice(old) == span.slice(new);
        let is_dropped = |&(other, _): &(TokenKind, Span)| other == TokenKind::Comma;
        let mut next = old_tokens.next()?;
        while !same(&next) {
            next = Some(next).filter(is_dropped).and(old_tokens.next())?;
        }
        let range = layout.map.up(next.1);
        if let Some((last, end)) = before {
            let gap = TextRange::new(last.end(), range.start().max(last.end()));
            let blank = Span::new(end.end(), span.start()).slice(new);
            push(file, gap, layout.white_space(blank)?, &mut edits);
        }
        all = Some(all.map_or(range, |all| all.cover(range)));
        before = Some((range, span));
    }
    let [first, last] = layout.margins(file, all?);
    push(file, first, String::new(), &mut edits);
    push(file, last, String::new(), &mut edits);
    Some(edits)
}

/// Returns the tokens of an expression other than white space. A comment ends before the blanks at
/// the end of its line.
fn visible(text: &str) -> impl Iterator<Item = (TokenKind, Span)> {
    let visible =
        tokens(text).filter(|token| !matches!(token.kind, TokenKind::Whitespace | TokenKind::End));
    visible.map(|Token { kind, span }| {
        let kept = span.slice(text).trim_end().len();
        let end = span.start() + u32::try_from(kept).unwrap_or(span.len());
        (
            kind,
            if kind == TokenKind::Comment {
                Span::new(span.start(), end)
            } else {
                span
            },
        )
    })
}

fn push(file: &ParsedFile, range: TextRange, insert: String, edits: &mut Vec<TextEdit>) {
    if file.slice(range) != insert {
        edits.push(TextEdit::replace(range, insert));
    }
}
