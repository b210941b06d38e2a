//! Indentation of a new line in an expression.
//!
//! Editors indent a new line like the previous one. In an expression, it should be one level deeper
//! for each open bracket. No other formatting happens while typing.

use crate::file::SourceFile;
use crate::target::Target;
use cel::syntax::{TokenKind, tokens};
use text::{TextEdit, TextRange, TextSize};

/// The columns of one level.
const LEVEL: usize = 2;

/// Returns the edit that indents the new line at `cursor`. `None` if it is not in a block scalar,
/// if the line is not blank, or if the indentation is already right.
#[must_use]
pub fn format_on_type(file: &SourceFile, cursor: TextSize) -> Option<TextEdit> {
    let lines = file.line_index();
    let line = lines.line_content(file.text(), lines.line(cursor))?;
    let written = file.slice(line);
    if !written.trim_matches(' ').is_empty() {
        return None;
    }
    let target = Target::at(file, cursor)?;
    let scalar = target.document.node(target.expression.node).as_scalar()?;
    let indent = scalar.block_indent()? as usize;
    if target.text().trim().is_empty() {
        return None;
    }
    let indent = " ".repeat(indent + LEVEL * open_brackets(target.text(), target.offset)?);
    (written != indent).then(|| TextEdit::replace(TextRange::new(line.start(), line.end()), indent))
}

/// Returns the number of open brackets at an offset. `None` in a string.
fn open_brackets(text: &str, offset: u32) -> Option<usize> {
    let mut open = 0_usize;
    for token in tokens(text).take_while(|token| token.span.start() < offset) {
        let is_string = matches!(
            token.kind,
            TokenKind::String | TokenKind::Bytes | TokenKind::Unterminated
        );
        if is_string && token.span.end() > offset {
            return None;
        }
        match token.kind {
            TokenKind::OpenBracket | TokenKind::OpenBrace | TokenKind::OpenParen => open += 1,
            TokenKind::CloseBracket | TokenKind::CloseBrace | TokenKind::CloseParen => {
                open = open.saturating_sub(1);
            }
            _ => {}
        }
    }
    Some(open)
}
