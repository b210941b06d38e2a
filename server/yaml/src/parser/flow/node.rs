//! Scalars and aliases in flow collections.

use crate::decode::range;
use crate::error::SyntaxErrorKind;
use crate::parser::Parser;
use crate::parser::build::verbatim;
use crate::parser::content::{Scanned, ScannedNode};
use crate::parser::cursor::Cursor;
use crate::parser::frame::Slot;
use crate::parser::lookahead::{begins_entry, is_key_byte};
use crate::parser::plain::{Context, PlainLine, Stop, scan_line};
use crate::style::ScalarStyle;

impl<'a> Parser<'a> {
    pub(super) fn flow_node_or_mistake(&mut self, owner: i32) {
        self.begin_entry();
        let before = self.build.properties;
        let own = self.properties();
        self.join(own);
        let line = self.cursor.line;
        self.flow_content(owner, line);
        let mut look = self.cursor;
        look.skip_blanks();
        if !before.is_empty() && look.byte() == Some(b':') {
            // The tag or anchor is on another line, so the key begins there.
            let (start, end) = (before.end, self.build.last_end());
            self.build.error(start, end, SyntaxErrorKind::KeyOverLines);
        }
    }

    fn flow_content(&mut self, owner: i32, line: usize) {
        match self.cursor.byte() {
            Some(b'"' | b'\'') => {
                let scanned = self.quoted(owner, true);
                self.after_mistake = scanned.broken;
                self.add(scanned);
                self.after_node(self.is_key_end(line));
            }
            Some(b'*') => {
                let scanned = self.alias();
                self.add(scanned);
                self.after_node(true);
            }
            Some(b'|' | b'>' | b'@' | b'`' | b'%') => self.flow_mistake(),
            Some(b'-') if self.cursor.is_blank_ahead(1) => self.flow_mistake(),
            Some(b':') => {
                let end = self.build.properties.end;
                self.build.add_empty(end);
                self.after_node(true);
            }
            Some(b'[' | b']' | b'{' | b'}' | b',' | b'?' | b'#' | b'\n' | b'\r') | None => {}
            Some(_) => self.flow_plain(owner),
        }
    }

    /// Returns whether a node that began on the line at `line` ends on it.
    fn is_key_end(&self, line: usize) -> bool {
        self.cursor.line == line || self.build.json
    }

    fn flow_mistake(&mut self) {
        let character = self.cursor.byte().map_or(' ', char::from);
        let kind = if character == '-' {
            SyntaxErrorKind::UnexpectedDash
        } else {
            SyntaxErrorKind::UnexpectedCharacter(character)
        };
        self.error_here(kind);
        self.flow_text();
    }

    /// Reads `{{ … }}`, which counts as a value.
    pub(super) fn flow_template(&mut self) {
        self.begin_entry();
        self.report_template();
        let start = self.cursor.at;
        while !self.cursor.is_line_end() && !self.cursor.starts_with(b"}}") {
            self.cursor.at += 1;
        }
        if !self.cursor.is_line_end() {
            self.cursor.at += 2;
        }
        self.add_plain(start, self.cursor.at, true);
    }

    /// Reads the rest of the entry on this line as a plain scalar.
    pub(super) fn flow_text(&mut self) {
        let start = self.cursor.at;
        let line = scan_line(self.cursor.bytes(), start + 1, Context::FlowText);
        self.cursor.at = line.next;
        self.add_plain(start, line.end.max(start + 1), true);
    }

    /// Reads a plain scalar with all its lines.
    fn flow_plain(&mut self, owner: i32) {
        let start = self.cursor.at;
        let bytes = self.cursor.bytes();
        let mut line = scan_line(bytes, start, Context::Flow);
        let slot = self.build.top().slot;
        let is_value = matches!(slot, Slot::Value(_));
        let is_explicit = matches!(slot, Slot::Key(_));
        if line.stop == Stop::Colon && is_value {
            line = self.value_with_colon(start, line);
        } else if line.stop == Stop::Flow && line.end == line.next {
            line = self.text_with_bracket(start, line);
        }
        let mut end = line.end;
        let mut is_multiline = false;
        self.cursor.at = line.next;
        while line.stop == Stop::LineEnd {
            let Some(look) = self.flow_continuation(owner, is_explicit) else {
                break;
            };
            line = scan_line(bytes, look.at, Context::Flow);
            if (line.stop == Stop::Colon && !is_explicit) || line.end == look.at {
                break;
            }
            end = line.end;
            is_multiline = true;
            self.cursor = look;
            self.cursor.at = line.next;
        }
        self.add_plain(start, end, !is_multiline);
    }

    /// Reads `value: more`: another key after a missing comma, or text that needs quotes.
    fn value_with_colon(&mut self, start: usize, line: PlainLine) -> PlainLine {
        let text = self.build.text.get(start..line.end).unwrap_or("");
        if let Some((value, key)) = text.rsplit_once([' ', '\t'])
            && key.bytes().all(is_key_byte)
        {
            return PlainLine {
                end: start + value.trim_end().len(),
                next: line.end - key.len(),
                stop: Stop::Flow,
            };
        }
        let line = scan_line(self.cursor.bytes(), start, Context::FlowText);
        let kind = SyntaxErrorKind::ColonInValue;
        self.build.error(start, line.end, kind);
        line
    }

    /// Reads `text[0]` or `text.?field`: brackets and question marks end a plain scalar here, so it
    /// needs quotes. It is read up to the end that it would have with quotes.
    fn text_with_bracket(&mut self, start: usize, line: PlainLine) -> PlainLine {
        let bytes = self.cursor.bytes();
        let character = match bytes.get(line.next) {
            Some(byte @ (b'?' | b'[' | b'{')) => char::from(*byte),
            _ => return line,
        };
        let kind = SyntaxErrorKind::BracketInText(character);
        self.build.error(line.next, line.next + 1, kind);
        let mut depth = 0_usize;
        let mut line = line;
        loop {
            let byte = bytes.get(line.next).filter(|_| line.stop == Stop::Flow);
            depth = match byte {
                Some(b'[' | b'{') => depth + 1,
                Some(b']' | b'}') if depth > 0 => depth - 1,
                Some(b'?') => depth,
                Some(b',') if depth > 0 => depth,
                _ => break,
            };
            line = scan_line(bytes, line.next + 1, Context::FlowText);
        }
        PlainLine {
            end: line.end.max(start),
            ..line
        }
    }

    /// Returns the next line with text, if it may belong to a plain scalar.
    fn flow_continuation(&mut self, owner: i32, is_explicit: bool) -> Option<Cursor<'a>> {
        let mut look = self.cursor;
        while look.skip_break() {
            look.skip_spaces();
            let tab = look.at;
            let is_indentation = look.column() <= owner;
            look.skip_blanks();
            if is_indentation && look.at > tab {
                self.build
                    .error(tab, look.at, SyntaxErrorKind::TabIndentation);
            }
        }
        if look.is_end() || look.is_document_mark() || look.byte() == Some(b'#') {
            return None;
        }
        if look.column() > owner || is_explicit {
            return Some(look);
        }
        (!begins_entry(look)).then_some(look)
    }

    fn add_plain(&mut self, start: usize, end: usize, is_text: bool) {
        let scalar = verbatim(ScalarStyle::Plain, start, end);
        self.add(Scanned {
            node: ScannedNode::Scalar(scalar, is_text),
            range: range(start, end),
            broken: false,
        });
        self.after_node(is_text);
    }
}
