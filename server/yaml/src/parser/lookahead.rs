//! Heuristics about a line before it is parsed.
//!
//! Recovery needs to find lines that begin a new key or item. It must not find keys in prose or
//! in expressions, so a key is one word here.

use super::cursor::Cursor;
use super::plain::{Context, Stop, scan_line};

/// Returns whether the byte may be in a key that recovery recognizes.
pub(super) fn is_key_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_-./$".contains(&byte)
}

/// Returns whether the text at the cursor begins with one word and a colon.
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

/// Returns whether the line at the cursor is a key or an item, so that a quote or a bracket
/// that is open before it was most probably forgotten.
pub(super) fn begins_entry(cursor: Cursor<'_>) -> bool {
    cursor.is_indicator(b'-') || begins_with_key(cursor)
}

/// Returns whether the next line is an item of a list, at the column of this line.
pub(super) fn has_item_below(cursor: Cursor<'_>) -> bool {
    let mut look = cursor;
    look.skip_line();
    look.skip_break();
    look.skip_spaces();
    look.is_indicator(b'-') && look.column() == cursor.column()
}

/// Returns whether a plain scalar at the cursor would be a key.
pub(super) fn is_key_line(cursor: Cursor<'_>) -> bool {
    begins_with_key(cursor)
        || scan_line(cursor.bytes(), cursor.at, Context::Block).stop == Stop::Colon
}
