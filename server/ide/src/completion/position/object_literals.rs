//! The object literal around the cursor, by the tokens before it.

use super::CursorPosition;
use cel::syntax::{Ast, Token, TokenKind};

/// Returns the type and the field of the value that comes next, if the last token is a colon
/// after a field of an object literal; `before` is without the colon.
pub(super) fn field_before(ast: &Ast, before: &[Token]) -> Option<(String, String)> {
    let (field, rest) = before.split_last()?;
    let is_name = field.kind == TokenKind::Ident;
    let type_name = literal_type(ast, rest).filter(|_| is_name)?;
    Some((type_name, ast.slice(field.span).to_owned()))
}

/// Returns the type and the field of the list whose element comes next, if the last token is the
/// bracket of a list or a comma in it, and the list is the value of a field of an object literal.
pub(super) fn list_field(ast: &Ast, before: &[Token]) -> Option<(String, String)> {
    let before = before.get(..open(before, TokenKind::OpenBracket)?)?;
    let (colon, rest) = before.split_last()?;
    field_before(ast, rest).filter(|_| colon.kind == TokenKind::Colon)
}

/// Returns the position of a key, if the last token is the brace of a map or a comma in it, and
/// the map is the value of a field of an object literal.
pub(super) fn map_key(ast: &Ast, before: &[Token], is_quoted: bool) -> Option<CursorPosition> {
    let before = before.get(..open_brace(before)?)?;
    let (colon, rest) = before.split_last()?;
    if colon.kind != TokenKind::Colon {
        return None;
    }
    let (type_name, field) = field_before(ast, rest)?;
    Some(CursorPosition::MapKey {
        type_name,
        field,
        is_quoted,
    })
}

/// Returns the position of a value, if the last token is a key in a map that is the value of a field
/// of an object literal.
pub(super) fn map_value(ast: &Ast, before: &[Token]) -> Option<CursorPosition> {
    let (key, rest) = before.split_last()?;
    let CursorPosition::MapKey { field, .. } = map_key(ast, rest, true)? else {
        return None;
    };
    let key = ast.slice(key.span).trim_matches(['\'', '"']).to_owned();
    Some(CursorPosition::MapValue { field, key })
}

/// Returns the type of the object whose field comes next, if the last token is `{` or `,`, or a
/// `?` after one of them.
pub(super) fn literal_type(ast: &Ast, before: &[Token]) -> Option<String> {
    let last = open_brace(before)?;
    let mut names = Vec::new();
    let mut wants_name = true;
    for token in before.get(..last)?.iter().rev() {
        match token.kind {
            TokenKind::Ident if wants_name => names.push(ast.slice(token.span)),
            TokenKind::Dot if !wants_name => {}
            _ => break,
        }
        wants_name = !wants_name;
    }
    names.reverse();
    (!names.is_empty()).then(|| names.join("."))
}

/// Returns the index of the innermost open bracket after some tokens, if it is a brace.
fn open_brace(before: &[Token]) -> Option<usize> {
    open(before, TokenKind::OpenBrace)
}

/// Returns the index of the innermost open bracket after some tokens, if it is of a kind.
fn open(before: &[Token], kind: TokenKind) -> Option<usize> {
    let mut depth = 0_u32;
    let mut last = before.len();
    while last > 0 {
        last -= 1;
        match before.get(last)?.kind {
            TokenKind::CloseBracket | TokenKind::CloseBrace | TokenKind::CloseParen => depth += 1,
            found if found == kind && depth == 0 => return Some(last),
            TokenKind::OpenBracket | TokenKind::OpenBrace | TokenKind::OpenParen => {
                depth = depth.checked_sub(1)?;
            }
            _ => {}
        }
    }
    None
}
