//! Literal and folded scalars.

use super::anchors::Properties;
use super::content::{Scanned, ScannedNode};
use super::cursor::Cursor;
use super::{Parser, Position};
use crate::decode::{block_header, range};
use crate::error::SyntaxErrorKind;
use crate::style::{BlockHeader, Chomping, ScalarStyle};
use crate::tree::{ScalarData, ScalarText};
use text::TextRange;

/// The lines of a block scalar.
struct Lines {
    indent: i32,
    /// The end of the last line with text, without and with its line break.
    text_end: usize,
    break_end: usize,
    /// The end of the empty lines after it.
    empty_end: usize,
    is_reported: bool,
}

impl Parser<'_> {
    /// Reads the block scalar whose `|` or `>` is at the cursor.
    ///
    /// Upstream: go.yaml.in/yaml/v2, scannerc.go, yaml_parser_scan_block_scalar.
    pub(super) fn block_scalar(&mut self) {
        let style = match self.cursor.byte() {
            Some(b'|') => ScalarStyle::Literal,
            _ => ScalarStyle::Folded,
        };
        let start = range(self.cursor.at, self.cursor.at).start();
        let header = block_header(self.build.text, start);
        self.end_of_header(&header);
        let content = self.cursor.at;
        let lines = self.lines(&header);
        let content_end = match header.chomping {
            Chomping::Strip => lines.text_end,
            Chomping::Clip => lines.break_end,
            Chomping::Keep => lines.empty_end,
        };
        let text_len = range(self.build.text.len(), 0).start();
        let content = range(content, content_end);
        let scalar = ScalarData {
            style,
            content,
            text: ScalarText::Verbatim(content),
            indent: u32::try_from(lines.indent).unwrap_or(0),
            adds_break: content.start() < text_len && self.adds_break(&header, &lines),
        };
        let text_end = range(lines.text_end, lines.text_end);
        let is_empty = text_end.start() == content.start();
        let node = Scanned {
            node: ScannedNode::Scalar(scalar, false),
            range: if is_empty {
                header.range
            } else {
                header.range.cover(text_end)
            },
            broken: false,
        };
        self.value(node, Properties::default());
        self.position = Position::Fresh;
    }

    /// Returns whether the text ends with a line break that the file does not have: Kubernetes ends
    /// each line with one, including the last of the file.
    ///
    /// Upstream: apimachinery, pkg/util/yaml/decoder.go, LineReader.Read.
    fn adds_break(&self, header: &BlockHeader, lines: &Lines) -> bool {
        let end = self.build.text.len();
        match header.chomping {
            Chomping::Strip => false,
            Chomping::Clip => lines.text_end == end,
            // The last line may also consist of spaces.
            Chomping::Keep => {
                let rest = self.build.text.get(self.cursor.at..).unwrap_or("");
                let is_blank = !rest.is_empty() && rest.bytes().all(|byte| byte == b' ');
                lines.text_end == end || is_blank
            }
        }
    }

    /// Reads the lines below the header.
    fn lines(&mut self, header: &BlockHeader) -> Lines {
        let content = self.cursor.at;
        let owner = self.build.top().current;
        let mut lines = Lines {
            indent: 0,
            text_end: content,
            break_end: content,
            empty_end: content,
            is_reported: false,
        };
        lines.indent = match header.indentation {
            Some(columns) => owner.max(0) + i32::from(columns),
            None => self.detect_indentation(owner, &mut lines),
        };
        self.read_lines(owner, &mut lines);
        lines
    }

    /// Skips to the line below the header, which may be followed only by a comment.
    fn end_of_header(&mut self, header: &BlockHeader) {
        self.cursor.at = header.range.end().into();
        self.cursor.skip_blanks();
        if self.cursor.byte() == Some(b'#') {
            self.comment();
        } else if !self.cursor.is_line_end() {
            let start = self.cursor.at;
            self.cursor.skip_line();
            let kind = SyntaxErrorKind::BadBlockHeader;
            self.build.error(start, self.cursor.at, kind);
        }
        self.cursor.skip_break();
    }

    /// Returns the column of the first line with text. Empty lines before it must not be
    /// longer.
    fn detect_indentation(&mut self, owner: i32, lines: &mut Lines) -> i32 {
        let least = (owner + 1).max(1);
        let mut widest = least;
        let mut wide_line = TextRange::default();
        let mut look = self.cursor;
        loop {
            look.skip_spaces();
            let column = look.column();
            if look.byte() == Some(b'\t') {
                let start = look.at;
                look.skip_blanks();
                let kind = SyntaxErrorKind::TabIndentation;
                self.build.error(start, look.at, kind);
                lines.is_reported = true;
                return column.max(least);
            }
            let is_empty = look.line_break().is_some();
            if !is_empty {
                let is_text = !look.is_end() && column >= least && look.byte() != Some(b'#');
                if column >= widest || !is_text {
                    return column.max(widest);
                }
                let kind = SyntaxErrorKind::BadBlockIndentation;
                self.build.error_at(wide_line, kind);
                lines.is_reported = true;
                return column;
            }
            if column > widest {
                widest = column;
                wide_line = range(look.line, look.at);
            }
            look.skip_break();
        }
    }

    /// Reads the lines of the scalar, up to the beginning of the first line after it.
    fn read_lines(&mut self, owner: i32, lines: &mut Lines) {
        while !self.cursor.is_end() {
            let mut look = self.cursor;
            while look.column() < lines.indent && look.byte() == Some(b' ') {
                look.at += 1;
            }
            if look.skip_break() {
                lines.empty_end = look.at;
                self.cursor = look;
                continue;
            }
            if look.is_end() || (look.column() < lines.indent && !self.belongs(look, owner, lines))
            {
                return;
            }
            look.skip_line();
            lines.text_end = look.at;
            look.skip_break();
            lines.break_end = look.at;
            lines.empty_end = look.at;
            self.cursor = look;
        }
    }

    /// Returns whether a line that is indented less than the others still belongs to the
    /// scalar. It does when nothing else is valid there.
    fn belongs(&mut self, look: Cursor<'_>, owner: i32, lines: &mut Lines) -> bool {
        let tab = look.byte() == Some(b'\t');
        if !tab && (look.column() <= owner.max(0) || look.byte() == Some(b'#')) {
            return false;
        }
        if !std::mem::replace(&mut lines.is_reported, true) {
            let (start, kind) = if tab {
                (look.at, SyntaxErrorKind::TabIndentation)
            } else {
                (look.line, SyntaxErrorKind::BadBlockIndentation)
            };
            let mut end = look;
            end.skip_blanks();
            self.build.error(start, end.at, kind);
        }
        true
    }
}
