//! A part of a stream that one core reads.

use super::position::StreamPosition;
use super::problem::ObjectProblem;
use super::reading::ChunkReader;
use super::scan::ListHead;
use admission::JsonReader;
use cel::Value;
use memchr::memmem;
use std::sync::Arc;

/// Some objects of a stream, as text.
#[derive(Debug)]
pub struct Chunk {
    pub(super) text: Vec<u8>,
    pub(super) at: StreamPosition,
    pub(super) layout: Layout,
    /// What was found before anything is read.
    pub(super) problem: Option<ObjectProblem>,
}

/// How the objects stand in the text.
#[derive(Clone, Debug)]
pub(super) enum Layout {
    /// As values of JSON and documents of YAML.
    Values,
    /// As elements of a list in JSON.
    JsonItems(Arc<ListHead>),
    /// As entries of a list in YAML, whose dashes have this indentation.
    YamlItems(usize, Arc<ListHead>),
}

/// An object of a stream.
#[derive(Clone, Debug)]
pub struct StreamObject {
    /// The object.
    pub value: Value,
    /// Where it begins in its chunk, in bytes.
    pub start: usize,
}

/// What a chunk gives: objects and what is wrong between them.
pub type ObjectSink<'f> = dyn FnMut(Result<StreamObject, ObjectProblem>) + 'f;

/// Where bytes of a chunk stand in the stream. Each is counted from the one before, as a chunk
/// has thousands of objects.
#[derive(Debug)]
pub struct Positions<'c> {
    chunk: &'c Chunk,
    /// The last byte that was asked for, and where it stands.
    start: usize,
    at: StreamPosition,
}

impl Positions<'_> {
    /// Where a byte stands in the stream.
    pub fn find(&mut self, start: usize) -> StreamPosition {
        let between = self.chunk.text.get(self.start..start);
        self.at = between.map_or_else(|| self.chunk.position(start), |it| self.at.after(it));
        self.start = start;
        self.at
    }
}

impl Chunk {
    /// Bytes of text.
    #[must_use]
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// Whether there is no text, but perhaps a problem.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Where a byte of the chunk stands in the stream.
    #[must_use]
    pub fn position(&self, start: usize) -> StreamPosition {
        let before = self.text.get(..start).unwrap_or(&self.text);
        self.at.after(before)
    }

    /// The same for many bytes in turn.
    #[must_use]
    pub fn positions(&self) -> Positions<'_> {
        Positions {
            chunk: self,
            start: 0,
            at: self.at,
        }
    }

    /// Whether a word stands anywhere in the text, or in the kind of the list around it: a
    /// quick look before anything is read.
    #[must_use]
    pub fn mentions(&self, word: &str) -> bool {
        let list = match &self.layout {
            Layout::Values => None,
            Layout::JsonItems(list) | Layout::YamlItems(_, list) => list.kind.as_deref(),
        };
        list.is_some_and(|kind| kind.contains(word))
            || memmem::find(&self.text, word.as_bytes()).is_some()
    }

    /// Reads the objects in their order.
    pub fn read(&self, json: &mut JsonReader, found: &mut ObjectSink<'_>) {
        if let Some(problem) = &self.problem {
            found(Err(problem.clone()));
        }
        let mut reading = ChunkReader::new(self, json, found);
        match &self.layout {
            Layout::Values => reading.values(),
            Layout::JsonItems(list) => reading.json_items(list),
            Layout::YamlItems(indent, list) => reading.yaml_items(*indent, list),
        }
    }
}
