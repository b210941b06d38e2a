//! Values that are larger than a chunk: large lists, and now and then a large object.

use super::chunk::Layout;
use super::format::{Format, format};
use super::scan::Fields;
use super::{CHUNK, ObjectProblemKind, ObjectStream, Progress, State};
use std::io::{self, Read};

mod json;
mod yaml;

/// How far a large value is read.
#[derive(Debug)]
pub(super) enum Large {
    /// It begins as JSON.
    Json(Fields),
    /// Elements of a list in JSON.
    JsonItems(json::Items),
    /// The rest of a value in JSON, of which nothing is wanted.
    JsonRest(super::scan::Outline),
    /// It begins as YAML.
    Yaml,
    /// Entries of a list in YAML.
    YamlItems(yaml::Items),
    /// The rest of a document in YAML, of which nothing is wanted.
    YamlRest,
    /// It breaks off.
    Broken(ObjectProblemKind),
}

impl Large {
    /// The beginning of a value.
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

    fn goes_on(&mut self, large: Large) -> Progress {
        self.state = State::Large(large);
        Progress::Next
    }

    /// Reads more, and goes on then.
    fn grow(&mut self, large: Large) -> io::Result<Progress> {
        self.window.fill(self.window.bytes().len() + CHUNK)?;
        Ok(self.goes_on(large))
    }

    /// Gives a chunk, and goes on then.
    fn give(&mut self, len: usize, layout: Layout, then: Large) -> Progress {
        self.state = State::Large(then);
        self.chunk(len, layout)
    }

    /// Says that an object is too large, forgets its bytes that are at hand, and goes on.
    fn too_large(&mut self, then: Large) -> Progress {
        let limit = super::MAX_OBJECT;
        let step = self.problem(ObjectProblemKind::TooLarge { limit }, false);
        self.window.skip(usize::MAX);
        self.state = State::Large(then);
        step
    }

    /// Gives all that is left, of which it is read what can be.
    fn rest(&mut self, layout: Layout) -> Progress {
        self.state = State::Values;
        self.chunk(usize::MAX, layout)
    }
}
