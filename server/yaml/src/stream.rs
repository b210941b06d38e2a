//! A stream of documents: the content of one file.

mod node;
mod scalar;
mod wide;

pub use node::{Entry, Mapping, Node, NodeId, NodeKind, Sequence};
pub use scalar::Scalar;

use crate::error::SyntaxError;
use crate::tree::{NONE, ScalarData, ScalarText, Tree};
use std::sync::{Arc, OnceLock};
use text::TextRange;
use wide::WideMappings;

/// A parsed file.
#[derive(Debug)]
pub struct Stream {
    pub(crate) text: Arc<str>,
    pub(crate) tree: Tree,
    pub(crate) documents: Vec<DocumentData>,
    pub(crate) errors: Vec<SyntaxError>,
    pub(crate) comments: Vec<Comment>,
    /// Whether any mapping has a merge key.
    pub(crate) has_merges: bool,
    wide: OnceLock<WideMappings>,
}

/// A document of the stream.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DocumentData {
    pub(crate) range: TextRange,
    /// Index of the root node, or [`NONE`].
    pub(crate) root: u32,
    pub(crate) recovered: bool,
}

/// A comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Comment {
    /// From the `#` to the end of the line, without the line break.
    pub range: TextRange,
}

impl Stream {
    /// Returns the stream of a source before any document is parsed.
    pub(crate) fn new(text: Arc<str>) -> Self {
        Self {
            text,
            tree: Tree::default(),
            documents: Vec::new(),
            errors: Vec::new(),
            comments: Vec::new(),
            has_merges: false,
            wide: OnceLock::new(),
        }
    }

    /// Returns the text of the file.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the documents, in the order of the file.
    pub fn documents(&self) -> impl ExactSizeIterator<Item = Document<'_>> + Clone {
        self.documents
            .iter()
            .map(|data| Document { stream: self, data })
    }

    /// Returns the document that contains a range, without visiting all others.
    #[must_use]
    pub fn document_around(&self, range: TextRange) -> Option<Document<'_>> {
        let documents = &self.documents;
        let first = documents.partition_point(|data| data.range.end() < range.end());
        let documents = documents.get(first..)?.iter();
        let mut near = documents.take_while(|data| data.range.start() <= range.start());
        let data = near.find(|data| data.range.contains_range(range))?;
        Some(Document { stream: self, data })
    }

    /// Returns the node with that ID. `None` for an ID of a greater stream.
    #[must_use]
    pub fn node(&self, id: NodeId) -> Option<Node<'_>> {
        let index = id.index();
        ((index as usize) < self.tree.nodes.len()).then(|| Node::new(self, index))
    }

    /// Returns the syntax errors, in the order of the file.
    #[must_use]
    pub fn errors(&self) -> &[SyntaxError] {
        &self.errors
    }

    /// Returns the comments, in the order of the file.
    #[must_use]
    pub fn comments(&self) -> &[Comment] {
        &self.comments
    }

    /// Returns the text in `range`, or an empty string if it does not fit the text.
    #[must_use]
    pub fn slice(&self, range: TextRange) -> &str {
        let (start, end) = (usize::from(range.start()), usize::from(range.end()));
        self.text.get(start..end).unwrap_or("")
    }

    pub(crate) fn scalar_text(&self, scalar: &ScalarData) -> &str {
        match scalar.text {
            ScalarText::Verbatim(range) => self.slice(range),
            ScalarText::Decoded(range) => {
                let (start, end) = (usize::from(range.start()), usize::from(range.end()));
                self.tree.decoded.get(start..end).unwrap_or("")
            }
        }
    }
}

/// One document of a stream.
#[derive(Clone, Copy, Debug)]
pub struct Document<'a> {
    stream: &'a Stream,
    data: &'a DocumentData,
}

impl<'a> Document<'a> {
    /// Returns the bytes of the document, without the `---` before and after it.
    #[must_use]
    pub fn range(self) -> TextRange {
        self.data.range
    }

    /// Returns the root node. `None` when the document is empty, or holds only comments.
    #[must_use]
    pub fn root(self) -> Option<Node<'a>> {
        (self.data.root != NONE).then(|| Node::new(self.stream, self.data.root))
    }

    /// Returns whether errors were skipped in the document, so that nodes may be missing or
    /// guessed.
    #[must_use]
    pub fn recovered(self) -> bool {
        self.data.recovered
    }
}
