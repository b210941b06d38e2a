//! What a line looks like, before it is parsed.
//!
//! Recovery asks whether a line begins a new key or item. It must not find keys in prose or
//! in expressions, so a key is one word here.

use super::cursor::Cursor;
use super::plain::{Context, Stop, scan_line};

/// Whether the byte may stand in a key that recovery recognises.
pub(super) fn is_key_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_-./$".contains(&byte)
}

/// Whether the text at the cursor begins with one word and a colon.
pub(super) fn begins_with_key(cursor: Cursor<'_>) -> bool {
    let mut look = cursor;
    if let Some(quote @ (b'"' | b'\'')) = look.byte() {
        look.at += 1;
        while look
            .byte()
            .is_some_and(|byte| byte != quote && (is_key_byte(byte) || byte == b'*'))
        {
            look.at += 1;
        }
        if look.byte() != Some(quote) {
            return false;
        }
        look.at += 1;
    } else {
        while look.byte().is_some_and(is_key_byte) {
            look.at += 1;
        }
    }
    look.at > cursor.at && look.is_indicator(b':')
}

/// Whether the line at the cursor is a key or an item, so that a quote or a bracket that is
/// open before it was most probably forgotten.
pub(super) fn begins_entry(cursor: Cursor<'_>) -> bool {
    cursor.is_indicator(b'-') || begins_with_key(cursor)
}

/// Whether a plain scalar at the cursor would be a key.
pub(super) fn is_key_line(cursor: Cursor<'_>) -> bool {
    begins_with_key(cursor)
        || scan_line(cursor.bytes(), cursor.at, Context::Block).stop == Stop::Colon
}

/// Whether the brackets that are open at the cursor, `depth` of them, are closed further
/// down. Also returns how many bytes were read.
pub(super) fn closes(cursor: Cursor<'_>, depth: usize) -> (bool, usize) {
    let mut look = cursor;
    let mut depth = depth;
    let mut token = true;
    while let Some(byte) = look.byte() {
        if look.skip_break() {
            token = true;
            continue;
        }
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth -= 1,
            b'"' | b'\'' if token => skip_quoted(&mut look, byte),
            b'#' if token => look.skip_line(),
            _ => {}
        }
        if depth == 0 {
            return (true, look.at - cursor.at);
        }
        token = matches!(byte, b' ' | b'\t' | b',' | b'[' | b'{' | b':');
        if !look.is_line_end() {
            look.at += 1;
        }
    }
    (false, look.at - cursor.at)
}

/// Goes to the closing quote of a string, or to the end of its line.
fn skip_quoted(look: &mut Cursor<'_>, quote: u8) {
    look.at += 1;
    while !look.is_line_end() && look.byte() != Some(quote) {
        let escape = quote == b'"' && look.byte() == Some(b'\\');
        look.at += if escape && look.ahead(1).is_some() {
            2
        } else {
            1
        };
    }
}
