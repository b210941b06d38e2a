//! Quoted scalars, and the end of one that lacks its closing quote.

use super::Parser;
use super::content::{Scanned, ScannedNode};
use super::cursor::Cursor;
use super::lookahead::begins_entry;
use crate::chars::is_blank;
use crate::decode::range;
use crate::error::SyntaxErrorKind;
use crate::style::ScalarStyle;
use crate::tree::{ScalarData, ScalarText};

/// A scan over a quoted scalar.
struct Scan<'a> {
    cursor: Cursor<'a>,
    quote: u8,
    in_flow: bool,
    /// Whether the decoded text differs from the source.
    is_special: bool,
    /// The end of the last line with text, before a line that looks like the next entry.
    suspect: Option<Cursor<'a>>,
    /// The end of the last line with text.
    text_end: Cursor<'a>,
}

impl Parser<'_> {
    /// Scans the quoted scalar at the cursor.
    ///
    /// Kubernetes lets a quoted scalar continue over any line. If its closing quote is followed by
    /// something invalid, and an earlier line looks like a key or an item at a column up to
    /// `threshold`, then the quote was forgotten and the scalar ends before that line.
    pub(super) fn quoted(&mut self, threshold: i32, in_flow: bool) -> Scanned {
        let start = self.cursor.at;
        let quote = self.cursor.byte().unwrap_or(b'"');
        let mut scan = Scan {
            cursor: self.cursor,
            quote,
            in_flow,
            is_special: false,
            suspect: None,
            text_end: self.cursor,
        };
        scan.cursor.at += 1;
        let closed = scan.run(threshold) && scan.is_plausible();
        let (content_end, end) = if closed {
            self.cursor = scan.cursor;
            (self.cursor.at - 1, self.cursor.at)
        } else {
            let kind = SyntaxErrorKind::UnclosedQuote(char::from(quote));
            self.build.error(start, start + 1, kind);
            self.cursor = scan.suspect.unwrap_or(scan.text_end);
            (self.cursor.at, self.cursor.at)
        };
        let content = range(start + 1, content_end);
        let style = if quote == b'"' {
            ScalarStyle::DoubleQuoted
        } else {
            ScalarStyle::SingleQuoted
        };
        let scalar = ScalarData {
            style,
            content,
            text: ScalarText::Verbatim(content),
            ..ScalarData::EMPTY
        };
        Scanned {
            node: ScannedNode::Scalar(scalar, !scan.is_special),
            range: range(start, end),
            broken: !closed,
        }
    }
}

impl Scan<'_> {
    /// Moves past the closing quote. Without one, moves to the end and returns `false`.
    fn run(&mut self, threshold: i32) -> bool {
        while let Some(byte) = self.cursor.byte() {
            if byte == self.quote {
                self.cursor.at += 1;
                if byte == b'"' || self.cursor.byte() != Some(byte) {
                    return true;
                }
                self.is_special = true;
                self.cursor.at += 1;
            } else if byte == b'\\' && self.quote == b'"' {
                self.is_special = true;
                self.cursor.at += 1;
                if !self.cursor.is_line_end() {
                    self.cursor.at += 1;
                }
            } else if self.cursor.line_break().is_some() {
                self.next_line(threshold);
                if self.cursor.is_document_mark() {
                    return false;
                }
            } else {
                self.cursor.at += 1;
            }
        }
        let line = self.cursor.bytes().get(self.cursor.line..);
        if line.is_some_and(|line| line.iter().any(|byte| !is_blank(*byte))) {
            self.text_end = self.cursor;
        }
        false
    }

    /// Moves to the text of the next line that is not empty.
    fn next_line(&mut self, threshold: i32) {
        self.is_special = true;
        self.text_end = self.cursor;
        while self.cursor.skip_break() {
            self.cursor.skip_blanks();
        }
        let at_entry = self.cursor.column() <= threshold && begins_entry(self.cursor);
        let at_token = self.in_flow && self.begins_flow_token();
        if (at_entry || at_token) && self.suspect.is_none() {
            self.suspect = Some(self.text_end);
        }
    }

    /// Returns whether the line looks like the next one of a flow collection.
    fn begins_flow_token(&self) -> bool {
        let byte = self.cursor.byte();
        matches!(byte, Some(b'[' | b']' | b'{' | b'}')) || byte == Some(self.quote)
    }

    /// Returns whether the quote before the cursor is plausible as a closing quote.
    fn is_plausible(&self) -> bool {
        if self.suspect.is_none() {
            return true;
        }
        let mut look = self.cursor;
        look.skip_blanks();
        match look.byte() {
            _ if look.is_line_end() => true,
            Some(b'#') => look.at > self.cursor.at,
            Some(b',' | b']' | b'}' | b':') => self.in_flow,
            _ => false,
        }
    }
}
