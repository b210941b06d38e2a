//! The node at a cursor in half-written YAML.
//!
//! The document is parsed again with a name inserted at the cursor. The node with that name shows
//! whether a key or a value is expected there, and its position in the document.

use std::ops::Range;
use std::sync::Arc;
use text::{TextRange, TextSize};
use yaml::{Mapping, Node, NodeId, ScalarStyle, Stream};

/// The inserted name.
const MARKER: &str = "admissibleCursor";

/// A cursor in a document.
pub(super) struct Cursor {
    stream: Stream,
    node: NodeId,
    /// The word in the file that a completion replaces.
    pub(super) word: TextRange,
    /// The part of the word before the cursor.
    pub(super) typed: String,
    /// Whether the word is in quotes.
    pub(super) is_quoted: bool,
    /// Whether the word is in brackets or braces.
    pub(super) is_flow: bool,
    /// Whether a colon follows the word, so that the key already has a value.
    pub(super) has_colon: bool,
    /// Whether the rest of the line is empty.
    pub(super) is_alone: bool,
    /// The column of the word in bytes.
    pub(super) column: usize,
}

impl Cursor {
    /// Returns the possible cursors at an offset, the most likely first. Empty in comments, block
    /// scalars, and where YAML expects neither a key nor a value.
    pub(super) fn all(text: &str, offset: TextSize) -> impl Iterator<Item = Self> {
        let place = CursorText::at(text, usize::from(offset));
        let variants = place.as_ref().map_or(&[][..], CursorText::variants);
        variants
            .iter()
            .filter_map(move |variant| place.as_ref()?.cursor(variant))
    }

    /// Returns the scalar at the cursor.
    pub(super) fn node(&self) -> Option<Node<'_>> {
        self.stream.node(self.node)
    }

    /// Returns the mapping in which the cursor is at a key.
    pub(super) fn mapping(&self) -> Option<Mapping<'_>> {
        let node = self.node()?;
        let mapping = node.parent()?.as_mapping()?;
        let mut entries = mapping.entries();
        entries.any(|entry| entry.key == node).then_some(mapping)
    }
}

/// The text around a cursor.
struct CursorText<'t> {
    /// The offset of the document in the file.
    document: usize,
    before: &'t str,
    /// The word at the cursor, in two parts.
    word: (&'t str, &'t str),
    after: &'t str,
}

impl<'t> CursorText<'t> {
    fn at(text: &'t str, at: usize) -> Option<Self> {
        let document = document(text, at)?;
        let (before, after) = (text.get(document.start..at)?, text.get(at..document.end)?);
        let start = before.len() - before.chars().rev().take_while(is_word).count();
        let end = after.chars().take_while(is_word).count();
        let (before, first) = before.split_at_checked(start)?;
        let (second, after) = after.split_at_checked(end)?;
        Some(Self {
            document: document.start,
            before,
            word: (first, second),
            after,
        })
    }

    /// Returns the line before the word.
    fn line(&self) -> &'t str {
        self.before.rsplit('\n').next().unwrap_or_default()
    }

    /// Returns the line after the word.
    fn rest(&self) -> &'t str {
        self.after.lines().next().unwrap_or_default()
    }

    /// Returns the possible text after the word: the colon of a key, or nothing.
    fn variants(&self) -> &'static [&'static str] {
        let is_indented = self.line().chars().all(|it| matches!(it, ' ' | '-'));
        if is_indented && self.rest().trim().is_empty() {
            &[": ", ""]
        } else {
            &["", ": 0, ", ": 0"]
        }
    }

    fn cursor(&self, after_word: &str) -> Option<Cursor> {
        let (first, second) = self.word;
        let word = format!("{first}{MARKER}{second}");
        let (before, after) = (self.before, self.after);
        let stream = yaml::parse(Arc::from(format!("{before}{word}{after_word}{after}")));
        let (node, is_quoted) = find(&stream, &word)?;
        let is_flow = stream.node(node)?.parent().is_some_and(Node::is_flow);
        let start = self.document + before.len();
        Some(Cursor {
            stream,
            node,
            word: TextRange::new(size(start)?, size(start + first.len() + second.len())?),
            typed: first.to_owned(),
            is_quoted,
            is_flow,
            has_colon: self.rest().starts_with(':'),
            is_alone: self.line().trim().is_empty() && self.rest().trim().is_empty(),
            column: self.line().len(),
        })
    }
}

/// Returns the bytes of the document that contains an offset.
fn document(text: &str, at: usize) -> Option<Range<usize>> {
    let mut documents = yaml::split(text).map(Range::<usize>::from);
    documents.find(|document| (document.start..=document.end).contains(&at))
}

/// Returns the scalar that equals the inserted word, and whether it is in quotes.
fn find(stream: &Stream, word: &str) -> Option<(NodeId, bool)> {
    let mut open: Vec<Node<'_>> = stream
        .documents()
        .filter_map(yaml::Document::root)
        .collect();
    while let Some(node) = open.pop() {
        if let Some(mapping) = node.as_mapping().filter(|_| !node.is_alias()) {
            open.extend(mapping.entries().flat_map(|entry| [entry.key, entry.value]));
        } else if let Some(sequence) = node.as_sequence().filter(|_| !node.is_alias()) {
            open.extend(sequence.items());
        } else if let Some(scalar) = node.as_scalar()
            && scalar.text() == word
        {
            return match scalar.style() {
                ScalarStyle::Plain => Some((node.id(), false)),
                ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => Some((node.id(), true)),
                ScalarStyle::Literal | ScalarStyle::Folded => None,
            };
        }
    }
    None
}

const fn is_word(character: &char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '-' | '_' | '.' | '/' | '*')
}

fn size(offset: usize) -> Option<TextSize> {
    u32::try_from(offset).ok().map(TextSize::from)
}
