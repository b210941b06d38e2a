//! Changes are applied at the client's positions, in each encoding.

use super::*;
use proptest::prelude::*;

const ENCODINGS: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32];

fn change(
    (start_line, start): (u32, u32),
    (end_line, end): (u32, u32),
    text: &str,
) -> lsp::TextDocumentContentChangeEvent {
    let start = lsp::Position::new(start_line, start);
    let end = lsp::Position::new(end_line, end);
    lsp::TextDocumentContentChangeEvent {
        range: Some(lsp::Range::new(start, end)),
        range_length: None,
        text: text.to_owned(),
    }
}

#[track_caller]
fn check(
    before: &str,
    change: &lsp::TextDocumentContentChangeEvent,
    encoding: Encoding,
    after: Result<&str, EditError>,
) {
    let mut rope = Rope::from_str(before);
    let applied = apply(&mut rope, change, encoding);
    assert_eq!(applied.map(|()| rope.to_string()), after.map(str::to_owned));
}

#[test]
fn columns_count_in_the_unit_of_the_encoding() {
    let before = "é😀x\r\n";
    for (encoding, column) in ENCODINGS.into_iter().zip([6, 3, 2]) {
        check(
            before,
            &change((0, column), (0, column + 1), "y"),
            encoding,
            Ok("é😀y\r\n"),
        );
    }
}

#[test]
fn without_a_range_the_whole_text_is_replaced() {
    let whole = lsp::TextDocumentContentChangeEvent {
        range: None,
        range_length: None,
        text: "b".to_owned(),
    };
    check("a\n", &whole, Encoding::Utf16, Ok("b"));
}

#[test]
fn a_column_past_its_line_is_the_end_before_the_line_break() {
    for end in ["\n", "\r\n", "\r", ""] {
        let (before, after) = (format!("ab{end}"), format!("abX{end}"));
        check(
            &before,
            &change((0, 9), (0, 9), "X"),
            Encoding::Utf16,
            Ok(&after),
        );
    }
}

#[test]
fn a_range_may_end_past_the_last_line() {
    let all = change((0, 0), (u32::MAX, u32::MAX), "new");
    check("a\nb\n", &all, Encoding::Utf16, Ok("new"));
}

#[test]
fn an_edit_may_begin_just_behind_the_last_line() {
    check(
        "a\nb",
        &change((2, 0), (2, 0), "\nc"),
        Encoding::Utf16,
        Ok("a\nb\nc"),
    );
}

#[test]
fn an_edit_far_behind_the_text_is_refused() {
    let error = EditError::NoSuchLine { line: 9, lines: 2 };
    check(
        "a\nb",
        &change((9, 0), (9, 0), "x"),
        Encoding::Utf16,
        Err(error),
    );
}

#[test]
fn an_edit_inside_a_character_is_refused() {
    let at = EditError::SplitsCharacter(lsp::Position::new(0, 1));
    check("😀", &change((0, 1), (0, 2), ""), Encoding::Utf16, Err(at));
    check("é", &change((0, 0), (0, 1), ""), Encoding::Utf8, Err(at));
}

#[test]
fn a_range_the_wrong_way_round_is_turned() {
    check(
        "abcd",
        &change((0, 3), (0, 1), ""),
        Encoding::Utf16,
        Ok("ad"),
    );
}

#[test]
fn only_the_line_breaks_of_the_protocol_break_lines() {
    let before = "a\u{b}b\u{2028}c\u{85}d\ne";
    check(
        before,
        &change((1, 0), (1, 1), ""),
        Encoding::Utf16,
        Ok("a\u{b}b\u{2028}c\u{85}d\n"),
    );
}

/// Applies a change to a string in the simplest way.
#[expect(clippy::string_slice, reason = "the offsets come from `find`")]
fn reference(text: &str, at: lsp::Position, encoding: Encoding) -> Option<usize> {
    let mut lines: Vec<(usize, &str)> = Vec::new();
    let mut rest = text;
    loop {
        let offset = text.len() - rest.len();
        let Some(end) = rest.find(['\n', '\r']) else {
            lines.push((offset, rest));
            break;
        };
        lines.push((offset, &rest[..end]));
        let length = if rest[end..].starts_with("\r\n") {
            2
        } else {
            1
        };
        rest = &rest[end + length..];
    }
    let Some((start, line)) = lines.get(at.line as usize) else {
        return Some(text.len());
    };
    let mut column = 0;
    for (offset, character) in line.char_indices() {
        if column >= at.character as usize {
            return (column == at.character as usize).then_some(start + offset);
        }
        column += match encoding {
            Encoding::Utf8 => character.len_utf8(),
            Encoding::Utf16 => character.len_utf16(),
            Encoding::Utf32 => 1,
        };
    }
    (column <= at.character as usize).then_some(start + line.len())
}

#[expect(clippy::string_slice, reason = "the offsets come from `char_indices`")]
fn apply_to_string(
    text: &str,
    change: &lsp::TextDocumentContentChangeEvent,
    encoding: Encoding,
) -> Option<String> {
    let range = change.range?;
    let (start, end) = (range.start.min(range.end), range.end.max(range.start));
    let (start, end) = (
        reference(text, start, encoding)?,
        reference(text, end, encoding)?,
    );
    Some(format!("{}{}{}", &text[..start], change.text, &text[end..]))
}

/// A start, an end, and the new text.
type Edit = ((u32, u32), (u32, u32), String);

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let position = || (0u32..6, 0u32..9);
    prop::collection::vec(
        (position(), position(), "[ab\r\n\u{e9}\u{1F600}]{0,6}"),
        1..30,
    )
}

proptest! {
    #[test]
    fn edits_give_the_text_that_a_string_gives(
        before in "[ab\r\n\u{e9}\u{1F600}]{0,40}",
        edits in edits(),
        encoding in prop::sample::select(&ENCODINGS),
    ) {
        let mut rope = Rope::from_str(&before);
        let mut text = before;
        for (start, end, insert) in edits {
            let change = change(start, end, &insert);
            let applied = apply(&mut rope.clone(), &change, encoding);
            let expected = apply_to_string(&text, &change, encoding);
            match (applied, expected) {
                (Err(EditError::SplitsCharacter(_)), None) => continue,
                (Err(EditError::NoSuchLine { .. }), _) => continue,
                (Ok(()), Some(expected)) => text = expected,
                other => prop_assert!(false, "{other:?}"),
            }
            prop_assert_eq!(apply(&mut rope, &change, encoding), Ok(()));
            prop_assert_eq!(rope.to_string(), text.clone());
        }
    }
}
