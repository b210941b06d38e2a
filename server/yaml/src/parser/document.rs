//! From a file to its documents.

use super::Parser;
use super::build::{Builder, MAX_ERRORS};
use super::cursor::Cursor;
use crate::chars::is_blank;
use crate::decode::range;
use crate::error::{SyntaxError, SyntaxErrorKind};
use crate::split::split;
use crate::stream::{Comment, DocumentData, Stream};
use crate::tree::Tree;
use std::sync::Arc;
use text::TextRange;

/// Limit: the offsets of a file have 32 bits.
const MAX_LEN: usize = u32::MAX as usize - 1;

/// The bytes that a node of a manifest takes on average.
const BYTES_PER_NODE: usize = 16;

/// Parses a file. Whatever it holds, the result has what could be read, and a list of what
/// could not.
#[must_use]
pub fn parse(text: Arc<str>) -> Stream {
    let ranges: Vec<TextRange> = split(&text).collect();
    parse_documents(text, &ranges)
}

/// Parses chosen documents of a file: `ranges` are some of those of [`split`], in their
/// order. The positions of all nodes are those in the file.
#[must_use]
pub fn parse_documents(text: Arc<str>, ranges: &[TextRange]) -> Stream {
    let mut stream = Stream {
        text,
        tree: Tree::default(),
        documents: Vec::with_capacity(ranges.len()),
        errors: Vec::new(),
        comments: Vec::new(),
    };
    if stream.text.len() > MAX_LEN {
        stream.errors.push(SyntaxError {
            range: TextRange::default(),
            kind: SyntaxErrorKind::TooLong,
        });
        return stream;
    }
    let text = Arc::clone(&stream.text);
    let total: usize = ranges.iter().map(|range| usize::from(range.len())).sum();
    stream.tree.nodes.reserve(total / BYTES_PER_NODE);
    for range in ranges {
        document(&text, *range, &mut stream);
    }
    if let Some(range) = ranges.last() {
        last_separator(&text, range.end().into(), &mut stream);
    }
    stream
}

fn document(text: &str, at: TextRange, stream: &mut Stream) {
    let (start, end) = (usize::from(at.start()), usize::from(at.end()));
    let Some(part) = text.get(start..end) else {
        return;
    };
    let first = stream.errors.len();
    separator(text, start, stream);
    control_characters(part, start, stream);
    let bytes = text.as_bytes().get(..end).unwrap_or_default();
    let json = part.trim_start().starts_with('{');
    let mut cursor = Cursor::new(bytes, start);
    if start == 0 && cursor.starts_with("\u{FEFF}".as_bytes()) {
        cursor = Cursor::new(bytes, 3);
    }
    let mut parser = Parser::new(cursor, Builder::new(text, stream, json));
    parser.run();
    let root = parser.build.root();
    let mut errors = stream.errors.split_off(first);
    errors.sort_by_key(|error| (error.range.start(), error.range.end()));
    errors.dedup();
    let recovered = !errors.is_empty();
    stream.errors.append(&mut errors);
    stream.documents.push(DocumentData {
        range: at,
        root,
        recovered,
    });
}

/// The line with `---` that ends before `end` may hold a comment, and nothing else.
///
/// Upstream: apimachinery, pkg/util/yaml/decoder.go, YAMLReader.Read.
fn separator(text: &str, end: usize, stream: &mut Stream) {
    let before = text.get(..end).unwrap_or("");
    let before = before.trim_end_matches(['\n', '\r']);
    let line = before.rfind('\n').map_or(0, |line| line + 1);
    let line = before.get(line..).unwrap_or("");
    let Some(rest) = line.trim_start_matches('\u{FEFF}').strip_prefix("---") else {
        return;
    };
    let rest = rest.trim_start_matches([' ', '\t']);
    let rest_start = before.len() - rest.len();
    if rest.starts_with('#') {
        let range = range(rest_start, before.len());
        stream.comments.push(Comment { range });
    } else if !rest.is_empty() {
        stream.errors.push(SyntaxError {
            range: range(rest_start, rest_start + rest.trim_end().len()),
            kind: SyntaxErrorKind::TextAfterSeparator,
        });
    }
}

/// The separator after the last document of the file, which stands before no other.
fn last_separator(text: &str, end: usize, stream: &mut Stream) {
    let last = text.trim_ascii_end().len();
    if text.get(end..last).is_some_and(|rest| !rest.contains('\n')) {
        separator(text, last, stream);
    }
}

/// Reports the characters that YAML does not allow, one of each run.
///
/// Upstream: go.yaml.in/yaml/v2, readerc.go, yaml_parser_update_buffer.
fn control_characters(part: &str, start: usize, stream: &mut Stream) {
    if !part.bytes().any(may_be_control) {
        return;
    }
    let mut before = false;
    let most = stream.errors.len() + MAX_ERRORS;
    for (at, character) in part.char_indices() {
        let is_control = is_control(character);
        if is_control && !before && stream.errors.len() < most {
            stream.errors.push(SyntaxError {
                range: range(start + at, start + at + character.len_utf8()),
                kind: SyntaxErrorKind::ControlCharacter(character),
            });
        }
        before = is_control;
    }
}

fn may_be_control(byte: u8) -> bool {
    (byte < b' ' && !is_blank(byte) && byte != b'\n' && byte != b'\r')
        || byte == 0x7F
        || byte == 0xC2
        || byte == 0xEF
}

fn is_control(character: char) -> bool {
    match character {
        '\t' | '\n' | '\r' | '\u{85}' => false,
        '\u{FFFE}' | '\u{FFFF}' => true,
        other => other.is_control(),
    }
}
