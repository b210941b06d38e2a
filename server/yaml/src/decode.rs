//! The decoder of scalars: from the bytes in the file to the decoded string.
//!
//! One decoder creates both the text and its map, so that they cannot disagree: it walks over
//! the raw scalar and reports to a [`Sink`] which bytes are copied and which are replaced.
//!
//! Upstream: go.yaml.in/yaml/v2, scannerc.go, the scan functions for plain, flow and block
//! scalars.

mod block;
mod escape;
mod flow;
mod sink;

pub(crate) use block::{block, block_header};
pub(crate) use flow::{double_quoted, plain, single_quoted};
pub(crate) use sink::{Sink, TextSink};

use crate::style::ScalarStyle;
use crate::tree::{ScalarData, ScalarText};
use text::{SourceMap, SourceMapBuilder, TextRange, TextSize};

/// Decodes a scalar into `sink`.
pub(crate) fn decode(text: &str, scalar: &ScalarData, sink: &mut impl Sink) {
    match scalar.style {
        ScalarStyle::Plain => plain(text, scalar.content, sink),
        ScalarStyle::SingleQuoted => single_quoted(text, scalar.content, sink),
        ScalarStyle::DoubleQuoted => double_quoted(text, scalar.content, sink),
        ScalarStyle::Literal | ScalarStyle::Folded => block(text, scalar, sink),
    }
}

/// Returns the position of every byte of the decoded string of `scalar` in the file.
pub(crate) fn source_map(text: &str, scalar: &ScalarData) -> SourceMap {
    let mut sink = SourceMapBuilder::new(scalar.content.start());
    decode(text, scalar, &mut sink);
    sink.finish()
}

/// Returns the map of a scalar with the tag `!!binary`, whose decoded bytes are not in the file.
pub(crate) fn binary_map(scalar: &ScalarData) -> SourceMap {
    let (ScalarText::Verbatim(text) | ScalarText::Decoded(text)) = scalar.text;
    let mut map = SourceMapBuilder::new(scalar.content.start());
    map.replaced(scalar.content, text.len().into());
    map.finish()
}

/// Returns the range of two offsets, which are below 4 GiB.
pub(crate) fn range(start: usize, end: usize) -> TextRange {
    let size = |offset: usize| TextSize::new(u32::try_from(offset).unwrap_or(u32::MAX));
    TextRange::new(size(start), size(end.max(start)))
}

#[cfg(test)]
mod tests;
