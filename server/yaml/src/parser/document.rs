//! From a file to its documents.

use super::Parser;
use super::build::{Builder, MAX_ERRORS};
use super::cursor::{BYTE_ORDER_MARK, Cursor};
use crate::decode::range;
use crate::error::{SyntaxError, SyntaxErrorKind};
use crate::json;
use crate::split::split;
use crate::stream::{Comment, DocumentData, Stream};
use std::sync::Arc;
use text::TextRange;

/// Limit: the offsets of a file have 32 bits.
const MAX_LEN: usize = u32::MAX as usize - 1;

/// The average number of bytes per node of a manifest.
const BYTES_PER_NODE: usize = 16;

/// Parses a file. The result always holds everything that could be read, and the errors.
#[must_use]
pub fn parse(text: Arc<str>) -> Stream {
    let ranges: Vec<TextRange> = split(&text).collect();
    let mut stream = parse_documents(text, &ranges);
    let text = Arc::clone(&stream.text);
    // Separators after the last document, which `parse_documents` does not need.
    let read = ranges
        .last()
        .map_or(0, |range| line_after(&text, range.end().into()));
    separators(&text, read, text.len(), &mut stream);
    stream
}

/// Parses chosen documents of a file: `ranges` are some of those of [`split`], in their
/// order. The positions of all nodes are those in the file.
#[must_use]
pub fn parse_documents(text: Arc<str>, ranges: &[TextRange]) -> Stream {
    let mut stream = Stream::new(text);
    stream.documents.reserve(ranges.len());
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
    let mut read = 0;
    for range in ranges {
        separators(&text, read, range.start().into(), &mut stream);
        document(&text, *range, &mut stream);
        read = range.end().into();
    }
    // A document whose separator is wrong is not read, before or after the separator.
    if read > 0 {
        let end = line_after(&text, read);
        separators(&text, read, end, &mut stream);
    }
    stream
}

/// Returns the end of the line at `at`, with its line break.
fn line_after(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or("");
    rest.find('\n').map_or(text.len(), |end| at + end + 1)
}

fn document(text: &str, at: TextRange, stream: &mut Stream) {
    let (start, end) = (usize::from(at.start()), usize::from(at.end()));
    let Some(part) = text.get(start..end) else {
        return;
    };
    let first = stream.errors.len();
    control_characters(part, start, stream);
    let bytes = text.as_bytes().get(..end).unwrap_or_default();
    // The first document decides: after one in YAML, all are read as YAML.
    let json = start == 0 && part.trim_start().starts_with('{');
    let mut cursor = Cursor::new(bytes, start);
    if cursor.starts_with(BYTE_ORDER_MARK) && !holds_separator(text, start) {
        cursor = Cursor::new(bytes, start + BYTE_ORDER_MARK.len());
    }
    let mut parser = Parser::new(cursor, Builder::new(text, stream, json));
    parser.run();
    let root = parser.build.root();
    let unless_json = std::mem::take(&mut parser.build.unless_json);
    // A document that is not YAML either may become JSON while it is typed.
    let is_yaml = stream.errors.len() == first;
    if is_yaml && !unless_json.is_empty() && !json::begins_with_object(part) {
        stream.errors.extend(unless_json);
    }
    let mut errors = stream.errors.split_off(first);
    errors.sort_by_cached_key(|error| (error.range.start(), error.range.end()));
    errors.dedup();
    let recovered = !errors.is_empty();
    stream.errors.append(&mut errors);
    stream.documents.push(DocumentData {
        range: at,
        root,
        recovered,
    });
}

/// Returns whether the parser of Kubernetes gets the line with `---` before `start` as a part of the
/// document: a separator ends a document if there is one before it, and begins one otherwise.
///
/// Upstream: apimachinery, pkg/util/yaml/decoder.go, YAMLReader.Read.
fn holds_separator(text: &str, start: usize) -> bool {
    let before = text.get(..start).unwrap_or("");
    let before = before.strip_suffix('\n').unwrap_or(before);
    let separators = before
        .rsplit('\n')
        .take_while(|line| line.starts_with("---"));
    let length: usize = separators.clone().map(|line| line.len() + 1).sum();
    let begins_file = before.is_empty() || length > before.len();
    (separators.count() % 2 == 1) == begins_file
}

/// Reads the lines with `---` from `start` to `end`. They may hold only a comment.
///
/// Upstream: apimachinery, pkg/util/yaml/decoder.go, YAMLReader.Read.
fn separators(text: &str, start: usize, end: usize, stream: &mut Stream) {
    let Some(part) = text.get(start..end) else {
        return;
    };
    let first = part.trim_start_matches('\u{FEFF}').starts_with("---");
    let others = part.match_indices("\n---").map(|(at, _)| at + 1);
    for at in first.then_some(0).into_iter().chain(others) {
        let line = part.get(at..).and_then(|rest| rest.lines().next());
        let rest = line.and_then(|line| line.trim_start_matches('\u{FEFF}').get(3..));
        let (line, rest) = (line.unwrap_or(""), rest.unwrap_or("").trim_start());
        let end = start + at + line.len();
        let at = end - rest.len();
        if rest.starts_with('#') {
            let range = range(at, end);
            stream.comments.push(Comment { range });
        } else if !rest.is_empty() {
            stream.errors.push(SyntaxError {
                range: range(at, at + rest.trim_end().len()),
                kind: SyntaxErrorKind::TextAfterSeparator,
            });
        }
    }
}

/// Reports the characters that YAML does not allow, once per run.
///
/// Upstream: go.yaml.in/yaml/v2, readerc.go, yaml_parser_update_buffer.
fn control_characters(part: &str, start: usize, stream: &mut Stream) {
    let most = stream.errors.len() + MAX_ERRORS;
    // The end of the last reported character.
    let mut end = None;
    for at in possible_controls(part.as_bytes()) {
        let character = part.get(at..).and_then(|rest| rest.chars().next());
        let Some(character) = character.filter(|it| is_control(*it)) else {
            continue;
        };
        let length = character.len_utf8();
        if end != Some(at) && stream.errors.len() < most {
            stream.errors.push(SyntaxError {
                range: range(start + at, start + at + length),
                kind: SyntaxErrorKind::ControlCharacter(character),
            });
        }
        end = Some(at + length);
    }
}

/// Returns the offsets at which a control character may begin. Nearly all text has none, so eight
/// bytes are checked at once.
fn possible_controls(bytes: &[u8]) -> impl Iterator<Item = usize> {
    let (words, rest) = bytes.as_chunks::<8>();
    let words = words.iter().enumerate();
    words
        .filter(|(_, word)| !is_printable(u64::from_ne_bytes(**word)))
        .map(|(number, word)| (number * 8, word.as_slice()))
        .chain([(bytes.len() - rest.len(), rest)])
        .flat_map(|(start, bytes)| {
            let bytes = bytes.iter().enumerate();
            bytes
                .filter(|(_, byte)| may_be_control(**byte))
                .map(move |(at, _)| start + at)
        })
}

/// Returns whether all eight bytes are printable ASCII characters or line feeds.
fn is_printable(word: u64) -> bool {
    /// The byte 0x01, eight times.
    const EACH: u64 = u64::MAX / 0xFF;
    const HIGHEST: u64 = 0x80 * EACH;
    let low = word & !HIGHEST;
    // No sum exceeds a byte. The highest bit of each byte is its answer.
    let is_not_control = low + (0x80 - 0x20) * EACH;
    let is_no_line_feed = (low ^ (0x0A * EACH)) + 0x7F * EACH;
    let is_delete = low + EACH;
    let is_other = (!is_not_control & is_no_line_feed) | is_delete | word;
    is_other & HIGHEST == 0
}

fn may_be_control(byte: u8) -> bool {
    let is_low = (byte < b' ') & (byte != b'\t') & (byte != b'\n') & (byte != b'\r');
    is_low | (byte == 0x7F) | (byte == 0xC2) | (byte == 0xEF)
}

fn is_control(character: char) -> bool {
    match character {
        '\t' | '\n' | '\r' | '\u{85}' => false,
        '\u{FFFE}' | '\u{FFFF}' => true,
        other => other.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_bytes_are_checked_as_one_by_one() {
        let plain = |byte: &u8| matches!(byte, b' '..=b'~' | b'\n');
        for before in [b' ', b'~', b'\n', 0x7F, 0xFF, 0] {
            for byte in 0..=u8::MAX {
                for at in 0..8 {
                    let mut bytes = [before; 8];
                    bytes[at] = byte;
                    let expected = bytes.iter().all(plain);
                    assert_eq!(
                        is_printable(u64::from_ne_bytes(bytes)),
                        expected,
                        "{bytes:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_control_character_is_found_at_every_offset() {
        for length in 1..20 {
            for at in 0..length {
                let mut bytes = vec![b'a'; length];
                bytes[at] = 0x07;
                assert_eq!(possible_controls(&bytes).collect::<Vec<_>>(), [at]);
            }
        }
    }
}
