//! Literal and folded scalars.

use super::flow::write_breaks;
use super::{Sink, range};
use crate::chars::{Break, break_at, is_blank, line_end};
use crate::style::{BlockHeader, Chomping, ScalarStyle};
use crate::tree::ScalarData;
use text::TextSize;

/// Reads the header of a block scalar, whose `|` or `>` is at `start`.
pub(crate) fn block_header(text: &str, start: TextSize) -> BlockHeader {
    let at = usize::from(start);
    let bytes = text.as_bytes();
    let mut header = BlockHeader {
        range: range(at, at + 1),
        indicator: range(at, at + 1),
        chomping: Chomping::Clip,
        indentation: None,
    };
    let mut end = at + 1;
    let mut chomped = false;
    loop {
        match bytes.get(end) {
            Some(b'-') if !chomped => header.chomping = Chomping::Strip,
            Some(b'+') if !chomped => header.chomping = Chomping::Keep,
            Some(digit @ b'1'..=b'9') if header.indentation.is_none() => {
                header.indentation = Some(digit - b'0');
                end += 1;
                continue;
            }
            _ => break,
        }
        chomped = true;
        end += 1;
    }
    header.range = range(at, end);
    header
}

/// Decodes a block scalar. Its content begins at the first line and ends with the last line
/// break that counts.
///
/// Upstream: go.yaml.in/yaml/v2, scannerc.go, yaml_parser_scan_block_scalar.
pub(crate) fn block(text: &str, scalar: &ScalarData, sink: &mut impl Sink) {
    let end = usize::from(scalar.content.end()).min(text.len());
    let bytes = text.as_bytes().get(..end).unwrap_or_default();
    let folded = scalar.style == ScalarStyle::Folded;
    let indent = scalar.indent as usize;
    let mut line = Line::next(bytes, usize::from(scalar.content.start()), indent);
    let mut leading: Option<Break> = None;
    let mut blank_before = false;
    while !line.is_empty() {
        let blank = bytes.get(line.start).copied().is_some_and(is_blank);
        let breaks = line.breaks;
        match leading {
            Some(lead) if folded && !blank_before && !blank && !lead.is_separator() => {
                if !write_breaks(bytes, breaks.0, breaks.1, sink) {
                    sink.replaced(lead.start, lead.end, " ");
                }
            }
            lead => {
                if let Some(lead) = lead {
                    lead.write(sink);
                }
                write_breaks(bytes, breaks.0, breaks.1, sink);
            }
        }
        sink.verbatim(line.start, line.end);
        blank_before = blank;
        leading = break_at(bytes, line.end);
        let next = leading.map_or(line.end, |lead| lead.end);
        line = Line::next(bytes, next, indent);
    }
    if let Some(lead) = leading {
        lead.write(sink);
    }
    write_breaks(bytes, line.breaks.0, line.breaks.1, sink);
    if scalar.adds_break {
        sink.replaced(end, end, "\n");
    }
}

/// A line of content, and the empty lines before it.
struct Line {
    /// From the first byte of the empty lines to the line itself.
    breaks: (usize, usize),
    start: usize,
    end: usize,
}

impl Line {
    fn next(bytes: &[u8], from: usize, indent: usize) -> Self {
        let mut at = from;
        loop {
            let spaces = bytes
                .get(at..)
                .unwrap_or_default()
                .iter()
                .take(indent)
                .take_while(|byte| **byte == b' ')
                .count();
            match break_at(bytes, at + spaces) {
                Some(empty) => at = empty.end,
                None => {
                    let start = at + spaces;
                    return Line {
                        breaks: (from, at),
                        start,
                        end: line_end(bytes, start),
                    };
                }
            }
        }
    }

    fn is_empty(&self) -> bool {
        self.start == self.end
    }
}
