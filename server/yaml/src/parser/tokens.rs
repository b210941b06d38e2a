//! The tokens between and before nodes: blanks, comments, tabs, tags, anchors, directives and
//! templates.

use super::anchors::{Properties, core_tag, is_name, is_tag};
use super::content::{Scanned, ScannedNode};
use super::cursor::BYTE_ORDER_MARK;
use super::frame::Slot;
use super::{Parser, Position};
use crate::decode::range;
use crate::error::SyntaxErrorKind;
use crate::stream::Comment;

impl Parser<'_> {
    /// Goes to the next token of the block structure. Returns `false` at the end.
    pub(super) fn next_token(&mut self) -> bool {
        loop {
            self.cursor.skip_spaces();
            let Some(byte) = self.cursor.byte() else {
                return false;
            };
            match byte {
                b'\t' if self.position == Position::Inline => self.cursor.at += 1,
                b'\t' => self.tab(),
                b'#' => self.comment(),
                b'/' if self.position == Position::Fresh && self.foreign_comments() => {}
                b'\n' | b'\r' | 0xC2 | 0xE2 if self.cursor.skip_break() => {
                    self.position = Position::Fresh;
                }
                0xEF if self.skip_byte_order_mark() => {
                    if self.stopped {
                        return false;
                    }
                }
                b'%' | b'-' | b'.' | b'{' if self.position == Position::Fresh => {
                    if self.cursor.is_document_mark() {
                        self.after_end();
                        return false;
                    }
                    if !self.skip_foreign_line() {
                        return true;
                    }
                    if self.stopped {
                        return false;
                    }
                }
                _ => return true,
            }
        }
    }

    /// Reports a tab where only spaces may indent, and reads it as indentation.
    pub(super) fn tab(&mut self) {
        let start = self.cursor.at;
        self.cursor.skip_wide_blanks();
        let kind = SyntaxErrorKind::TabIndentation;
        self.build.error(start, self.cursor.at, kind);
    }

    pub(super) fn comment(&mut self) {
        let start = self.cursor.at;
        self.cursor.skip_line();
        let range = range(start, self.cursor.at);
        self.build.stream.comments.push(Comment { range });
    }

    /// Skips a byte order mark at the beginning of a line, which Kubernetes does not skip.
    ///
    /// Upstream: go.yaml.in/yaml/v2, yamlprivateh.go, is_bom: it checks the beginning of the buffer
    /// instead of the position.
    fn skip_byte_order_mark(&mut self) -> bool {
        let start = self.cursor.at;
        if start != self.cursor.line || !self.cursor.starts_with(BYTE_ORDER_MARK) {
            return false;
        }
        self.cursor.at += BYTE_ORDER_MARK.len();
        let kind = SyntaxErrorKind::ByteOrderMark;
        self.build.error(start, self.cursor.at, kind);
        self.cursor.begin_line();
        // A separator after the mark is none.
        self.stopped = self.cursor.is_document_mark();
        true
    }

    /// Skips the content after `...`, which is not read.
    fn after_end(&mut self) {
        let start = self.cursor.at;
        self.cursor.at += 3;
        if self.build.top().slot == Slot::Root && self.build.properties.is_empty() {
            let kind = SyntaxErrorKind::UnexpectedEnd;
            self.build.error(start, self.cursor.at, kind);
        }
        while !self.cursor.is_end() {
            self.cursor.skip_blanks();
            if self.cursor.byte() == Some(b'#') {
                self.comment();
            } else if !self.cursor.skip_break() {
                break;
            }
        }
        if !self.cursor.is_end() {
            let start = self.cursor.at;
            self.cursor.skip_line();
            let kind = SyntaxErrorKind::TextAfterEnd;
            self.build.error(start, self.cursor.at, kind);
        }
        self.stopped = true;
    }

    /// Skips a directive, or a line of a template language.
    fn skip_foreign_line(&mut self) -> bool {
        if self.cursor.byte() == Some(b'%') {
            if self.cursor.column() > 0 {
                return false;
            }
            let start = self.cursor.at;
            self.cursor.skip_line();
            let name = self.build.text.get(start + 1..self.cursor.at).unwrap_or("");
            let is_known = name.starts_with("YAML ") || name.starts_with("TAG ");
            self.stopped = is_known && self.build.has_root();
            let kind = if self.stopped {
                SyntaxErrorKind::DirectiveAfterRoot
            } else {
                SyntaxErrorKind::Directive
            };
            self.build.error(start, self.cursor.at, kind);
            return true;
        }
        if !self.is_template() {
            return false;
        }
        self.report_template();
        self.cursor.skip_line();
        true
    }

    /// Returns whether `{{` or `{%` begins here, which no value in Kubernetes can begin with.
    pub(super) fn is_template(&self) -> bool {
        self.cursor.starts_with(b"{{") || self.cursor.starts_with(b"{%")
    }

    /// Reports the first template of the document: all others have the same cause.
    pub(super) fn report_template(&mut self) {
        if std::mem::replace(&mut self.has_template, true) {
            return;
        }
        let start = self.cursor.at;
        let mut end = self.cursor;
        end.skip_line();
        let line = self.build.text.get(start..end.at).unwrap_or("");
        let close = line.find("}}").or_else(|| line.find("%}"));
        let len = close.map_or(line.trim_end().len(), |close| close + 2);
        let kind = SyntaxErrorKind::Template;
        self.build.error(start, start + len, kind);
    }

    /// Reads the tag and the anchor before a node, and the blanks after them.
    pub(super) fn properties(&mut self) -> Properties {
        let mut properties = Properties::default();
        loop {
            let start = self.cursor.at;
            match self.cursor.byte() {
                Some(b'&') => {
                    let repeated = properties.anchor.is_some();
                    properties.anchor = self.name().or(properties.anchor);
                    self.repeated(repeated, start);
                }
                Some(b'!') => {
                    let repeated = properties.tag.is_some();
                    self.tag(&mut properties);
                    self.repeated(repeated, start);
                }
                _ => return properties,
            }
            properties.end = self.cursor.at;
            self.cursor.skip_blanks();
        }
    }

    fn repeated(&mut self, repeated: bool, start: usize) {
        if repeated {
            let kind = SyntaxErrorKind::RepeatedProperty;
            self.build.error(start, self.cursor.at, kind);
        }
    }

    /// Reads the name after `&` or `*`.
    ///
    /// Upstream: go.yaml.in/yaml/v2, scannerc.go, yaml_parser_scan_anchor.
    fn name(&mut self) -> Option<text::TextRange> {
        let start = self.cursor.at;
        self.cursor.at += 1;
        while self.cursor.byte().is_some_and(is_name) {
            self.cursor.at += 1;
        }
        let end = self.cursor.at;
        let delimited = self.cursor.is_blank_ahead(0)
            || self
                .cursor
                .byte()
                .is_some_and(|byte| b"?:,]}%@`".contains(&byte));
        if end > start + 1 && delimited {
            return Some(range(start + 1, end));
        }
        while !self.cursor.is_blank_ahead(0) && !self.ends_flow_node() {
            self.cursor.at += 1;
        }
        let kind = SyntaxErrorKind::BadAnchor;
        self.build.error(start, self.cursor.at, kind);
        (end > start + 1).then(|| range(start + 1, end))
    }

    fn ends_flow_node(&self) -> bool {
        self.cursor
            .byte()
            .is_some_and(|byte| b",]}[{\"'".contains(&byte))
    }

    fn tag(&mut self, properties: &mut Properties) {
        let start = self.cursor.at;
        self.cursor.at += 1;
        let verbatim = self.cursor.byte() == Some(b'<');
        self.cursor.at += usize::from(verbatim);
        let mut escaped = true;
        while let Some(byte) = self.cursor.byte().filter(|byte| is_tag(*byte)) {
            let digit = |count| {
                self.cursor
                    .ahead(count)
                    .is_some_and(|byte| byte.is_ascii_hexdigit())
            };
            escaped &= byte != b'%' || (digit(1) && digit(2));
            self.cursor.at += 1;
        }
        self.cursor.at += usize::from(verbatim && self.cursor.byte() == Some(b'>'));
        let tag = range(start, self.cursor.at);
        let core = core_tag(self.build.stream.slice(tag)).filter(|_| escaped);
        if core.is_none() || !self.cursor.is_blank_ahead(0) {
            while !self.cursor.is_blank_ahead(0) {
                self.cursor.at += 1;
            }
            let kind = SyntaxErrorKind::BadTag;
            self.build.error(start, self.cursor.at, kind);
        }
        properties.tag = Some(tag);
        properties.core = core;
    }

    /// Scans the alias at the cursor.
    pub(super) fn alias(&mut self) -> Scanned {
        let start = self.cursor.at;
        let node = if self.name().is_some() {
            ScannedNode::Alias
        } else {
            ScannedNode::Nothing
        };
        Scanned {
            node,
            range: range(start, self.cursor.at),
            broken: false,
        }
    }
}
