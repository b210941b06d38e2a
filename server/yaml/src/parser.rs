//! From the text of a document to its nodes.

use crate::decode::{self, TextSink, block_header};
use crate::error::{SyntaxError, SyntaxErrorKind};
use crate::scalar::{Chomping, ScalarStyle};
use crate::stream::{Comment, DocumentData, Stream};
use crate::tree::{Content, CoreTag, NONE, NodeData, Properties, ScalarData, ScalarText, Tree};
use granit_parser::{Event, Parser, Span};
use std::collections::HashMap;
use std::sync::Arc;
use text::{TextRange, TextSize};

/// Parses a file.
#[must_use]
pub fn parse(text: Arc<str>) -> Stream {
    let ranges: Vec<TextRange> = crate::split::split(&text).collect();
    parse_documents(text, &ranges)
}

/// Parses chosen documents of a file.
#[must_use]
pub fn parse_documents(text: Arc<str>, ranges: &[TextRange]) -> Stream {
    let mut stream = Stream {
        text: Arc::clone(&text),
        tree: Tree::default(),
        documents: Vec::new(),
        errors: Vec::new(),
        comments: Vec::new(),
    };
    for range in ranges {
        document(&text, *range, &mut stream);
    }
    stream
}

fn document(text: &str, range: TextRange, stream: &mut Stream) {
    let base = usize::from(range.start());
    let Some(part) = text.get(base..usize::from(range.end())) else {
        return;
    };
    let mut build = Build {
        text,
        base,
        stream,
        open: Vec::new(),
        pending: Vec::new(),
        anchors: HashMap::new(),
        root: NONE,
    };
    let mut recovered = false;
    for event in Parser::new_from_str(part) {
        match event {
            Ok((event, span)) => build.event(&event, span),
            Err(error) => {
                let at = error.marker().byte_offset().unwrap_or(0) + base;
                let at = decode::range(at.min(text.len()), at.min(text.len()));
                recovered = true;
                build.stream.errors.push(SyntaxError {
                    range: at,
                    kind: SyntaxErrorKind::BadIndentation,
                });
                break;
            }
        }
    }
    while !build.open.is_empty() {
        build.close();
    }
    let root = build.root;
    stream.documents.push(DocumentData {
        range,
        root,
        recovered,
    });
}

struct Build<'a> {
    text: &'a str,
    base: usize,
    stream: &'a mut Stream,
    open: Vec<(u32, bool, usize)>,
    pending: Vec<u32>,
    anchors: HashMap<usize, u32>,
    root: u32,
}

impl Build<'_> {
    fn range(&self, span: Span) -> TextRange {
        let range = span.byte_range().unwrap_or(0..0);
        decode::range(range.start + self.base, range.end + self.base)
    }

    fn event(&mut self, event: &Event<'_>, span: Span) {
        let range = self.range(span);
        match event {
            Event::Comment(..) => self.stream.comments.push(Comment { range }),
            Event::Scalar(value, style, anchor, tag) => {
                let mut range = range;
                if matches!(
                    style,
                    granit_parser::ScalarStyle::Literal | granit_parser::ScalarStyle::Folded
                ) {
                    let before = self.text.get(..usize::from(range.start())).unwrap_or("");
                    let line = before.trim_end().rfind(['|', '>']).unwrap_or(0);
                    range = decode::range(line, usize::from(range.end()));
                }
                let tag = tag.is_some().then(|| span.tag_span()).flatten();
                let scalar = self.scalar(value, *style, range);
                self.add(range, *anchor, tag, Content::Scalar(scalar));
            }
            Event::Alias(anchor) => {
                if let Some(target) = self.anchors.get(anchor).copied() {
                    self.add(range, 0, None, Content::Alias(target));
                }
            }
            Event::MappingStart(_, anchor, _) => {
                let index = self.add(range, *anchor, None, Content::Mapping(Default::default()));
                self.open.push((index, true, self.pending.len()));
            }
            Event::SequenceStart(_, anchor, _) => {
                let index = self.add(range, *anchor, None, Content::Sequence(Default::default()));
                self.open.push((index, false, self.pending.len()));
            }
            Event::MappingEnd | Event::SequenceEnd => self.close(),
            _ => {}
        }
    }

    fn add(&mut self, range: TextRange, anchor: usize, tag: Option<Span>, content: Content) -> u32 {
        let parent = self.open.last().map_or(NONE, |open| open.0);
        let mut properties = NONE;
        if let Some(tag) = tag {
            let tag = self.range(tag);
            let core = match self.stream.slice(tag) {
                "!!str" => CoreTag::Str,
                "!!int" => CoreTag::Int,
                "!!float" => CoreTag::Float,
                "!!bool" => CoreTag::Bool,
                "!!null" => CoreTag::Null,
                _ => CoreTag::Other,
            };
            properties = u32::try_from(self.stream.tree.properties.len()).unwrap_or(NONE);
            self.stream.tree.properties.push(Properties {
                anchor: None,
                tag: Some(tag),
                core: Some(core),
            });
        }
        let index = self.stream.tree.push(NodeData {
            range,
            parent,
            properties,
            content,
        });
        if anchor > 0 {
            self.anchors.insert(anchor, index);
        }
        if parent == NONE && self.root == NONE {
            self.root = index;
        } else {
            self.pending.push(index);
        }
        index
    }

    fn close(&mut self) {
        let Some((index, mapping, from)) = self.open.pop() else {
            return;
        };
        let mut ids: Vec<u32> = self.pending.drain(from..).collect();
        if mapping && ids.len() % 2 == 1 {
            let end = self.text.len();
            ids.push(self.stream.tree.push(crate::tree::empty_scalar(
                TextSize::new(u32::try_from(end).unwrap_or(0)),
                index,
            )));
        }
        let end = ids
            .last()
            .and_then(|last| self.stream.tree.nodes.get(*last as usize))
            .map(|node| node.range.end());
        let children = self.stream.tree.keep_children(ids.into_iter());
        if let Some(node) = self.stream.tree.nodes.get_mut(index as usize) {
            if let Some(end) = end {
                node.range = TextRange::new(node.range.start(), end.max(node.range.end()));
            }
            node.content = if mapping {
                Content::Mapping(children)
            } else {
                Content::Sequence(children)
            };
        }
    }

    fn scalar(
        &mut self,
        value: &str,
        style: granit_parser::ScalarStyle,
        range: TextRange,
    ) -> ScalarData {
        let one = TextSize::new(1);
        let style = match style {
            granit_parser::ScalarStyle::Plain => ScalarStyle::Plain,
            granit_parser::ScalarStyle::SingleQuoted => ScalarStyle::SingleQuoted,
            granit_parser::ScalarStyle::DoubleQuoted => ScalarStyle::DoubleQuoted,
            granit_parser::ScalarStyle::Literal => ScalarStyle::Literal,
            granit_parser::ScalarStyle::Folded => ScalarStyle::Folded,
        };
        let mut scalar = ScalarData {
            style,
            content: range,
            text: ScalarText::Verbatim(range),
            indent: 0,
            chomping: Chomping::Clip,
        };
        match style {
            ScalarStyle::Plain => {}
            ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => {
                scalar.content = TextRange::new(range.start() + one, range.end() - one);
            }
            ScalarStyle::Literal | ScalarStyle::Folded => {
                let header = block_header(self.text, range.start());
                scalar.chomping = header.chomping;
                let rest = self
                    .text
                    .get(usize::from(header.range.end())..)
                    .unwrap_or("");
                let start = rest.find('\n').map_or(rest.len(), |at| at + 1);
                let start = start + usize::from(header.range.end());
                let raw = self.text.get(start..usize::from(range.end())).unwrap_or("");
                let raw = raw.trim_end_matches(' ');
                scalar.content = decode::range(start, start + raw.len());
                let lines = self.text.get(start..).unwrap_or("").lines();
                let indent = lines
                    .filter(|line| !line.trim().is_empty())
                    .map(|line| line.len() - line.trim_start().len())
                    .next();
                scalar.indent = u32::try_from(indent.unwrap_or(1)).unwrap_or(1);
            }
        }
        let mut errors = Vec::new();
        let mut sink = TextSink::new(
            self.text,
            scalar.content.start(),
            &mut self.stream.tree.decoded,
            &mut errors,
        );
        decode::decode(self.text, &scalar, &mut sink);
        scalar.text = sink.finish();
        let _ = value;
        scalar
    }
}
