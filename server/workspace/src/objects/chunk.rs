//! A part of a stream that one core reads.

use super::position::StreamPosition;
use super::problem::ObjectProblem;
use super::scan::ListHead;
use admission::{PartTexts, SelectParts};
use cel::Value;
use memchr::memmem;
use policy::parts::Parts;
use std::sync::Arc;

/// Some objects of a stream, unparsed.
#[derive(Debug)]
pub struct Chunk {
    pub(super) text: Vec<u8>,
    pub(super) at: StreamPosition,
    pub(super) layout: Layout,
    /// A problem that was found before reading.
    pub(super) problem: Option<ObjectProblem>,
}

/// The layout of the objects in the text.
#[derive(Clone, Debug)]
pub(super) enum Layout {
    /// JSON values and YAML documents.
    Values,
    /// Elements of a JSON array.
    JsonItems(Arc<ListHead>),
    /// Entries of a YAML sequence, with the indentation of their dashes.
    YamlItems(usize, Arc<ListHead>),
}

/// An object of a stream.
#[derive(Clone, Debug)]
pub struct StreamObject {
    /// The object.
    pub value: Value,
    /// Its offset in the chunk.
    pub start: usize,
    /// Whether its parts were compared with those of earlier ones.
    pub is_compared: bool,
}

/// Receives the objects of a chunk, and the problems between them.
pub type ObjectSink<'f> = dyn FnMut(Result<StreamObject, ObjectProblem>) + 'f;

/// Selects the parts of objects to read, and receives them.
pub trait ObjectVisitor: SelectParts {
    /// Receives an object, with the texts of its parts if it was compared.
    fn object(&mut self, object: StreamObject, texts: Option<&PartTexts>);

    /// Receives the offset and the texts of an object that no reader needs.
    fn known_object(&mut self, start: usize, texts: &PartTexts);

    /// Receives a problem between objects.
    fn problem(&mut self, problem: ObjectProblem);
}

/// Receives whole objects.
pub(super) struct WholeObjects<'f, 'g>(pub(super) &'f mut ObjectSink<'g>);

impl SelectParts for WholeObjects<'_, '_> {
    fn parts(&mut self, _: &str, _: &str) -> Option<Arc<Parts>> {
        None
    }

    fn suffices(&self, _: &Value) -> bool {
        true
    }
}

impl ObjectVisitor for WholeObjects<'_, '_> {
    fn object(&mut self, object: StreamObject, _: Option<&PartTexts>) {
        (self.0)(Ok(object));
    }

    fn known_object(&mut self, _: usize, _: &PartTexts) {}

    fn problem(&mut self, problem: ObjectProblem) {
        (self.0)(Err(problem));
    }
}

/// The positions of bytes of a chunk in the stream. Each is counted from the one before, as a chunk
/// has thousands of objects.
#[derive(Debug)]
pub struct Positions<'c> {
    chunk: &'c Chunk,
    /// The last offset, and its position.
    start: usize,
    at: StreamPosition,
}

impl Positions<'_> {
    /// Returns the position of a byte in the stream.
    pub fn find(&mut self, start: usize) -> StreamPosition {
        let between = self.chunk.text.get(self.start..start);
        self.at = between.map_or_else(|| self.chunk.position(start), |it| self.at.after(it));
        self.start = start;
        self.at
    }
}

impl Chunk {
    /// Returns the length of the text in bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// Returns whether there is no text. There may still be a problem.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Returns the position of a byte in the stream.
    #[must_use]
    pub fn position(&self, start: usize) -> StreamPosition {
        let before = self.text.get(..start).unwrap_or(&self.text);
        self.at.after(before)
    }

    /// Returns the positions of many bytes, in ascending order.
    #[must_use]
    pub fn positions(&self) -> Positions<'_> {
        Positions {
            chunk: self,
            start: 0,
            at: self.at,
        }
    }

    /// Returns whether the text, or the kind of the list, contains a word: a quick check before
    /// parsing.
    #[must_use]
    pub fn mentions(&self, word: &str) -> bool {
        let list = match &self.layout {
            Layout::Values => None,
            Layout::JsonItems(list) | Layout::YamlItems(_, list) => list.kind.as_deref(),
        };
        list.is_some_and(|kind| kind.contains(word))
            || memmem::find(&self.text, word.as_bytes()).is_some()
    }
}
