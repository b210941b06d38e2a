//! Values that are larger than a chunk: large lists, and sometimes a large object.

use super::chunk::Layout;
use super::format::{Format, format};
use super::scan::Fields;
use super::{CHUNK, ObjectProblemKind, ObjectStream, Progress, State};
use std::io::{self, Read};

mod json;
mod yaml;

/// The progress of reading a large value.
#[derive(Debug)]
pub(super) enum Large {
    /// The start of JSON.
    Json(Fields),
    /// Elements of a JSON array.
    JsonItems(json::Items),
    /// The rest of a JSON value, which is skipped.
    JsonRest(super::scan::Outline),
    /// The start of YAML.
    Yaml,
    /// Entries of a YAML sequence.
    YamlItems(yaml::Items),
    /// The rest of a YAML document, which is skipped.
    YamlRest,
    /// An incomplete value.
    Broken(ObjectProblemKind),
}

impl Large {
    /// Returns the state at the start of a value.
    pub(super) fn new(text: &[u8]) -> Self {
        match format(text) {
            Format::Json => Self::Json(Fields::before(0)),
            Format::Yaml | Format::Nothing => Self::Yaml,
        }
    }
}

impl<R: Read> ObjectStream<R> {
    pub(super) fn large(&mut self, large: Large) -> io::Result<Progress> {
        match large {
            Large::Json(fields) => self.json(fields),
            Large::JsonItems(items) => self.json_items(items),
            Large::JsonRest(outline) => self.json_rest(outline),
            Large::Yaml => self.yaml(),
            Large::YamlItems(items) => self.yaml_items(items),
            Large::YamlRest => self.yaml_rest(),
            Large::Broken(kind) => Ok(self.fail(kind)),
        }
    }

    fn continue_with(&mut self, large: Large) -> Progress {
        self.state = State::Large(large);
        Progress::Next
    }

    /// Reads more bytes, then continues.
    fn grow(&mut self, large: Large) -> io::Result<Progress> {
        self.window.fill(self.window.bytes().len() + CHUNK)?;
        Ok(self.continue_with(large))
    }

    /// Returns a chunk, then continues.
    fn give(&mut self, len: usize, layout: Layout, then: Large) -> Progress {
        self.state = State::Large(then);
        self.chunk(len, layout)
    }

    /// Reports that an object is too large, skips the bytes in the window, and continues.
    fn too_large(&mut self, then: Large) -> Progress {
        let limit = super::MAX_OBJECT;
        let step = self.problem(ObjectProblemKind::TooLarge { limit }, false);
        self.window.skip(usize::MAX);
        self.state = State::Large(then);
        step
    }

    /// Returns the remaining bytes as a chunk.
    fn rest(&mut self, layout: Layout) -> Progress {
        self.state = State::Values;
        self.chunk(usize::MAX, layout)
    }
}
